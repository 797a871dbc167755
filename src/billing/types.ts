import type { ErrorName } from '../contract/errors.ts';
import type { OperationId } from '../contract/operations/index.ts';
import type { LedgerCounts } from './ledger-counts.ts';

export interface HoldRequest {
  readonly accountId: string;
  readonly keyId: string;
  /** Credits, ≥ 1. */
  readonly amount: number;
  readonly operation: OperationId;
  readonly requestId: string;
  /** Name of the request within its account, without blanks; may repeat. */
  readonly label?: string | null;
  /** Life of the hold, unless it is captured, released or renewed. */
  readonly ttlMs: number;
}
export type HoldAnswer =
  /** Durable. `remaining` is the free balance after the hold. */
  { ok: true; holdId: string; remaining: number; expiresAt: number } | { ok: false; error: ErrorName; message: string; remaining: number };

export interface Ledger {
  hold(request: HoldRequest): Promise<HoldAnswer>;
  /** Settles a hold: `amount` (≤ held) is charged, the rest is released. A capture that fails lets the hold expire. */
  capture(holdId: string, amount: number): Promise<void>;
  release(holdId: string): Promise<void>;
  /** Extends a hold; false if it has expired. */
  renew(holdId: string, ttlMs: number): Promise<boolean>;
  /** Free credits, as last known to this process; exact with the embedded store. */
  remaining(accountId: string): number | Promise<number>;
}

/** One entry of an account's ledger. `credits`: change of the balance; `held`: change of the credits held. */
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
  /** `X-Request-Id` of the caller. */
  readonly label: string | null;
  readonly note: string | null;
  readonly reference: string | null;
}
export interface StatementQuery {
  /** Only entries of this receipt; null: all. */
  readonly receipt: string | null;
  readonly after: string | null;
  readonly limit: number;
}
export interface Page<T> {
  readonly entries: readonly T[];
  /** Cursor of the next page; null: there is none. */
  readonly after: string | null;
}

/** The ledger as the accounts use it. */
export interface CreditLedger extends Ledger {
  /** Adds credits with the next batch; a negative number removes them if the balance covers it. A repeated reference has no effect. */
  grant(accountId: string, credits: number, label: string, reference?: string): Promise<number>;
  /** Drops the cached balance, because another writer changed it. */
  forget(accountId: string): void;
  /** Expires the holds whose time limit has passed; returns how many. */
  reap(): Promise<number>;
  readonly counts: Readonly<LedgerCounts>;
  /** Writes the gathered operations and accepts no more. */
  close(): Promise<void>;
}
