import type { Limiter, LimitRule, Taken } from './limits.ts';

/** Counts what should be rare under a key (wrong credentials of an address, say); who has had too many waits. */
export interface Strikes {
  /** Ms until the key is let in again; 0: now. Asks nobody: a good request pays nothing for it. */
  waitMs(key: string, nowMs: number): number;
  /** Counts one; whether the rule still allowed it. Never rejects. */
  strike(key: string, nowMs: number): boolean | Promise<boolean>;
}
/** Waits of the other gateways of a fleet, by key and epoch ms of our clock. */
export interface Waits {
  tell(key: string, untilMs: number): void;
  listen(heard: (key: string, untilMs: number) => void): void;
}

const MAX_WAITING = 100_000;
/** A wait that is longer by less is no news. */
const NEWS_MS = 1;

/**
 * `name` keeps its keys apart from others of the same limiter. A limiter that a fleet shares counts for all gateways; who waits is remembered
 * here and told to the others, so that between the strike that is one too many and their hearing of it they let in what comes meanwhile.
 */
export function createStrikes(name: string, limiter: Limiter, rule: LimitRule, waits?: Waits): Strikes {
  const until = new Map<string, number>();
  const prefix = `${name} `;

  /** Whether that was news. */
  function wait(key: string, untilMs: number, nowMs: number): boolean {
    const known = until.get(key) ?? 0;
    if (untilMs < known + NEWS_MS) return false;
    if (until.size >= MAX_WAITING) for (const [k, end] of until) if (end <= nowMs) until.delete(k);
    if (until.size < MAX_WAITING || known) until.set(key, untilMs);
    return true;
  }
  function counted(key: string, taken: Taken, nowMs: number): boolean {
    if (taken.waitMs > 0 && wait(key, nowMs + taken.waitMs, nowMs)) waits?.tell(prefix + key, nowMs + taken.waitMs);
    return taken.ok;
  }
  waits?.listen((key, untilMs) => {
    if (key.startsWith(prefix)) wait(key.slice(prefix.length), untilMs, Number.NEGATIVE_INFINITY);
  });

  return {
    waitMs(key, nowMs) {
      // nobody waits: the common case costs nothing
      if (until.size === 0) return 0;
      const end = until.get(key);
      if (end === undefined) return 0;
      if (end > nowMs) return end - nowMs;
      until.delete(key);
      return 0;
    },
    strike(key, nowMs) {
      const taken = limiter.take(prefix + key, rule, nowMs);
      if (!(taken instanceof Promise)) return counted(key, taken, nowMs);
      return taken.then(
        (t) => counted(key, t, nowMs),
        () => true, // a limiter that is away lets everybody pass, and says so itself
      );
    },
  };
}
