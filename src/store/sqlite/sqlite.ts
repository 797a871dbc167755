import { Worker } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import type { BatchAnswer } from '../batch.ts';
import { migrate } from '../migrate.ts';
import { type Statement, type Store, StoreError, StoreHeldError, type StoreLog } from '../store.ts';
import type { Tables } from '../tables.ts';
import { unavailable } from '../unavailable.ts';
import { embeddedDialect, type WorkerRows } from './dialect.ts';
import type { Answer, Started, StoreRequest, WorkerStart } from './messages.ts';
import { createMutex } from './mutex.ts';
import { makePrivate } from './private-folder.ts';

export interface EmbeddedParts {
  readonly folder: string;
  /** The store's clock, epoch ms. */
  readonly now: () => number;
  readonly log: StoreLog;
  /** How long to wait for another process to release the lock of the folder. Default 1 s. */
  readonly lockWaitMs?: number;
  /** Delays every commit. Default 0. */
  readonly commitDelayMs?: number;
}

/** SQLite's primary result codes for a store that cannot be used now: busy, locked, no memory, read only, I/O, corrupt, full, cannot open. */
const AWAY = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26]);
const REOPEN_AFTER_MS = 500;
/** A write that proves that writes succeed. It changes a value: SQLite does not write unchanged pages. */
const PROBE: Statement = {
  sql: "insert into changes (name, n) values ('probe', 1) on conflict (name) do update set n = n + 1",
  parameters: [],
};

/** Opens the embedded store: SQLite in a folder, in a worker thread. Throws StoreHeldError if another process holds the folder. */
export async function openEmbedded(parts: EmbeddedParts): Promise<Store> {
  const { folder, now, log } = parts;
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  const mutex = createMutex();
  let last = 0;
  let closed = false;
  let lostAt = Number.NEGATIVE_INFINITY;
  let worker: Worker | null = null;
  let starting: Promise<Worker> | null = null;
  /** The last write failed (disk full, or database locked). Reads may still succeed. */
  let writesFail = false;

  async function start(): Promise<Worker> {
    try {
      makePrivate(folder, log);
    } catch (error) {
      throw doesNotOpen(folder, (error as Error).message, error);
    }
    const workerData: WorkerStart = { folder, lockWaitMs: parts.lockWaitMs ?? 1000, commitDelayMs: parts.commitDelayMs ?? 0 };
    const made = new Worker(new URL('./worker.ts', import.meta.url), { workerData, name: 'store', execArgv: [] });
    const started = await new Promise<Started>((resolve, reject) => {
      made.once('message', resolve);
      made.on('error', reject);
      made.on('exit', (code) => reject(new Error(`the store's thread ended with ${code} before it began`)));
    });
    if (!started.start) {
      await made.terminate();
      throw started.held === null ? doesNotOpen(folder, started.message) : new StoreHeldError(folder, started.held);
    }
    made.on('message', receive);
    made.on('error', (error) => lose(made, error));
    made.on('exit', () => lose(made, new Error("the store's thread ended")));
    worker = made;
    return made;
  }

  function receive(answer: Answer): void {
    const asked = waiting.get(answer.id);
    if (!asked) return;
    waiting.delete(answer.id);
    if (answer.ok) asked.resolve(answer.result);
    else asked.reject(failure(answer));
  }

  /** The thread ended: pending requests fail, and the next call starts another thread. */
  function lose(gone: Worker, reason: Error): void {
    if (worker !== gone) return;
    worker = null;
    lostAt = performance.now();
    if (!closed) log('error', 'store: thread lost', { reason: reason.message });
    for (const asked of waiting.values()) asked.reject(unavailable(reason));
    waiting.clear();
  }

  function tell<T>(request: StoreRequest): Promise<T> {
    if (worker) return post(worker, request);
    if (closed || performance.now() - lostAt < REOPEN_AFTER_MS) return Promise.reject(unavailable(new Error('the store is closed')));
    starting ??= start().finally(() => {
      starting = null;
    });
    return starting.then(
      (made) => post<T>(made, request),
      (error) => {
        lostAt = performance.now();
        throw unavailable(error);
      },
    );
  }
  const post = <T>(to: Worker, request: StoreRequest): Promise<T> =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      to.postMessage({ ...request, id });
    }) as Promise<T>;

  /** Runs a request outside of Kysely's transactions. */
  async function alone<T>(request: () => StoreRequest): Promise<T> {
    // skips the mutex if it is free: the thread answers in the order of the requests
    if (!mutex.held) return tell<T>(request());
    await mutex.acquire();
    try {
      return await tell<T>(request());
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
    dialect: embeddedDialect((sql, parameters) => tell<WorkerRows>({ kind: 'query', sql, parameters }), mutex),
  });
  return {
    kind: 'embedded',
    db,
    migrate: () => migrate(db, 'embedded', now()),
    settle: (ops) => write<BatchAnswer>(() => ({ kind: 'settle', ops, now: now(), within: false })),
    // an open transaction owns the only connection
    settleWithin: (_trx, ops) => tell<BatchAnswer>({ kind: 'settle', ops, now: now(), within: true }),
    expire: (limit) => alone<BatchAnswer>(() => ({ kind: 'expire', limit, now: now() })),
    atomically: (statements, how) => atomically(statements, how?.lax),
    now: async () => now(),
    keyChanges: null,
    async ready() {
      // a write only while writes fail: it proves that they succeed again
      if (writesFail) await atomically([PROBE]);
      else await tell({ kind: 'query', sql: 'select 1 as one', parameters: [] });
    },
    async close() {
      if (closed) return;
      await mutex.acquire();
      closed = true;
      const ending = worker;
      if (ending)
        await post(ending, { kind: 'close' }).catch((error) => log('warn', 'store: not closed in order', { reason: String(error) }));
      worker = null;
      await ending?.terminate();
    },
  };
}

const doesNotOpen = (folder: string, reason: string, cause?: unknown): StoreError =>
  new StoreError(
    `The store in ${folder} does not open: ${reason}. SIGHTLINE_DATA_DIR must name a folder of this user, on a disk that can be written to.`,
    { cause },
  );

function failure(answer: Extract<Answer, { ok: false }>): Error {
  const error = Object.assign(new Error(answer.message), { code: answer.code });
  return AWAY.has((answer.errcode ?? 0) & 0xff) ? unavailable(error) : error;
}
