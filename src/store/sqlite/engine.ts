import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { JournalBatch, Statement } from '../store.ts';

export interface EngineOptions {
  readonly folder: string;
  /** How long to wait for another process to release the lock of the folder. */
  readonly lockWaitMs: number;
  /** Delays every commit: a slow disk. */
  readonly commitDelayMs: number;
}

export type StoreRequest =
  | { kind: 'append'; batch: JournalBatch; within: boolean }
  | { kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { kind: 'atomically'; statements: readonly Statement[]; lax: boolean }
  | { kind: 'close' };

/** How long a write waits for another process's lock on the database. */
const PATIENCE_MS = 5_000;
/** After one busy timeout the following writes time out quickly, so that queued writes do not add up their waits. */
const SHORT_PATIENCE_MS = 50;

/** The database of an embedded store. Synchronous; it runs in the thread that opened it. */
export type Engine = ReturnType<typeof openEngine>;

/** SQLite's file lock: the system releases it when the process ends, however it ends. */
function takeLock({ folder, lockWaitMs }: EngineOptions): DatabaseSync {
  const holder = join(folder, 'holder');
  const lock = new DatabaseSync(join(folder, 'lock.db'));
  try {
    lock.exec(`pragma busy_timeout = ${lockWaitMs}; pragma locking_mode = exclusive; begin exclusive`);
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    let pid = '';
    try {
      pid = ` (process ${Number(readFileSync(holder, 'utf8'))})`;
    } catch {
      // the holder has not written its process id yet: the message omits it
    }
    throw Object.assign(new Error('held'), { holder: pid });
  }
  writeFileSync(holder, String(process.pid), { mode: 0o600 });
  return lock;
}

/** Opens the database and takes the lock of its folder. If another process holds it, the error names that as its `holder`. */
export function openEngine(options: EngineOptions) {
  const { folder, commitDelayMs } = options;
  const lock = takeLock(options);
  const db = new DatabaseSync(join(folder, 'sightline.db'));
  db.exec(`pragma busy_timeout = ${PATIENCE_MS}`);
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000');

  const prepared = new LRUCache<string, StatementSync>({ max: 300 });
  function prepare(sql: string): StatementSync {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  }

  let shortTimeout = false;
  function setShortTimeout(on: boolean): void {
    if (shortTimeout === on) return;
    shortTimeout = on;
    db.exec(`pragma busy_timeout = ${shortTimeout ? SHORT_PATIENCE_MS : PATIENCE_MS}`);
  }
  const BUSY = 5;
  const isBusy = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;

  function begin(): void {
    db.exec('begin immediate');
    setShortTimeout(false);
  }
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  function commit(): void {
    if (commitDelayMs) Atomics.wait(sleeper, 0, 0, commitDelayMs);
    db.exec('commit');
  }
  function transaction<T>(work: () => T): T {
    begin();
    try {
      const result = work();
      commit();
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  }

  function append({ atMs, rows, spent, keyChanges }: JournalBatch): readonly string[] {
    const written: string[] = [];
    if (keyChanges !== null && prepare("select n from changes where name = 'keys'").get()?.n !== keyChanges) return written;
    const advance = prepare('update balances set balance = ?, held = ?, seq = ?, head = ? where account_id = ? and seq = ?');
    const insert = prepare('insert into journal (account_id, seq, at, lines, hash, total) values (?, ?, ?, ?, ?, ?)');
    for (const { accountId, seq, lines, hash, balance, held } of rows) {
      if (advance.run(balance, held, seq, hash, accountId, seq - 1).changes === 0) continue;
      insert.run(accountId, seq, atMs, lines, hash, balance + held);
      written.push(accountId);
    }
    for (const { accountId, counter, period, credits } of spent)
      if (written.includes(accountId))
        prepare(
          'insert into key_spend (key_id, period, credits) values (?, ?, ?) on conflict (key_id, period) do update set credits = excluded.credits',
        ).run(counter, period, credits);
    return written;
  }

  function query(sql: string, parameters: SQLInputValue[]): unknown {
    const statement = prepare(sql);
    return statement.columns().length ? { rows: statement.all(...parameters) } : { rows: [], ...statement.run(...parameters) };
  }

  function answer(ask: StoreRequest): unknown {
    switch (ask.kind) {
      case 'append':
        if (!ask.within) return transaction(() => append(ask.batch));
        if (!db.isTransaction) throw new Error('there is no open transaction');
        return append(ask.batch);
      case 'query':
        if (ask.sql === 'begin immediate') begin();
        else if (ask.sql === 'commit') commit();
        // a full disk makes SQLite roll back by itself: a second rollback would replace the reason by its own error
        else if (ask.sql !== 'rollback' || db.isTransaction) return query(ask.sql, ask.parameters as SQLInputValue[]);
        return { rows: [] };
      case 'atomically':
        // no fsync for this commit: the next commit with an fsync makes it durable
        if (ask.lax) db.exec('pragma synchronous = normal');
        try {
          return transaction(() =>
            ask.statements.forEach(({ sql, parameters }) => void prepare(sql).run(...(parameters as SQLInputValue[]))),
          );
        } finally {
          if (ask.lax) db.exec('pragma synchronous = full');
        }
      case 'close':
        db.close();
        lock.close();
        return null;
    }
  }

  return {
    run(request: StoreRequest): unknown {
      try {
        return answer(request);
      } catch (error) {
        if (isBusy(error)) setShortTimeout(true);
        throw error;
      }
    },
  };
}
