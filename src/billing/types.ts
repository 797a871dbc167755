import type { ErrorName } from '../contract/errors.ts';
import type { OperationId } from '../contract/operations/index.ts';

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
