import type { Span } from '@opentelemetry/api';
import type { Payer } from '../billing/charge.ts';
import type { ServiceError } from '../contract/errors.ts';
import type { Input, Operation } from '../contract/operations/index.ts';
import type { AttemptReport, CachedAnswer, CacheStatus, Freshness, LookupRequest } from '../orchestrator/types.ts';

declare const admittedMark: unique symbol;

/** A request, before anything is known of its caller. */
export interface Arrived {
  /** Made by this service: names the request, its captures and its ledger entries. */
  readonly requestId: string;
  /** The caller's own name for it; unique within its account at most. */
  readonly label: string | null;
  /** When it came, epoch ms, by the clock of this process; the deadline counts from here. */
  readonly atMs: number;
  /** The same on the monotonic clock, for durations. */
  readonly begunMs: number;
  readonly span: Span | null;
}

/** A request whose caller may ask, by rights and limits. */
export interface Admitted<Caller extends Payer = Payer> {
  readonly arrived: Arrived;
  readonly caller: Caller;
  readonly [admittedMark]: true;
}
/** Called where it is decided who may ask: by the gateway's admission, and by the check of a watch for the key that made it. */
export const admit = <Caller extends Payer>(arrived: Arrived, caller: Caller): Admitted<Caller> =>
  ({ arrived, caller }) as Admitted<Caller>;

/** What is asked, how fresh the answer must be, and what it may cost. */
export interface LookupCall extends Pick<LookupRequest, 'signal' | 'asking'> {
  readonly operation: Operation;
  readonly input: Input;
  readonly freshness: Freshness;
  /** `X-Max-Credits`; null: no limit. */
  readonly maxCredits: number | null;
}

/** An admitted request with its operation and input. */
export interface Asked {
  /** The fresh answer that this process has cached, in this turn of the event loop; null: there is none, or it has a price. */
  cached(): Ended | null;
  price(): Priced;
}

/** A lookup with its charge, of which nothing is held yet. */
export interface Priced {
  /** Looks it up, once: the price is held before a source is asked, and by the leader of a coalesced lookup alone. Never rejects. */
  run(): Promise<Ended>;
}

export type Ended = Answered | Refused;

/** What the request log, the metrics and the log say of a lookup that ended. */
export interface LookupFacts {
  readonly source: string | null;
  /** Result of the cache in one word; null where the cache was not read. */
  readonly cache: string | null;
  readonly attempts: readonly AttemptReport[];
  readonly upstreamMs: number;
  readonly unread: readonly string[];
  /** When the lookup was asked, and begin and length of its hold: ms since the arrival. */
  readonly admittedMs: number;
  readonly hold: { readonly startMs: number; readonly ms: number } | null;
}

/** The lookup gave no resource: nothing is charged, and every credit held for it is released. */
export interface Refused {
  readonly ok: false;
  readonly facts: LookupFacts;
  readonly error: ServiceError;
  readonly cacheStatus: CacheStatus | null;
  /** When a cached "not found" was read, epoch ms; null: there is none. */
  readonly readAtMs: number | null;
  /** No source was asked: our own pace, cap, pause or breaker refused every attempt. */
  readonly isUnasked: boolean;
  /** Credits left to the account; null: not known now. */
  readonly remaining: number | null;
  /** As for an answer; there is nothing left to release. */
  cancel(): number | null;
}

/** The lookup gave a resource, and its charge is decided. */
export interface Answered {
  readonly ok: true;
  readonly facts: LookupFacts;
  readonly cached: CachedAnswer;
  readonly cacheStatus: CacheStatus;
  /** What the delivery will cost, and the id of the hold, which names it in the ledger. */
  readonly credits: number;
  readonly receipt: string | null;
  /** Credits left to the account once the answer is charged; null: not known now. */
  readonly remaining: number | null;
  /**
   * Calls `write` in the turn of the event loop in which the hold was found valid, after renewing it where it may expire before the answer is
   * written. Throws UNAVAILABLE where it has expired: nothing may be sent.
   */
  deliver<T>(write: (answer: Deliverable) => T): Promise<Awaited<T>>;
  /** The answer is not delivered: releases the hold and returns the credits left. After a charge it changes nothing. */
  cancel(): number | null;
}

/** An answer whose hold is valid now: its first byte is written before the next turn of the event loop. */
export interface Deliverable {
  readonly credits: number;
  readonly receipt: string | null;
  /** Several answers in one response: their own rows have the credits. */
  readonly elsewhere?: true;
  /** The last byte is written, or its reader has left: charges the answer, once. Never throws. */
  delivered(): void;
  /** Charges it once the time to read an answer is over, unless `closed` aborts before. */
  deliveredLate(closed: AbortSignal): void;
}
