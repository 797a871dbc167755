import type { Limiter, LimitRule, Taken } from './rate-limits.ts';

/** Counts what should be rare under a key (wrong credentials of an address, say); who has had too many waits. */
export interface Penalties {
  /** Ms until the key is let in again; 0: now. Asks nobody: a good request pays nothing for it. */
  waitMs(key: string, nowMs: number): number;
  /** Counts one; whether the rule still allowed it. Never rejects. */
  penalize(key: string, nowMs: number): boolean | Promise<boolean>;
}
/** Waits of the other gateways of a fleet, by key and in ms from now. */
export interface SharedPenalties {
  tell(key: string, waitMs: number): void;
  /** `nowMs`: time of our clock when it was heard. */
  listen(heard: (key: string, waitMs: number, nowMs: number) => void): void;
}

/** A wait, and the time of our clock when it was last looked at: a clock that was set back since takes the end with it. */
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
/** A wait that is longer by less is no news. */
const NEWS_MS = 1;

/**
 * `name` keeps its keys apart from others of the same limiter. A limiter that a fleet shares counts for all gateways; who waits is remembered
 * here and told to the others, so that between the strike that is one too many and their hearing of it they let in what comes meanwhile.
 */
export function createPenalties(name: string, limiter: Limiter, rule: LimitRule, sharedPenalties?: SharedPenalties): Penalties {
  const until = new Map<string, Wait>();
  const prefix = `${name} `;

  /** Whether that was news. */
  function wait(key: string, untilMs: number, nowMs: number): boolean {
    const known = until.get(key);
    if (known && untilMs < endOf(known, nowMs) + NEWS_MS) return false;
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
      // nobody waits: the common case costs nothing
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
        () => true, // a limiter that is away lets everybody pass, and says so itself
      );
    },
  };
}
