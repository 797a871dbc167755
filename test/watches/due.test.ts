import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreditLedger } from '../../src/billing/ledger.ts';
import { dayOf, instant } from '../../src/runtime/clock.ts';
import { BACKENDS, type Bench, KEY_ROW } from '../ledger/backends.ts';
import { type Answering, DAY, HOUR, houseOn } from './house.ts';

const BODY = { operation: 'registration', parameters: { domain: 'acme-widgets.com' }, every: '7d', creditsPerMonth: 10_000 };
const record = (expiresOn: string | null) => ({
  domain: 'acme-widgets.com',
  available: expiresOn === null,
  registrar: null,
  status: [],
  nameServers: [],
  contacts: [],
  expiresOn,
});

for (const backend of BACKENDS)
  describe(`due dates on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    const ledgers: CreditLedger[] = [];
    after(async () => {
      for (const ledger of ledgers) await ledger.close();
      await bench.drop();
    });

    /** A watch whose registry says what `expires` gives; `told` are its entries `due`, and other kinds by their name. */
    async function watched(expires: (nowMs: number) => string | null | Error, body: Record<string, unknown> = {}) {
      // those of the tests before are due no more
      await bench.store.db.updateTable('watches').set({ next_at: Number.MAX_SAFE_INTEGER, due_at: null }).execute();
      let asked = 0;
      const answering: Answering = (_, nowMs) => {
        asked++;
        const says = expires(nowMs);
        return says instanceof Error ? { error: 'UPSTREAM_TIMEOUT' } : { resource: record(says) };
      };
      const house = await houseOn(bench, answering);
      ledgers.push(house.ledger);
      const { watchId } = await house.watches.create(house.caller, { ...BODY, ...body });
      await house.watches.run(house.caller, watchId);
      return {
        ...house,
        watchId,
        asked: () => asked,
        show: () => house.watches.show(house.caller, watchId),
        edit: (edit: unknown) => house.watches.edit(house.caller, watchId, edit),
        /** Goes on by some hours, with what is due made in each. */
        async pass(days: number, stepMs = 4 * HOUR): Promise<void> {
          for (let passed = 0; passed < days * DAY; passed += stepMs) {
            await bench.jump(stepMs);
            await house.makeDue();
          }
        },
        async feed() {
          const { changes } = await house.watches.changes(house.caller, { limit: 1_000, order: 'oldest', watch: watchId });
          return changes;
        },
        async told(): Promise<unknown[]> {
          return (await this.feed()).map(({ kind, daysLeft }) => (kind === 'due' ? daysLeft : kind));
        },
      };
    }
    const inDays = async (days: number): Promise<string> => dayOf((await bench.store.now()) + days * DAY);

    test('each threshold is told once on its day, without a lookup where the date was read lately; a name that is over and still registered once', async () => {
      const on = await inDays(40);
      const house = await watched(() => on, { every: '12h' });
      await house.pass(45);
      assert.deepEqual(await house.told(), [30, 14, 7, 1, 0]);
      const [first] = await house.feed();
      assert.deepEqual([first?.field, first?.before, first?.after], ['expiresOn', null, on]);
      assert.equal(first?.at.slice(0, 10), dayOf(Date.parse(on) - 30 * DAY));
      const { dueDate, due } = await house.show();
      assert.deepEqual([due, dueDate?.on, dueDate?.nextAt], [[30, 14, 7, 1], on, null]);
      assert.equal(dueDate?.source, 'test', 'where it was read');
      assert.ok((dueDate?.daysLeft ?? 0) < 0);
      // 45 days by two, the first one, and at most one more for the end
      assert.ok(house.asked() <= 93, String(house.asked()));
    });

    test('the list shows what the last answer stated, until the name is free, and counts the dates that are near or over', async () => {
      let expires: string | null = await inDays(30);
      const house = await watched(() => expires);
      const list = async () => {
        const { watches, dueSoon } = await house.watches.list(house.caller, { after: undefined, limit: 10 });
        return [dueSoon, watches[0]?.latest];
      };
      const stated = { 'registrar.name': null, status: [], nameServers: [] };
      assert.deepEqual(await list(), [1, stated]);
      for (const [days, soon] of [
        [31, 0],
        [-1, 1],
      ] as const) {
        expires = await inDays(days);
        await house.watches.run(house.caller, house.watchId);
        assert.deepEqual(await list(), [soon, stated], `${days} days`);
      }
      const blind = { ...house.caller, operations: ['traffic'] as const };
      assert.equal((await house.watches.list(blind, { after: undefined, limit: 10 })).dueSoon, 0);
      expires = null;
      for (let i = 0; i < 2; i++) {
        await house.watches.run(house.caller, house.watchId);
        await bench.jump(HOUR);
      }
      assert.deepEqual(await list(), [0, {}]);
    });

    test('a reading that is older than a day is made again first; if that fails the entry says when it was read', async () => {
      const on = await inDays(40);
      let isOut = false;
      const house = await watched(() => (isOut ? new Error() : on));
      const readAt = (await house.show()).dueDate?.readAt;
      isOut = true;
      await house.pass(11);
      const [entry] = (await house.feed()).filter(({ kind }) => kind === 'due');
      assert.equal(entry?.daysLeft, 30);
      assert.equal(entry.readAt, readAt);
      isOut = false;
      await house.pass(16);
      assert.deepEqual(
        (await house.told()).filter((one) => typeof one === 'number'),
        [30, 14],
      );
      const last = (await house.feed()).findLast(({ kind }) => kind === 'due');
      const toldFrom = Date.parse(on) - 14 * DAY;
      assert.ok(Date.parse(last?.readAt ?? '') >= toldFrom - DAY, `read at ${last?.readAt}, told from ${instant(toldFrom)} on`);
    });

    test('a date that moves arms its thresholds anew; renewed before the end, nothing is said of the end', async () => {
      const on = await inDays(10);
      const later = await inDays(375);
      let renewed = false;
      const house = await watched(() => (renewed ? later : on), { every: '1d' });
      await house.pass(6);
      assert.deepEqual(await house.told(), [10, 7], 'the first reading tells the nearest threshold that passed');
      renewed = true;
      await house.pass(6);
      assert.deepEqual(await house.told(), [10, 7, 'changed']);
      assert.equal((await house.show()).dueDate?.nextAt?.slice(0, 10), dayOf(Date.parse(later) - 30 * DAY));
    });

    test('a date that goes back and forth is told once at each threshold', async () => {
      const [one, other] = [await inDays(20), await inDays(25)];
      const house = await watched((nowMs) => (Math.floor(nowMs / DAY) % 2 ? other : one), { every: '12h', fields: ['status'] });
      await house.pass(5);
      const dates = (await house.feed()).map(({ after }) => after);
      assert.deepEqual(dates.sort(), [one, other], 'the nearest threshold of each date');
    });

    test('a name that became free is not told as expired', async () => {
      const on = await inDays(2);
      let free = false;
      const house = await watched(() => (free ? null : on), { every: '1d' });
      await house.pass(1.5);
      free = true;
      await house.pass(4);
      assert.deepEqual(await house.told(), [2, 1, 'free']);
      assert.equal((await house.show()).dueDate, null);
    });

    test('a paused watch tells nothing, and after that the nearest threshold; one that is skipped still tells', async () => {
      const on = await inDays(32);
      const house = await watched(() => on, { every: '1d' });
      await house.edit({ paused: true });
      await house.pass(20);
      assert.deepEqual(await house.told(), []);
      await house.edit({ paused: false });
      await house.pass(1);
      assert.deepEqual((await house.told()).length, 1);
      await bench.store.db.updateTable('keys').set({ revoked_at: 1 }).where('id', '=', house.keyId).execute();
      await house.pass(12);
      assert.deepEqual((await house.told()).slice(1), ['failing', 7, 1, 0]);
    });

    test('`due` names other days, none, and is refused where it is no list of days or there is no date', async () => {
      const on = await inDays(60);
      const house = await watched(() => on, { every: '1d', due: [3, 45, 3] });
      assert.deepEqual((await house.show()).due, [45, 3]);
      await house.pass(16);
      assert.deepEqual(await house.told(), [45]);
      await house.edit({ due: [50] });
      await house.pass(1);
      assert.deepEqual(await house.told(), [45], 'the nearest one that passed was told');
      await house.edit({ due: [] });
      await house.pass(50);
      assert.deepEqual(await house.told(), [45]);
      assert.deepEqual((await house.edit({ due: null })).due, [30, 14, 7, 1]);
      for (const due of [[-1], [1.5], ['30'], 30, {}, [4_000], Array.from({ length: 11 }, (_, i) => i)])
        await assert.rejects(house.edit({ due }), /Field due is .*, but it must be a list of at most 10 whole numbers/);
      const serp = { operation: 'serp', parameters: { keyword: 'a' }, every: '1d', creditsPerMonth: 100 };
      await assert.rejects(house.watches.create(house.caller, { ...serp, due: [1] }), /must be \[\] here: serp has no date/);
      assert.deepEqual((await house.watches.create(house.caller, { ...serp, due: [] })).due, []);
    });

    test('what a month costs counts the checks that its thresholds make where checks lie more than a day apart', async () => {
      const house = await watched(() => null);
      const costs = async (edit: unknown): Promise<number> => (await house.edit(edit)).costPerMonth;
      assert.deepEqual(
        [await costs({ every: '7d' }), await costs({ due: [60, 1] }), await costs({ due: [] }), await costs({ due: null, every: '1d' })],
        [9, 7, 5, 31],
      );
    });

    test('a watch that stops checking says so once with the reason, and a key that manages the account takes it over', async () => {
      const on = await inDays(400);
      const house = await watched(() => on, { every: '1d' });
      await bench.store.db.updateTable('keys').set({ revoked_at: 1 }).where('id', '=', house.keyId).execute();
      await house.pass(5);
      assert.deepEqual(await house.told(), ['failing']);
      assert.equal((await house.feed())[0]?.after, 'key');
      assert.deepEqual([(await house.show()).stopped, (await house.show()).state], ['key', 'ok']);
      const other = { ...house.caller, keyId: `${house.keyId}b` };
      await bench.store.db
        .insertInto('keys')
        .values({ ...KEY_ROW, id: other.keyId, account_id: house.accountId, hash: other.keyId })
        .execute();
      await assert.rejects(house.watches.edit(other, house.watchId, { takeOver: true }), /Another key made this watch/);
      const taken = await house.watches.edit({ ...other, manages: true }, house.watchId, { takeOver: true });
      assert.equal(taken.keyId, other.keyId);
      await house.pass(2);
      assert.deepEqual(await house.told(), ['failing', 'recovered']);
      assert.equal((await house.show()).stopped, null);
      await assert.rejects(
        house.watches.edit({ ...other, manages: true }, house.watchId, { takeOver: false }),
        /Field takeOver is false, but it must be true/,
      );
    });
  });
