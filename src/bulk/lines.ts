import { SightlineError } from '../client/index.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Texts } from '../contract/lists/input.ts';

export interface LineResult {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  readonly ok: boolean;
  /** JSON text on one line, as the service sent it. */
  readonly resource?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
  readonly credits: number;
  readonly source: string | null;
  /** As `Cache-Status` says; `duplicate`: answered with another line of the same input. */
  readonly cache: string | null;
}

/** A line of the output. */
export interface OutputLine extends Omit<LineResult, 'resource'> {
  readonly resource?: unknown;
  readonly line: number;
  readonly input: Texts;
  readonly at: string;
}

/** Of a line that was never asked, because it cannot be read. Another run may find it corrected. */
export const unreadable = (why: string): LineResult => ({
  ...{ status: null, ok: false, credits: 0, source: null, cache: null },
  error: { code: UNREADABLE, message: why, retryable: false },
});
export const UNREADABLE = 'UNREADABLE';

/** An answer; of an error also the wait that the service asks for. */
export interface LineAnswer {
  readonly result: LineResult;
  readonly retryAfterMs: number | null;
  /** There may have been an answer, but it did not arrive. */
  readonly lost: boolean;
}

/** What became of a lookup. Throws what is no error of the service or its client. */
export async function answerOf(lookup: () => Promise<Omit<LineResult, 'status' | 'ok' | 'error'>>): Promise<LineAnswer> {
  try {
    return { result: { status: 200, ok: true, ...(await lookup()) }, retryAfterMs: null, lost: false };
  } catch (error) {
    if (!(error instanceof SightlineError || error instanceof ServiceError)) throw error;
    const { code, message, status, retryable, retryAfterMs, charged } = error;
    const result = { status, ok: false, error: { code, message, retryable }, credits: charged ?? 0, source: null, cache: null };
    return { result, retryAfterMs, lost: charged === null };
  }
}

export const textOfLine = (line: object): string => `${JSON.stringify(line)}\n`;

/** The text of a line of the output. That of a resource is taken as it came: to serialise it again would cost as much as to receive it. */
export function textOfResult(
  names: { readonly line: number; readonly input: Texts },
  { status, ok, resource, error, credits, source, cache }: LineResult,
  at: string,
): string {
  if (resource === undefined) return textOfLine({ ...names, status, ok, error, credits, source, cache, at });
  return `${JSON.stringify({ ...names, status, ok }).slice(0, -1)},"resource":${resource},${JSON.stringify({ credits, source, cache, at }).slice(1)}\n`;
}
