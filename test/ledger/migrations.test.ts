import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { verifyLedger } from '../../src/billing/verify.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store, StoreKind } from '../../src/store/store.ts';
import { BACKENDS, makeAccount, makeSchema } from './backends.ts';

/** The schema as released before Kysely's Migrator was used: statements of each version, per backend, and the name in the version table. */
interface ReleasedVersion {
  readonly version: number;
  readonly name: string;
  readonly embedded: readonly string[];
  readonly postgres: readonly string[];
}
const RELEASED = JSON.parse(readFileSync(new URL('./released-schema.json', import.meta.url), 'utf8')) as readonly ReleasedVersion[];
const VERSION_TABLE = 'create table migrations (version bigint primary key, name text not null, at bigint not null)';
const NAMES = Object.keys(MIGRATIONS);

/** Creates a store of an older version: its schema, its version table, one account with 10 credits. */
const oldStatements = (kind: StoreKind, version: number): readonly string[] => [
  VERSION_TABLE,
  ...RELEASED.slice(0, version).flatMap((step) => [
    ...step[kind],
    `insert into migrations (version, name, at) values (${step.version}, '${step.name}', 1790000000000)`,
  ]),
  "insert into accounts (id, name, created_at) values ('acc_old', 'Old', 1790000000000)",
  "insert into balances (account_id, balance, held, seq, head) values ('acc_old', 0, 0, 0, '')",
];

interface Place {
  readonly environment: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}
async function oldStore(kind: StoreKind, version: number | null): Promise<Place> {
  const statements = version === null ? [] : oldStatements(kind, version);
  if (kind === 'embedded') {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-old-'));
    const db = new DatabaseSync(join(folder, 'sightline.db'));
    for (const statement of statements) db.exec(statement);
    db.close();
    return { environment: { SIGHTLINE_DATA_DIR: folder }, drop: async () => rmSync(folder, { recursive: true }) };
  }
  const { url, drop } = await makeSchema();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  return { environment: { DATABASE_URL: url }, drop };
}

/** Opens the store as at a start; also returns the migrations that ran. */
async function open({ environment }: Place): Promise<{ store: Store; ran: readonly string[] }> {
  const ran: string[] = [];
  const store = await openStore(readSettings(environment), realClock, (_level, message, facts) => {
    if (message === 'store: migrated') ran.push(...((facts?.ran ?? []) as string[]));
  });
  return { store, ran };
}

/** Tables, indexes, triggers and functions, without the tables that record migrations. */
async function schemaOf({ kind, db }: Store): Promise<readonly string[]> {
  const query =
    kind === 'embedded'
      ? sql<{
          text: string;
        }>`select sql as text from sqlite_master where sql is not null and tbl_name not like 'kysely%' and tbl_name <> 'migrations'`
      : sql<{ text: string }>`
          select concat_ws(' ', table_name, column_name, data_type, is_nullable, collation_name, column_default, is_identity) as text
            from information_schema.columns where table_schema = current_schema() and table_name not like 'kysely%' and table_name <> 'migrations'
          union all select indexdef from pg_indexes where schemaname = current_schema() and tablename not like 'kysely%' and tablename <> 'migrations'
          union all select pg_get_functiondef(p.oid) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = current_schema() and p.prokind = 'f'
          union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
            where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal`;
  const { rows } = await query.execute(db);
  const { rows: names } = await sql<{ name: string }>`select ${kind === 'embedded' ? '' : sql`current_schema()`} as name`.execute(db);
  const schema = String(names[0]?.name);
  return rows.map((row) => (schema ? row.text.replaceAll(schema, 'schema') : row.text)).sort();
}

