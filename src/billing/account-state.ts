import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../runtime/clock.ts';
import { atMost } from '../runtime/lru.ts';
import type { Store } from '../store/store.ts';
import type { BalanceRow, JournalTableRow, Tables } from '../store/tables.ts';
import { type AccountState, applyEntries, type Caps, type Op, type OpenHold, readLines, settlement } from './rules.ts';

/** Rows of the journal that are read first to find the open holds. */
const FIRST_ROWS = 64;
/** Beyond this many rows the open holds are read from the end of the journal, not from an earlier state on. */
const MAX_ROWS_SINCE = 256;

/** Rows of an account's journal: numbers above `after` up to `upTo`, in order. `naming`: only those whose lines name this hold. */
export function journalRows(db: Kysely<Tables>, accountId: string, after: number, upTo: number, naming = ''): Promise<JournalTableRow[]> {
  const rows = db.selectFrom('journal').selectAll().where('account_id', '=', accountId).where('seq', '>', after).where('seq', '<=', upTo);
  return (naming ? rows.where('lines', 'like', `%\t${naming}%`) : rows).orderBy('seq').execute();
}

export const lastSeq = async (db: Kysely<Tables>, accountId: string): Promise<number> =>
  (await db.selectFrom('balances').select('seq').where('account_id', '=', accountId).executeTakeFirst())?.seq ?? 0;

/** The state of an account as its balance row and its journal say. `known`: an earlier state, which spares reading. */
export async function readState(db: Kysely<Tables>, row: BalanceRow, known?: AccountState): Promise<AccountState> {
  if (known?.seq === row.seq && known.head === row.head) return known;
  const { balance, held, seq, head } = row;
  return { balance, held, seq, head, open: await openHolds(db, row, known), spent: new Map() };
}

async function openHolds(db: Kysely<Tables>, row: BalanceRow, known?: AccountState): Promise<Map<string, OpenHold>> {
  const { account_id: accountId, seq, held } = row;
  if (held === 0) return new Map();
  const foldRows = async (open: Map<string, OpenHold>, after: number) => {
    for (const { seq: number, at, lines } of await journalRows(db, accountId, after, seq)) applyEntries(open, number, at, readLines(lines));
    return open;
  };
  if (known && seq > known.seq && seq - known.seq <= MAX_ROWS_SINCE) return foldRows(new Map(known.open), known.seq);
  // amounts are positive: holds of the last rows whose sum is `held` are all that are open
  for (let rows = FIRST_ROWS; ; rows *= 4) {
    const open = await foldRows(new Map(), seq - rows);
    if (rows >= seq || [...open.values()].reduce((sum, hold) => sum + hold.amount, 0) === held) return open;
  }
}

export async function readCaps(db: Kysely<Tables>, keyIds: readonly string[]): Promise<ReadonlyMap<string, Caps>> {
  if (!keyIds.length) return new Map();
  const rows = await db
    .selectFrom('keys')
    .select(['id', 'counted_as', 'cap_day', 'cap_month'])
    .where('id', 'in', keyIds)
    .where((e) => e.or([e('cap_day', 'is not', null), e('cap_month', 'is not', null)]))
    .execute();
  return new Map(rows.map((row) => [row.id, { counter: row.counted_as ?? row.id, day: row.cap_day, month: row.cap_month }]));
}

/** Sums of spent credits by `<counter> <period>`; 0 where nothing was spent. */
export async function readSpent(db: Kysely<Tables>, sums: readonly string[]): Promise<Map<string, number>> {
  const spent = new Map(sums.map((sum) => [sum, 0]));
  const counters = sums.map((sum) => sum.slice(0, sum.indexOf(' ')));
  const rows = await db.selectFrom('key_spend').selectAll().where('key_id', 'in', counters).execute();
  for (const { key_id, period, credits } of rows) if (spent.has(`${key_id} ${period}`)) spent.set(`${key_id} ${period}`, credits);
  return spent;
}

/** Maximum age of a balance on a shared store, where other gateways spend too. */
const MAX_AGE_MS = 1_000;
const REFRESH_MS = 500;
/** Accounts without open holds that stay in memory. */
const MAX_IDLE = 200_000;
/** On a shared store every so many searches for expired holds include those that other gateways opened. */
const DISCOVER_EVERY = 5;

interface Known {
  readonly state: AccountState;
  readonly readAt: number;
}

/** The accounts in use, as this process knows them. Exact where only it writes to the store; others may be ahead of it on a shared store. */
export function createKnownAccounts(store: Store, clock: Pick<Clock, 'now'>) {
  const { db } = store;
  const isShared = store.kind !== 'embedded';
  const idle = new LRUCache<string, Known>(atMost(MAX_IDLE));
  /** Accounts with open holds: they stay until these have ended. */
  const busy = new Map<string, Known>();
  const reading = new Map<string, Promise<number>>();
  let searches = 0;
  let discovered = false;

  const find = (accountId: string): Known | undefined => busy.get(accountId) ?? idle.get(accountId);
  const stateOf = (accountId: string): AccountState | undefined => find(accountId)?.state;

  function keep(accountId: string, state: AccountState): void {
    const known = stateOf(accountId);
    const latest = known && known.seq > state.seq ? known : state;
    const [to, from] = latest.open.size ? [busy, idle] : [idle, busy];
    to.set(accountId, { state: latest, readAt: clock.now() });
    from.delete(accountId);
  }

  async function read(accountIds: readonly string[]): Promise<void> {
    if (!accountIds.length) return;
    for (const row of await db.selectFrom('balances').selectAll().where('account_id', 'in', accountIds).execute()) {
      const known = stateOf(row.account_id);
      keep(row.account_id, known && known.seq > row.seq ? known : await readState(db, row, known));
    }
  }

  function remainingNow(accountId: string): Promise<number> {
    const running =
      reading.get(accountId) ??
      read([accountId])
        .then(() => stateOf(accountId)?.balance ?? 0)
        .finally(() => reading.delete(accountId));
    reading.set(accountId, running);
    return running;
  }

  return {
    stateOf,
    keep,
    read,
    /** Another writer has changed the account, or whether a change was written is not known. */
    forget(accountId: string): void {
      if (busy.delete(accountId)) discovered = false;
      idle.delete(accountId);
    },
    /** Free credits: exact on the embedded store, at most a second old on a shared one. */
    remaining(accountId: string): number | Promise<number> {
      const known = find(accountId);
      const age = known && isShared ? clock.now() - known.readAt : 0;
      if (!known || age > MAX_AGE_MS) return remainingNow(accountId);
      if (age > REFRESH_MS) remainingNow(accountId).catch(() => undefined); // a caller that needs the value once it is too old gets the error
      return known.state.balance;
    },
    /** Operations that end at most `limit` holds which are over at this time of the store's clock. */
    async expired(atMs: number, limit: number): Promise<readonly Op[]> {
      if (!discovered || (isShared && ++searches % DISCOVER_EVERY === 0)) {
        const rows = await db.selectFrom('balances').select('account_id').where('held', '>', 0).execute();
        await read(rows.map((row) => row.account_id).filter((accountId) => !busy.has(accountId)));
        discovered = true;
      }
      const over = (): Op[] => {
        const ops: Op[] = [];
        for (const [accountId, { state }] of busy)
          for (const [id, { expiresAt }] of state.open) if (expiresAt <= atMs) ops.push(settlement('expire', accountId, id));
        return ops.slice(0, limit);
      };
      // another gateway may have ended them
      if (isShared) await read([...new Set(over().map(({ accountId }) => accountId))]);
      return over();
    },
  };
}
