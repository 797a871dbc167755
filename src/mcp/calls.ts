import { SightlineError } from '../client/error.ts';
import type { NewWatch } from '../client/watches.ts';
import type { AccountInput, EndpointId } from '../contract/account/endpoints.ts';
import type { Account, AccountPrice } from '../contract/account/schemas.ts';
import type { Watch, WatchChanges, Watches } from '../contract/account/watch-schemas.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Input, Operation, OperationId } from '../contract/operations/index.ts';
import type { LookupCall } from '../lookups/states.ts';
import { type CachedAnswer, type Freshness, ORDINARY } from '../orchestrator/types.ts';
import { type Clock, instant } from '../runtime/clock.ts';

export interface ToolLookup extends Omit<LookupCall, 'freshness' | 'signal'> {
  readonly texts: Readonly<Record<string, string>>;
  /** Only an answer that is in the cache, stale ones included. */
  readonly cachedOnly: boolean;
  readonly signal: AbortSignal;
}

/** A resource with what its headers would say. */
export interface ToolAnswer {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly credits: number;
  readonly receipt: string | null;
  readonly source: string | null;
  readonly cache: string | null;
  /** When the source was read, RFC 3339; null where it is not known. */
  readonly readAt: string | null;
  readonly unread: readonly string[];
}

/** What tools do: for a caller of the service, through its HTTP interface, or on this machine's own sources. Each rejects with an error. */
export interface ToolCalls {
  lookup(lookup: ToolLookup): Promise<ToolAnswer>;
  /** `texts`: the parameters by their names, of which `input` was read. */
  price(operation: Operation, texts: Readonly<Record<string, string>>, input: Input): Promise<AccountPrice>;
  account(): Promise<Account>;
  readonly watches: WatchCalls;
}
export type ChangesPage = Omit<AccountInput<'account-changes'>, 'rest'>;
export interface WatchCalls {
  add(watch: NewWatch): Promise<Watch>;
  list(page: Omit<ChangesPage, 'order' | 'watch'>): Promise<Watches>;
  changes(page: ChangesPage): Promise<WatchChanges>;
}

/** `limit`: credits that the call, or its session, may still spend; null: no limit. A month of a new watch counts as its price. */
export function demandWithin(limit: number | null, { creditsPerMonth }: NewWatch): void {
  // a missing budget is refused with the estimate
  if (limit === null || !(creditsPerMonth > limit)) return;
  throw new ServiceError(
    'INSUFFICIENT_CREDITS',
    `Field creditsPerMonth is ${creditsPerMonth}, but this caller may spend ${limit} credits (X-Max-Credits, SIGHTLINE_MCP_MAX_CREDITS): give less, or raise the limit. Nothing was done.`,
  );
}

/** What a tool calls: an operation, or an endpoint of the account (`operation` null). */
export interface ToolTarget {
  readonly id: OperationId | EndpointId;
  readonly operation: Operation | null;
}

/** What a lookup accepts: with `cachedOnly` any answer that is in the cache. */
export const freshnessOf = ({ cachedOnly }: ToolLookup): Freshness =>
  cachedOnly ? { ...ORDINARY, onlyIfCached: true, maxStaleMs: Number.POSITIVE_INFINITY } : ORDINARY;

export const answerOf = (
  { bytes, source, at, unread }: CachedAnswer,
  paid: Pick<ToolAnswer, 'credits' | 'receipt' | 'cache'>,
): ToolAnswer => ({
  resource: JSON.parse(bytes.toString()) as Record<string, unknown>,
  ...paid,
  source,
  readAt: instant(at),
  unread,
});

/** Time between two messages about a lookup that takes long. */
const EVERY_MS = 5_000;

interface Progress {
  /** Seconds since the call, of `total` at most. */
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

export interface Waiting {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Time after which the caller wants no answer; null: that of the lookup. */
  readonly patienceMs: number | null;
  /** Sends progress to the client; null: the client did not ask for it. Never rejects. */
  readonly report: ((progress: Progress) => Promise<void>) | null;
}

/** A lookup that reports progress while it runs and is cancelled when its caller gives up; other requests may still wait for its answer. */
export async function waitFor(calls: ToolCalls, lookup: Omit<ToolLookup, 'asking'>, waiting: Waiting): Promise<ToolAnswer> {
  const { clock, deadlineMs, patienceMs, report } = waiting;
  const began = clock.now();
  const waitMs = Math.min(deadlineMs, patienceMs ?? deadlineMs);
  const ended = new AbortController();
  const tired = new AbortController();
  let asked: string | null = null;

  async function reportProgress(): Promise<void> {
    for (;;) {
      await clock.sleep(EVERY_MS, ended.signal);
      if (ended.signal.aborted) return;
      const seconds = Math.round((clock.now() - began) / 1000);
      const message = `${asked === null ? 'Waiting for a source' : `Asking ${asked}`}, for ${seconds} s now; it ends by ${instant(began + waitMs)}.`;
      await report?.({ progress: seconds, total: Math.ceil(waitMs / 1000), message });
    }
  }
  if (report) void reportProgress();
  if (patienceMs !== null)
    void clock.sleep(patienceMs, ended.signal).then(() => {
      if (!ended.signal.aborted) tired.abort();
    });
  try {
    const signal = AbortSignal.any([lookup.signal, tired.signal]);
    return await calls.lookup({ ...lookup, signal, asking: (source) => (asked = source) });
  } catch (thrown) {
    if (!tired.signal.aborted) throw thrown;
    const words = `No answer within ${waitMs / 1000} s, as deadlineSeconds asks: call again with more, ${deadlineMs / 1000} at most.`;
    // a remote service may have finished the lookup and charged for it
    if (thrown instanceof SightlineError) throw new SightlineError('DEADLINE_EXCEEDED', words, { charged: thrown.charged, cause: thrown });
    throw new ServiceError('UPSTREAM_TIMEOUT', words);
  } finally {
    ended.abort();
  }
}