for (const backend of BACKENDS)
  describe(`migrations: ${backend.name}`, { skip: backend.skip }, () => {
    for (const { version } of RELEASED)
      test(`a store of schema version ${version} opens, migrates, and then has the schema of a new store`, async () => {
        const [old, fresh] = [await oldStore(backend.name, version), await oldStore(backend.name, null)];
        const [first, made] = [await open(old), await open(fresh)];
        assert.deepEqual(first.ran, NAMES.slice(version));
        assert.deepEqual(made.ran, NAMES);
        assert.deepEqual(await schemaOf(first.store), await schemaOf(made.store));

        await first.store.settle([['grant', 'acc_old', '', 10, 0, '', '', '']]);
        const holdId = randomUUID();
        await first.store.settle([['hold', 'acc_old', holdId, 4, 60_000, '', 'registration', '']]);
        assert.deepEqual((await first.store.settle([['capture', 'acc_old', holdId, 3, 0, '', '', '']])).balances, [['acc_old', 7, 0]]);
        assert.deepEqual((await verifyLedger(first.store)).faults, []);
        // versions that read the version table see the current schema version
        const rows = await first.store.db.selectFrom('migrations').select('version').orderBy('version').execute();
        assert.deepEqual(
          rows.map((row) => row.version),
          NAMES.map((_, index) => index + 1),
        );
        await first.store.close();

        const again = await open(old);
        assert.deepEqual(again.ran, []);
        await again.store.close();
        await made.store.close();
        await old.drop();
        await fresh.drop();
      });

    test('a failed migration leaves the schema unchanged and rejects with its own error', async () => {
      const place = await oldStore(backend.name, 3);
      const blocked = await oldStatement(backend.name, place, 'alter table accounts add column deleted_at bigint');
      await assert.rejects(open(place), /deleted_at/);
      const columns = await blocked();
      assert.ok(!columns.includes('suspended_at'), 'the statement before the one that failed is rolled back');
      await place.drop();
    });

    test('a store of a newer version is refused, whichever table records it', async () => {
      const bench = await backend.open();
      const { db } = bench.store;
      await db.insertInto('kysely_migration').values({ name: '0099_later', timestamp: new Date().toISOString() }).execute();
      await assert.rejects(bench.store.migrate(), {
        name: 'StoreError',
        message: new RegExp(`has schema ${NAMES.length + 1}, but this version of Sightline knows ${NAMES.length}`),
      });
      await db.deleteFrom('kysely_migration').where('name', '=', '0099_later').execute();
      await sql.raw(VERSION_TABLE).execute(db);
      await db.insertInto('migrations').values({ version: 99, name: 'later', at: 0 }).execute();
      await assert.rejects(bench.store.migrate(), {
        name: 'StoreError',
        message: new RegExp(`has schema 99, but this version of Sightline knows ${NAMES.length}`),
      });
      await bench.drop();
    });
  });

/** Runs a statement on a closed store; returns a function that reads the columns of `accounts`. */
async function oldStatement(kind: StoreKind, { environment }: Place, statement: string): Promise<() => Promise<readonly string[]>> {
  if (kind === 'embedded') {
    const file = join(environment.SIGHTLINE_DATA_DIR ?? '', 'sightline.db');
    const run = <T>(work: (db: DatabaseSync) => T): T => {
      const db = new DatabaseSync(file);
      try {
        return work(db);
      } finally {
        db.close();
      }
    };
    run((db) => db.exec(statement));
    return async () =>
      run((db) =>
        db
          .prepare('select name from pragma_table_info(?)')
          .all('accounts')
          .map((row) => String(row.name)),
      );
  }
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: environment.DATABASE_URL ?? '' });
    await client.connect();
    try {
      return (await client.query<{ name: string }>(text)).rows ?? [];
    } finally {
      await client.end();
    }
  };
  await query(statement);
  return async () =>
    (
      await query(
        "select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = 'accounts'",
      )
    ).map((row) => row.name);
}

test('processes that start at the same time on an empty database migrate it once', { skip: BACKENDS[1]?.skip ?? true }, async () => {
  const place = await oldStore('postgres', null);
  const opened = await Promise.all([open(place), open(place), open(place)]);
  assert.deepEqual(
    opened.flatMap(({ ran }) => ran),
    NAMES,
  );
  const [first] = opened;
  if (first) await makeAccount(first.store);
  for (const { store } of opened) await store.close();
  await place.drop();
});

/** SHA-256 of the statements of each released migration. A new migration adds a line; no line is ever changed. */
const FROZEN: Readonly<Record<string, string>> = {
  '0001_initial': '4ead7d772e6bbb093254b9716e141d2cbf3177737b8b8d32d79cf3b28cb911ae',
  '0002_oauth': '78bcdcb1a42d9d49361970aec36952cfeef4c7aaf2f3b6cea3437050f337d59f',
  '0003_charge_function': 'f7556246122e8a322dd88f065cbca7173fbf93c21d7912eac3f86c655066d282',
  '0004_account_states': 'e37ca717184ac5e7189b5a49ae1da3f2d743ee87512229719986c2db6ec8d977',
  '0005_request_log': '15177de5b27581f2ec97d4838e6badf5fa2c70e6faa25a4d91e70b5a137ef567',
  '0006_sessions': '80bba00180d0a899e922c4a401e050986966ebc7b44278f275e5b4df261c3b55',
  '0007_field_hours': '1b129cf6f7129b25106a9be8fe743dfa8a28fea7f5a4a42442a321287946a705',
  '0008_key_rights': '048e86ead1846bd6c6893e9e02ed0a301ef931a37c0d6ec44b60184ed6c0f70e',
  '0009_grants': 'ddcf0ab7603837b244bec485af7463dc1d6756f74474f0fece38e1b703842fb3',
};

test('the text of a released migration is never changed', () => {
  const digest = (name: string): string => hash('sha256', JSON.stringify(MIGRATIONS[name]), 'hex');
  assert.deepEqual(Object.fromEntries(NAMES.map((name) => [name, digest(name)])), FROZEN);
});

test('a migration imports nothing but its own frozen files', () => {
  for (const name of NAMES) {
    const text = readFileSync(new URL(`../../src/store/migrations/${name}.ts`, import.meta.url), 'utf8');
    for (const [, from] of text.matchAll(/from '([^']+)'/g)) assert.match(String(from), new RegExp(`^\\./${name.slice(0, 4)}_`), name);
  }
});
