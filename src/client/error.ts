import type { ERRORS, ErrorName } from '../contract/errors.ts';
import { mayRetry, type Retryable } from '../contract/retryable.ts';

type Table = typeof ERRORS;
type CodeOf<N extends ErrorName> = Table[N] extends { readonly code: infer C extends string } ? C : N;
/** Every code that the service answers with. */
export type ServiceCode = { [N in ErrorName]: CodeOf<N> }[ErrorName];

/** Codes of the service, and whether a retry may help within minutes. The type is the error table: a code that is missing or wrong does not compile. */
const RETRYABLE: { readonly [N in ErrorName as CodeOf<N>]: Table[N]['retryable'] } = {
  INVALID_REQUEST: false,
  UNAUTHORIZED: false,
  INSUFFICIENT_CREDITS: false,
  FORBIDDEN: false,
  NOT_FOUND: false,
  METHOD_NOT_ALLOWED: false,
  REQUEST_TOO_LARGE: false,
  RATE_LIMITED: true,
  INTERNAL_ERROR: true,
  NOT_IMPLEMENTED: false,
  UPSTREAM_FAILED: 'stated',
  UPSTREAM_UNREACHABLE: true,
  UPSTREAM_TIMEOUT: true,
  UPSTREAM_BLOCKED: false,
  UPSTREAM_RATE_LIMITED: true,
  UPSTREAM_CHANGED: false,
  OVERLOADED: true,
  UNAVAILABLE: true,
  NOT_CACHED: false,
};

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
const ruleOf = (code: ServiceCode): Retryable => RETRYABLE[code];
export const isRetryable = (code: ServiceCode, retryAfterMs: number | null): boolean => mayRetry(ruleOf(code), retryAfterMs);

interface Facts {
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | null;
  readonly charged?: number | null;
  readonly cause?: unknown;
}

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

  constructor(code: ErrorCode, message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'SightlineError';
    this.code = code;
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryable = facts.retryable ?? false;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.charged = facts.charged === undefined ? 0 : facts.charged;
  }
}
