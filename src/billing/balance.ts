import { LRUCache } from 'lru-cache';
import type { Clock } from '../runtime/clock.ts';
import { atMost } from '../runtime/lru.ts';
import type { BatchAnswer } from '../store/batch.ts';
import type { Store } from '../store/store.ts';

/** Maximum age of a cached balance on a shared store, where other gateways spend too. */
const MAX_AGE_MS = 1_000;
const REFRESH_MS = 500;

export interface Remaining {
  of(accountId: string): number | Promise<number>;
  /** Stores the balance after a batch. */
  know(balances: BatchAnswer['balances']): void;
  /** The balance changed outside a batch. */
  forget(accountId: string): void;
}

/**
 * Cached free credits. On the embedded store every change passes through this process and the worker answers in order, so the cache is
 * exact. On PostgreSQL a value is at most a second old and is refreshed in the background before that.
 */
export function createRemaining(store: Store, clock: Clock): Remaining {
  const known = new LRUCache<string, { balance: number; at: number }>(atMost(100_000));
  const asking = new Map<string, Promise<number>>();
  const exact = store.kind === 'embedded';

  function ask(accountId: string): Promise<number> {
    const running = asking.get(accountId);
    if (running) return running;
    const asked = clock.now();
    const answer = store.db
      .selectFrom('balances')
      .select('balance')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
      .then((row) => {
        const balance = row?.balance ?? 0;
        const newer = known.get(accountId);
        if (exact || !newer || newer.at <= asked) known.set(accountId, { balance, at: asked });
        return known.get(accountId)?.balance ?? balance;
      })
      .finally(() => asking.delete(accountId));
    asking.set(accountId, answer);
    return answer;
  }

  return {
    of(accountId) {
      const last = known.get(accountId);
      if (!last) return ask(accountId);
      const age = exact ? 0 : clock.now() - last.at;
      if (age > MAX_AGE_MS) return ask(accountId);
      if (age > REFRESH_MS) ask(accountId).catch(() => undefined); // a caller that needs the value once it is too old gets the error
      return last.balance;
    },
    forget: (accountId) => void known.delete(accountId),
    know(balances) {
      const at = clock.now();
      for (const [accountId, balance] of balances) known.set(accountId, { balance, at });
    },
  };
}
