import type { Limiter, LimitRule } from './limits.ts';

/** Counts what should be rare under a key (wrong credentials of an address, say); who has had too many waits. */
export interface Strikes {
  /** Ms until the key is let in again; 0: now. */
  waitMs(key: string, nowMs: number): number;
  strike(key: string, nowMs: number): void;
}

const MAX_WAITING = 100_000;

/** `name` keeps its keys apart from others of the same limiter. A limiter that a fleet shares is told; who waits, each gateway knows for itself. */
export function createStrikes(name: string, limiter: Limiter, rule: LimitRule): Strikes {
  const until = new Map<string, number>();
  const everyMs = 1000 / rule.ratePerSecond;
  const wait = (key: string, nowMs: number): void => {
    if (until.size >= MAX_WAITING) for (const [k, end] of until) if (end <= nowMs) until.delete(k);
    if (until.size < MAX_WAITING) until.set(key, nowMs + everyMs);
  };
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
      const taken = limiter.take(`${name} ${key}`, rule, nowMs);
      if (taken instanceof Promise) {
        taken.then(
          (t) => t.remaining === 0 && wait(key, nowMs),
          () => undefined, // a limiter that is away lets everybody pass, and says so itself
        );
      } else if (taken.remaining === 0) wait(key, nowMs);
    },
  };
}
