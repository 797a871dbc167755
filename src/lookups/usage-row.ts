import type { Caller, RequestDetails, UsageRow } from '../accounts/types.ts';
import type { ServiceError } from '../contract/errors.ts';
import type { Arrived, LookupFacts } from './states.ts';

/** How a request of an account ended. */
export interface RequestEnd {
  /** Id of an operation or of an endpoint. */
  readonly operation: string;
  readonly status: number;
  readonly error: ServiceError | null;
  readonly durationMs: number;
  /** What this row was charged. */
  readonly credits: number;
  /** Names the charge in the ledger, also where another row has it. */
  readonly receipt: string | null;
  /** Path and query; null where they are not known to be valid. */
  readonly target: string | null;
  readonly cacheControl: string | undefined;
  /** Null: no lookup was made. */
  readonly lookup: LookupFacts | null;
}

/** The row of the request log and of the usage: one for each request of an account that was authenticated. */
export function usageRowOf(
  { requestId, label, atMs }: Arrived,
  { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>,
  end: RequestEnd,
): UsageRow {
  const { operation, status, error, credits, durationMs, target, lookup } = end;
  return {
    requestId,
    label,
    operation,
    status,
    code: error?.code ?? null,
    credits,
    source: lookup?.source ?? null,
    cache: lookup?.cache ?? null,
    durationMs,
    upstreamMs: lookup?.upstreamMs ?? 0,
    at: atMs,
    accountId,
    keyId,
    target,
    details: detailsOf(end),
  };
}

/** What the request log keeps beyond its columns; null where there is nothing, as for most answers from the cache. */
function detailsOf({ error, receipt, cacheControl, lookup }: RequestEnd): RequestDetails | null {
  const hasAttempts = lookup !== null && lookup.attempts.length > 0;
  const hasUnread = lookup !== null && lookup.unread.length > 0;
  if (!hasAttempts && receipt === null && !error && !hasUnread && cacheControl === undefined) return null;
  return {
    ...(cacheControl !== undefined && { cacheControl: cacheControl.slice(0, 200) }),
    ...(error && { message: error.message }),
    ...(receipt !== null && { receipt }),
    ...(hasAttempts && { attempts: lookup.attempts, admittedMs: lookup.admittedMs, ...(lookup.hold && { hold: lookup.hold }) }),
    ...(hasUnread && { unread: lookup.unread }),
  };
}
