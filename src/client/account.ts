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

export type Ask = <T>(path: () => string, options?: CallOptions, action?: Action) => Call<T>;
export type Query<T> = { readonly [K in keyof T]?: T[K] | undefined };
export type UsageQuery = Query<Pick<AccountInput<'account-usage'>, 'from' | 'to' | 'limit' | 'after' | 'include'>>;
export type LedgerQuery = Query<Pick<AccountInput<'account-ledger'>, 'limit' | 'after' | 'receipt'>>;
export type RequestsQuery = Query<
  Pick<AccountInput<'account-requests'>, 'operation' | 'status' | 'label' | 'key' | 'source' | 'kind' | 'from' | 'to' | 'limit' | 'after'>
>;

/** The account of the credentials. All of it is free. */
export type AccountMethods = ReturnType<typeof accountMethods>;

export function accountMethods(ask: Ask) {
  const list = <Q extends object, Page, Entry>(path: string, items: string): Paged<Q, Page, Entry> =>
    paged({ items, next: 'after' }, (query, options) => ask<Page>(() => `${path}${queryOf({ ...query })}`, options));
  return {
    get: (options?: CallOptions): Call<Account> => ask(() => '/v1/account', options),
    usage: list<UsageQuery, AccountUsage, AccountUsage['days'][number]>('/v1/account/usage', 'days'),
    ledger: list<LedgerQuery, AccountLedger, AccountLedger['entries'][number]>('/v1/account/ledger', 'entries'),
    /** Requests of the last 30 days, newest first. A page may be shorter than `limit` although there are more. */
    requests: list<RequestsQuery, AccountRequests, AccountRequests['requests'][number]>('/v1/account/requests', 'requests'),
    /** What happened to one request, by its `X-Request-Id`, and why it was charged or not. */
    request: (requestId: string, options?: CallOptions): Call<RequestExplanation> =>
      ask(() => `/v1/account/requests/${encodeURIComponent(requestId)}`, options),
    price: <Id extends OperationId>(operation: Id, input: LookupInput<Id>, options?: CallOptions): Call<AccountPrice> =>
      ask(() => `/v1/account/price${queryOf({ operation, ...namedInput(operation, input) })}`, options),
  };
}
