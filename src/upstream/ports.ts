import type { Reply } from './answer.ts';

/** GCRA: one request per `everyMs` on average, `burst` at once. `key` names who is paced (a host, an application, an endpoint). */
export interface PaceRule {
  readonly key: string;
  readonly everyMs: number;
  readonly burst: number;
  /** Who asks: those who wait under a key take turns by account. Set by `paceOfAttempts`. */
  readonly account?: string;
}

export interface Pace {
  /** Waits for the turn; gives how long to wait (ms) instead where that is longer than `patienceMs`, and at once while the key rests. 0: go. */
  take(rule: PaceRule, patienceMs: number, signal?: AbortSignal): Promise<number>;
  /** Nobody asks under this key for so long, ms (a platform said so); those who wait are told. */
  rest(key: string, ms: number): Promise<void>;
  /** How long the key rests still, ms; 0: it does not. */
  resting(key: string): Promise<number>;
}

/** One at a time under a key, in order of arrival; across the machines of a fleet where one runs. */
export interface Lease {
  /** Runs `work` alone; gives null where the signal fires before its turn has come. */
  alone<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T | null>;
}

/** What may be paid to somebody in a UTC day. `key` names who is paid. */
export interface SpendRule {
  readonly key: string;
  readonly maxRequests: number;
  readonly maxUsd: number;
}
/** What is counted under a key on a day (UTC, since the epoch). */
export interface Spent {
  readonly day: number;
  readonly requests: number;
  /** What counts against the cap: spent, or set aside for requests that run. */
  readonly usd: number;
  /** What was stated to be spent. */
  readonly spentUsd: number;
}

/** What paid sources cost in a UTC day; over the whole fleet where one runs. Neither rejects. */
export interface Spending {
  /** Counts a request that is about to be made, at `usd`, where both caps leave room for it. */
  take(rule: SpendRule, usd: number): Promise<Spent & { readonly taken: boolean }>;
  /** Corrects what was counted on that day by what was stated to be spent; a day that is over is left alone. */
  correct(key: string, day: number, moreUsd: number, spentUsd?: number): Promise<Spent>;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'HEAD';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit of the decoded body; the wire bytes are limited to the same. Default 8 MiB. */
  readonly maxBytes?: number;
  /** How many redirects are followed, each checked; 0 hands a 3xx over as the answer. Default 5. */
  readonly redirects?: number;
  /** A redirect that leads elsewhere is `refused`. Default: any public host. */
  readonly mayFollow?: (url: URL) => boolean;
  /** Time for the whole request. Default: what `signal` leaves. */
  readonly timeoutMs?: number;
  /** Longest wait for the first byte; default: SIGHTLINE_HEADERS_TIMEOUT_MS. For sources that do their work before they answer. */
  readonly firstByteMs?: number;
  /** Default: 5 a second per host. */
  readonly pace?: PaceRule;
  /** Told as the body comes in: wire bytes so far, and in all where the server says so. */
  readonly onBytes?: (bytes: number, total: number | null) => void;
  /** True where a setting names this origin (own SearXNG, issuer, relay): it may be private, exactly this host and port. */
  readonly named?: boolean;
  readonly signal: AbortSignal;
}
export interface Http {
  ask(request: HttpRequest): Promise<Reply>;
}

export interface WhoisRequest {
  readonly host: string;
  /** Default 43. */
  readonly port?: number;
  /** Sent with CRLF. */
  readonly query: string;
  /** Default 1 MiB. */
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  readonly pace?: PaceRule;
  readonly signal: AbortSignal;
}
export interface Whois {
  ask(request: WhoisRequest): Promise<Reply>;
}
