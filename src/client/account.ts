import type { AccountInput } from '../contract/account/endpoints.ts';
import type {
  Account,
  AccountLedger,
  AccountPrice,
  AccountRequests,
  AccountUsage,
  RequestExplanation,
} from '../contract/account/schemas.ts';
import type { OperationId } from '../contract/operations/index.ts';
import type { Call } from './call.ts';
import type { LookupInput } from './lookups.ts';
import type { CallOptions } from './options.ts';
import { type Paged, paged } from './pages.ts';
import { namedInput, queryOf } from './path.ts';
import type { Action } from './send.ts';

/** Calls an account endpoint. What `path` throws rejects the call. */
export type Ask = <T>(path: () => string, options?: CallOptions, action?: Action) => Call<T>;
export type Query<T> = { readonly [K in keyof T]?: T[K] | undefined };
export type UsageQuery = Query<Pick<AccountInput<'account-usage'>, 'from' | 'to' | 'limit' | 'after' | 'include'>>;
export type LedgerQuery = Query<Pick<AccountInput<'account-ledger'>, 'limit' | 'after' | 'receipt' | 'by'>>;
export type RequestsQuery = Query<
  Pick<AccountInput<'account-requests'>, 'operation' | 'status' | 'label' | 'key' | 'source' | 'kind' | 'from' | 'to' | 'limit' | 'after'>
>;

/** The account of the credentials. All of it is free. */
export interface AccountMethods {
  /** Balance, credentials and limits. */
  get(options?: CallOptions): Call<Account>;
  /** Requests and credits by day, operation, key and status. */
  readonly usage: Paged<UsageQuery, AccountUsage, AccountUsage['days'][number]>;
  /** Every entry of the ledger, newest first; `by: 'lookup'` one for each lookup, with what it was charged. */
  readonly ledger: Paged<LedgerQuery, AccountLedger, AccountLedger['entries'][number]>;
  /** Requests of the last 30 days, newest first. A page may be shorter than `limit` although there are more. */
  readonly requests: Paged<RequestsQuery, AccountRequests, AccountRequests['requests'][number]>;
  /** What happened to one request, by its `X-Request-Id`, and why it was charged or not. */
  request(requestId: string, options?: CallOptions): Call<RequestExplanation>;
  /** What a lookup would cost now. */
  price<Id extends OperationId>(operation: Id, input: LookupInput<Id>, options?: CallOptions): Call<AccountPrice>;
}

export function accountMethods(ask: Ask): AccountMethods {
  const list = <Q extends object, Page, Entry>(path: string, items: string): Paged<Q, Page, Entry> =>
    paged({ items, next: 'after' }, (query, options) => ask<Page>(() => `${path}${queryOf(query)}`, options));
  return {
    get: (options) => ask(() => '/v1/account', options),
    usage: list('/v1/account/usage', 'days'),
    ledger: list('/v1/account/ledger', 'entries'),
    requests: list('/v1/account/requests', 'requests'),
    request: (requestId, options) => ask(() => `/v1/account/requests/${encodeURIComponent(requestId)}`, options),
    price: (operation, input, options) => ask(() => `/v1/account/price${queryOf({ operation, ...namedInput(operation, input) })}`, options),
  };
}
