import type { Clock } from '../../src/runtime/clock.ts';

/** A clock for tests: time stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves time on, waking sleepers in order, each at its own moment; what they set off is let run in between. */
  advance(ms: number): Promise<void>;
  /** How many sleep now. */
  readonly sleepers: number;
  /** Ends as soon as at least so many sleep. */
  whenSleeping(count: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Lets promises, and sockets that are ready, take their turn. */
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
