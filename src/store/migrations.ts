import { type Kysely, sql } from 'kysely';
import { CHARGE_FUNCTION } from './postgres/charge-function.ts';
import { LEDGER_FUNCTIONS } from './postgres/ledger.ts';
import { StoreError } from './store.ts';
import type { Tables } from './tables.ts';

export type StoreKind = 'embedded' | 'postgres';
interface Migration {
  readonly name: string;
  readonly statements: (kind: StoreKind) => readonly string[];
}

const appendOnly = (table: string) => (kind: StoreKind) =>
  kind === 'embedded'
    ? ['update', 'delete'].map(
        (verb) => `create trigger ${table}_no_${verb} before ${verb} on ${table} begin select raise(abort, '${table} is append-only'); end`,
      )
    : [`create trigger ${table}_append_only before update or delete on ${table} for each row execute function sightline_append_only()`];

const REFUSE_CHANGES = `create or replace function sightline_append_only() returns trigger language plpgsql as
  $$ begin raise exception '% is append-only', tg_table_name; end $$`;

/** Every step of the schema, in order, the same for both backends; a step that was released is never changed. */
const MIGRATIONS: readonly Migration[] = [
  {
    name: 'accounts, ledger, keys, usage, audit',
    statements: (kind) => {
      const embedded = kind === 'embedded';
      const clustered = embedded ? ' without rowid' : '';
      // compared byte by byte: ids are no words of a language
      const id = embedded ? 'text' : 'text collate "C"';
      const serial = embedded ? 'integer primary key' : 'bigint generated always as identity primary key';
      return [
        `create table accounts (id ${id} primary key, name text not null, created_at bigint not null)`,
        `create table balances (account_id ${id} primary key references accounts (id), balance bigint not null check (balance >= 0),
          held bigint not null check (held >= 0), seq bigint not null, head text not null)${clustered}`,
        `create table links (account_id ${id} not null, seq bigint not null, at bigint not null,
          entries bigint not null, hash text not null, primary key (account_id, seq))${clustered}`,
        `create table entries (account_id ${id} not null, link bigint not null, n bigint not null,
          kind text not null check (kind in ('grant', 'hold', 'capture', 'release', 'expire')), credits bigint not null,
          held bigint not null, hold ${id} not null, key_id text not null, operation text not null, label text not null,
          primary key (account_id, link, n))${clustered}`,
        'create index entries_hold on entries (hold)',
        `create table holds (id ${id} primary key, account_id ${id} not null, key_id text not null,
          amount bigint not null check (amount > 0), created_at bigint not null, expires_at bigint not null, capped bigint not null)${clustered}`,
        // the embedded store has few holds at a time, and reads them all faster than it keeps an index
        ...(embedded ? [] : ['create index holds_expires on holds (expires_at)']),
        `create table keys (id text primary key, account_id text not null references accounts (id), hash text not null unique,
          hint text not null, label text not null, operations text, cidrs text, cap_day bigint, cap_month bigint, rate_per_second bigint,
          rate_burst bigint, created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint, replaced_by text)`,
        'create index keys_account on keys (account_id)',
        `create table key_spend (key_id text not null, period text not null, credits bigint not null check (credits >= 0),
          primary key (key_id, period))${clustered}`,
        'create table changes (name text primary key, n bigint not null)',
        "insert into changes (name, n) values ('keys', 0), ('audit', 0)",
        `create table audit (seq bigint primary key, at bigint not null, actor text not null, action text not null, subject text not null,
          facts text not null, hash text not null)`,
        `create table usage (id ${serial}, at bigint not null, account_id text not null, key_id text not null, request_id text not null,
          operation text not null, status bigint not null, code text, credits bigint not null, source text, cache text,
          duration_ms double precision not null, upstream_ms double precision not null)`,
        `create table usage_days (account_id text not null, day text not null, operation text not null, key_id text not null,
          status bigint not null, requests bigint not null, credits bigint not null,
          primary key (account_id, day, operation, key_id, status))${clustered}`,
        ...(embedded ? [] : [REFUSE_CHANGES, ...LEDGER_FUNCTIONS]),
        ...['entries', 'links', 'audit'].flatMap((table) => appendOnly(table)(kind)),
      ];
    },
  },
  {
    name: 'OAuth clients and signing keys',
    statements: (kind) => {
      const clustered = kind === 'embedded' ? ' without rowid' : '';
      return [
        `create table clients (id text primary key, account_id text not null references accounts (id), secret_hash text not null,
          label text not null, scopes text, created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint)`,
        'create index clients_account on clients (account_id)',
        `create table signing_keys (kid text primary key, alg text not null, public text not null, sealed text not null,
          created_at bigint not null, signs_from bigint not null, dropped_at bigint)${clustered}`,
        "insert into changes (name, n) values ('signing', 0)",
      ];
    },
  },
  {
    name: 'plain charges at once',
    statements: (kind) => (kind === 'embedded' ? [] : [CHARGE_FUNCTION]),
  },
  {
    name: 'suspended and deleted accounts',
    statements: () => ['alter table accounts add column suspended_at bigint', 'alter table accounts add column deleted_at bigint'],
  },
];

/** Brings the schema up to date, in one transaction, one process at a time. Gives the names of the steps that ran. */
export async function migrate(db: Kysely<Tables>, kind: StoreKind, now: number): Promise<readonly string[]> {
  return db.transaction().execute(async (trx) => {
    if (kind === 'postgres') await sql`select pg_advisory_xact_lock(7345120986)`.execute(trx);
    await sql`create table if not exists migrations (version bigint primary key, name text not null, at bigint not null)`.execute(trx);
    const { version } = await trx
      .selectFrom('migrations')
      .select((e) => e.fn.coalesce(e.fn.max('version'), sql<number>`0`).as('version'))
      .executeTakeFirstOrThrow();
    if (version > MIGRATIONS.length)
      throw new StoreError(
        `The store (${kind === 'postgres' ? 'DATABASE_URL' : 'SIGHTLINE_DATA_DIR'}) has schema ${version}, but this version of Sightline knows ${MIGRATIONS.length}: run the newer version, or name another store.`,
      );
    const ran: string[] = [];
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index < version) continue;
      for (const statement of step.statements(kind)) await sql.raw(statement).execute(trx);
      await trx
        .insertInto('migrations')
        .values({ version: index + 1, name: step.name, at: now })
        .execute();
      ran.push(`${index + 1} ${step.name}`);
    }
    return ran;
  });
}
