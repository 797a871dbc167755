import type { Kysely } from 'kysely';
import type { Clock } from '../runtime/clock.ts';
import type { JournalRow, Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { createKnownAccounts, readCaps, readSpent, readState } from './account-state.ts';
import type { AccountState, Caps, Op, Outcome, Settled } from './rules.ts';
import { applyEntries, lineOf, rowHash, settleAccount, touchedSums } from './rules.ts';

const MAX_KEYS = 100_000;
const MEASUREMENTS = 3;
const GOOD_ROUND_TRIP_MS = 50;

export interface JournalAnswer {
  readonly atMs: number;
  readonly outcomes: readonly Outcome[];
  readonly states: ReadonlyMap<string, AccountState>;
}
export type Journal = ReturnType<typeof createJournal>;

interface Change {
  readonly state: AccountState;
  readonly settled: Settled;
  readonly row: JournalRow | null;
}
type Changes = Map<string, Change>;
type Groups = ReadonlyMap<string, readonly Op[]>;

/** Decides a batch by the accounts as known here, and writes it if they are so still. A changed account, or one with a refusal, is locked and decided again. */
export function createJournal(store: Store, clock: Pick<Clock, 'now'>) {
  const accounts = createKnownAccounts(store, clock);
  const caps = new Map<string, Caps | null>();
  /** Number of key changes that `caps` knows; null: not read. */
  let keyChanges: number | null = null;
  /** How far the store's clock is ahead of ours; null: not known. */
  let aheadMs: number | null = null;

  async function storeTime(): Promise<number> {
    aheadMs ??= store.kind === 'embedded' ? 0 : await measureAhead();
    return Math.round(clock.now() + aheadMs);
  }

  /** By the shortest of some round trips: the longer one takes, for example because the store stands still, the less it says. */
  async function measureAhead(): Promise<number> {
    let shortest = { ms: Number.POSITIVE_INFINITY, aheadMs: 0 };
    for (let times = 0; times < MEASUREMENTS && shortest.ms > GOOD_ROUND_TRIP_MS; times++) {
      const asked = clock.now();
      const atMs = await store.now();
      const answered = clock.now();
      if (answered - asked < shortest.ms) shortest = { ms: answered - asked, aheadMs: atMs - (asked + answered) / 2 };
    }
    return shortest.aheadMs;
  }

  async function readNewCaps(ops: readonly Op[]): Promise<void> {
    if (keyChanges === null || caps.size > MAX_KEYS) {
      caps.clear();
      keyChanges = (await store.db.selectFrom('changes').select('n').where('name', '=', 'keys').executeTakeFirstOrThrow()).n;
    }
    const unknown = keysOf(ops).filter((keyId) => !caps.has(keyId));
    const read = await readCaps(store.db, unknown);
    for (const keyId of unknown) caps.set(keyId, read.get(keyId) ?? null);
  }

  async function settleLocked(groups: Groups): Promise<{ atMs: number; changes: Changes }> {
    return store.db.transaction().execute(async (trx) => {
      const { atMs, balances } = await store.lockBalances(trx, [...groups.keys()]);
      const capsNow = await readCaps(trx, keysOf([...groups.values()].flat()));
      const changes: Changes = new Map();
      for (const row of balances) {
        const [accountId, state] = [row.account_id, await readState(trx, row, accounts.stateOf(row.account_id))];
        changes.set(
          accountId,
          await decide(trx, accountId, state, groups.get(accountId) ?? [], atMs, (keyId) => capsNow.get(keyId) ?? null),
        );
      }
      const batch = batchOf(changes, atMs, null);
      if (batch.rows.length && (await store.append(batch, trx)).length !== batch.rows.length)
        throw new Error('a locked account has changed');
      return { atMs, changes };
    });
  }

  function apply(accountId: string, { state, settled, row }: Change, atMs: number): AccountState {
    if (!row) return state;
    applyEntries(state.open, row.seq, atMs, settled.entries);
    for (const [sum, credits] of settled.spent) state.spent.set(sum, credits);
    const next = { ...state, balance: row.balance, held: row.held, seq: row.seq, head: row.hash };
    accounts.keep(accountId, next);
    return next;
  }

  async function settleGroups(ops: readonly Op[], groups: Groups) {
    await accounts.read([...groups.keys()].filter((accountId) => !accounts.stateOf(accountId)));
    await readNewCaps(ops);
    const atMs = await storeTime();
    const changes: Changes = new Map();
    for (const [accountId, own] of groups) {
      const state = accounts.stateOf(accountId);
      const change = state && (await decide(store.db, accountId, state, own, atMs, (keyId) => caps.get(keyId) ?? null));
      // another writer may have changed the account since it was read: no hold is refused on old data
      if (change?.settled.outcomes.every(({ code }) => code === 'done')) changes.set(accountId, change);
    }
    const batch = batchOf(changes, atMs, keyChanges);
    const written = new Set(batch.rows.length ? await store.append(batch) : []);
    if (written.size === 0) [aheadMs, keyChanges] = [null, null]; // one of them may be out of date
    const states = new Map<string, AccountState>();
    const settled = new Map<string, Settled>();
    const done = (accountId: string, change: Change, when: number) => {
      states.set(accountId, apply(accountId, change, when));
      settled.set(accountId, change.settled);
    };
    for (const [accountId, change] of changes) if (written.has(accountId)) done(accountId, change, atMs);
    const again = new Map([...groups].filter(([accountId]) => !settled.has(accountId)));
    if (again.size) {
      const locked = await settleLocked(again);
      for (const [accountId, change] of locked.changes) done(accountId, change, locked.atMs);
    }
    return { atMs, states, settled };
  }

  return {
    /** Other processes write to the store too. */
    isShared: store.kind !== 'embedded',
    /** Rejects while the store is away. */
    async ping(): Promise<void> {
      await store.now();
    },
    /** Runs operations: one row for each account that they change. Durable when it resolves. */
    async settle(ops: readonly Op[]): Promise<JournalAnswer> {
      const groups = Map.groupBy(ops, (op) => op.accountId);
      try {
        const { atMs, states, settled } = await settleGroups(ops, groups);
        const next = new Map([...settled].map(([accountId, { outcomes }]) => [accountId, outcomes.values()]));
        return { atMs, states, outcomes: ops.map((op) => next.get(op.accountId)?.next().value ?? { code: 'noAccount', amount: 0 }) };
      } catch (error) {
        // whether it was written is not known
        for (const accountId of groups.keys()) accounts.forget(accountId);
        throw error;
      }
    },
    /** Operations that end at most `limit` holds whose time is over. */
    expired: async (limit: number) => accounts.expired(await storeTime(), limit),
    remaining: accounts.remaining,
    forget: accounts.forget,
  };
}

const keysOf = (ops: readonly Op[]): string[] => [...new Set(ops.flatMap(({ kind, keyId }) => (kind === 'hold' ? keyId : [])))];

/** What the operations do to an account. Reads sums of spent credits that are not known yet. */
async function decide(
  db: Kysely<Tables>,
  accountId: string,
  state: AccountState,
  ops: readonly Op[],
  atMs: number,
  capsOf: (keyId: string) => Caps | null,
): Promise<Change> {
  const missing = touchedSums(state, ops, atMs, capsOf).filter((sum) => !state.spent.has(sum));
  if (missing.length) for (const [sum, credits] of await readSpent(db, missing)) state.spent.set(sum, credits);
  const settled = settleAccount(state, ops, atMs, capsOf);
  const { entries, balance, held } = settled;
  if (!entries.length) return { state, settled, row: null };
  const [seq, lines] = [state.seq + 1, entries.map(lineOf).join('\n')];
  return { state, settled, row: { accountId, seq, lines, hash: rowHash(accountId, seq, atMs, state.head, lines), balance, held } };
}

const batchOf = (changes: Changes, atMs: number, keyChanges: number | null) => ({
  atMs,
  keyChanges,
  rows: [...changes.values()].flatMap(({ row }) => row ?? []),
  spent: [...changes].flatMap(([accountId, { settled }]) =>
    [...settled.spent].map(([sum, credits]) => {
      const [counter = '', period = ''] = sum.split(' ');
      return { accountId, counter, period, credits };
    }),
  ),
});
