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

export interface WorkerRows {
  rows: unknown[];
  changes?: number | bigint;
  lastInsertRowid?: number | bigint;
}
type RunQuery = (sql: string, parameters: readonly unknown[]) => Promise<WorkerRows>;

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
  const say = async (sql: string): Promise<void> => void (await connection.executeQuery(CompiledQuery.raw(sql)));
  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      await mutex.acquire();
      return connection;
    },
    beginTransaction: () => say('begin immediate'),
    commitTransaction: () => say('commit'),
    rollbackTransaction: () => say('rollback'),
    async releaseConnection() {
      mutex.release();
    },
    async destroy() {},
  };
  return {
    createDriver: () => driver,
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

type Mutex = ReturnType<typeof createMutex>;

/** A mutex in order of arrival. `acquire` takes a free mutex synchronously, without a turn of the event loop. */
export function createMutex() {
  let held = false;
  const waiting: (() => void)[] = [];
  return {
    get held() {
      return held;
    },
    acquire(): Promise<void> {
      if (!held) {
        held = true;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    release(): void {
      const next = waiting.shift();
      if (next) next();
      else held = false;
    },
  };
}
