import type { AccountInput } from '../contract/account/endpoints.ts';
import type { AccountLedger } from '../contract/account/schemas.ts';
import type { ErrorName } from '../contract/errors.ts';
import type { OperationId } from '../contract/operations/index.ts';

export interface HoldRequest {
  readonly accountId: string;
  readonly keyId: string;
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
  | { ok: true; holdId: string; remaining: number; expiresAt: number }
  /** `capLeft`: what the cap of the key leaves, where that is what refuses. */
  | { ok: false; error: ErrorName; message: string; remaining: number; capLeft?: number };

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

export type StatementEntry = AccountLedger['entries'][number];
export type StatementQuery = Pick<AccountInput<'account-ledger'>, 'receipt' | 'after' | 'limit' | 'by' | 'from' | 'to'>;
export interface Page<T> {
  readonly entries: readonly T[];
  readonly after: string | null;
}
