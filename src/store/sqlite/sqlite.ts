import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { CompiledQuery, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import { singleFlight } from '../../runtime/single-flight.ts';
import { OperatorError } from '../../settings.ts';
import { migrate } from '../migrate.ts';
import type { Statement, Store, StoreLog } from '../store.ts';
import type { Tables } from '../tables.ts';
import { unavailable } from '../unavailable.ts';
import { makePrivate } from './data-folder.ts';
import type { StoreRequest } from './engine.ts';
import { type EngineThread, type StartEngine, startWorker } from './thread.ts';

export interface EmbeddedParts {
  readonly folder: string;
  readonly now: () => number;
  readonly log: StoreLog;
  /** How long to wait for another process to release the lock of the folder. Default 1 s. */
  readonly lockWaitMs?: number;
  readonly commitDelayMs?: number;
  readonly startEngine?: StartEngine;
}

/** SQLite's primary result codes for a store that cannot be used now: busy, locked, no memory, read only, I/O, corrupt, full, cannot open. */
const AWAY = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26]);
const REOPEN_AFTER_MS = 500;
/** A write that proves that writes succeed. It changes a value: SQLite does not write unchanged pages. */
const PROBE: Statement = {
  sql: "insert into changes (name, n) values ('probe', 1) on conflict (name) do update set n = n + 1",
  parameters: [],
};

/** Opens the embedded store: SQLite in a folder, in a worker thread. Throws an OperatorError if another process holds the folder. */
export async function openEmbedded(parts: EmbeddedParts): Promise<Store> {
  const { folder, now, log, startEngine = startWorker } = parts;
  const mutex = createMutex();
  let closed = false;
  let lostAt = Number.NEGATIVE_INFINITY;
  let thread: EngineThread | null = null;
  /** The last write failed (disk full, or database locked). Reads may still succeed. */
  let writesFail = false;

  const start = singleFlight(async () => {
    try {
      makePrivate(folder, log);
      const options = { folder, lockWaitMs: parts.lockWaitMs ?? 1000, commitDelayMs: parts.commitDelayMs ?? 0 };
      const started = await startEngine(options, (reason) => {
        if (thread !== started) return;
        thread = null;
        lostAt = now();
        if (!closed) log('error', 'store: thread lost', { reason: reason.message });
      });
      thread = started;
    } catch (error) {
      throw error instanceof OperatorError ? error : doesNotOpen(folder, error as Error);
    }
  });

  /** Runs a request. If the thread ended, the next request starts another one. */
  async function post<T>(request: StoreRequest): Promise<T> {
    if (!thread) {
      if (closed || Math.abs(now() - lostAt) < REOPEN_AFTER_MS) throw unavailable(new Error('the store is closed'));
      await start().catch((error) => {
        lostAt = now();
        throw unavailable(error);
      });
    }
    const asked = thread;
    if (!asked) throw unavailable(new Error('the store is closed'));
    return asked.run(request).catch((error) => {
      throw thread === asked ? storeError(error) : unavailable(error);
    }) as Promise<T>;
  }

  async function alone<T>(request: () => StoreRequest): Promise<T> {
    // skips the mutex if it is free: the thread answers in the order of the requests
    if (!mutex.held) return post<T>(request());
    await mutex.acquire();
    try {
      return await post<T>(request());
    } finally {
      mutex.release();
    }
  }

  async function write<T>(request: () => StoreRequest): Promise<T> {
    try {
      const result = await alone<T>(request);
      writesFail = false;
      return result;
    } catch (error) {
      if (error instanceof ServiceError) writesFail = true;
      throw error;
    }
  }
  const atomically = (statements: readonly Statement[], lax = false) => write<void>(() => ({ kind: 'atomically', statements, lax }));

  await start();
  const db = new Kysely<Tables>({
    dialect: embeddedDialect((sql, parameters) => post<WorkerRows>({ kind: 'query', sql, parameters }), mutex),
  });
  return {
    kind: 'embedded',
    db,
    migrate: () => migrate(db, 'embedded', now()),
    append: (batch, trx) =>
      // an open transaction owns the only connection
      trx
        ? post<readonly string[]>({ kind: 'append', batch, within: true })
        : write<readonly string[]>(() => ({ kind: 'append', batch, within: false })),
    async lockBalances(trx, accountIds) {
      const rows = trx.selectFrom('balances').selectAll().where('account_id', 'in', accountIds);
      return { balances: await rows.execute(), atMs: now() };
    },
    atomically: (statements, how) => atomically(statements, how?.lax),
    now: async () => now(),
    keyChanges: null,
    async ready() {
      // a write only while writes fail: it proves that they succeed again
      if (writesFail) await atomically([PROBE]);
      else await post({ kind: 'query', sql: 'select 1 as one', parameters: [] });
    },
    async close() {
      if (closed) return;
      await mutex.acquire();
      closed = true;
      const ending = thread;
      await ending?.run({ kind: 'close' }).catch((error) => log('warn', 'store: not closed in order', { reason: String(error) }));
      thread = null;
      await ending?.end();
    },
  };
}

const doesNotOpen = (folder: string, cause: Error): OperatorError =>
  new OperatorError(
    /not a database|malformed/.test(cause.message)
      ? `The store in ${folder} is damaged: ${cause.message}. Put back a backup of the folder (docs/operations.md), or set SIGHTLINE_DATA_DIR to another one.`
      : `The store in ${folder} does not open: ${cause.message}. SIGHTLINE_DATA_DIR must name a folder of this user, on a disk that can be written to.`,
    { cause },
  );

function storeError(error: Error & { errcode?: number | null }): Error {
  return AWAY.has((error.errcode ?? 0) & 0xff) ? unavailable(error) : error;
}

interface WorkerRows {
  rows: unknown[];
  changes?: number | bigint;
  lastInsertRowid?: number | bigint;
}
type RunQuery = (sql: string, parameters: readonly unknown[]) => Promise<WorkerRows>;

/** Kysely on the only connection, which is in the worker thread. A mutex serialises its users, so that transactions do not interleave. */
export function embeddedDialect(run: RunQuery, mutex: ReturnType<typeof createMutex>): Dialect {
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
