import { LEDGER_FUNCTIONS } from './0001_ledger_functions.ts';

const REFUSE_CHANGES = `create or replace function sightline_append_only() returns trigger language plpgsql as
  $$ begin raise exception '% is append-only', tg_table_name; end $$`;
const APPEND_ONLY = ['entries', 'links', 'audit'];

const EMBEDDED_TRIGGERS = APPEND_ONLY.flatMap((table) =>
  ['update', 'delete'].map(
    (verb) => `create trigger ${table}_no_${verb} before ${verb} on ${table} begin select raise(abort, '${table} is append-only'); end`,
  ),
);
const POSTGRES_TRIGGERS = APPEND_ONLY.map(
  (table) =>
    `create trigger ${table}_append_only before update or delete on ${table} for each row execute function sightline_append_only()`,
);

interface Dialect {
  readonly clustered: '' | ' without rowid';
  /** Type of ids: PostgreSQL compares them byte by byte, as SQLite does, and not by the rules of a language. */
  readonly id: 'text' | 'text collate "C"';
  readonly serial: string;
  /** SQLite has few open holds at a time and scans them faster than it maintains an index. */
  readonly holdIndex: readonly string[];
}

const tables = ({ clustered, id, serial, holdIndex }: Dialect): readonly string[] => [
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
  ...holdIndex,
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
];

const SQLITE: Dialect = { clustered: ' without rowid', id: 'text', serial: 'integer primary key', holdIndex: [] };
const POSTGRES: Dialect = {
  clustered: '',
  id: 'text collate "C"',
  serial: 'bigint generated always as identity primary key',
  holdIndex: ['create index holds_expires on holds (expires_at)'],
};

/** Version 1: accounts, ledger, keys, usage, audit. */
export const MIGRATION_0001 = {
  embedded: [...tables(SQLITE), ...EMBEDDED_TRIGGERS],
  postgres: [...tables(POSTGRES), REFUSE_CHANGES, ...LEDGER_FUNCTIONS, ...POSTGRES_TRIGGERS],
};
