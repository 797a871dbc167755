import { LRUCache } from 'lru-cache';
import type { Clock } from '../runtime/clock.ts';
import { atMost } from '../runtime/lru.ts';
import type { Store } from '../store/store.ts';
import { readState } from './account-state.ts';
import { type AccountState, type Op, settlement } from './rules.ts';

/** Maximum age of a balance on a shared store, where other gateways spend too. */
const MAX_AGE_MS = 1_000;
const REFRESH_MS = 500;
/** Accounts without open holds that are kept in memory. */
const MAX_IDLE = 100_000;
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
  /** All accounts with open holds were read. */
  let discovered = false;

  const find = (accountId: string): Known | undefined => busy.get(accountId) ?? idle.get(accountId);
  const stateOf = (accountId: string): AccountState | undefined => find(accountId)?.state;

  /** Keeps a state unless a later one is known. */
  function keep(accountId: string, state: AccountState): void {
    const known = stateOf(accountId);
    const latest = known && known.seq > state.seq ? known : state;
    const [to, from] = latest.open.size ? [busy, idle] : [idle, busy];
    to.set(accountId, { state: latest, readAt: clock.now() });
    from.delete(accountId);
  }

  /** Reads accounts from the store; those that do not exist are left out. */
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
    async expired(at: number, limit: number): Promise<readonly Op[]> {
      if (!discovered || (isShared && ++searches % DISCOVER_EVERY === 0)) {
        const rows = await db.selectFrom('balances').select('account_id').where('held', '>', 0).execute();
        await read(rows.map((row) => row.account_id).filter((accountId) => !busy.has(accountId)));
        discovered = true;
      }
      const over = (): Op[] => {
        const ops: Op[] = [];
        for (const [accountId, { state }] of busy)
          for (const [hold, { expiresAt }] of state.open) if (expiresAt <= at) ops.push(settlement('expire', accountId, hold));
        return ops.slice(0, limit);
      };
      // another gateway may have ended them
      if (isShared) await read([...new Set(over().map(({ accountId }) => accountId))]);
      return over();
    },
  };
}
