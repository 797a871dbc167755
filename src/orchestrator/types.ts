import type { ServiceError } from '../contract/errors.ts';
import type { Input, OperationId } from '../contract/operations/index.ts';

/** What a request says about freshness (RFC 9111 request directives, RFC 5861), in ms. */
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

/** What a request without freshness directives says. */
export const ORDINARY: Freshness = Object.freeze({
  noCache: false,
  noStore: false,
  onlyIfCached: false,
  maxAgeMs: null,
  maxStaleMs: null,
  minFreshMs: null,
  staleIfErrorMs: null,
});

/** One serialised answer, as it is kept and sent. */
export interface CachedAnswer {
  readonly bytes: Buffer;
  /** Weak, over the resource without `scrapedAt` and `checkedAt`. */
  readonly etag: string;
  /** When the source was read, epoch ms. */
  readonly at: number;
  readonly freshUntil: number;
  /** Not served stale after this. */
  readonly keepUntil: number;
  readonly source: string;
  /** Null for a resource; else the refusal that is kept (`absent`). */
  readonly absent: string | null;
  /** Results delivered, where the price depends on it. */
  readonly delivered: number | null;
}

/** How the answer came about, for Cache-Status (RFC 9211). */
export type CacheStatus =
  | { how: 'hit' }
  | { how: 'miss'; fwd: 'uri-miss' | 'request' | 'stale'; stored: boolean; collapsed: boolean }
  /** Served stale because the upstream failed (`stale-if-error`) or because the request allowed it (`max-stale`: status null). */
  | { how: 'stale'; fwdStatus: number | null };

/** Payment for a lookup. Only the leader of a coalesced lookup pays. */
export interface Charge {
  /** Holds the price; durable before it resolves. Throws a ServiceError (402, 429, 503) where it cannot be held. */
  hold(): Promise<void>;
  /** The lookup found nothing that is charged: returns the credits. */
  release(): void;
}

export interface AttemptReport {
  readonly source: string;
  readonly tag: string;
  readonly what: string | null;
  readonly detail: string | null;
  readonly ms: number;
}

export interface LookupRequest<Id extends OperationId = OperationId> {
  readonly operation: Id;
  readonly input: Input<Id>;
  readonly freshness: Freshness;
  readonly charge: Charge;
  /** Epoch ms. */
  readonly deadlineMs: number;
  readonly requestId: string;
  /** Who asks, for fair turns at a source. */
  readonly account?: string;
}
export interface LookupAnswer {
  readonly cached: CachedAnswer;
  readonly cacheStatus: CacheStatus;
  /** This request caused the lookup and pays for it. */
  readonly leads: boolean;
  readonly attempts: readonly AttemptReport[];
  readonly upstreamMs: number;
}
/** A lookup that gave no resource: what the client sees, and what the log needs. */
export interface LookupRefusal {
  readonly error: ServiceError;
  readonly cacheStatus: CacheStatus | null;
  readonly attempts: readonly AttemptReport[];
  readonly upstreamMs: number;
  /** When a kept "not found" was read, epoch ms. */
  readonly at: number | null;
  /** Where no source can be asked (501): the settings that would give one. For the operator alone. */
  readonly lacking?: readonly string[];
}
export type LookupResult = { ok: true; answer: LookupAnswer } | { ok: false; refusal: LookupRefusal };

export interface Orchestrator {
  lookup<Id extends OperationId>(request: LookupRequest<Id>): Promise<LookupResult>;
  /** What an ordinary request would be answered with from the cache, fresh; null: it would go to a source. Nobody is asked. */
  peek<Id extends OperationId>(operation: Id, input: Input<Id>): Promise<CachedAnswer | null>;
  /** Drops kept answers of one operation, or the one to this input. Gives how many. */
  purge(operation: OperationId, input?: Input): number;
  /** Really asks the engine; throws where it is away. */
  ready(): Promise<void>;
  close(): Promise<void>;
}
