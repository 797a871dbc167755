import type { Ready } from '../contract/account/schemas.ts';
import type { ValueOf } from '../contract/admin/define.ts';
import type { ServiceError } from '../contract/errors.ts';
import type { Input, OperationId } from '../contract/operations/index.ts';
import type { AttemptEnd } from '../telemetry/metrics.ts';

/** The freshness that a request asks for (RFC 9111 request directives, RFC 5861), in ms. */
export interface Freshness {
  readonly noCache: boolean;
  readonly noStore: boolean;
  readonly onlyIfCached: boolean;
  readonly maxAgeMs: number | null;
  /** Infinity for a bare `max-stale`. */
  readonly maxStaleMs: number | null;
  readonly minFreshMs: number | null;
  readonly staleIfErrorMs: number | null;
}

export const ORDINARY: Freshness = Object.freeze({
  noCache: false,
  noStore: false,
  onlyIfCached: false,
  maxAgeMs: null,
  maxStaleMs: null,
  minFreshMs: null,
  staleIfErrorMs: null,
});

export interface CachedAnswer {
  readonly bytes: Buffer;
  /** Weak, over the resource without `scrapedAt` and `checkedAt`. */
  readonly etag: string;
  readonly at: number;
  /** From `at` on: V8 keeps a whole number below 2^31 without an object of its own. */
  readonly freshForMs: number;
  readonly keepForMs: number;
  readonly source: string;
  /** The message of a cached "not found". */
  readonly absent?: string;
  /** Results delivered, where the price depends on it. */
  readonly delivered?: number;
  /** Fields that the source's answer holds and its parser could not read: dotted paths in the resource. */
  readonly unread: readonly string[];
}

/** Result of the cache, for Cache-Status (RFC 9211). */
export type CacheStatus =
  | { how: 'hit' }
  | { how: 'miss'; fwd: 'uri-miss' | 'request' | 'stale'; stored: boolean; collapsed: boolean }
  /** Served stale because the upstream failed (`stale-if-error`) or because the request allowed it (`max-stale`: status null). */
  | { how: 'stale'; fwdStatus: number | null };

/** How a lookup is paid. Only the leader of a coalesced lookup pays. */
export interface Payment {
  /** Holds the price; durable before it resolves. Throws a ServiceError (402, 429, 503) where it cannot be held. */
  hold(): Promise<void>;
  /** The lookup found nothing that is charged: returns the credits. */
  release(): void;
}

/** Nobody pays: lookups without a service at one's own sources, and those of the operator. */
export const FREE: Payment = { hold: async () => {}, release: () => {} };

export interface AttemptReport extends AttemptEnd {
  readonly source: string;
  readonly what: string | null;
  readonly detail: string | null;
  readonly at?: number;
  /** No request was sent for it: our own pace, cap, rest or breaker refused it. Left out where one may have been sent. */
  readonly isUnsent?: true;
}

export interface LookupRequest<Id extends OperationId = OperationId> {
  readonly operation: Id;
  readonly input: Input<Id>;
  readonly freshness: Freshness;
  readonly charge: Payment;
  readonly deadlineMs: number;
  readonly requestId: string;
  /** Account of the caller, for fair queueing at a source and SIGHTLINE_CACHE_SCOPE. */
  readonly account?: string;
  /** Aborted: the caller waits no longer. The lookup ends unless other requests wait for it. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the id of each source before it is asked for this request; not where another request leads. */
  readonly asking?: ((source: string) => void) | undefined;
}
export interface LookupAnswer {
  readonly cached: CachedAnswer;
  readonly cacheStatus: CacheStatus;
  readonly leads: boolean;
  readonly attempts: readonly AttemptReport[];
  readonly upstreamMs: number;
}
/** A lookup without a resource: the error for the client, and facts for the log. */
export interface LookupRefusal {
  readonly error: ServiceError;
  readonly cacheStatus: CacheStatus | null;
  readonly attempts: readonly AttemptReport[];
  readonly upstreamMs: number;
  /** When a cached "not found" was read, epoch ms. */
  readonly atMs: number | null;
  /** Where no source is configured (501): the settings that would configure one. For the operator only. */
  readonly lacking?: readonly string[];
}
export type LookupResult = { ok: true; answer: LookupAnswer } | { ok: false; refusal: LookupRefusal };

export interface Orchestrator {
  /** An answer that this process has in its cache and that satisfies the request; null: `lookup` finds one. */
  cached(request: Pick<LookupRequest, 'operation' | 'input' | 'freshness' | 'account'>): LookupResult | null;
  lookup<Id extends OperationId>(request: LookupRequest<Id>): Promise<LookupResult>;
  /** The fresh cached answer to an input of this account; null: a source would be called. Calls no source. */
  peek<Id extends OperationId>(operation: Id, input: Input<Id>, account?: string): Promise<CachedAnswer | null>;
  /** Deletes cached answers of an operation, or the one to this input: not where answers are cached by account. Returns their number. */
  purge(operation: OperationId, input?: Input): number;
  /** Announced ends of configured sources, from 180 days before on. */
  sunsets(): ValueOf<typeof Ready>['sunsets'];
  ready(): Promise<void>;
  close(): Promise<void>;
}
