// Few in a process: it computes for long.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { CreditLedger } from '../../src/billing/ledger.ts';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { BACKENDS, type Bench, grant, KEY_ROW, silent } from '../ledger/backends.ts';
import { sizeOf } from '../support/sizes.ts';
import { DAY, deliverDue, HOUR, houseOn } from './house.ts';

const WATCHES = sizeOf({ whole: 50, part: 12 });
const CHAT = 'https://chat.example.org/hook/abcdefghij';
const HOOK = 'https://hooks.example.com/x';
const record = (domain: string) => ({ domain, available: false, registrar: null, status: [], nameServers: [], contacts: [] });

/** How the watches of a key come to a stop, and what lets them go on beside a take-over. */
interface Stop {
  readonly name: string;
  readonly reason: 'key' | 'credits';
  /** Credits of the account when the watches are made. */
  readonly credits: number;
  begin(bench: Bench, keyId: string): Promise<void>;
  end(bench: Bench, accountId: string): Promise<unknown>;
}
const none = async (): Promise<void> => {};
const STOPS: readonly Stop[] = [
  {
    name: 'the key is revoked',
    reason: 'key',
    credits: 100_000,
    async begin({ store }, keyId) {
      await store.db
        .updateTable('keys')
        .set({ revoked_at: await store.now() })
        .where('id', '=', keyId)
        .execute();
    },
    end: none,
  },
  {
    name: 'the grant of an app ends',
    reason: 'key',
    credits: 100_000,
    async begin({ store }, keyId) {
      const expires_at = await store.now();
      await store.db.updateTable('keys').set({ expires_at }).where('id', '=', keyId).execute();
      const app = { client_id: 'app_x', redirect_uri: 'https://app.example/', challenge: 'c', resource: 'https://sightline.example' };
      await store.db
        .insertInto('grants')
        .values({ ...app, key_id: keyId, scopes: '["registration","watches"]', expires_at })
        .execute();
    },
    end: none,
  },
  { name: 'the balance runs dry', reason: 'credits', credits: WATCHES, begin: none, end: ({ store }, id) => grant(store, id, 100_000) },
];

for (const backend of BACKENDS)
  describe(`watches that stop on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    const ledgers: CreditLedger[] = [];
    before(async () => {
      bench = await backend.open();
    });
    after(async () => {
      for (const ledger of ledgers) await ledger.close();
      await bench.drop();
    });

    for (const stop of STOPS)
      test(`${stop.name}: each of ${WATCHES} watches tells it once, at each target; a key that manages the account takes each over, and it runs again`, async () => {
        const house = await houseOn(bench, ({ input }) => ({ resource: record((input as { domain: string }).domain) }), stop.credits);
        ledgers.push(house.ledger);
        const { accountId, keyId } = house;
        const sent: { readonly url: string; readonly body: string }[] = [];
        const http: DestinationParts['http'] = {
          async ask({ url, body = '' }) {
            sent.push({ url, body });
            return { tag: 'answer', answer: { status: 204, headers: {}, body: new Uint8Array(), url, atMs: 0 } };
          },
        };
        const parts = { ...house.parts, http, log: silent };
        const watches = createWatches(parts);
        const manager = { ...house.caller, keyId: `key_${randomUUID().slice(0, 8)}`, manages: true };
        await bench.store.db
          .insertInto('keys')
          .values({ ...KEY_ROW, id: manager.keyId, account_id: accountId, hash: manager.keyId })
          .execute();
        await watches.notify.replace(manager, { notify: [{ to: CHAT, as: 'text' }] });
        const ids: string[] = [];
        for (let i = 0; i < WATCHES; i++) {
          const body = { operation: 'registration', parameters: { domain: `site-${i}.com` }, every: '1d', creditsPerMonth: 1_000 };
          ids.push((await watches.create(house.caller, { ...body, webhook: { url: HOOK } })).watchId);
        }
        /** Goes on by some days, and gives what was filed meanwhile: kinds by watch. */
        let seen = 0;
        async function pass(days: number): Promise<ReadonlyMap<string, readonly string[]>> {
          for (let passed = 0; passed < days * DAY; passed += 6 * HOUR) {
            await bench.jump(6 * HOUR);
            await house.makeDue();
          }
          await deliverDue(parts);
          const page = await watches.changes(manager, { limit: 1_000, order: 'oldest', after: seen });
          seen = Number(page.after ?? seen);
          const byWatch = Map.groupBy(page.changes, ({ watchId }) => watchId);
          return new Map([...byWatch].map(([id, all]) => [id, all.map(({ kind, after }) => (after === null ? kind : `${kind} ${after}`))]));
        }
        const all = (what: string) => new Map([...ids].sort().map((id) => [id, [what]]));
        const inOrder = <T>(map: ReadonlyMap<string, T>) => new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
        const messages = () => sent.splice(0).map(({ url, body }) => `${url} ${/wat_\w+/.exec(body)?.[0]}`);
        const toEach = () => [CHAT, HOOK].flatMap((url) => ids.map((id) => `${url} ${id}`)).sort();

        assert.deepEqual(await pass(1), new Map(), 'a first check tells nothing');
        await stop.begin(bench, keyId);
        assert.deepEqual(inOrder(await pass(3)), all(`failing ${stop.reason}`));
        assert.deepEqual(messages().sort(), toEach());
        const { watches: stopped } = await watches.list(manager, { limit: 100 });
        assert.deepEqual(
          stopped.map((one) => one.stopped),
          ids.map(() => stop.reason),
        );
        const spentBy = (key: string): number => {
          const rows = house.rows.filter((row) => row.keyId === key);
          return rows.reduce((sum, { credits }) => sum + Number(credits), 0);
        };
        assert.deepEqual([spentBy(keyId), spentBy(manager.keyId)], [WATCHES, 0]);

        for (const id of ids) assert.equal((await watches.edit(manager, id, { takeOver: true })).keyId, manager.keyId);
        if (stop.reason === 'credits')
          assert.deepEqual(await pass(2), new Map(), 'who pays changes nothing without credits, and is not told again');
        await stop.end(bench, accountId);
        assert.deepEqual(inOrder(await pass(2)), all('recovered'));
        assert.deepEqual(messages().sort(), toEach());
        const { watches: running } = await watches.list(manager, { limit: 100 });
        assert.ok(running.every((one) => one.stopped === null && one.lastCheck?.outcome === 'same'));
        assert.deepEqual([spentBy(keyId), spentBy(manager.keyId)], [WATCHES, 2 * WATCHES]);
        assert.deepEqual(await pass(2), new Map());
        assert.deepEqual(messages(), []);
        // the next scene is faster without them
        for (const id of ids) await watches.remove(manager, id);
      });
  });
