import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { check } from '../../src/watches/check.ts';
import { BACKENDS, type Bench } from '../ledger/backends.ts';
import { DAY, gatewayOn, HOUR, houseOn } from './house.ts';

/** `SIGHTLINE_TEST_WATCHES=10000x90`: that many watches for that many days. */
const [WATCHES = 100, DAYS = 10] = (process.env.SIGHTLINE_TEST_WATCHES ?? '').split('x').map((n) => Number(n) || undefined);

for (const backend of BACKENDS.slice(0, 1))
  describe(`slots on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());

    test('two gateways, processes killed after their claim, sources that are out: every slot has one outcome and one charge at most', async () => {
      let seed = 7;
      const random = (): number => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed / 2_147_483_647;
      };
      const record = { domain: 'a.com', available: false, registrar: null, status: [], nameServers: [], contacts: [] };
      const house = await houseOn(bench, () => (random() < 0.1 ? { error: 'UPSTREAM_UNREACHABLE' } : { resource: record }));
      const other = gatewayOn(bench.store, house.ledger, () => ({ resource: record }), { SIGHTLINE_WATCHES_PER_ACCOUNT: '100000' });
      for (let i = 0; i < WATCHES; i++)
        await other.watches.create(house.caller, {
          operation: 'registration',
          parameters: { domain: 'a.com' },
          every: '1d',
          creditsPerMonth: 100,
        });
      const began = await bench.store.now();
      for (let hour = 0; hour < DAYS * 24 + 2; hour++) {
        await bench.jump(HOUR);
        for (const gateway of [house, other])
          for (let slots = await gateway.claim(50); slots.length > 0; slots = await gateway.claim(50))
            // a process that is killed loses what it claimed
            await Promise.all(slots.filter(() => random() > 0.1).map((slot) => check(gateway.parts, slot)));
      }
      const { db } = bench.store;
      const rows = await db.selectFrom('watch_checks').select(['watch', 'slot', 'outcome', 'credits']).execute();
      const ofWatch = Map.groupBy(rows, ({ watch }) => watch);
      assert.equal(ofWatch.size, WATCHES);
      for (const own of ofWatch.values()) {
        const slots = own.map(({ slot }) => slot).sort((a, b) => a - b);
        assert.ok(slots.length >= DAYS, `${slots.length} slots`);
        for (const [i, slot] of slots.entries()) assert.equal(slot, (slots[0] ?? 0) + i * DAY, 'no slot is left out');
        assert.ok((slots[0] ?? 0) - began <= DAY);
      }
      const charged = rows.reduce((sum, { credits }) => sum + credits, 0);
      await house.ledger.close();
      const balance = await db.selectFrom('balances').selectAll().where('account_id', '=', house.accountId).executeTakeFirstOrThrow();
      assert.deepEqual([balance.held, 1_000_000 - balance.balance], [0, charged]);
      assert.ok(rows.every(({ credits }) => credits <= 1));
    });
  });
