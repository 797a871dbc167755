import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { verifyLedger } from '../../src/billing/verify.ts';
import type { BatchAnswer, Op } from '../../src/store/batch.ts';
import { chargesOf } from '../../src/store/postgres/charges.ts';
import type { Store } from '../../src/store/store.ts';
import { BACKENDS, type Bench, KEY_ROW, makeAccount } from './backends.ts';

const HOUR = 3_600_000;
const skip = BACKENDS[1]?.skip ?? 'there is no PostgreSQL';
/** Two accounts with many credits, one with few, one that does not exist. */
const BALANCES = [1_000_000, 500, 9, null];
const KEYS = ['free', 'capped', 'unknown'] as const;

interface Step {
  readonly settles: boolean;
  readonly release: boolean;
  readonly account: number;
  readonly which: number;
  readonly amount: number;
  readonly key: (typeof KEYS)[number];
  readonly label: string;
}
const step = (account: fc.Arbitrary<number>, key: fc.Arbitrary<Step['key']>): fc.Arbitrary<Step> =>
  fc.record({
    settles: fc.boolean(),
    release: fc.boolean(),
    account,
    which: fc.nat(20),
    amount: fc.integer({ min: 1, max: 6 }),
    key,
    label: fc.oneof(fc.constant('req-1'), fc.constantFrom('', '"', '\\', '{},"', 'NULL', "';--", 'Zoë 💧', '\\"\\'), fc.string()),
  });
const batches = fc.array(
  fc.oneof(
    { arbitrary: fc.array(step(fc.nat(1), fc.constant('free')), { minLength: 1, maxLength: 30 }), weight: 3 },
    { arbitrary: fc.array(step(fc.constant(2), fc.constant('free')), { minLength: 1, maxLength: 4 }), weight: 2 },
    fc.array(step(fc.nat(1), fc.constantFrom(...KEYS)), { minLength: 1, maxLength: 12 }),
    fc.array(step(fc.nat(3), fc.constantFrom(...KEYS)), { minLength: 1, maxLength: 12 }),
  ),
  { minLength: 1, maxLength: 12 },
);

describe('plain charges on PostgreSQL', { skip }, () => {
  let bench: Bench;
  before(async () => {
    bench = (await BACKENDS[1]?.open()) ?? assert.fail();
  });
  after(() => bench.drop());

  test('a batch of settlements and holds has the same results and rows as with the full function', async () => {
    const { store } = bench;
    const full = async (ops: readonly Op[]): Promise<BatchAnswer> => {
      const { rows } = await sql<{ r: BatchAnswer }>`select sightline_settle(${JSON.stringify(ops)}::jsonb) as r`.execute(store.db);
      return rows[0]?.r ?? assert.fail();
    };
    await fc.assert(
      fc.asyncProperty(batches, async (steps) => {
        const [one, other] = [await ground(store), await ground(store)];
        const opened: [account: number, one: string, other: string][] = [];
        for (const batch of steps) {
          const [ops, same]: [Op[], Op[]] = [[], []];
          const fresh: typeof opened = [];
          for (const s of batch) {
            const label = s.label.replace(/\p{Cc}|\p{Cs}/gu, ' ');
            const hold = opened[s.which % Math.max(1, opened.length)];
            if (s.settles && hold) {
              // sometimes with the id of another account
              const account = s.which > 17 ? s.account : hold[0];
              const kind = s.release ? 'release' : 'capture';
              ops.push([kind, one.accounts[account] ?? '', hold[1], s.release ? 0 : s.amount, 0, '', '', '']);
              same.push([kind, other.accounts[account] ?? '', hold[2], s.release ? 0 : s.amount, 0, '', '', '']);
            } else {
              const made = [s.account, randomUUID(), randomUUID()] as const;
              fresh.push([...made]);
              ops.push(['hold', one.accounts[s.account] ?? '', made[1], s.amount, HOUR, one.key(s), 'registration', label]);
              same.push(['hold', other.accounts[s.account] ?? '', made[2], s.amount, HOUR, other.key(s), 'registration', label]);
            }
          }
          const [got, wanted] = [await store.settle(ops), await full(same)];
          assert.deepEqual([got.codes, got.amounts], [wanted.codes, wanted.amounts]);
          assert.deepEqual(balancesBy(got, one.accounts), balancesBy(wanted, other.accounts));
          opened.push(...fresh);
        }
        assert.deepEqual(await rowsOf(store, one, opened, 1), await rowsOf(store, other, opened, 2));
      }),
      { numRuns: 25, endOnFailure: true },
    );
    assert.deepEqual((await verifyLedger(store)).faults, []);
  });

  test('only a batch of settlements and holds, each hold settled once, is a plain batch', () => {
    const op = (kind: Op[0], hold: string): Op => [kind, 'a', hold, 1, 1, '', '', ''];
    assert.ok(chargesOf([op('capture', 'x'), op('hold', 'y'), op('release', 'z')]));
    assert.equal(chargesOf([op('capture', 'x'), op('release', 'x')]), null);
    for (const kind of ['grant', 'renew', 'expire'] as const) assert.equal(chargesOf([op('hold', 'x'), op(kind, 'y')]), null);
  });
});

interface Ground {
  readonly accounts: readonly string[];
  key(step: Step): string;
}
async function ground(store: Store): Promise<Ground> {
  const run = randomUUID();
  const accounts: string[] = [];
  for (const [i, credits] of BALANCES.entries()) {
    const id = `acc_${i}_${run}`;
    accounts.push(id);
    if (credits === null) continue;
    await makeAccount(store, id);
    await store.settle([['grant', id, '', credits, 0, '', '', '']]);
    for (const [name, cap] of [['free', null] as const, ['capped', 15] as const])
      await store.db
        .insertInto('keys')
        .values({ ...KEY_ROW, id: `${name}_${id}`, hash: `${name}_${id}`, account_id: id, cap_day: cap })
        .execute();
  }
  return { accounts, key: ({ key, account }) => `${key}_${accounts[account]}` };
}

const balancesBy = ({ balances }: BatchAnswer, accounts: readonly string[]) =>
  accounts.map((id) => balances.find(([account]) => account === id)?.slice(1) ?? null);

/** All rows of the accounts without timestamps and hashes, with ids of accounts and holds replaced by numbers. */
async function rowsOf(store: Store, { accounts }: Ground, opened: readonly (readonly [number, string, string])[], which: 1 | 2) {
  const { db } = store;
  const name = new Map([
    ...accounts.map((id, i) => [id, `account ${i}`] as const),
    ...opened.map((o, i) => [o[which], `hold ${i}`] as const),
  ]);
  const plain = (text: string): string => [...name].reduce((rest, [id, short]) => rest.replaceAll(id, short), text);
  const keys = accounts.flatMap((id) => KEYS.map((key) => `${key}_${id}`));
  const entries = await db.selectFrom('entries').selectAll().where('account_id', 'in', accounts).execute();
  const links = await db.selectFrom('links').select(['account_id', 'seq', 'entries']).where('account_id', 'in', accounts).execute();
  const balances = db.selectFrom('balances').select(['account_id', 'balance', 'held', 'seq']).where('account_id', 'in', accounts);
  const columns = ['id', 'account_id', 'key_id', 'amount', 'capped', sql<number>`expires_at - created_at`.as('life')] as const;
  const holds = await db.selectFrom('holds').select(columns).where('account_id', 'in', accounts).execute();
  const spent = await db.selectFrom('key_spend').selectAll().where('key_id', 'in', keys).execute();
  return [entries, links, await balances.execute(), holds, spent].map((rows) => rows.map((row) => plain(JSON.stringify(row))).sort());
}
