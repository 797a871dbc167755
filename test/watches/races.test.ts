import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { BACKENDS, type Bench } from '../ledger/backends.ts';
import { gatewayOn, houseOn } from './house.ts';

const BODY = { operation: 'registration', parameters: { domain: 'a.com' }, every: '1d', creditsPerMonth: 1_000 };
const WEBHOOK = { url: 'https://hooks.example.com/x' };
const MOST = 5;
const AT_ONCE = 40;

for (const backend of BACKENDS)
  describe(`concurrent requests for watches on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());
    const houseFor = () => houseOn(bench, () => ({ resource: { domain: 'a.com', available: false } }));

    test(`of ${AT_ONCE} creations at once as many succeed as the account may have, also over two gateways`, async () => {
      const house = await houseFor();
      const environment = { SIGHTLINE_WATCHES_PER_ACCOUNT: String(MOST) };
      const stores = [bench.store, (await bench.another()) ?? bench.store];
      const gateways = stores.map((store) => gatewayOn(store, house.ledger, () => ({ error: 'INTERNAL_ERROR' }), environment).watches);
      const made = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, i) => gateways[i % 2]?.create(house.caller, BODY)));
      assert.equal(made.filter(({ status }) => status === 'fulfilled').length, MOST);
      for (const one of made)
        if (one.status === 'rejected')
          assert.ok(one.reason instanceof ServiceError && one.reason.code === 'INVALID_REQUEST', String(one.reason));
      const { watches } = await house.watches.list(house.caller, { limit: 100 });
      assert.equal(watches.length, MOST);
      await house.ledger.close();
    });

    test('what is asked of a watch that another request deletes meanwhile is 404, and nothing of it stays', async () => {
      const house = await houseFor();
      const { caller } = house;
      const requests = {
        edit: (of, id) => of.edit(caller, id, { name: 'b' }),
        'edit of the fields': (of, id) => of.edit(caller, id, { fields: ['dnssec'] }),
        run: (of, id) => of.run(caller, id),
        repeat: (of, id) => of.repeat(caller, id, 1),
      } satisfies Record<string, (of: typeof house.watches, id: string) => Promise<unknown>>;
      for (const [name, request] of Object.entries(requests)) {
        const { watchId } = await house.watches.create(caller, { ...BODY, webhook: WEBHOOK });
        await house.watches.run(caller, watchId);
        // every request reads the time after it has found the watch
        const now = async () => {
          await house.watches.remove(caller, watchId).catch(() => undefined);
          return house.parts.now();
        };
        const error = await request(createWatches({ ...house.parts, now }), watchId).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof ServiceError, `${name}: ${error}`);
        assert.equal(error.status, 404, name);
      }
      for (const table of ['watch_deliveries', 'watch_answers', 'watch_checks', 'watch_bodies'] as const)
        assert.deepEqual(await bench.store.db.selectFrom(table).selectAll().execute(), [], table);
      await house.ledger.close();
    });
  });
