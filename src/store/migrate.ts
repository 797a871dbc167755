import { type Kysely, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { MIGRATIONS } from './migrations/index.ts';
import { StoreError, type StoreKind } from './store.ts';
import type { Tables } from './tables.ts';

const NAMES = Object.keys(MIGRATIONS);

/**
 * Brings the schema up to date: all pending migrations in one transaction, in PostgreSQL under an advisory lock. Returns the names of those
 * that ran. Throws a StoreError if the schema is newer than this version.
 */
export async function migrate(db: Kysely<Tables>, kind: StoreKind, now: number): Promise<readonly string[]> {
  await adoptVersionTable(db, kind, now);
  // the usual start: no pending migration, so Kysely's introspection is skipped
  const executed = await executedOf(db, kind);
  if (executed.some((name) => !NAMES.includes(name))) throw newerSchema(kind, executed.length);
  if (executed.length === NAMES.length) return [];
  const provider = { getMigrations: async () => migrationsOf(kind, now) };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

const migrationsOf = (kind: StoreKind, now: number) =>
  Object.fromEntries(
    NAMES.map((name, index) => [
      name,
      {
        async up(db: Kysely<Tables>): Promise<void> {
          for (const statement of MIGRATIONS[name]?.[kind] ?? []) await sql.raw(statement).execute(db);
          // versions that read the version table then refuse the newer schema
          if (await tableExists(db, kind, 'migrations'))
            await db
              .insertInto('migrations')
              .values({ version: index + 1, name, at: now })
              .execute();
        },
      },
    ]),
  );

/** Stores of Sightline up to schema 4 keep their version in a table `migrations`: its versions are recorded as Kysely's executed migrations. */
async function adoptVersionTable(db: Kysely<Tables>, kind: StoreKind, now: number): Promise<void> {
  if (!(await tableExists(db, kind, 'migrations'))) return;
  await db.transaction().execute(async (trx) => {
    // the lock under which those versions migrate
    if (kind === 'postgres') await sql`select pg_advisory_xact_lock(7345120986)`.execute(trx);
    const { version } = await trx
      .selectFrom('migrations')
      .select((e) => e.fn.coalesce(e.fn.max('version'), sql<number>`0`).as('version'))
      .executeTakeFirstOrThrow();
    if (version > NAMES.length) throw newerSchema(kind, version);
    if (await tableExists(trx, kind, 'kysely_migration')) return;
    await recordExecuted(trx, NAMES.slice(0, version), now);
  });
}

async function recordExecuted(trx: Transaction<Tables>, names: readonly string[], now: number): Promise<void> {
  await trx.schema
    .createTable('kysely_migration')
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  // Kysely orders executed migrations by their time
  for (const [index, name] of names.entries())
    await trx
      .insertInto('kysely_migration')
      .values({ name, timestamp: new Date(now - NAMES.length + index).toISOString() })
      .execute();
}

async function executedOf(db: Kysely<Tables>, kind: StoreKind): Promise<readonly string[]> {
  if (!(await tableExists(db, kind, 'kysely_migration'))) return [];
  return (await db.selectFrom('kysely_migration').select('name').execute()).map((row) => row.name);
}

async function tableExists(db: Kysely<Tables>, kind: StoreKind, table: 'migrations' | 'kysely_migration'): Promise<boolean> {
  const query =
    kind === 'postgres'
      ? sql<{ found: unknown }>`select to_regclass(${table}) as found`
      : sql<{ found: unknown }>`select max(name) as found from sqlite_master where type = 'table' and name = ${table}`;
  const { rows } = await query.execute(db);
  return rows[0]?.found != null;
}

const newerSchema = (kind: StoreKind, schema: number): StoreError =>
  new StoreError(
    `The store (${kind === 'postgres' ? 'DATABASE_URL' : 'SIGHTLINE_DATA_DIR'}) has schema ${schema}, but this version of Sightline knows ${NAMES.length}: run the newer version, or name another store.`,
  );
