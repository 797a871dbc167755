import type { Log } from '../../telemetry/log.ts';

const PAUSE_MS = 60_000;

/** Tells the operator which settings would give an operation a source: a line a minute for each operation. */
export function createLacking(log: Log, monotonicMs: () => number): (operation: string, settings: readonly string[]) => void {
  const told = new Map<string, number>();
  return (operation, settings) => {
    const now = monotonicMs();
    if (now - (told.get(operation) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
    told.set(operation, now);
    log.warn({ operation, settings }, 'no source can be asked for this operation: one of these settings would give it one');
  };
}
