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
import type { LookupInput } from './methods.ts';
import type { CallOptions, PageOptions } from './options.ts';
import { entriesOf } from './pages.ts';
import { namedInput, queryOf } from './path.ts';

type Get = <T>(path: () => string, options?: CallOptions) => Call<T>;
type Query<T> = { readonly [K in keyof T]?: T[K] | undefined };
export type UsageQuery = Query<Pick<AccountInput<'account-usage'>, 'from' | 'to' | 'limit' | 'after'>>;
export type LedgerQuery = Query<Pick<AccountInput<'account-ledger'>, 'limit' | 'after' | 'receipt'>>;
export type RequestsQuery = Query<Pick<AccountInput<'account-requests'>, 'operation' | 'status' | 'from' | 'to' | 'limit' | 'after'>>;

/** A list of the account: one page, or with `all` every entry. `limit` of the query is the size of a page. */
export type AccountList<Q, Page, Entry> = ((query?: Q, options?: CallOptions) => Call<Page>) & {
  all(query?: Q, options?: PageOptions): AsyncGenerator<Entry, void, undefined>;
};

/** The account of the credentials. All of it is free. */
export interface AccountMethods {
  /** Balance, credentials and limits. */
  get(options?: CallOptions): Call<Account>;
  /** Requests and credits by day, operation, key and status. */
  readonly usage: AccountList<UsageQuery, AccountUsage, AccountUsage['days'][number]>;
  /** Every entry of the ledger, newest first. */
  readonly ledger: AccountList<LedgerQuery, AccountLedger, AccountLedger['entries'][number]>;
  /** Requests of the last 30 days, newest first. A page may be shorter than `limit` although there are more. */
  readonly requests: AccountList<RequestsQuery, AccountRequests, AccountRequests['requests'][number]>;
  /** What happened to one request, by its `X-Request-Id`, and why it was charged or not. */
  request(requestId: string, options?: CallOptions): Call<RequestExplanation>;
  /** What a lookup would cost now. */
  price<Id extends OperationId>(operation: Id, input: LookupInput<Id>, options?: CallOptions): Call<AccountPrice>;
}

export function accountMethods(get: Get): AccountMethods {
  function list<Q extends { readonly after?: string | undefined }, Page, Entry>(path: string, items: string): AccountList<Q, Page, Entry> {
    const one = (query?: Q, options?: CallOptions) => get<Page>(() => `${path}${queryOf({ ...query })}`, options);
    return Object.assign(one, {
      all: (query?: Q, { limit = Number.POSITIVE_INFINITY, ...options }: PageOptions = {}) =>
        entriesOf<Entry>({ items, next: 'after' }, query?.after ?? '', limit, (after) =>
          get<Page>(() => `${path}${queryOf({ ...query, after: after || undefined })}`, options),
        ),
    });
  }
  return {
    get: (options) => get(() => '/v1/account', options),
    usage: list('/v1/account/usage', 'days'),
    ledger: list('/v1/account/ledger', 'entries'),
    requests: list('/v1/account/requests', 'requests'),
    request: (requestId, options) => get(() => `/v1/account/requests/${encodeURIComponent(requestId)}`, options),
    price: (operation, input, options) => get(() => `/v1/account/price${queryOf({ operation, ...namedInput(operation, input) })}`, options),
  };
}
