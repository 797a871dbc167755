import type { Limiter, LimitRule, Taken } from './rate-limits.ts';

/** Limits failures per key (wrong credentials per address, uncharged lookups per account). */
export interface Penalties {
  /** Milliseconds until the key is admitted again; 0: now. Local and synchronous, so that a successful request has no overhead. */
  waitMs(key: string, nowMs: number): number;
  /** Counts one failure; whether the rule still allowed it. Never rejects. */
  penalize(key: string, nowMs: number): boolean | Promise<boolean>;
}
/** Publishes waits to the other gateways of a fleet, and receives theirs. */
export interface SharedPenalties {
  tell(key: string, waitMs: number): void;
  /** `nowMs`: local time of receipt. */
  listen(received: (key: string, waitMs: number, nowMs: number) => void): void;
}

/** A wait and the local time at which it was last read. If the clock was set back since, the end is moved back by the same amount. */
interface Wait {
  untilMs: number;
  seenMs: number;
}
function endOf(wait: Wait, nowMs: number): number {
  if (nowMs < wait.seenMs) wait.untilMs -= wait.seenMs - nowMs;
  wait.seenMs = nowMs;
  return wait.untilMs;
}

const MAX_WAITING = 100_000;
/** A wait is published only if it is longer than the known one by at least this. */
const MIN_CHANGE_MS = 1;

/**
 * `name` prefixes the keys, so that several penalties can share a limiter. A limiter that a fleet shares counts for all gateways; waits are
 * stored in this process and published, so that another gateway admits requests until it has received the wait.
 */
export function createPenalties(name: string, limiter: Limiter, rule: LimitRule, sharedPenalties?: SharedPenalties): Penalties {
  const until = new Map<string, Wait>();
  const prefix = `${name} `;

  /** Stores a wait; whether it is longer than the known one. */
  function wait(key: string, untilMs: number, nowMs: number): boolean {
    const known = until.get(key);
    if (known && untilMs < endOf(known, nowMs) + MIN_CHANGE_MS) return false;
    if (until.size >= MAX_WAITING) for (const [k, w] of until) if (endOf(w, nowMs) <= nowMs) until.delete(k);
    if (until.size < MAX_WAITING || known) until.set(key, { untilMs, seenMs: nowMs });
    return true;
  }
  function counted(key: string, taken: Taken, nowMs: number): boolean {
    if (taken.waitMs > 0 && wait(key, nowMs + taken.waitMs, nowMs)) sharedPenalties?.tell(prefix + key, taken.waitMs);
    return taken.ok;
  }
  sharedPenalties?.listen((key, waitMs, nowMs) => {
    if (key.startsWith(prefix)) wait(key.slice(prefix.length), nowMs + waitMs, nowMs);
  });

  return {
    waitMs(key, nowMs) {
      // fast path: no key waits
      if (until.size === 0) return 0;
      const known = until.get(key);
      if (!known) return 0;
      const end = endOf(known, nowMs);
      if (end > nowMs) return end - nowMs;
      until.delete(key);
      return 0;
    },
    penalize(key, nowMs) {
      const taken = limiter.take(prefix + key, rule, nowMs);
      if (!(taken instanceof Promise)) return counted(key, taken, nowMs);
      return taken.then(
        (t) => counted(key, t, nowMs),
        () => true, // an unavailable limiter admits all requests, and logs that itself
      );
    },
  };
}
