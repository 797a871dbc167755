import { mayRetry, type Retryable } from '../contract/retryable.ts';
import { numberIn } from './call.ts';
import type { FetchAnswer, Timing } from './fetch.ts';
import { RETRYABLE } from './methods.ts';

/** Every code that the service answers with. */
export type ServiceCode = keyof typeof RETRYABLE;

/** Codes of failures that the client finds itself. */
type ClientCode =
  /** No answer: the connection failed or was lost. */
  | 'CONNECTION_FAILED'
  /** The deadline of the call passed. */
  | 'DEADLINE_EXCEEDED'
  /** The signal of the call was aborted. */
  | 'ABORTED'
  /** The answer is not in the form of the service: a proxy's page, JSON that is cut off, an unknown code. */
  | 'UNEXPECTED_ANSWER'
  /** The answer is larger than `maxBytes`. */
  | 'ANSWER_TOO_LARGE'
  /** The cursor of a page is one that was seen before. */
  | 'CURSOR_REPEATED';

/** Code of an error: decide by it, not by the message. */
export type ErrorCode = ServiceCode | ClientCode;

export const isServiceCode = (code: string): code is ServiceCode => Object.hasOwn(RETRYABLE, code);
export const isRetryable = (code: ServiceCode, retryAfterMs: number | null): boolean =>
  mayRetry(RETRYABLE[code] as Retryable, retryAfterMs);

/** The one error of the client. It never holds credentials. */
export class SightlineError extends Error {
  declare readonly code: ErrorCode;
  /** HTTP status; null: there was no answer. */
  declare readonly status: number | null;
  /** `X-Request-Id` of the answer. */
  declare readonly requestId: string | null;
  /** Whether the same call may succeed within minutes; false where `Retry-After` is above 15 minutes. */
  declare readonly retryable: boolean;
  /** Wait that the service asked for. */
  declare readonly retryAfterMs: number | null;
  /** Credits charged; null: unknown, because the answer was lost. */
  declare readonly charged: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    facts: Partial<Pick<SightlineError, 'status' | 'requestId' | 'retryable' | 'retryAfterMs' | 'charged' | 'cause'>> = {},
  ) {
    const { cause, ...rest } = facts;
    super(message, cause === undefined ? undefined : { cause });
    const usual = { status: null, requestId: null, retryable: false, retryAfterMs: null, charged: 0 };
    Object.assign(this, { ...usual, ...rest, name: 'SightlineError', code });
  }
}

/** `Retry-After` (RFC 9110, 10.2.3): seconds or a date. */
function retryAfterOf({ headers }: FetchAnswer, timing: Timing): number | null {
  const field = headers.get('retry-after');
  if (!field) return null;
  const ms = numberIn(field) === null ? Date.parse(field) - timing.now() : Number(field) * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** What the headers of an answer say about its failure; `charged` null: they do not say it. */
export const responseFacts = (answer: FetchAnswer, timing: Timing) => ({
  status: answer.status,
  requestId: answer.headers.get('x-request-id'),
  retryAfterMs: retryAfterOf(answer, timing),
  charged: numberIn(answer.headers.get('x-credits-charged')),
});

/** An answer that is not in the form of the service: a proxy may stand between. */
export function unexpected(answer: FetchAnswer, timing: Timing, what: string): SightlineError {
  const facts = responseFacts(answer, timing);
  const { status, retryAfterMs } = facts;
  const retryable = mayRetry(status === 200 || status === 429 || status >= 500, retryAfterMs);
  return new SightlineError('UNEXPECTED_ANSWER', `Status ${status}: ${what}.`, { ...facts, retryable });
}

export function errorIn(answer: FetchAnswer, text: string, timing: Timing): SightlineError {
  if (answer.status < 400) return unexpected(answer, timing, 'the service does not redirect; check baseUrl');
  const { code, message } = (parseBody(text)?.error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || typeof message !== 'string') return unexpected(answer, timing, 'the body is not an error of the service');
  if (!isServiceCode(code)) return unexpected(answer, timing, `unknown code ${code}: ${message}`);
  const facts = responseFacts(answer, timing);
  const retryable = isRetryable(code, facts.retryAfterMs);
  return new SightlineError(code, message, { ...facts, retryable, charged: facts.charged ?? 0 });
}

export function parseBody(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null; // said by the caller, with the status
  }
}

/** The innermost reason of a failed connection: `fetch` hides it as the cause. */
export function connectionReason(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return reason instanceof Error ? ('code' in reason && typeof reason.code === 'string' && reason.code) || reason.message : String(reason);
}
