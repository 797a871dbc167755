import type { Log } from '../../telemetry/log.ts';

const INTERVAL_MS = 60_000;

/** Logs the settings that would configure a source for an operation: at most one line a minute for each operation. */
export function createMissingSettingsLog(
  log: Pick<Log, 'warn'>,
  monotonicMs: () => number,
): (operation: string, settings: readonly string[]) => void {
  const loggedAt = new Map<string, number>();
  return (operation, settings) => {
    const now = monotonicMs();
    if (now - (loggedAt.get(operation) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return;
    loggedAt.set(operation, now);
    log.warn({ operation, settings }, 'no source is configured for this operation: one of these settings would configure one');
  };
}
