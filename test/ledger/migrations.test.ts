import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import pg from 'pg';
import { exportForAudit } from '../../src/cli/export.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { OperatorError, readSettings } from '../../src/settings.ts';
import { MIGRATIONS } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store, StoreKind, StoreLog } from '../../src/store/store.ts';
import { BACKENDS, makeAccount, makeSchema } from './backends.ts';

const NAMES = Object.keys(MIGRATIONS);
const RECORD = 'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)';
/** What an installation has stored, in the columns of the first schema. */
const ROWS = [
  "insert into accounts (id, name, created_at) values ('acc_1', 'mine', 1)",
  "insert into balances (account_id, balance, held, seq, head) values ('acc_1', 10, 0, 1, 'h')",
  "insert into journal (account_id, seq, at, lines, hash) values ('acc_1', 1, 1, 'mine', 'h')",
  "insert into keys (id, account_id, hash, hint, label, created_at) values ('key_1', 'acc_1', 'h', 'sl_…', 'mine', 1)",
  `insert into watches (id, account_id, key_id, name, operation, parameters, every_ms, credits_per_month, paused, created_at, next_at, fails, webhook_url)
     values ('wat_1', 'acc_1', 'key_1', 'mine', 'registration', '{"domain":"example.com"}', 86400000, 31, 0, 1, 1, 0, 'https://example.com/hook')`,
];
const recorded = (name: string) => [RECORD, `insert into kysely_migration (name, timestamp) values ('${name}', '2026-01-01')`];

interface Place {
  readonly environment: Readonly<Record<string, string>>;
  /** Names of its tables. */
  tables(): Promise<readonly string[]>;
  /** The column `name` of a query. */
  names(query: string): Promise<readonly string[]>;
  drop(): Promise<void>;
}
/** A closed store in which these statements ran. */
async function storeWith(kind: StoreKind, statements: readonly string[]): Promise<Place> {
  if (kind === 'embedded') {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-old-'));
    const run = <T>(work: (db: DatabaseSync) => T): T => {
      const db = new DatabaseSync(join(folder, 'sightline.db'));
      try {
        return work(db);
      } finally {
        db.close();
      }
    };
    run((db) => db.exec(statements.join(';')));
    const names = async (query: string) => run((db) => db.prepare(query).all()).map(({ name }) => String(name));
    return {
      environment: { SIGHTLINE_DATA_DIR: folder },
      names,
      tables: () => names("select name from sqlite_master where type = 'table'"),
      drop: async () => rmSync(folder, { recursive: true }),
    };
  }
  const { url, drop } = await makeSchema();
  const run = async (texts: readonly string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      let rows: { name: string }[] = [];
      for (const text of texts) rows = (await client.query<{ name: string }>(text)).rows;
      return rows;
    } finally {
      await client.end();
    }
  };
  await run(statements);
  const names = async (query: string) => (await run([query])).map(({ name }) => name);
  const tables = () => names('select tablename as name from pg_tables where schemaname = current_schema()');
  return { environment: { DATABASE_URL: url }, names, tables, drop };
}

/** Opens the store as at a start; also returns the migrations that ran. */
async function open({ environment }: Place): Promise<{ store: Store; ran: readonly string[] }> {
  const ran: string[] = [];
  const log: StoreLog = (_level, message, facts) => {
    if (message === 'store: migrated') ran.push(...((facts?.ran ?? []) as string[]));
  };
  const store = await openStore({ settings: readSettings(environment), clock: realClock, log });
  return { store, ran };
}

