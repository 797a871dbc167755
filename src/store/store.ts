import type { Kysely, Transaction } from 'kysely';
import { OperatorError } from '../runtime/operator-error.ts';
import type { BatchAnswer, Op } from './batch.ts';
import type { PackedRows } from './packed-rows.ts';
import type { Tables } from './tables.ts';

export type StoreKind = 'embedded' | 'postgres';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Embedded store only: the parameters of many runs of the statement. */
  readonly rows?: PackedRows;
}

export type StoreLog = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;

/**
 * Database of accounts, ledger, keys and usage. Both backends pass the same conformance suite. While the store is unreachable every call
 * throws a ServiceError UNAVAILABLE; once it is reachable again, calls succeed without a restart.
 */
export interface Store {
  readonly kind: StoreKind;
  readonly db: Kysely<Tables>;
  /** Runs pending migrations; returns their names. */
  migrate(): Promise<readonly string[]>;
  /** One ledger batch in one transaction; durable when it resolves. Never call it within a transaction of `db`. */
  settle(ops: readonly Op[]): Promise<BatchAnswer>;
  /** Runs a ledger batch as part of a transaction of `db`. */
  settleWithin(trx: Transaction<Tables>, ops: readonly Op[]): Promise<BatchAnswer>;
  /** Releases at most `limit` expired holds; the result has one code per released hold. */
  expire(limit: number): Promise<BatchAnswer>;
  /** Runs the statements in one transaction. `lax`: the commit survives a process crash but not always a power failure; not for credits. */
  atomically(statements: readonly Statement[], how?: { readonly lax: boolean }): Promise<void>;
  /** The store's clock, epoch ms: decides the expiry of holds and the days of caps. */
  now(): Promise<number>;
  /**
   * Notifies of changed keys by the SHA-256 of the key, or null for any key. `fresh` is false while a change by another gateway may be
   * missed for more than a second. Null if only this process can change the store.
   */
  readonly keyChanges: KeyChanges | null;
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface KeyChanges {
  listen(changed: (hash: string | null) => void): void;
  fresh(): boolean;
}

/** Another process holds the folder of the embedded store. The message names the process and what to do. */
export class StoreHeldError extends OperatorError {
  constructor(folder: string, holder: string) {
    super(
      `The data folder ${folder} is held by another Sightline process${holder}: one process serves a folder. Stop it first, choose another SIGHTLINE_DATA_DIR, or set DATABASE_URL to share a store.`,
    );
    this.name = 'StoreHeldError';
  }
}

/** The store cannot be opened at the start. The message is one line with the path or URL and the reason. */
export class StoreError extends OperatorError {
  override readonly name = 'StoreError';
}
