import { mayRetry, type Retryable } from '../contract/retryable.ts';
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
  readonly code: ErrorCode;
  /** HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** `X-Request-Id` of the answer. */
  readonly requestId: string | null;
  /** Whether the same call may succeed within minutes; false where `Retry-After` is above 15 minutes. */
  readonly retryable: boolean;
  /** Wait that the service asked for. */
  readonly retryAfterMs: number | null;
  /** Credits charged; null: unknown, because the answer was lost. */
  readonly charged: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    facts: Partial<Pick<SightlineError, 'status' | 'requestId' | 'retryable' | 'retryAfterMs' | 'charged' | 'cause'>> = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'SightlineError';
    this.code = code;
    const { status = null, requestId = null, retryable = false, retryAfterMs = null, charged = 0 } = facts;
    [this.status, this.requestId, this.retryable, this.retryAfterMs, this.charged] = [status, requestId, retryable, retryAfterMs, charged];
  }
}
