import { type Kysely, sql } from 'kysely';
import { OperatorError } from '../settings.ts';
import { MIGRATION_0001 } from './migrations/0001_initial.ts';
import { MIGRATION_0002 } from './migrations/0002_grant_tokens.ts';
import { MIGRATION_0003 } from './migrations/0003_watch_readings.ts';
import { MIGRATION_0004 } from './migrations/0004_due_dates.ts';
import { MIGRATION_0005 } from './migrations/0005_notify.ts';
import { MIGRATION_0006 } from './migrations/0006_rankings.ts';
import { MIGRATION_0007 } from './migrations/0007_way_in.ts';
import { MIGRATION_0008 } from './migrations/0008_apps.ts';
import { MIGRATION_0009 } from './migrations/0009_failed_at.ts';
import { MIGRATION_0010 } from './migrations/0010_webhook_hint.ts';
import { MIGRATION_0011 } from './migrations/0011_places.ts';
import { MIGRATION_0012 } from './migrations/0012_totals.ts';
import type { StoreKind } from './store.ts';
import type { Tables } from './tables.ts';

/** SQL statements of all migrations, per backend, in order. A released migration is never changed: a change of the schema is a new file. */
export const MIGRATIONS: Readonly<Record<string, Readonly<Record<StoreKind, readonly string[]>>>> = {
  '0001_initial': MIGRATION_0001,
  '0002_grant_tokens': MIGRATION_0002,
  '0003_watch_readings': MIGRATION_0003,
  '0004_due_dates': MIGRATION_0004,
  '0005_notify': MIGRATION_0005,
  '0006_rankings': MIGRATION_0006,
  '0007_way_in': MIGRATION_0007,
  '0008_apps': MIGRATION_0008,
  '0009_failed_at': MIGRATION_0009,
  '0010_webhook_hint': MIGRATION_0010,
  '0011_places': MIGRATION_0011,
  '0012_totals': MIGRATION_0012,
};
const NAMES = Object.keys(MIGRATIONS);
/** The schema that this version knows: the number of its migrations. */
export const SCHEMA = NAMES.length;
/** Held by the process that migrates; the same as the one of Kysely's Migrator. */
const LOCK = '3853314791062309107';

/** Runs all pending migrations in one transaction, in PostgreSQL under an advisory lock. Throws an OperatorError for a store of a newer version. */
export async function migrate(db: Kysely<Tables>, kind: StoreKind, nowMs: number): Promise<readonly string[]> {
  if ((await pendingOf(db, kind)).length === 0) return [];
  return db.transaction().execute(async (trx) => {
    if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.raw(LOCK)})`.execute(trx);
    // another process may have migrated it meanwhile
    const pending = await pendingOf(trx, kind);
    const record = 'create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)';
    for (const statement of [record, ...pending.flatMap((name) => MIGRATIONS[name]?.[kind] ?? [])]) await sql.raw(statement).execute(trx);
    const timestamp = new Date(nowMs).toISOString();
    for (const name of pending) await trx.insertInto('kysely_migration').values({ name, timestamp }).execute();
    return pending;
  });
}

/** Throws an OperatorError for a store of another schema than this version's. Changes nothing. */
export async function demandMigrated(db: Kysely<Tables>, kind: StoreKind): Promise<void> {
  if ((await pendingOf(db, kind)).length > 0)
    throw new OperatorError(`The store (${settingOf(kind)}) does not have schema ${SCHEMA} yet: run 'sightline migrate' first.`);
}

const settingOf = (kind: StoreKind): string => (kind === 'postgres' ? 'DATABASE_URL' : 'SIGHTLINE_DATA_DIR');

async function pendingOf(db: Kysely<Tables>, kind: StoreKind): Promise<readonly string[]> {
  const rows = (await tableExists(db, kind, 'kysely_migration')) ? await db.selectFrom('kysely_migration').select('name').execute() : [];
  const executed = rows.map(({ name }) => name);
  if (executed.some((name) => !NAMES.includes(name)))
    throw new OperatorError(
      `The store (${settingOf(kind)}) has schema ${executed.length}, but this version of Sightline knows ${SCHEMA}: run the newer version, or name another store.`,
    );
  return NAMES.filter((name) => !executed.includes(name));
}

async function tableExists(db: Kysely<Tables>, kind: StoreKind, table: string): Promise<boolean> {
  const query =
    kind === 'postgres'
      ? sql<{ found: unknown }>`select to_regclass(${table}) as found`
      : sql<{ found: unknown }>`select max(name) as found from sqlite_master where type = 'table' and name = ${table}`;
  const { rows } = await query.execute(db);
  return rows[0]?.found != null;
}
