import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { watchForAudit } from '../accounts/admin/bound-rows.ts';
import { serviceSecret } from '../accounts/oauth/sealer.ts';
import { ANCHOR_KEY_FILE, anchorKeyOf } from '../billing/anchor.ts';
import { realClock } from '../runtime/clock.ts';
import { OperatorError, readSettings, type Settings } from '../settings.ts';
import { demandMigrated, migrate } from '../store/migrate.ts';
import { demandStore, makePrivate } from '../store/sqlite/data-folder.ts';
import { createMutex, embeddedDialect } from '../store/sqlite/sqlite.ts';
import type { StoreKind } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { warnings } from './admin-session.ts';
import { capturesFolder } from './open-captures.ts';
import { plural } from './terminal.ts';

/** What `ledger verify` and `audit verify` read, with the columns that order it. Keys and tokens are stored as hashes. */
const TABLES: { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] } = {
  accounts: ['id'],
  balances: ['account_id'],
  journal: ['account_id', 'seq'],
  grant_references: ['account_id', 'reference'],
  keys: ['id'],
  clients: ['id'],
  sessions: ['hash'],
  signing_keys: ['kid'],
  changes: ['name'],
  installation: ['id'],
  audit: ['seq'],
  grants: ['key_id'],
  grant_tokens: ['hash'],
  apps: ['id'],
  watches: ['n'],
};
/** What is a secret in a row of these tables is left out, or replaced by its hash. */
const WITHOUT_SECRETS: { readonly [Table in keyof Tables]?: <R extends object>(row: R) => R } = {
  // private keys, sealed with the secret
  signing_keys: (row) => ({ ...row, sealed: '' }),
  watches: watchForAudit,
};
const PAGE = 1_000;
const STORE_FILE = 'sightline.db';

/** Kysely on a file of SQLite in this thread: a command has nothing else to do meanwhile. */
function kyselyOn(file: DatabaseSync): Kysely<Tables> {
  const run = async (query: string, values: readonly unknown[]) => ({ rows: file.prepare(query).all(...(values as SQLInputValue[])) });
  return new Kysely<Tables>({ dialect: embeddedDialect(run, createMutex()) });
}

/** Copies the tables of an audit into a new embedded store. `from` shows one moment. Returns the number of rows. */
async function copyTables(from: Kysely<Tables>, kind: StoreKind, folder: string): Promise<number> {
  await demandMigrated(from, kind);
  makePrivate(folder, warnings);
  const file = new DatabaseSync(join(folder, STORE_FILE));
  let copied = 0;
  try {
    // rows that lost what they belong to are evidence too
    file.exec('pragma journal_mode = wal; pragma foreign_keys = off');
    const to = kyselyOn(file);
    await migrate(to, 'embedded', realClock.now());
    file.exec('begin');
    await to.deleteFrom('changes').execute();
    await to.deleteFrom('installation').execute();
    for (const [table, columns] of Object.entries(TABLES) as [keyof Tables, readonly string[]][])
      for (let offset = 0, page = PAGE; page === PAGE; offset += page) {
        const order = sql.join(columns.map((column) => sql.ref(column)));
        const query = sql<Tables[typeof table]>`select * from ${sql.table(table)} order by ${order} limit ${PAGE} offset ${offset}`;
        const read = (await query.execute(from)).rows;
        const rows = read.map(WITHOUT_SECRETS[table] ?? ((row) => row));
        if (rows.length) await to.insertInto(table).values(rows).execute();
        page = rows.length;
        copied += page;
      }
    file.exec('commit');
    return copied;
  } finally {
    file.close();
  }
}

/** Copies the store of the settings, which may be in use, as it is at one moment. */
async function exportStore(settings: Settings, folder: string): Promise<number> {
  if (settings.DATABASE_URL) {
    const { openPostgres } = await import('../store/postgres/postgres.ts');
    const store = await openPostgres({ url: settings.DATABASE_URL, clock: realClock, log: warnings });
    try {
      const reading = store.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
      return await reading.execute((trx) => copyTables(trx, 'postgres', folder));
    } finally {
      await store.close();
    }
  }
  demandStore(settings);
  const file = new DatabaseSync(join(settings.SIGHTLINE_DATA_DIR, STORE_FILE), { readOnly: true });
  try {
    file.exec('begin');
    return await copyTables(kyselyOn(file), 'embedded', folder);
  } finally {
    file.close();
  }
}

/** Makes a data folder from which another machine verifies ledger, audit log and captures. */
export async function exportForAudit(settings: Settings, given: string): Promise<number> {
  const folder = resolve(given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new OperatorError(`--for-audit ${given}: that is a file. Name a new folder.`);
  if (existsSync(folder) && readdirSync(folder).length)
    throw new OperatorError(`--for-audit ${given}: the folder is not empty. Name a new one.`);
  const isNew = !existsSync(folder);
  const rows = await exportStore(settings, folder).catch((error: NodeJS.ErrnoException) => {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) rmSync(join(folder, name), { recursive: true });
    if (isNew) rmSync(folder, { recursive: true, force: true });
    if (error.code !== 'ERR_SQLITE_ERROR') throw error;
    // SQLite ends its transaction where the disk is full, and the error of the rollback hides that
    throw new OperatorError(`--for-audit ${given}: the copy was not made. Free the disk of that folder, or name one on another disk.`, {
      cause: error,
    });
  });
  const key = anchorKeyOf(settings, () => serviceSecret(settings, randomBytes));
  if (key) writeFileSync(join(folder, ANCHOR_KEY_FILE), `${key.toString('base64url')}\n`, { mode: 0o600 });
  const captures = capturesFolder(settings);
  if (existsSync(captures)) cpSync(captures, join(folder, 'captures'), { recursive: true });
  return rows;
}

export async function exportCommand({ forAudit: folder }: { readonly forAudit: string }): Promise<void> {
  const rows = await exportForAudit(readSettings(process.env), folder);
  process.stdout.write(`${plural(rows, 'row')}, and the captures if there are any, are in ${folder}. On the other machine:
SIGHTLINE_DATA_DIR=${folder} sightline ledger verify
SIGHTLINE_DATA_DIR=${folder} sightline audit verify
SIGHTLINE_DATA_DIR=${folder} sightline captures verify
`);
}
