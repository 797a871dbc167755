import { mayRetry, type Retryable } from './retryable.ts';

/** Every error code of the service: its HTTP status, whether a retry may help within minutes, and the default message. */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, retryable: false, words: 'The request is invalid.' },
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    words: 'Valid credentials are needed: send an API key as X-API-Key or Authorization: Bearer.',
  },
  INSUFFICIENT_CREDITS: { status: 402, retryable: false, words: 'The account has too few credits.' },
  FORBIDDEN: { status: 403, retryable: false, words: 'These credentials may not use this operation.' },
  NOT_FOUND: { status: 404, retryable: false, words: 'Not found.' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, words: 'Only GET and HEAD are allowed here.' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, words: 'Requests carry no body.', code: 'REQUEST_TOO_LARGE' },
  URI_TOO_LONG: { status: 414, retryable: false, words: 'The URL is longer than 8 kB.', code: 'REQUEST_TOO_LARGE' },
  UNSUPPORTED_CODING: {
    status: 415,
    retryable: false,
    words: 'The body of a request has no content coding: leave Content-Encoding out.',
    code: 'INVALID_REQUEST',
  },
  RATE_LIMITED: { status: 429, retryable: true, words: 'Too many requests.' },
  HEADERS_TOO_LARGE: { status: 431, retryable: false, words: 'The headers are larger than 32 kB.', code: 'REQUEST_TOO_LARGE' },
  INTERNAL_ERROR: { status: 500, retryable: true, words: 'The service failed because of a defect; nothing was charged.' },
  NOT_IMPLEMENTED: { status: 501, retryable: false, words: 'No source is configured for this operation; nothing was charged.' },
  UNKNOWN_TRANSFER_CODING: {
    status: 501,
    retryable: false,
    words: 'The only transfer coding of a request is chunked.',
    code: 'INVALID_REQUEST',
  },
  UPSTREAM_FAILED: { status: 502, retryable: 'stated', words: 'The source failed.' },
  UPSTREAM_UNREACHABLE: { status: 502, retryable: true, words: 'The source could not be reached.' },
  UPSTREAM_TIMEOUT: { status: 502, retryable: true, words: 'The source did not answer in time.' },
  UPSTREAM_BLOCKED: { status: 502, retryable: false, words: 'The source blocked the request (block page, challenge or consent page).' },
  UPSTREAM_RATE_LIMITED: { status: 502, retryable: true, words: 'The source limits the number of requests.' },
  UPSTREAM_CHANGED: { status: 502, retryable: false, words: "The source's answer has an unknown form." },
  OVERLOADED: { status: 503, retryable: true, words: 'The service is overloaded or shutting down; nothing was done.' },
  UNAVAILABLE: { status: 503, retryable: true, words: 'The store is unavailable, and nothing is served without metering.' },
  HTTP_VERSION: { status: 505, retryable: false, words: 'This service speaks HTTP/1.1 and HTTP/1.0.', code: 'INVALID_REQUEST' },
  NOT_CACHED: { status: 504, retryable: false, words: 'The request said only-if-cached, and no cached answer is fresh enough.' },
} as const satisfies Record<string, { status: number; retryable: Retryable; words: string; code?: string }>;

export type ErrorName = keyof typeof ERRORS;

/** The code in the response: 413, 414 and 431 share one, and so do 400, 415 and 505. */
export const codeOf = (name: ErrorName): string => {
  const entry: { status: number; code?: string } = ERRORS[name];
  return entry.code ?? name;
};

/** The body of every error. */
export interface ErrorBody {
  error: { code: string; message: string };
}

/** Escapes control, format and line characters: a message may quote the request, and is shown on terminals and in logs. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (c) => {
    const code = (c.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });

/** An error for the client. `message` uses neutral words, without text from an upstream and without secrets. */
export class ServiceError extends Error {
  readonly failure: ErrorName;
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
  /** `Retry-After` in ms; null where the error states none. */
  get retryAfterMs(): number | null {
    const seconds = this.headers['retry-after'];
    return seconds === undefined ? null : Number(seconds) * 1000;
  }
  /** Whether the same request may succeed within minutes. */
  get retryable(): boolean {
    return mayRetry(ERRORS[this.failure].retryable, this.retryAfterMs);
  }
  get body(): ErrorBody {
    return { error: { code: codeOf(this.failure), message: this.message } };
  }
}

/** Value of `Retry-After`: whole seconds, at least 1. */
export const retryAfter = (waitMs: number): string => String(Math.max(1, Math.ceil(waitMs / 1000)));

/** A 500 for a defect of this service. The client reads a fixed message; `cause` is for the log. */
export const defect = (cause: unknown): ServiceError => Object.assign(new ServiceError('INTERNAL_ERROR'), { cause });
