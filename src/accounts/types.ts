import type { ErrorName } from '../contract/errors.ts';
import type { OperationId } from '../contract/operations.ts';

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

export interface HoldRequest {
  readonly accountId: string;
  readonly keyId: string;
  /** Credits, ≥ 1. */
  readonly amount: number;
  readonly operation: OperationId;
  /** A label, never unique. */
  readonly requestId: string;
  /** How long the hold lives unless captured, released or renewed. */
  readonly ttlMs: number;
}
export type HoldAnswer =
  /** Durable. `remaining` is the free balance after the hold. */
  { ok: true; holdId: string; remaining: number; expiresAt: number } | { ok: false; error: ErrorName; message: string; remaining: number };

export interface Ledger {
  hold(request: HoldRequest): Promise<HoldAnswer>;
  /** Settles a hold: `amount` (≤ held) is charged, the rest is free again. Waits for nobody; a lost capture lets the hold expire. */
  capture(holdId: string, amount: number): Promise<void>;
  release(holdId: string): Promise<void>;
  /** Lengthens a hold that still lives; false where it is over. */
  renew(holdId: string, ttlMs: number): Promise<boolean>;
  /** Free credits, as last known here; exact on the embedded store. */
  remaining(accountId: string): Promise<number>;
}

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

/** One entry of an account's ledger. `credits`: change of what it owns; `held`: change of what is held. */
export interface StatementEntry {
  readonly at: string;
  readonly kind: 'grant' | 'hold' | 'capture' | 'release' | 'expire';
  readonly credits: number;
  readonly held: number;
  /** As `X-Receipt` says; null for a grant. */
  readonly receipt: string | null;
  readonly keyId: string | null;
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly note: string | null;
  readonly reference: string | null;
}
export interface StatementQuery {
  /** Entries of one receipt alone; null: all. */
  readonly receipt: string | null;
  readonly after: string | null;
  readonly limit: number;
}
export interface Page<T> {
  readonly entries: readonly T[];
  /** Cursor of the next page; null: this was the last. */
  readonly after: string | null;
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
