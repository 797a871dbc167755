import type { CaptureEntry } from '../captures/cdxj.ts';
import { capturesIn, capturesOf, type FoundCapture } from '../captures/read-segments.ts';
import { realClock } from '../runtime/clock.ts';
import { UsageError } from './usage-error.ts';

/** Which captures a command takes. */
export interface CaptureFilter {
  readonly source?: string;
  readonly operation?: string;
  readonly outcome?: string;
  readonly field?: string;
  readonly request?: string;
  readonly since?: string;
  readonly until?: string;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Epoch ms of a time or of an age. Throws a UsageError for anything else. */
export function momentOf(option: string, text: string, nowMs: number): number {
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return nowMs - Number(amount) * (UNITS[unit] ?? 0);
  const at = /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(
      `${option} is ${JSON.stringify(text)}: give an age such as 90m, 12h or 3d, or a time such as 2026-11-22T08:00:00Z.`,
    );
  return at;
}

/** Whether an entry passes. Shared documents never do. */
export function passes(filter: CaptureFilter, nowMs: number): (entry: CaptureEntry) => boolean {
  const since = filter.since === undefined ? Number.NEGATIVE_INFINITY : momentOf('--since', filter.since, nowMs);
  const until = filter.until === undefined ? Number.POSITIVE_INFINITY : momentOf('--until', filter.until, nowMs);
  const { source, operation, outcome, field, request } = filter;
  return (entry) => {
    const at = Date.parse(entry.at);
    return (
      entry.kind === 'attempt' &&
      (source === undefined || entry.source === source) &&
      (operation === undefined || entry.operation === operation) &&
      (outcome === undefined || entry.outcome === outcome) &&
      (field === undefined || entry.unread.includes(field)) &&
      (request === undefined || entry.requestId === request) &&
      at >= since &&
      at <= until
    );
  };
}

/** Captures of these files, or of all segments below the folder, that pass. */
export async function* selectCaptures(folder: string, files: readonly string[], filter: CaptureFilter): AsyncGenerator<FoundCapture> {
  const isWanted = passes(filter, realClock.now());
  if (files.length === 0) {
    for await (const found of capturesIn(folder)) if (isWanted(found.entry)) yield found;
    return;
  }
  for (const file of files) yield* (await capturesOf(file)).filter(({ entry }) => isWanted(entry));
}