for (const backend of BACKENDS)
  describe(`migrations: ${backend.name}`, { skip: backend.skip }, () => {
    const refused = async (statements: readonly string[], message: RegExp) => {
      const place = await storeWith(backend.name, statements);
      const before = await place.tables();
      await assert.rejects(open(place), (error: Error) => error instanceof OperatorError && message.test(error.message));
      assert.deepEqual(await place.tables(), before);
      await place.drop();
    };

    test('an empty store gets the whole schema, a second start finds nothing to do', async () => {
      const place = await storeWith(backend.name, []);
      const first = await open(place);
      assert.deepEqual(first.ran, NAMES);
      await first.store.close();
      const again = await open(place);
      assert.deepEqual(again.ran, []);
      await again.store.close();
      await place.drop();
    });

    test('a store of each earlier schema is brought up to date, and its rows stay', async () => {
      for (const count of NAMES.keys()) {
        if (count === 0) continue;
        const done = NAMES.slice(0, count);
        const made = done.flatMap((name) => MIGRATIONS[name]?.[backend.name] ?? []);
        const records = done.map((name) => `insert into kysely_migration (name, timestamp) values ('${name}', '2026-01-01')`);
        const place = await storeWith(backend.name, [...made, RECORD, ...records, ...ROWS]);
        const { ran, store } = await open(place);
        await store.close();
        assert.deepEqual(ran, NAMES.slice(count));
        const queries = [
          'select name from accounts',
          'select label as name from keys',
          'select lines as name from journal',
          'select name from watches',
        ];
        for (const query of queries) assert.deepEqual(await place.names(query), ['mine'], `${query} after schema ${count}`);
        await place.drop();
      }
    });

    test('a failed migration leaves the schema unchanged and rejects with its own error', async () => {
      const place = await storeWith(backend.name, ['create table usage_days (id text)']);
      await assert.rejects(open(place), /usage_days/);
      assert.ok(!(await place.tables()).includes('accounts'), 'the statements before the one that failed are rolled back');
      await place.drop();
    });

    test('a store of a newer version is refused', () =>
      refused(
        recorded('0099_later'),
        new RegExp(`^The store \\(\\w+\\) has schema 1, but this version of Sightline knows ${NAMES.length}: run the newer version`),
      ));

    test('an export for an audit copies a store of its own schema alone, and leaves nothing where it refuses', async () => {
      const home = mkdtempSync(join(tmpdir(), 'sightline-no-export-'));
      for (const [statements, why] of [
        [recorded('0099_later'), /has schema 1, but this version of Sightline knows \d+: run the newer version/],
        [[RECORD], /does not have schema \d+ yet: run 'sightline migrate' first\.$/],
      ] as const) {
        const place = await storeWith(backend.name, statements);
        const folder = join(home, 'audit');
        await assert.rejects(exportForAudit(readSettings(place.environment), folder), (error) => {
          assert.ok(error instanceof OperatorError);
          assert.match(error.message, why);
          return true;
        });
        assert.equal(existsSync(folder), false);
        await place.drop();
      }
      rmSync(home, { recursive: true });
    });
  });

test('processes that start at the same time on an empty database migrate it once', { skip: BACKENDS[1]?.skip ?? true }, async () => {
  const place = await storeWith('postgres', []);
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

/** SHA-256 of the statements of each released migration. A new migration adds a line; from the first release on no line is changed. */
const FROZEN: Readonly<Record<string, string>> = {
  '0001_initial': '3b3a597fdbcfdb0f2ee5f8f840653f1648af3a8e4d6476f0e8d46f2def2fea90',
  '0002_grant_tokens': 'e02190a72ad62a9ae4016d623d96184834f5cbdeae2439505203e56fbba0fc01',
  '0003_watch_readings': '5f7594f76e380ef5439c1887951860ba72cc4292aa535576c8c574f9fccf2e9a',
  '0004_due_dates': '94c6c1f8ebdb6f2fbb4fa8493bba2e98021a805d31aa32c7b35c759df475397e',
  '0005_notify': 'b1419048956c1c5690dc6cb30a7c2df005bc0b18086cdeb305da1344d04532f7',
  '0006_rankings': 'efa779b1528df02c8778266647d601ce38285bf81dd2ae701c3233747142e26b',
  '0007_way_in': '9c327ac2979e46e86208668377a5b8d0796908fdb8e69cac3261eceb9fe7e270',
  '0008_apps': 'd7edba99a1700b676c232d36230dda32c14351a249c415871b013220af5527a4',
  '0009_failed_at': '5555b4eaa93cb8e57c5d6dacb7d6e6783c48e85b2eabc6aa87dd3d72bc7cabc5',
  '0010_webhook_hint': '21bdf81aa002a9fe65619a8540db4d233be9db543a6e2d5bfa5b69c3cc9f1765',
  '0011_places': 'bc2ad3c8eee490be2ab28e069a8e345748f62c1c6279022b060dbf68515d3716',
  '0012_totals': '1834e501ce78f2da8ecec8d35a0641e2597343303255e01b74f4ec7b6534ab0e',
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
