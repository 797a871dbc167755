import type { Clock } from './clock.ts';

const EVERY_MS = 60_000;

export type Outage = ReturnType<typeof createOutage>;
export type OutageLog = (level: 'info' | 'error', message: string, facts: Record<string, unknown>) => void;

/** Logs an outage when it begins, once a minute, and when it ends; of several within a minute only the first. */
export function createOutage(clock: Pick<Clock, 'now'>, log: OutageLog, begins: string, ends: string) {
  let sinceMs: number | null = null;
  let failures = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isLogged = false;
  const facts = (now: number) => ({ failures, seconds: Math.round((now - (sinceMs ?? now)) / 1000) });
  return {
    failed(reason: string): void {
      const now = clock.now();
      sinceMs ??= now;
      failures++;
      if (now - loggedAt < EVERY_MS && now >= loggedAt) return;
      log('error', begins, { reason, ...((isLogged || failures > 1) && facts(now)) });
      loggedAt = now;
      isLogged = true;
    },
    worked(): void {
      if (sinceMs === null) return;
      if (isLogged) log('info', ends, facts(clock.now()));
      if (isLogged) failures = 0; // failures of an outage that was not logged are counted in the next line
      sinceMs = null;
      isLogged = false;
    },
  };
}
