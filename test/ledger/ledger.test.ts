import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createJournal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import { verifyLedger } from '../../src/billing/verify.ts';
import type { OperationId } from '../../src/contract/operations/index.ts';
import type { Store } from '../../src/store/store.ts';
import { BACKENDS, type Bench, grant, KEY_ROW, makeAccount, silent } from './backends.ts';

const HOUR = 3_600_000;
const request = (accountId: string, amount: number, ttlMs = 60_000, keyId = 'key_none') => ({
  accountId,
  keyId,
  amount,
  operation: 'registration' as OperationId,
  requestId: 'caller\u0000s\nown \ud800 label',
  ttlMs,
});

for (const backend of BACKENDS)
  describe(`ledger: ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    const open = (store: Store = bench.store) =>
      createLedger({
        journal: createJournal(store, bench.clock),
        clock: bench.clock,
        log: silent,
        randomBytes,
        holdMs: HOUR,
        reapEveryMs: HOUR,
      });
    before(async () => {
      bench = await backend.open();
    });
    after(async () => {
      assert.deepEqual((await verifyLedger(bench.store)).faults, []);
      await bench.drop();
    });
    const withLedger = async (work: (ledger: ReturnType<typeof open>, account: string) => Promise<void>, credits = 10) => {
      const ledger = open();
      const account = await makeAccount(bench.store);
      if (credits) await grant(bench.store, account, credits);
      try {
        await work(ledger, account);
        await bench.jump(3 * HOUR);
        await ledger.reap(); // no hold is left for the next test
      } finally {
        await ledger.close();
      }
    };
    const held = async (account: string): Promise<number | undefined> =>
      (await bench.store.db.selectFrom('balances').select('held').where('account_id', '=', account).executeTakeFirst())?.held;
    const must = async (hold: ReturnType<ReturnType<typeof open>['hold']>): Promise<string> => {
      const answer = await hold;
      return answer.ok ? answer.holdId : assert.fail(answer.message);
    };

    test('a hold of a killed process expires at its own time limit, independent of later starts', async () => {
      const account = await makeAccount(bench.store);
      const start = () =>
        createLedger({
          journal: createJournal(bench.store, bench.clock),
          clock: bench.clock,
          log: silent,
          randomBytes,
          holdMs: HOUR,
          reapEveryMs: 5,
        });
      const dead = open();
      await grant(bench.store, account, 10);
      await must(dead.hold(request(account, 7, 34_000)));
      for (let restart = 0; restart < 3; restart++) {
        await bench.jump(10_000);
        const ledger = start();
        await ledger.reap();
        assert.equal(await held(account), 7);
        await ledger.close();
      }
      await bench.jump(5_000);
      const last = start();
      while ((await held(account)) !== 0) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([last.close(), dead.close()]);
    });

    for (const jumps of [[-HOUR], [-24 * HOUR], [24 * HOUR], [24 * HOUR, -24 * HOUR], [-HOUR, HOUR]])
      test(`a clock that jumps by ${jumps.map((ms) => ms / HOUR).join(' and ')} h charges a hold at most once and leaves none open`, () =>
        withLedger(async (ledger, account) => {
          const captured = await must(ledger.hold(request(account, 2)));
          const released = await must(ledger.hold(request(account, 3)));
          const left = await must(ledger.hold(request(account, 4)));
          for (const ms of jumps) {
            await bench.jump(ms);
            await ledger.reap();
          }
          await ledger.capture(captured, 2);
          await ledger.capture(captured, 2);
          await ledger.release(released);
          // a clock that went forward expires holds early: the answer is free then
          const free = (await ledger.remaining(account)) + ((await ledger.renew(left, 60_000)) ? 4 : 0);
          assert.ok(free === 8 || free === 10, `${free} credits are left of 10`);
          assert.ok((await ledger.hold(request(account, 1))).ok, 'new holds are accepted');
          await bench.jump(3 * HOUR + 24 * HOUR);
          await ledger.reap();
          assert.equal(await held(account), 0);
        }));

    test('a hold is stored once it resolves; a smaller capture releases the rest', () =>
      withLedger(async (ledger, account) => {
        const hold = await ledger.hold(request(account, 7));
        assert.ok(hold.ok && hold.holdId.startsWith(`${account}.`));
        assert.equal(hold.remaining, 3);
        assert.equal(await held(account), 7);
        await ledger.capture(hold.holdId, 4);
        assert.equal(await held(account), 0);
        assert.equal(await ledger.remaining(account), 6);
      }));

    test('a hold above the balance is refused with balance and price, and changes nothing', () =>
      withLedger(async (ledger, account) => {
        const answer = await ledger.hold(request(account, 11));
        assert.ok(!answer.ok);
        assert.equal(answer.error, 'INSUFFICIENT_CREDITS');
        assert.match(answer.message, /10 credits left.*costs 11 credits/);
        assert.equal(answer.remaining, 10);
        assert.equal(await held(account), 0);
      }));

    test('of a hundred concurrent holds the balance admits exactly as many as it covers, the oldest first', () =>
      withLedger(async (ledger, account) => {
        const answers = await Promise.all(Array.from({ length: 100 }, () => ledger.hold(request(account, 1))));
        assert.deepEqual(
          answers.map((a) => a.ok),
          answers.map((_, i) => i < 10),
        );
        assert.equal(await ledger.remaining(account), 0);
      }));

    test('a hold is settled once: later settlements are refused and counted', () =>
      withLedger(async (ledger, account) => {
        const holdId = await must(ledger.hold(request(account, 5)));
        await Promise.all([ledger.capture(holdId, 2), ledger.capture(holdId, 5), ledger.release(holdId)]);
        await ledger.release(holdId);
        assert.equal(await ledger.remaining(account), 8);
        assert.equal(ledger.counts.captured, 1);
        assert.equal(ledger.counts.late, 3);
      }));

    test('a capture never exceeds the hold', () =>
      withLedger(async (ledger, account) => {
        await ledger.capture(await must(ledger.hold(request(account, 2))), 9);
        assert.equal(await ledger.remaining(account), 8);
      }));

    test('only the reaper ends an expired hold, which can no longer be captured', () =>
      withLedger(async (ledger, account) => {
        const over = await must(ledger.hold(request(account, 4, 1_000)));
        const lives = await must(ledger.hold(request(account, 3, 2 * HOUR)));
        await bench.jump(HOUR);
        assert.equal(await ledger.reap(), 1);
        await ledger.capture(over, 4);
        assert.equal(ledger.counts.late, 1);
        assert.equal(await ledger.remaining(account), 7);
        await ledger.capture(lives, 3);
        assert.equal(await ledger.remaining(account), 7);
      }));

    test('a renewed hold outlives its first time limit; an expired hold is not renewed', () =>
      withLedger(async (ledger, account) => {
        const holdId = await must(ledger.hold(request(account, 4, 1_000)));
        assert.equal(await ledger.renew(holdId, 2 * HOUR), true);
        await bench.jump(HOUR);
        assert.equal(await ledger.reap(), 0);
        await ledger.release(holdId);
        assert.equal(await ledger.renew(holdId, HOUR), false);
        assert.equal(await ledger.remaining(account), 10);
      }));

    test('a grant with a reference is applied once; a negative grant never exceeds the balance', () =>
      withLedger(async (ledger, account) => {
        const { store } = bench;
        const paid = () => grant(store, account, 5, 'invoice-1');
        const granted = await Promise.all([paid(), paid(), ledger.hold(request(account, 1))]);
        assert.deepEqual(granted.slice(0, 2).sort(), [false, true]);
        assert.equal(await paid(), false);
        ledger.forget(account);
        assert.equal(await ledger.remaining(account), 14);
        await grant(store, account, -14);
        assert.equal((await ledger.hold(request(account, 1))).ok, false, 'what was taken is not held, whoever knew it');
        await assert.rejects(grant(store, account, -1), /0 free credits/);
        await assert.rejects(grant(store, 'acc_nobody', 1), /no account/);
        await assert.rejects(grant(store, account, 0), { failure: 'INVALID_REQUEST' });
      }));

    test('daily and monthly caps of a key count holds and captures, and reset', () =>
      withLedger(async (ledger, account) => {
        await bench.store.db
          .insertInto('keys')
          .values({ ...KEY_ROW, id: `k-${account}`, hash: account, account_id: account, cap_day: 5, cap_month: 8 })
          .execute();
        const ask = (amount: number) => ledger.hold(request(account, amount, HOUR, `k-${account}`));
        const first = await must(ask(5));
        const refused = await ask(1);
        assert.ok(!refused.ok);
        assert.match(
          refused.message,
          /used 5 of its 5 credits of today \(UTC\), and this lookup costs 1 credit\..*opens again at \d{4}-\d\d-\d\dT00:00:00\.000Z/,
        );
        await ledger.capture(first, 3); // two are released
        await must(ask(2));
        await bench.jump(24 * HOUR);
        const nextDay = await ask(5);
        const sameMonth = new Date(bench.clock.now()).getUTCDate() !== 1;
        assert.equal(nextDay.ok, !sameMonth);
        if (!nextDay.ok) assert.match(nextDay.message, /used 5 of its 8 credits of this month \(UTC\), and this lookup costs 5 credits/);
      }, 100));

    test('a failing operation does not fail its batch', () =>
      withLedger(async (ledger, account) => {
        const answers = await Promise.allSettled([
          ledger.hold(request(account, 1)),
          ledger.hold(request(account, 1, Number.NaN)),
          ledger.hold(request(account, 1)),
        ]);
        assert.deepEqual(
          answers.map((a) => a.status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
      }));

    test('close flushes queued operations and refuses new ones', async () => {
      const ledger = open();
      const account = await makeAccount(bench.store);
      await grant(bench.store, account, 10);
      const held = ledger.hold(request(account, 1));
      await ledger.close();
      assert.equal((await held).ok, true);
      await assert.rejects(ledger.hold(request(account, 1)), { failure: 'UNAVAILABLE' });
    });

    test('operations that arrive during a commit form the next batch', async () => {
      let batches = 0;
      const append: Store['append'] = (batch, trx) => {
        batches++;
        return bench.store.append(batch, trx);
      };
      const ledger = open({ ...bench.store, append });
      const account = await makeAccount(bench.store);
      await grant(bench.store, account, 100);
      batches = 0;
      await Promise.all(Array.from({ length: 50 }, () => ledger.hold(request(account, 1))));
      assert.ok(batches <= 2, `${batches} batches`);
      await ledger.close();
    });

    test('a modified ledger fails verification', async () => {
      const tampered = await backend.open();
      const { db } = tampered.store;
      const account = await makeAccount(tampered.store);
      const ledger = createLedger({
        journal: createJournal(tampered.store, bench.clock),
        clock: bench.clock,
        log: silent,
        randomBytes,
        holdMs: HOUR,
        reapEveryMs: HOUR,
      });
      await grant(tampered.store, account, 10);
      await ledger.capture(await must(ledger.hold(request(account, 4))), 4);
      await ledger.close();
      const faults = async () => (await verifyLedger(tampered.store)).faults.join('; ');
      assert.equal(await faults(), '');
      await db.updateTable('balances').set({ balance: 10 }).where('account_id', '=', account).execute();
      assert.match(await faults(), /leave 6 free, the balance row says 10/);
      await db.updateTable('balances').set({ balance: 6, seq: 2 }).where('account_id', '=', account).execute();
      assert.match(await faults(), /another chain/);
      await tampered.drop();
    });
  });
