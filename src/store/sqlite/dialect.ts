import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Mutex } from './mutex.ts';

export interface WorkerRows {
  rows: unknown[];
  changes?: number | bigint;
  lastInsertRowid?: number | bigint;
}
/** Kysely's adapter assumes that SQLite changes its schema outside of transactions; SQLite can do it within one. */
class EmbeddedAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export type RunQuery = (sql: string, parameters: readonly unknown[]) => Promise<WorkerRows>;

/** Kysely on the only connection, which is in the worker thread. A mutex serialises its users, so that transactions do not interleave. */
export function embeddedDialect(run: RunQuery, mutex: Mutex): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes, lastInsertRowid } = await run(sql, parameters);
      return {
        rows: rows as R[],
        ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
        ...(lastInsertRowid !== undefined && { insertId: BigInt(lastInsertRowid) }),
      };
    },
    // biome-ignore lint/correctness/useYield: nothing here reads more rows than fit into one answer
    async *streamQuery() {
      throw new Error('the embedded store does not stream');
    },
  };
  const say = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql));
  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      await mutex.acquire();
      return connection;
    },
    async beginTransaction() {
      await say('begin immediate');
    },
    async commitTransaction() {
      await say('commit');
    },
    async rollbackTransaction() {
      await say('rollback');
    },
    async savepoint(_, name) {
      await say(`savepoint "${name}"`);
    },
    async rollbackToSavepoint(_, name) {
      await say(`rollback to "${name}"`);
    },
    async releaseSavepoint(_, name) {
      await say(`release "${name}"`);
    },
    async releaseConnection() {
      mutex.release();
    },
    async destroy() {},
  };
  return {
    createDriver: () => driver,
    createAdapter: () => new EmbeddedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
