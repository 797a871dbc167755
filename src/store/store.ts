import type { Kysely, Transaction } from 'kysely';
import { OperatorError } from '../runtime/operator-error.ts';
import type { BatchAnswer, Op } from './batch.ts';
import type { Tables } from './tables.ts';

export type StoreKind = 'embedded' | 'postgres';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Embedded store only: a JSON array of parameter lists, for each of which the statement runs. */
  readonly rows?: string;
}

export type StoreLog = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;

/**
 * Where accounts, ledger, keys and usage live. Both backends pass the same conformance suite. A store that cannot be reached makes every call
 * throw a ServiceError UNAVAILABLE; once it is back, calls work again without a restart.
 */
export interface Store {
  readonly kind: StoreKind;
  readonly db: Kysely<Tables>;
  /** Brings the schema up to date; gives the steps that ran. */
  migrate(): Promise<readonly string[]>;
  /** One ledger batch in one transaction; durable when it resolves. Never call it within a transaction of `db`. */
  settle(ops: readonly Op[]): Promise<BatchAnswer>;
  /** A ledger batch as part of a transaction of `db`: nothing of it is there unless that commits. */
  settleWithin(trx: Transaction<Tables>, ops: readonly Op[]): Promise<BatchAnswer>;
  /** Ends holds whose time is over, at most `limit`; the codes are those that ended. */
  expire(limit: number): Promise<BatchAnswer>;
  /** All or nothing, in one go. `lax`: may be lost with the machine (a moment's worth), never with the process alone; for what is no money. */
  atomically(statements: readonly Statement[], how?: { readonly lax: boolean }): Promise<void>;
  /** The store's clock, epoch ms: what holds, caps and days go by. */
  now(): Promise<number>;
  /**
   * Tells of changed keys: by the SHA-256 of the key, or null where it is not known which. `fresh` is false while changes made elsewhere
   * might go unnoticed for more than a second. Null where only this process can change the store.
   */
  readonly keyChanges: KeyChanges | null;
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface KeyChanges {
  listen(changed: (hash: string | null) => void): void;
  fresh(): boolean;
}

/** The folder of the embedded store is held by another process. The message says by which and what to do. */
export class StoreHeldError extends OperatorError {
  constructor(folder: string, holder: string) {
    super(
      `The data folder ${folder} is held by another Sightline process${holder}: one process serves a folder. Stop it first, choose another SIGHTLINE_DATA_DIR, or set DATABASE_URL to share a store.`,
    );
    this.name = 'StoreHeldError';
  }
}

/** The store cannot be opened at the start: one line that names the place and the reason. */
export class StoreError extends OperatorError {
  override readonly name = 'StoreError';
}
