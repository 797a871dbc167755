import type { Read } from './parameters/parameter.ts';
import { mayRetry, type Retryable } from './retryable.ts';

/** `code`: that of the response, where it is not the name. */
const entry = (status: number, words: string, retryable: Retryable = false, code: string | null = null) => ({
  ...{ status, words, retryable, code },
});

/** Every error of the service: its HTTP status, the default message, and whether a retry may help within minutes. */
export const ERRORS = {
  INVALID_REQUEST: entry(400, 'The request is invalid.'),
  UNAUTHORIZED: entry(401, 'Valid credentials are needed: send an API key as X-API-Key or Authorization: Bearer.'),
  INSUFFICIENT_CREDITS: entry(402, 'The account has too few credits.'),
  FORBIDDEN: entry(403, 'These credentials may not use this operation.'),
  NOT_FOUND: entry(404, 'Not found.'),
  METHOD_NOT_ALLOWED: entry(405, 'Only GET and HEAD are allowed here.'),
  PAYLOAD_TOO_LARGE: entry(413, 'Requests carry no body.', false, 'REQUEST_TOO_LARGE'),
  URI_TOO_LONG: entry(414, 'The URL is longer than 8 kB.', false, 'REQUEST_TOO_LARGE'),
  UNSUPPORTED_MEDIA_TYPE: entry(415, 'The body of a request has no content coding: leave Content-Encoding out.', false, 'INVALID_REQUEST'),
  RATE_LIMITED: entry(429, 'Too many requests.', true),
  HEADERS_TOO_LARGE: entry(431, 'The headers are larger than 32 kB.', false, 'REQUEST_TOO_LARGE'),
  INTERNAL_ERROR: entry(500, 'The service failed because of a defect; nothing was charged.', true),
  NOT_IMPLEMENTED: entry(501, 'No source is configured for this operation; nothing was charged.'),
  UNKNOWN_TRANSFER_CODING: entry(501, 'The only transfer coding of a request is chunked.', false, 'INVALID_REQUEST'),
  UPSTREAM_FAILED: entry(502, 'The source failed.', 'stated'),
  UPSTREAM_UNREACHABLE: entry(502, 'The source could not be reached.', true),
  UPSTREAM_TIMEOUT: entry(502, 'The source did not answer in time.', true),
  UPSTREAM_BLOCKED: entry(502, 'The source blocked the request (block page, challenge or consent page).'),
  UPSTREAM_RATE_LIMITED: entry(502, 'The source limits the number of requests.', true),
  UPSTREAM_CHANGED: entry(502, "The source's answer has an unknown form."),
  UNAVAILABLE: entry(503, 'The store is unavailable, and nothing is served without metering.', true),
  OVERLOADED: entry(503, 'The service is overloaded or shutting down; nothing was done.', true),
  HTTP_VERSION: entry(505, 'This service speaks HTTP/1.1 and HTTP/1.0.', false, 'INVALID_REQUEST'),
  NOT_CACHED: entry(504, 'The request said only-if-cached, and no cached answer is fresh enough.'),
};

export type ErrorName = keyof typeof ERRORS;

/** The code in the response: 413, 414 and 431 share one, and so do 400, 415 and 505. */
export const codeOf = (name: ErrorName): string => ERRORS[name].code ?? name;

/** Escapes control, format and line characters: a message may quote the request, and is shown on terminals and in logs. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (c) => {
    const code = (c.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });

/** JSON of the same value without characters that a reader cannot see: control and format characters are escaped as JSON has them. */
export const visibleJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/gu, (c) =>
    Array.from({ length: c.length }, (_, n) => `\\u${c.charCodeAt(n).toString(16).padStart(4, '0')}`).join(''),
  );

/** An error for the client. `message` uses neutral words, without text from an upstream and without secrets. */
export class ServiceError extends Error {
  readonly failure: ErrorName;
  /** Credits: every error is free. */
  readonly charged = 0;
  readonly headers: Readonly<Record<string, string>>;
  constructor(failure: ErrorName, message?: string, headers: Readonly<Record<string, string>> = {}) {
    super(printable(message ?? ERRORS[failure].words));
    this.name = 'ServiceError';
    this.failure = failure;
    this.headers = headers;
  }
  get status(): number {
    return ERRORS[this.failure].status;
  }
  get code(): string {
    return codeOf(this.failure);
  }
  /** `Retry-After` in ms; null where the error states none. */
  get retryAfterMs(): number | null {
    const seconds = this.headers['retry-after'];
    return seconds === undefined ? null : Number(seconds) * 1000;
  }
  /** Whether the same request may succeed within minutes. */
  get retryable(): boolean {
    return mayRetry(ERRORS[this.failure].retryable, this.retryAfterMs);
  }
  get body(): { error: { code: string; message: string } } {
    return { error: { code: this.code, message: this.message } };
  }
}

/** The caller's mistake; what it named does not exist. */
export const invalid = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message);
export const missing = (message: string): ServiceError => new ServiceError('NOT_FOUND', message);

/** The value that was read; what was refused is an INVALID_REQUEST. */
export const orRefuse = <T>(read: Read<T>): T => {
  if (read.ok) return read.value;
  throw invalid(read.why);
};

/** Value of `Retry-After`: whole seconds, at least 1. */
export const retryAfter = (waitMs: number): string => String(Math.max(1, Math.ceil(waitMs / 1000)));

/** A 500 for a defect of this service. The client reads a fixed message; `cause` is for the log. */
export const defect = (cause: unknown): ServiceError => Object.assign(new ServiceError('INTERNAL_ERROR'), { cause });
