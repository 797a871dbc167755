import type { Ledger, Page, StatementEntry, StatementQuery } from '../billing/types.ts';
import type { AccountInput } from '../contract/account/endpoints.ts';
import type { Account, AccountRequest, AccountUsage, RequestExplanation } from '../contract/account/schemas.ts';
import type { ValueOf } from '../contract/admin/define.ts';
import type { OperationId } from '../contract/operations/index.ts';
import type { AttemptReport } from '../orchestrator/types.ts';

export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  /** Operations that these credentials may use; null: all. */
  readonly operations: readonly OperationId[] | null;
  readonly ratePerSecond: number | null;
  readonly rateBurst: number | null;
  /** Id under which its requests are counted, where it is not its own: of the first key that it replaces. */
  readonly countedAs?: string;
  /** CIDRs from which these credentials are accepted; null or absent: any address. */
  readonly addresses?: readonly string[] | null;
  /** Scopes of an access token (contract/scopes.ts); absent: a key or a session, which needs none. */
  readonly scopes?: readonly string[];
  /** It manages its account: a managing key without limits, a session with its rights, or the operator. */
  readonly manages?: boolean;
  /** A session of the console: whether it manages keys. Absent: a credential in a header. */
  readonly session?: 'manages' | 'reads';
}

export type Authentication =
  | { ok: true; caller: Caller }
  /** `none`: unknown, revoked, expired or malformed. The client gets the same response for each. */
  | { ok: false; reason: 'none' | 'expired' | 'revoked' | 'malformed' };

/** One row per authenticated request. Never contains the raw key. */
export interface UsageRow extends Readonly<Omit<AccountRequest, 'at' | 'parameters'>> {
  readonly at: number;
  readonly accountId: string;
  readonly upstreamMs: number;
  /** Path and query of a lookup whose parameters were valid: others may hold anything, such as a misplaced key. */
  readonly target: string | null;
  readonly details: RequestDetails | null;
}
/** What the explanation of a request needs beyond the columns of its row. */
export interface RequestDetails {
  readonly cacheControl?: string;
  readonly message?: string;
  readonly receipt?: string;
  readonly attempts?: readonly AttemptReport[];
  /** When admission had ended, and begin and length of the hold: ms since the arrival. */
  readonly admittedMs?: number;
  readonly hold?: { readonly startMs: number; readonly ms: number };
  readonly unread?: readonly string[];
}
export type UsageDay = AccountUsage['days'][number];
export type Timings = AccountUsage['timings'];
export interface UsageQuery {
  readonly from: string;
  readonly to: string;
  readonly after: string | null;
  readonly limit: number;
}

export type RequestQuery = Omit<AccountInput<'account-requests'>, 'rest'>;

/** The account of a caller; its limits are the gateway's. */
export type AccountView = Omit<ValueOf<typeof Account>, 'limits'>;

export interface Accounts {
  readonly ledger: Ledger;
  /** Authenticates a raw credential; a key is found by its digest. Results are cached in process; a revocation removes them at once. */
  authenticate(credential: string, nowMs: number): Promise<Authentication> | Authentication;
  /** The result of `authenticate` if no store need be read; else null. `connection`: any object that lives as long as the connection. */
  authenticateCached(credential: string, nowMs: number, connection: object): Authentication | null;
  record(row: UsageRow): void;
  view(caller: Caller): Promise<AccountView>;
  usage(caller: Caller, query: UsageQuery): Promise<Page<UsageDay>>;
  timings(caller: Caller, query: Pick<UsageQuery, 'from' | 'to'>): Promise<Timings>;
  /** Requests of the last 30 days, newest first. A page may be shorter than its limit although there are more. */
  requests(caller: Caller, query: RequestQuery): Promise<Page<AccountRequest>>;
  /** The request of the account with this id, else the newest with this label; null: none in the last 30 days. */
  request(caller: Caller, requestId: string): Promise<RequestExplanation | null>;
  statement(caller: Caller, query: StatementQuery): Promise<Page<StatementEntry>>;
  ready(): Promise<void>;
  close(): Promise<void>;
}
