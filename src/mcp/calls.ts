import type { NewWatch } from '../client/watches.ts';
import type { AccountInput, EndpointId } from '../contract/account/endpoints.ts';
import type { Account, AccountPrice } from '../contract/account/schemas.ts';
import type { Watch, WatchChanges, Watches } from '../contract/account/watch-schemas.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Input, Operation, OperationId } from '../contract/operations/index.ts';
import { type CachedAnswer, type Freshness, ORDINARY } from '../orchestrator/types.ts';
import { instant } from '../runtime/clock.ts';

export interface ToolLookup {
  readonly operation: Operation;
  readonly input: Input;
  /** The parameters as they were given, by their names. */
  readonly texts: Readonly<Record<string, string>>;
  /** Credits above which the lookup is refused; null: no limit of the call. */
  readonly maxCredits: number | null;
  /** Only an answer that is in the cache, stale ones included. */
  readonly cachedOnly: boolean;
  /** Aborted where the caller waits no longer. */
  readonly signal: AbortSignal;
  /** Called with the id of each source before it is asked. */
  readonly asking?: ((source: string) => void) | undefined;
}

/** A resource with what its headers would say. */
export interface ToolAnswer {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly credits: number;
  /** Id of the charge in the ledger; null: nothing was charged. */
  readonly receipt: string | null;
  readonly source: string | null;
  /** `hit`, `miss`, `stale` or `collapsed`. */
  readonly cache: string | null;
  /** When the source was read, RFC 3339; null where it is not known. */
  readonly readAt: string | null;
  /** Fields that the source's page had but that could not be read. */
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
  list(page: Omit<ChangesPage, 'watch'>): Promise<Watches>;
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
