import type { Kysely, Transaction } from 'kysely';
import type { BalanceRow, JournalTableRow, Tables } from './tables.ts';

export type StoreKind = 'embedded' | 'postgres';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type StoreLog = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;

export type JournalRow = Readonly<Pick<JournalTableRow, 'seq' | 'lines' | 'hash'> & Pick<BalanceRow, 'balance' | 'held'>> & {
  readonly accountId: string;
};
export interface JournalBatch {
  readonly atMs: number;
  readonly rows: readonly JournalRow[];
  /** Credits spent of caps, after the batch. Written with the row of their account. */
  readonly spent: readonly { readonly accountId: string; readonly counter: string; readonly period: string; readonly credits: number }[];
  /** The number of key changes that the batch knows, null: not checked. `atMs` is checked together with it. */
  readonly keyChanges: number | null;
}
/** Accounts, ledger, keys and usage; both backends pass one suite. While unreachable every call throws UNAVAILABLE; later calls succeed without a restart. */
export interface Store {
  readonly kind: StoreKind;
  readonly db: Kysely<Tables>;
  migrate(): Promise<readonly string[]>;
  /**
   * Appends rows to the journal and updates their balances, in one transaction or as part of `trx`; durable when it resolves. Writes the rows
   * whose number is the next of their account, and none if the keys or the clock are others than the batch assumes. Returns the accounts whose
   * row was written. Never call it without `trx` within a transaction of `db`.
   */
  append(batch: JournalBatch, trx?: Transaction<Tables>): Promise<readonly string[]>;
  /** Locks the balance rows of these accounts until the end of the transaction, in one order; those that exist, and the store's clock. */
  lockBalances(trx: Transaction<Tables>, accountIds: readonly string[]): Promise<{ atMs: number; balances: readonly BalanceRow[] }>;
  /** Runs the statements in one transaction. `lax`: the commit survives a process crash but not always a power failure; not for credits. */
  atomically(statements: readonly Statement[], how?: { readonly lax: boolean }): Promise<void>;
  /** The store's clock, epoch ms: decides the expiry of holds and the days of caps. */
  now(): Promise<number>;
  /** Tells of changes of keys, clients and accounts. `fresh` is false while one by another gateway may be missed. Null: only this process writes. */
  readonly keyChanges: KeyChanges | null;
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface KeyChanges {
  listen(changed: () => void): void;
  fresh(): boolean;
}
