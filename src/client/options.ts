import type { FetchLike, Timing } from './fetch.ts';

/** Client credentials of OAuth 2.0 (RFC 6749, 4.4). */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes, separated by blanks; default: all of the client. */
  readonly scope?: string;
}

export interface ClientOptions {
  /** URL of the service; default: the environment variable SIGHTLINE_URL. */
  readonly baseUrl?: string | undefined;
  /** API key; default: the environment variable SIGHTLINE_API_KEY. Null: no credentials are sent, except cookies of the same origin. */
  readonly apiKey?: string | null | undefined;
  /** Instead of a key: access tokens are fetched, cached and renewed. */
  readonly oauth?: OAuthClient | undefined;
  /** Time of a call in all, retries included. Default: the deadline of the operation and 5 seconds; 60,000 for the account. */
  readonly deadlineMs?: number | undefined;
  /** Largest answer in bytes, once decoded. Default: 64 MiB. A larger one is ANSWER_TOO_LARGE. */
  readonly maxBytes?: number | undefined;
  /** Retries of a call after its first attempt. Default: 4. */
  readonly maxRetries?: number | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Why the body of a 200 is no answer of the service to this request; null: it is one. Default: any JSON object is. */
  readonly bodyFault?: ((method: string, path: string, body: object) => string | null) | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: FetchLike | undefined;
  /** Default: the machine's clock and random numbers. */
  readonly timing?: Timing | undefined;
}

/** Options of one call. Ages are whole seconds, as in `Cache-Control` (RFC 9111, RFC 5861). */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** A lookup that would cost more is refused with INSUFFICIENT_CREDITS, before any work. */
  readonly maxCredits?: number | undefined;
  /** Greatest age of the answer. */
  readonly maxAge?: number | undefined;
  /** Ask the source, even where a fresh answer is cached. */
  readonly noCache?: boolean | undefined;
  /** Answer from the cache or fail with NOT_CACHED: never charged, unless the operator charges answers from the cache. */
  readonly onlyIfCached?: boolean | undefined;
  /** If the source fails, an answer that expired no longer ago than this. */
  readonly staleIfError?: number | undefined;
  /** An answer that expired no longer ago than this will do. */
  readonly maxStale?: number | undefined;
  /** `X-Request-Id`: a label in the log and the ledger. 1 to 128 letters, digits, `_`, `.`, `:`, `-`. */
  readonly requestId?: string | undefined;
}

/** Options of an iteration over pages; those of a call hold for each page. */
export interface PageOptions extends Omit<CallOptions, 'requestId'> {
  /** Entries after which the iteration ends. Default: none. */
  readonly limit?: number | undefined;
}

/** Others are refused, also where no compiler looks. */
export const CALL_OPTIONS = 'signal deadlineMs maxRetries maxCredits maxAge noCache onlyIfCached staleIfError maxStale requestId'.split(
  ' ',
);
