import type { Clock } from './clock.ts';

const EVERY_MS = 60_000;

/** What the log calls it when something stops working, goes on not working, and works again. */
export interface OutageWords {
  readonly begins: string;
  readonly lasts: string;
  readonly ends: string;
}
export interface Outage {
  failed(reason: string): void;
  worked(): void;
}
export type OutageLog = (level: 'info' | 'error', message: string, facts: Record<string, unknown>) => void;

/**
 * Tells of something that fails many times a second by one line when it begins, one a minute while it is tried, with a count, and one when it
 * ends. What comes and goes more often begins once a minute.
 */
export function createOutage(clock: Pick<Clock, 'now'>, log: OutageLog, words: OutageWords): Outage {
  let sinceMs: number | null = null;
  let failures = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let isTold = false;
  const facts = (now: number) => ({ failures, seconds: Math.round((now - (sinceMs ?? now)) / 1000) });
  return {
    failed(reason) {
      const now = clock.now();
      sinceMs ??= now;
      failures++;
      if (now - toldAt < EVERY_MS && now >= toldAt) return;
      if (isTold || failures > 1) log('error', words.lasts, { reason, ...facts(now) });
      else log('error', words.begins, { reason });
      toldAt = now;
      isTold = true;
    },
    worked() {
      if (sinceMs === null) return;
      if (isTold) log('info', words.ends, facts(clock.now()));
      if (isTold) failures = 0; // those of an outage that was too short to be told are in the next line
      sinceMs = null;
      isTold = false;
    },
  };
}
