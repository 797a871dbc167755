import type { Clock } from '../../src/runtime/clock.ts';

/** A clock for tests: time changes only when the test advances it. */
export interface ManualClock extends Clock {
  /** Advances time and resolves sleeps in order, each at its own time; the work they start runs before the next one. */
  advance(ms: number): Promise<void>;
  /** Number of pending sleeps. */
  readonly sleepers: number;
  /** Resolves when at least this many sleeps are pending. */
  whenSleeping(count: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Lets promises and ready sockets run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createManualClock(startMs = Date.UTC(2026, 10, 1)): ManualClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();
  let watchers: { count: number; tell: () => void }[] = [];
  const next = (untilMs: number): Sleeper | undefined => {
    let first: Sleeper | undefined;
    for (const s of sleepers) if (s.at <= untilMs && (!first || s.at < first.at)) first = s;
    return first;
  };
  return {
    now: () => nowMs,
    sleep(ms, signal) {
      if (signal?.aborted || !(ms > 0)) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { at: nowMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
        watchers = watchers.filter(({ count, tell }) => sleepers.size < count || tell());
      });
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      await settle();
      for (let due = next(untilMs); due; due = next(untilMs)) {
        nowMs = Math.max(nowMs, due.at);
        due.wake();
        await settle();
      }
      nowMs = untilMs;
    },
    get sleepers() {
      return sleepers.size;
    },
    whenSleeping: (count) =>
      sleepers.size >= count ? Promise.resolve() : new Promise((resolve) => watchers.push({ count, tell: () => resolve() })),
  };
}
