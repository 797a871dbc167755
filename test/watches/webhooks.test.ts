import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { BACKENDS, type Bench, silent } from '../ledger/backends.ts';
import { deliverDue, HOUR, houseOn } from './house.ts';

for (const backend of BACKENDS)
  describe(`webhooks on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());

    /** Finds `checks` changes while the target fails for `outageHours`; the cursors that it took then. */
    async function outage(checks: number, outageHours: number, status: number) {
      let dnssec = false;
      const record = { domain: 'a.com', available: false, registrar: null, status: [], nameServers: [], contacts: [] };
      const house = await houseOn(bench, () => ({ resource: { ...record, dnssec } }));
      const webhook = { url: 'https://hooks.example.com/x' };
      const body = { operation: 'registration', parameters: { domain: 'a.com' }, every: '1d', creditsPerMonth: 1_000, webhook };
      const { watchId } = await house.watches.create(house.caller, body);
      const since = await bench.store.now();
      const taken: string[] = [];
      const http: DestinationParts['http'] = {
        async ask(request) {
          const { cursor } = JSON.parse(request.body ?? '{}').data as { cursor: string };
          const isOver = (await bench.store.now()) - since >= outageHours * HOUR;
          if (isOver) taken.push(cursor);
          const answer = { status: isOver ? 204 : status, headers: {}, body: new Uint8Array(), url: request.url, at: 0 };
          return { tag: 'answer', answer };
        },
      };
      const parts = { ...house.parts, http, log: silent };
      for (let hour = 0; hour < outageHours + 30; hour++) {
        if (hour <= checks) {
          await house.watches.run(house.caller, watchId);
          dnssec = !dnssec;
        }
        await deliverDue(parts);
        await bench.jump(HOUR);
      }
      const { changes } = await house.watches.changes(house.caller, { limit: 100, order: 'oldest', watch: watchId });
      const watch = await house.watches.show(house.caller, watchId);
      await house.ledger.close();
      return { taken, cursors: changes.map(({ cursor }) => cursor), disabledAt: watch.webhook?.disabledAt ?? null };
    }

    test('after an outage of almost three days each change is told, in the order of the feed', async () => {
      const { taken, cursors, disabledAt } = await outage(5, 60, 503);
      assert.equal(cursors.length, 5);
      assert.deepEqual(taken, cursors);
      assert.equal(disabledAt, null);
    });

    test('a target that fails for three days is disabled, and one that answers 410 at once; the feed has every change', async () => {
      const failing = await outage(3, 100, 500);
      assert.deepEqual([failing.taken, failing.cursors.length], [[], 3 + 1], 'and the notice that it is disabled');
      assert.notEqual(failing.disabledAt, null);
      assert.notEqual((await outage(2, 3, 410)).disabledAt, null);
    });
  });
