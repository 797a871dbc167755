// Few in a process: it computes for long.
// In the gate alone: it repeats, grows or changes something at length.
/** Each column of each table is changed, one at a time: `ledger verify` or `audit verify` finds it, or docs/credits.md lists it with its reason. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { exportForAudit } from '../../src/cli/export.ts';
import { readSettings } from '../../src/settings.ts';
import { openEngine } from '../../src/store/sqlite/engine.ts';
import type { StartEngine } from '../../src/store/sqlite/thread.ts';
import type { Tables } from '../../src/store/tables.ts';
import { BACKENDS, type Backend, silent } from '../ledger/backends.ts';
import { type FullStore, fullStore } from './full-store.ts';

type Db = Kysely<Tables>;
type Row = Record<string, unknown>;
type Value = string | number | Uint8Array | null;

const startInline: StartEngine = async (options) => {
  const { run } = openEngine(options);
  return { run: async (request) => run(request), end: async () => {} };
};

interface Table {
  readonly name: keyof Tables;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/** Every table of the store, its columns and its primary key, as the store has them. */
async function tablesOf(db: Db, kind: Backend['name']): Promise<readonly Table[]> {
  const found =
    kind === 'embedded'
      ? sql<{ table: string; column: string; key: number }>`select m.name as "table", c.name as "column", c.pk as "key"
          from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite_%'`
      : sql<{ table: string; column: string; key: number }>`select c.table_name as "table", c.column_name as "column",
          (select count(*)::int from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
            where i.indisprimary and i.indrelid = format('%I', c.table_name)::regclass and a.attname = c.column_name) as "key"
          from information_schema.columns c where c.table_schema = current_schema() and c.table_name <> 'test_clock'
          order by c.table_name, c.ordinal_position`;
  const { rows } = await found.execute(db);
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({
    name: name as keyof Tables,
    columns: columns.map(({ column }) => column),
    key: columns.filter(({ key }) => key > 0).map(({ column }) => column),
  }));
}

/** Values that a column may be changed to: another one, and none. */
function others(value: Value, nullable: boolean): readonly Value[] {
  if (value === null) return [1_000_003];
  const other =
    typeof value === 'number' ? value + 1_000_003 : typeof value === 'string' ? `${value}x` : Buffer.concat([value, Buffer.of(0)]);
  return nullable ? [other, null] : [other];
}

/** Sets one column of one row; false: the store refuses such a value. */
async function set(db: Db, { name, key }: Table, row: Row, column: string, value: Value): Promise<boolean> {
  const at = key.map((each) => sql`${sql.ref(each)} = ${row[each]}`);
  try {
    const changed = await sql`update ${sql.table(name)} set ${sql.ref(column)} = ${value} where ${sql.join(at, sql` and `)}`.execute(db);
    assert.equal(changed.numAffectedRows, 1n, `${name}.${column}`);
    return true;
  } catch (error) {
    if (/NOT NULL|not-null|invalid input syntax|constraint/i.test(String((error as Error).cause ?? error))) return false;
    throw error;
  }
}

/** The columns that docs/credits.md lists, each with a reason. */
function listed(): ReadonlyMap<string, string> {
  const page = readFileSync(new URL('../../docs/credits.md', import.meta.url), 'utf8');
  const [, part = ''] = page.split('### Columns that no check compares');
  const rows = [...part.matchAll(/^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \| (.+) \|$/gm)];
  return new Map(
    rows.flatMap(([, table, columns = '', reason = '']) => [...columns.matchAll(/\w+/g)].map(([c]) => [`${table}.${c}`, reason])),
  );
}

