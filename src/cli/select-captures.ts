import type { CaptureFacts } from '../captures/capture.ts';
import { type CaptureFile, isOfRequest } from '../captures/capture-files.ts';
import { capturesIn, capturesOf, type Fault, type FoundCapture } from '../captures/read-captures.ts';
import type { ActionInput } from '../contract/admin/actions.ts';
import { dayMsOf } from '../contract/parameters/time.ts';
import { realClock } from '../runtime/clock.ts';
import { duration, operationNamed, UsageError } from './option-values.ts';
import { forTerminal } from './terminal.ts';

export type CaptureFilter = Omit<ActionInput<'replayCaptures'>, 'capture'> & { readonly until?: string };

/** Epoch ms of a time or of an age. Throws a UsageError for anything else. */
export function momentOf(option: string, text: string, nowMs: number): number {
  if (/^\d{1,6}[mhd]$/.test(text)) return nowMs - duration(text);
  const isTime = /^.{10}([T ][\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(text) && dayMsOf(text.slice(0, 10)) !== null;
  const atMs = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new UsageError(
      `${option} is ${JSON.stringify(text)}: give an age such as 90m, 12h or 3d, or a time such as 2026-11-22T08:00:00Z.`,
    );
  return atMs;
}

export function passes(filter: CaptureFilter, nowMs: number): (facts: CaptureFacts) => boolean {
  const since = filter.since === undefined ? Number.NEGATIVE_INFINITY : momentOf('--since', filter.since, nowMs);
  const until = filter.until === undefined ? Number.POSITIVE_INFINITY : momentOf('--until', filter.until, nowMs);
  const { source, outcome, field, request } = filter;
  const operation = filter.operation === undefined ? undefined : operationNamed(filter.operation).id;
  return (facts) => {
    const atMs = Date.parse(facts.at);
    return (
      facts.kind === 'attempt' &&
      (source === undefined || facts.source === source) &&
      (operation === undefined || facts.operation === operation) &&
      (outcome === undefined || facts.outcome?.tag === outcome) &&
      (field === undefined || (facts.outcome?.unread ?? []).includes(field)) &&
      (request === undefined || facts.requestId === request) &&
      atMs >= since &&
      atMs <= until
    );
  };
}

export function warnOfFault({ file, why }: Fault): void {
  process.stderr.write(`${forTerminal(`${file} is damaged and left out: ${why}`)}\n`);
}

export function captureById(folder: string, id: string): FoundCapture | undefined {
  const [found] = capturesIn(folder, warnOfFault, (file) => file.id === id);
  return found;
}

/** Captures of these files, or of all below the folder, that pass. */
export function* selectCaptures(folder: string, files: readonly string[], filter: CaptureFilter): Generator<FoundCapture> {
  const isWanted = passes(filter, realClock.now());
  const { request } = filter;
  const isNamed = request === undefined ? undefined : (file: CaptureFile) => isOfRequest(file, request);
  const found = files.length === 0 ? capturesIn(folder, warnOfFault, isNamed) : files.flatMap((file) => capturesOf(file, warnOfFault));
  for (const one of found) if (isWanted(one.facts)) yield one;
}
