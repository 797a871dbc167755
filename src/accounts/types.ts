import type { Ledger, Page, StatementEntry, StatementQuery } from '../billing/types.ts';
import type { OperationId } from '../contract/operations/index.ts';

/** Who asks: what a valid credential stands for. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  /** Operations that these credentials may use; null: all. */
  readonly operations: readonly OperationId[] | null;
  /** Requests a second and at once, where they differ from the settings. */
  readonly ratePerSecond: number | null;
  readonly rateBurst: number | null;
  /** CIDRs that these credentials may come from; null or absent: any address. */
  readonly addresses?: readonly string[] | null;
  /** What an access token may be used for (contract/scopes.ts); null or absent: everything. */
  readonly scopes?: readonly string[] | null;
}

export type Authentication =
  | { ok: true; caller: Caller }
  /** `none`: no such key, revoked, expired, or malformed: all look alike to the client. */
  | { ok: false; reason: 'none' | 'expired' | 'revoked' | 'malformed' };

/** One row for every authenticated request. Never the raw key. */
export interface UsageRow {
  readonly at: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
  readonly credits: number;
  readonly source: string | null;
  readonly cache: string | null;
  readonly durationMs: number;
  readonly upstreamMs: number;
}
export interface UsageDay {
  readonly day: string;
  readonly operation: string;
  /** Key or OAuth client. */
  readonly keyId: string;
  readonly status: number;
  readonly requests: number;
  readonly credits: number;
}
export interface UsageQuery {
  /** Days, UTC, both included. */
  readonly from: string;
  readonly to: string;
  /** Cursor of the page before; null: from the beginning. */
  readonly after: string | null;
  readonly limit: number;
}

export interface AccountView {
  readonly accountId: string;
  readonly name: string;
  readonly credits: { readonly balance: number; readonly held: number };
  readonly key: {
    readonly keyId: string;
    readonly label: string;
    readonly createdAt: string;
    readonly expiresAt: string | null;
    readonly operations: readonly string[] | null;
  };
}

/** What the gateway needs of the room. */
export interface Accounts {
  readonly ledger: Ledger;
  /** By the raw credential, as sent. Constant-time where it compares; kept in process for the hot path, and forgotten at once when revoked. */
  authenticate(credential: string, nowMs: number): Promise<Authentication> | Authentication;
  record(row: UsageRow): void;
  view(caller: Caller): Promise<AccountView>;
  /** Requests and credits by day, operation, key and status, in this order. */
  usage(caller: Caller, query: UsageQuery): Promise<Page<UsageDay>>;
  /** Entries of the ledger, newest first. */
  statement(caller: Caller, query: StatementQuery): Promise<Page<StatementEntry>>;
  /** Really asks the store; throws where it is away. */
  ready(): Promise<void>;
  /** Writes what is gathered and ends. */
  close(): Promise<void>;
}
