import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createJournal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import { lineOf } from '../../src/billing/rules.ts';
import { readStatement } from '../../src/billing/statement.ts';
import type { StatementEntry } from '../../src/billing/types.ts';
import { BACKENDS, type Bench, grant, makeAccount, silent } from './backends.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

type Step = { readonly does: 'grant' | 'hold' | 'capture' | 'release' | 'renew' | 'expire'; readonly amount: number };
const steps = fc.array(
  fc.record({
    does: fc.constantFrom('grant', 'hold', 'hold', 'hold', 'capture', 'capture', 'release', 'renew', 'expire'),
    amount: fc.integer({ min: 1, max: 9 }),
  } as const),
  { minLength: 5, maxLength: 40 },
);

for (const backend of BACKENDS)
  describe(`statement: ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());

    /** All entries of an account, in pages of this size. */
    async function read(
      accountId: string,
      limit: number,
      by?: 'lookup',
      days: { readonly from?: string; readonly to?: string } = {},
    ): Promise<readonly StatementEntry[]> {
      const entries: StatementEntry[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await readStatement(bench.store.db, accountId, { limit, by, after: cursor, ...days });
        assert.ok(page.entries.length <= limit);
        entries.push(...page.entries);
        cursor = page.after;
      }
      return entries;
    }

    /** `stepMs`: time between two steps. */
    async function run(given: readonly Step[], stepMs = 0): Promise<string> {
      const accountId = await makeAccount(bench.store);
      await grant(bench.store, accountId, 50);
      const ledger = createLedger({
        journal: createJournal(bench.store, bench.clock),
        clock: bench.clock,
        log: silent,
        randomBytes,
        holdLifeMs: HOUR_MS,
        reapEveryMs: HOUR_MS,
      });
      const open: string[] = [];
      for (const [step, { does, amount }] of given.entries()) {
        // every fourth step the clock of the store is set back
        if (stepMs > 0) await bench.jump(step % 4 === 3 ? -2 * stepMs : stepMs);
        if (does === 'grant') await grant(bench.store, accountId, amount);
        else if (does === 'hold') {
          // two at once: entries of one row
          const request = { accountId, keyId: 'key_1', operation: 'registration', requestId: `r${amount}`, ttlMs: MINUTE_MS } as const;
          const holds = await Promise.all([ledger.hold({ ...request, amount }), ledger.hold({ ...request, amount: 1 })]);
          for (const hold of holds) if (hold.ok) open.push(hold.holdId);
        } else if (does === 'expire') {
          await bench.jump(2 * MINUTE_MS);
          await ledger.reap();
          open.length = 0;
        } else {
          const [hold] = does === 'renew' ? open : open.splice(amount % Math.max(1, open.length), 1);
          if (hold === undefined) continue;
          if (does === 'renew') await ledger.renew(hold, MINUTE_MS);
          else if (does === 'capture') await ledger.capture(hold, amount);
          else await ledger.release(hold);
        }
      }
      await ledger.close();
      return accountId;
    }

    test('the balance after each entry is the running sum of the credits, in pages of any size, by entry and by lookup', async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (given, limit) => {
          const accountId = await run(given);
          const all = await read(accountId, 1000);
          const byLookup = await read(accountId, limit, 'lookup');
          for (const entries of [all, await read(accountId, limit), byLookup]) {
            let sum = 0;
            for (const entry of entries.toReversed()) {
              sum += entry.credits;
              assert.equal(entry.balance, sum);
            }
            const row = await bench.store.db
              .selectFrom('balances')
              .selectAll()
              .where('account_id', '=', accountId)
              .executeTakeFirstOrThrow();
            assert.equal(sum, row.balance + row.held);
          }
          const ended = new Set(all.flatMap(({ kind, receipt }) => (kind === 'hold' ? [] : (receipt ?? []))));
          assert.deepEqual(
            byLookup,
            all.filter(({ kind, receipt }) => kind !== 'hold' || !ended.has(receipt ?? '')),
            'each lookup is one entry: its end, or its hold while that is open',
          );
        }),
        { numRuns: 12 },
      );
    });

    test('a receipt has its entries with the balance after each; by lookup its end alone', async () => {
      const accountId = await run([
        { does: 'hold', amount: 3 },
        { does: 'capture', amount: 2 },
      ]);
      const receipt = (await read(accountId, 1000)).find(({ kind }) => kind === 'capture')?.receipt ?? assert.fail();
      const kinds = async (by?: 'lookup') =>
        (await readStatement(bench.store.db, accountId, { limit: 10, receipt, by, after: undefined })).entries.map((e) => [
          e.kind,
          e.balance,
        ]);
      assert.deepEqual(await kinds(), [
        ['capture', 48],
        ['hold', 50],
      ]);
      assert.deepEqual(await kinds('lookup'), [['capture', 48]]);
    });

    test('days have their entries, both ends included, in pages of any size, with the same balances as without them', async () => {
      const days = fc.tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 6 })).map((pair) => pair.sort((a, b) => a - b));
      await fc.assert(
        fc.asyncProperty(steps, days, fc.integer({ min: 1, max: 9 }), async (given, [first, last], limit) => {
          const day = (nth: number | undefined): string => new Date(startedAt + (nth ?? 0) * DAY_MS).toISOString().slice(0, 10);
          const startedAt = bench.clock.now();
          const accountId = await run(given, 8 * HOUR_MS);
          for (const by of [undefined, 'lookup'] as const)
            for (const asked of [{ from: day(first) }, { to: day(last) }, { from: day(first), to: day(last) }]) {
              const isWithin = ({ at }: { readonly at: string }): boolean =>
                at.slice(0, 10) >= (asked.from ?? '') && at.slice(0, 10) <= (asked.to ?? '9');
              assert.deepEqual(await read(accountId, limit, by, asked), (await read(accountId, 1000, by)).filter(isWithin));
            }
        }),
        { numRuns: 5 },
      );
    });

    test('what was written after the clock of the store was set back is of the day that it says', async () => {
      const accountId = await makeAccount(bench.store);
      const untilNextDay = DAY_MS - (bench.clock.now() % DAY_MS);
      await bench.jump(untilNextDay + HOUR_MS);
      await grant(bench.store, accountId, 1);
      await bench.jump(-2 * HOUR_MS);
      await grant(bench.store, accountId, 2);
      const day = new Date(bench.clock.now()).toISOString().slice(0, 10);
      const within = async (asked: object) => (await read(accountId, 5, undefined, asked)).map((entry) => [entry.credits, entry.balance]);
      assert.deepEqual(await within({ to: day }), [[2, 3]]);
      assert.deepEqual(await within({ from: new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10) }), [[1, 1]]);
    });

    test('a row without a total, as an older version wrote it, has no balance, and those before it have theirs', async () => {
      const accountId = await makeAccount(bench.store);
      await grant(bench.store, accountId, 50);
      const older = { kind: 'grant', credits: 7, held: 0, id: '', lifeMs: 0, counter: '', keyId: '', operation: '', label: '' } as const;
      const { seq } = await bench.store.db
        .selectFrom('balances')
        .select('seq')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      const later = { account_id: accountId, seq: seq + 1, at: bench.clock.now(), lines: lineOf(older), hash: '', total: null };
      await bench.store.db.insertInto('journal').values(later).execute();
      await bench.store.db
        .updateTable('balances')
        .set({ seq: seq + 1 })
        .where('account_id', '=', accountId)
        .execute();
      assert.deepEqual(
        (await read(accountId, 5)).map(({ credits, balance }) => [credits, balance]),
        [
          [7, null],
          [50, 50],
        ],
      );
    });

    test('a cursor beyond the ledger begins with its newest entry, and an unknown account has none', async () => {
      const accountId = await run([]);
      const page = await readStatement(bench.store.db, accountId, {
        limit: 10,
        receipt: undefined,
        by: undefined,
        after: '999999999999999.0',
      });
      assert.deepEqual(
        page.entries.map((e) => [e.credits, e.balance]),
        [[50, 50]],
      );
      assert.deepEqual(await read('acc_none', 5), []);
    });
  });
