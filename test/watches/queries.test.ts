import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WatchedNumber } from '../../src/contract/account/watch-schemas.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { BACKENDS, type Bench } from '../ledger/backends.ts';
import { houseOn } from './house.ts';

const TRAFFIC = { operation: 'traffic', parameters: { domain: 'a.com' }, every: '1d', creditsPerMonth: 1_000 };

for (const backend of BACKENDS)
  describe(`what is asked of watches on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());
    const houseFor = () => houseOn(bench, () => ({ resource: { domain: 'a.com', available: false } }));

    test('changes of a watch that the account does not have are 404, those of its own are its own', async () => {
      const house = await houseFor();
      const { watchId } = await house.watches.create(house.caller, TRAFFIC);
      const query = { limit: 10, order: 'oldest' as const, after: undefined };
      assert.deepEqual((await house.watches.changes(house.caller, { ...query, watch: watchId })).changes, []);
      const refused = (caller: typeof house.caller, watch: string) =>
        assert.rejects(house.watches.changes(caller, { ...query, watch }), {
          failure: 'NOT_FOUND',
          message: `This account has no watch ${watch}.`,
        });
      await refused(house.caller, 'wat_nobody');
      await refused({ ...house.caller, accountId: 'acc_other' }, watchId);
      await house.ledger.close();
    });

    test('older messages of a webhook are reached by the cursor', async () => {
      const house = await houseFor();
      const { watchId } = await house.watches.create(house.caller, { ...TRAFFIC, webhook: { url: 'https://hooks.example.com/x' } });
      const { n } = await bench.store.db.selectFrom('watches').select('n').where('id', '=', watchId).executeTakeFirstOrThrow();
      const message = { watch: n, kinds: '["changed"]', created_at: 1, attempts: 1, next_at: null, delivered_at: 2, result: '200' };
      await bench.store.db
        .insertInto('watch_deliveries')
        .values([1, 2, 3, 4, 5].map((cursor) => ({ ...message, cursor })))
        .execute();
      const pages: string[][] = [];
      for (let after: number | undefined; ; ) {
        const page = await house.watches.deliveries(house.caller, watchId, { limit: 2, after });
        pages.push(page.deliveries.map(({ cursor }) => cursor));
        assert.equal(page.hasMore, page.after !== null);
        if (page.after === null) break;
        after = Number(page.after);
      }
      assert.deepEqual(pages, [['5', '4'], ['3', '2'], ['1']]);
      assert.deepEqual(
        (await house.watches.repeat(house.caller, watchId, 3)).deliveries.map(({ cursor }) => cursor),
        ['3'],
        'the message that is sent again',
      );
      await house.ledger.close();
    });

    test('`least` takes what its schema says, and fields that are numbers alone', async () => {
      const house = await houseFor();
      for (const [operation, parameters, path, least, isGood] of [
        ['traffic', { domain: 'a.com' }, 'bounceRate', 0.1, true],
        ['traffic', { domain: 'a.com' }, 'visits', 1_000, true],
        ['app', { handle: 'acme-reviews' }, 'rating', 0.1, true],
        ['serp', { keyword: 'a' }, 'organic.rank', 1.5, true],
        ['serp', { keyword: 'a' }, 'organic[a.com].rank', 2, true],
        ['serp', { keyword: 'a' }, 'organic.title', 2, false],
        ['serp', { keyword: 'a' }, 'organic', 2, false],
        ['registration', { domain: 'a.com' }, 'available', 1, false],
        ['traffic', { domain: 'a.com' }, 'visits', 0, false],
      ] as const) {
        const fields = [{ path, least }];
        const made = await house.watches
          .create(house.caller, { ...TRAFFIC, operation, parameters, fields })
          .catch((error: unknown) => error);
        if (!isGood) {
          assert.ok(made instanceof ServiceError && made.failure === 'INVALID_REQUEST', `${operation} ${path}`);
          assert.match(made.message, /^Field fields\/0 is \{"path":/);
          continue;
        }
        assert.ok(!(made instanceof Error), `${operation} ${path}: ${made}`);
        assert.deepEqual((made as { fields: unknown }).fields, fields);
      }
      const { least } = WatchedNumber.properties as { readonly least: object };
      assert.deepEqual({ ...least, description: '' }, { type: 'number', exclusiveMinimum: 0, description: '' });
      await house.ledger.close();
    });
  });
