/**
 * The thread of the embedded store: node:sqlite is synchronous, and a slow disk must not block the event loop. Holds the lock of the folder and
 * runs requests in order of arrival. Published as .js; sqlite.ts starts it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Op } from '../batch.ts';
import { eachRow } from '../packed-rows.ts';
import type { Statement } from '../store.ts';
import { createSettle } from './ledger.ts';
import type { Answer, Ask, WorkerStart } from './messages.ts';

const { folder, lockWaitMs, commitDelayMs } = workerData as WorkerStart;
/** How long a write waits for another process's lock on the database. */
const PATIENCE_MS = 5_000;
/** After one busy timeout the following writes time out quickly, so that queued writes do not add up their waits. */
const HASTE_MS = 50;
const port = parentPort;
if (!port) throw new Error('store/worker.ts runs as a worker thread only');

/** SQLite's file lock: the system releases it when the process ends, however it ends. */
function takeLock(): DatabaseSync {
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
    throw Object.assign(new Error('held'), { held: pid });
  }
  writeFileSync(holder, String(process.pid), { mode: 0o600 });
  return lock;
}

function open(): { lock: DatabaseSync; db: DatabaseSync } {
  const lock = takeLock();
  const db = new DatabaseSync(join(folder, 'sightline.db'));
  db.exec(`pragma busy_timeout = ${PATIENCE_MS}`);
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000');
  return { lock, db };
}

const { lock, db } = (() => {
  try {
    return open();
  } catch (error) {
    const held = (error as { held?: string }).held;
    port.postMessage({ start: false, held: held ?? null, message: (error as Error).message });
    process.exit(0);
  }
})();

const prepared = new Map<string, StatementSync>();
function prepare(sql: string): StatementSync {
  let statement = prepared.get(sql);
  if (statement) return statement;
  statement = db.prepare(sql);
  if (prepared.size >= 300) prepared.clear();
  prepared.set(sql, statement);
  return statement;
}

let hasty = false;
function hasten(hastened: boolean): void {
  if (hasty === hastened) return;
  hasty = hastened;
  db.exec(`pragma busy_timeout = ${hasty ? HASTE_MS : PATIENCE_MS}`);
}
/** SQLite's primary result code SQLITE_BUSY. */
const BUSY = 5;
const isBusy = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;

function begin(): void {
  db.exec('begin immediate');
  hasten(false);
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

let settle: ReturnType<typeof createSettle> | null = null;
const settleBatch = (ops: readonly Op[], now: number, within: boolean) => {
  settle ??= createSettle(db);
  const run = settle;
  if (!within) return transaction(() => run(ops, now));
  if (!db.isTransaction) throw new Error('there is no open transaction');
  return run(ops, now);
};

function runEach({ sql, parameters, rows }: Statement): void {
  const statement = prepare(sql);
  if (rows === undefined) statement.run(...(parameters as SQLInputValue[]));
  else eachRow(rows, (cells) => statement.run(...cells));
}

function answer(ask: Ask): unknown {
  switch (ask.kind) {
    case 'settle':
      return settleBatch(ask.ops, ask.now, ask.within);
    case 'expire': {
      const rows = prepare('select account_id, id from holds where expires_at <= ? order by expires_at limit ?').all(ask.now, ask.limit);
      if (!rows.length) return { at: ask.now, codes: [], amounts: [], balances: [] };
      return settleBatch(
        rows.map((row) => ['expire', String(row.account_id), String(row.id), 0, 0, '', '', '']),
        ask.now,
        false,
      );
    }
    case 'query': {
      if (/^begin\b/i.test(ask.sql)) {
        begin();
        return { rows: [] };
      }
      // a full disk makes SQLite roll back by itself: a second rollback would replace the reason by its own error
      if (/^rollback$/i.test(ask.sql) && !db.isTransaction) return { rows: [] };
      if (/^commit\b/i.test(ask.sql)) {
        commit();
        return { rows: [] };
      }
      const statement = prepare(ask.sql);
      const parameters = ask.parameters as SQLInputValue[];
      if (statement.columns().length) return { rows: statement.all(...parameters) };
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { rows: [], changes, lastInsertRowid };
    }
    case 'atomically':
      // no fsync for this commit: the next commit with an fsync makes it durable
      if (ask.lax) db.exec('pragma synchronous = normal');
      try {
        return transaction(() => ask.statements.forEach(runEach));
      } finally {
        if (ask.lax) db.exec('pragma synchronous = full');
      }
    case 'close':
      db.close();
      lock.close();
      return null;
  }
}

port.on('message', (ask: Ask) => {
  let reply: Answer;
  try {
    reply = { id: ask.id, ok: true, result: answer(ask) };
  } catch (error) {
    if (isBusy(error)) hasten(true);
    const { message, code, errcode } = error as Error & { code?: string; errcode?: number };
    reply = { id: ask.id, ok: false, message, code: code ?? null, errcode: errcode ?? null };
  }
  port.postMessage(reply);
  if (ask.kind === 'close') port.close();
});
port.postMessage({ start: true });
