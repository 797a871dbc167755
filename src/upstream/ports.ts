import type { Answer, Reply } from './answer.ts';

/** On whose behalf a request is sent: one attempt at one source. It ends when `signal` fires. */
export interface Attempt {
  readonly signal: AbortSignal;
  /** That moment in epoch ms of the clock; a request that could not be sent before it is not waited for. Infinity: none. */
  readonly deadlineMs: number;
  /** Whose turn it is where requests wait for their pace; default: none. */
  readonly account?: string;
  /** Default: exchanges are not recorded. */
  readonly record?: RecordExchange;
}

/** GCRA: one request per `everyMs` on average, `burst` at once. `key`: the host, application or endpoint that is paced. */
export interface PaceRule {
  readonly key: string;
  readonly everyMs: number;
  readonly burst: number;
  /** The account of the request: waiting requests of a key are served in turns by account. Set by `takeTurn`. */
  readonly account?: string;
}

export interface Pace {
  /** Waits until a request may be sent, returns 0. Returns the necessary wait (ms) at once if it exceeds `patienceMs` or the key rests. */
  take(rule: PaceRule, patienceMs: number, signal?: AbortSignal): Promise<number>;
  /** Forbids requests under this key for `ms`, as a platform requested; waiting requests are refused. */
  rest(key: string, ms: number): Promise<void>;
  /** Time until the rest of the key ends, ms; 0: no rest. */
  resting(key: string): Promise<number>;
}

/** Mutual exclusion per key, in order of arrival; over all machines of a fleet. */
export interface Lease {
  /** Runs `work` while holding the lease. Null if the signal fires first. */
  alone<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T | null>;
}

/** Daily caps (UTC) of a paid source. `key` names its count. */
export interface SpendRule {
  readonly key: string;
  readonly maxRequests: number;
  readonly maxUsd: number;
}
/** The count of a key on a day (UTC, days since the epoch). */
export interface Spent {
  readonly day: number;
  readonly requests: number;
  /** Counted against the cap: spent, or reserved for requests in progress. */
  readonly usd: number;
  readonly spentUsd: number;
}

/** Counts the costs of paid sources per UTC day; over the whole fleet if there is one. The methods do not reject. */
export interface Spending {
  /** Counts a request before it is made, at `usd`, unless it would exceed a cap. */
  take(rule: SpendRule, usd: number): Promise<Spent & { readonly taken: boolean }>;
  today(key: string): Promise<Spent>;
  /** Corrects the count of that day by the stated cost; the count of a past day is not changed. */
  correct(key: string, day: number, moreUsd: number, spentUsd?: number): Promise<Spent>;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'HEAD';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit of the decoded body; the wire bytes are limited to the same. Default 8 MiB. */
  readonly maxBytes?: number;
  /** Maximum number of redirects, each checked; 0: a 3xx is returned as the answer. Default 5. */
  readonly redirects?: number;
  /** A redirect to another URL is `refused`. Default: any public host is allowed. */
  readonly mayFollow?: (url: URL) => boolean;
  readonly timeoutMs?: number;
  /** Longest wait for the first byte; default: 10 s. For sources that compute before they answer. */
  readonly firstByteMs?: number;
  /** Default: 5 a second per host. */
  readonly pace?: PaceRule;
  /** Called as the body arrives: wire bytes so far, and in total if the server states it. */
  readonly onBytes?: (bytes: number, total: number | null) => void;
  /** True if a setting names this origin (own SearXNG, issuer, relay): exactly this host and port may be private. */
  readonly named?: boolean;
  /** Why an address of this host may not be reached, null: it may; in place of the usual guard of hosts, ports and addresses. No proxy is used. */
  readonly opened?: (address: string) => string | null;
  /** True if the answer holds credentials (a token endpoint): neither request nor answer is recorded. */
  readonly credentials?: boolean;
  /** True if the answer is stored for other attempts too (robots.txt, a token): only `timeoutMs` ends it, not the attempt's signal. */
  readonly shared?: boolean;
  /** True if the body is only passed to `parse`: a large one is decoded in the parser thread, so that the main thread holds wire bytes only. */
  readonly decodedByParser?: true;
  /** True for a page that a robots.txt is about: signed where the operator has switched that on. */
  readonly signed?: true;
  /** Secrets in the URL or in headers, which a recorder removes. */
  readonly secrets?: readonly string[];
  readonly attempt: Attempt;
}
export interface Http {
  ask(request: HttpRequest): Promise<Reply>;
}

/** `maxBytes`: default 1 MiB. */
export interface WhoisRequest extends Pick<HttpRequest, 'maxBytes' | 'timeoutMs' | 'pace' | 'shared' | 'attempt'> {
  readonly host: string;
  readonly port?: number;
  readonly query: string;
}
export interface Whois {
  ask(request: WhoisRequest): Promise<Reply>;
}

/** One request as it was sent; a redirect that is followed makes another one. */
export interface SentRequest {
  /** Epoch ms. */
  readonly atMs: number;
  /** `WHOIS` for a WHOIS query. */
  readonly method: string;
  /** `whois://<host>` for a WHOIS query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The WHOIS query, without CRLF; null: no body. */
  readonly body: string | null;
  /** Null: no whole answer came. */
  readonly answer: Answer | null;
}

/** What an attempt asked of an upstream, and the reply that its connector got. */
export interface Exchange {
  readonly asked: Pick<SentRequest, 'method' | 'url' | 'body'>;
  /** Oldest first; none where the request was refused or not its turn. */
  readonly sent: readonly SentRequest[];
  readonly reply: Reply;
  /** The answer is stored for other attempts too (robots.txt, the RDAP bootstrap). */
  readonly shared: boolean;
  /** Secrets of the request; recorders must redact them. */
  readonly secrets: readonly string[];
}

export type RecordExchange = (exchange: Exchange) => void;