for (const backend of BACKENDS)
  describe(`every column of every table: ${backend.name}`, { skip: backend.skip }, () => {
    let s: FullStore;
    before(async () => {
      s = await fullStore(backend);
      const { db } = s.accounts.store;
      if (backend.name === 'embedded') {
        for (const table of ['journal', 'audit'])
          for (const verb of ['update', 'delete']) await sql.raw(`drop trigger ${table}_no_${verb}`).execute(db);
        await sql`pragma foreign_keys = off`.execute(db);
        await sql`pragma ignore_check_constraints = on`.execute(db);
      } else {
        const named = sql<{ sql: string }>`select format('alter table %I alter column %I drop identity', table_name, column_name) as sql
          from information_schema.columns where table_schema = current_schema() and is_identity = 'YES' union all
          select format('alter table %s drop constraint %I', conrelid::regclass, conname)
          from pg_constraint where contype in ('f', 'c') and connamespace = current_schema()::regnamespace union all
          select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger t join pg_class c on c.oid = tgrelid
          where not tgisinternal and c.relnamespace = current_schema()::regnamespace`;
        for (const statement of (await named.execute(db)).rows) await sql.raw(statement.sql).execute(db);
      }
    });
    after(async () => {
      await s.accounts.close();
      await s.bench.drop();
    });
    const faults = async (of: OpenAccounts = s.accounts): Promise<readonly string[]> => [
      ...(await of.admin.verifyLedger()).faults,
      ...(await of.admin.verifyAudit()).faults,
    ];

    test('a change is found, or the column is listed with its reason', async (t) => {
      const { db } = s.accounts.store;
      assert.deepEqual(await faults(), []);
      const tables = await tablesOf(db, backend.name);
      const unseen = new Set<string>();
      const count = { columns: 0, changes: 0, found: 0, refused: 0 };
      for (const table of tables) {
        const rows = (await sql<Row>`select * from ${sql.table(table.name)}`.execute(db)).rows;
        assert.ok(rows.length > 0, `${table.name} has no row`);
        for (const column of table.columns) {
          count.columns++;
          let changed = 0;
          for (const row of rows)
            for (const value of others(row[column] as Value, !table.key.includes(column))) {
              if (!(await set(db, table, row, column, value))) {
                count.refused++;
                continue;
              }
              changed++;
              const found = await faults().catch((error: Error) => assert.fail(`${table.name}.${column}: ${error.stack}`));
              if (found.length > 0) count.found++;
              else unseen.add(`${table.name}.${column}`);
              await set(db, table, { ...row, [column]: value }, column, row[column] as Value);
            }
          assert.ok(changed > 0, `${table.name}.${column} was never changed`);
          count.changes += changed;
        }
      }
      assert.deepEqual(await faults(), [], 'everything is as it was');
      t.diagnostic(
        `${tables.length} tables, ${count.columns} columns, ${count.changes} changes (${count.found} found), ${unseen.size} columns listed`,
      );
      const reasons = listed();
      assert.deepEqual([...reasons.keys()].sort(), [...unseen].sort());
      for (const [column, reason] of reasons) assert.ok(reason.length > 15, column);
    });

    const ofEmbedded = backend.name === 'embedded' ? test : () => {};
    ofEmbedded('grants, tokens, apps and watches: an export for an audit says the same, and holds no secret', async () => {
      const { db } = s.accounts.store;
      const exported = async (): Promise<readonly string[]> => {
        const folder = mkdtempSync(join(tmpdir(), 'sightline-audit-'));
        try {
          await exportForAudit(s.settings, folder);
          const bytes = readFileSync(join(folder, 'sightline.db'), 'latin1');
          for (const secret of ['secret-path', 'whsec_', 'hooks.example.org']) assert.ok(!bytes.includes(secret), secret);
          const settings = readSettings({ SIGHTLINE_DATA_DIR: folder });
          const there = await openAccounts({ settings, clock: s.bench.clock, log: silent, startEngine: startInline });
          try {
            return await faults(there);
          } finally {
            await there.close();
          }
        } finally {
          rmSync(folder, { recursive: true });
        }
      };
      assert.deepEqual(await exported(), []);
      for (const [name, column] of [
        ['grants', 'scopes'],
        ['grant_tokens', 'current'],
        ['apps', 'redirect_uris'],
        ['watches', 'credits_per_month'],
        ['watches', 'webhook_url'],
      ] as const) {
        const table = (await tablesOf(db, backend.name)).find((each) => each.name === name) ?? assert.fail(name);
        const rows = (await sql<Row>`select * from ${sql.table(name)}`.execute(db)).rows;
        const row = rows.find((each) => each[column] !== null && each.used_at !== null) ?? assert.fail(name);
        await set(db, table, row, column, `${row[column]}1`);
        const here = await faults();
        assert.notDeepEqual(here, []);
        assert.deepEqual(await exported(), here, `${name}.${column}`);
        await set(db, table, row, column, row[column] as Value);
      }
    });

    test('rows of the four tables that were added or removed are found', async () => {
      const { db } = s.accounts.store;
      const [grant, token, watch, app] = [
        await db.selectFrom('grants').selectAll().executeTakeFirstOrThrow(),
        await db.selectFrom('grant_tokens').selectAll().where('kind', '=', 'refresh').executeTakeFirstOrThrow(),
        await db.selectFrom('watches').selectAll().where('account_id', 'is not', null).executeTakeFirstOrThrow(),
        await db.selectFrom('apps').selectAll().where('used_at', 'is not', null).executeTakeFirstOrThrow(),
      ];
      const { keyId } = await s.accounts.admin.createKey({ accountId: String(watch.account_id) });
      const added: [RegExp, () => Promise<unknown>, () => Promise<unknown>][] = [
        [
          /grant key_\w+: no event of the audit log made it/,
          () =>
            db
              .insertInto('grants')
              .values({ ...grant, key_id: keyId })
              .execute(),
          () => db.deleteFrom('grants').where('key_id', '=', keyId).execute(),
        ],
        [
          /grant token \w+ of key_\w+: it does not fit its seal/,
          () =>
            db
              .insertInto('grant_tokens')
              .values({ ...token, hash: 'forged', current: null, seal: null })
              .execute(),
          () => db.deleteFrom('grant_tokens').where('hash', '=', 'forged').execute(),
        ],
        [
          /grant token forged of key_\w+: it does not fit its seal/,
          () =>
            db
              .insertInto('grant_tokens')
              .values({ ...token, hash: 'forged' })
              .execute(),
          () => db.deleteFrom('grant_tokens').where('hash', '=', 'forged').execute(),
        ],
        [
          /watch wat_new: no event of the audit log made it/,
          () =>
            db
              .insertInto('watches')
              .values({ ...watch, n: 99, id: 'wat_new' })
              .execute(),
          () => db.deleteFrom('watches').where('id', '=', 'wat_new').execute(),
        ],
        [
          /app app_new: no event of the audit log made it/,
          () =>
            db
              .insertInto('apps')
              .values({ ...app, id: 'app_new' })
              .execute(),
          () => db.deleteFrom('apps').where('id', '=', 'app_new').execute(),
        ],
        [
          /watch wat_\w+: the audit log says that it was made, but it is not there/,
          () => db.deleteFrom('watches').where('n', '=', watch.n).execute(),
          () => db.insertInto('watches').values(watch).execute(),
        ],
        [
          /grant key_\w+: the audit log says that it was made, but it is not there/,
          () => db.deleteFrom('grants').where('key_id', '=', grant.key_id).execute(),
          () => db.insertInto('grants').values(grant).execute(),
        ],
      ];
      for (const [says, tamper, undo] of added) {
        await tamper();
        assert.match((await faults()).join('\n'), says);
        await undo();
        assert.deepEqual(await faults(), []);
      }
    });
  });
