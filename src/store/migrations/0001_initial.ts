/** The store's clock, epoch ms. Tests replace it. */
const NOW = `create or replace function sightline_now() returns bigint language sql volatile as
  $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint $$`;

const REFUSE_CHANGES = `create or replace function sightline_append_only() returns trigger language plpgsql as
  $$ begin raise exception '% is append-only', tg_table_name; end $$`;
const APPEND_ONLY = ['journal', 'audit'];

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
}

const tables = ({ clustered, id, serial }: Dialect): readonly string[] => [
  `create table accounts (id ${id} primary key, name text not null, created_at bigint not null,
          suspended_at bigint, deleted_at bigint)`,
  `create table balances (account_id ${id} primary key references accounts (id), balance bigint not null check (balance >= 0),
          held bigint not null check (held >= 0), seq bigint not null, head text not null)${clustered}`,
  `create table journal (account_id ${id} not null, seq bigint not null, at bigint not null, lines text not null, hash text not null,
          primary key (account_id, seq))`,
  `create table grant_references (account_id ${id} not null, reference ${id} not null, primary key (account_id, reference))${clustered}`,
  `create table keys (id text primary key, account_id text not null references accounts (id), hash text not null unique,
          hint text not null, label text not null, operations text, cidrs text, cap_day bigint, cap_month bigint, rate_per_second bigint,
          rate_burst bigint, created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint, replaced_by text,
          manage bigint not null default 0, made_by text, counted_as text)`,
  'create index keys_account on keys (account_id)',
  `create table key_spend (key_id text not null, period text not null, credits bigint not null check (credits >= 0),
          primary key (key_id, period))${clustered}`,
  'create table changes (name text primary key, n bigint not null)',
  "insert into changes (name, n) values ('keys', 0), ('audit', 0), ('signing', 0)",
  `create table audit (seq bigint primary key, at bigint not null, actor text not null, action text not null, subject text not null,
          facts text not null, hash text not null)`,
  `create table request_log (id ${serial}, account_id text not null, at bigint not null, requests text not null)`,
  'create index request_log_account on request_log (account_id, id)',
  'create index request_log_at on request_log (at)',
  `create table request_labels (label text not null, account_id text not null, at bigint not null,
          primary key (label, account_id, at))${clustered}`,
  'create index request_labels_at on request_labels (at)',
  `create table usage_days (account_id text not null, day text not null, operation text not null, key_id text not null,
          status bigint not null, requests bigint not null, credits bigint not null,
          primary key (account_id, day, operation, key_id, status))${clustered}`,
  `create table clients (id text primary key, account_id text not null references accounts (id), secret_hash text not null,
          label text not null, scopes text, created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint)`,
  'create index clients_account on clients (account_id)',
  `create table signing_keys (kid text primary key, alg text not null, public text not null, sealed text not null,
          created_at bigint not null, signs_from bigint not null, dropped_at bigint)${clustered}`,
  `create table sessions (hash text primary key, id text not null unique, account_id text references accounts (id), key_id text,
          admin_token_hash text, created_at bigint not null, last_used_at bigint not null, expires_at bigint not null)${clustered}`,
  'create index sessions_account on sessions (account_id)',
  `create table sign_in_codes (hash text primary key, account_id text references accounts (id), expires_at bigint not null)${clustered}`,
  `create table field_hours (source text not null, stream text not null, field text not null, hour bigint not null, answers bigint not null,
          missing bigint not null, unread bigint not null, drifting bigint not null, primary key (stream, field, hour))${clustered}`,
  'create index field_hours_hour on field_hours (hour)',
  `create table apps (id text primary key, name text not null, redirect_uris text not null, created_at bigint not null,
          used_at bigint)${clustered}`,
  `create table grants (key_id text primary key references keys (id), client_id text not null, redirect_uri text not null,
          challenge text not null, resource text not null, scopes text not null, expires_at bigint not null)${clustered}`,
  `create table grant_tokens (hash text primary key, key_id text not null references grants (key_id), kind text not null,
          expires_at bigint not null, used_at bigint)${clustered}`,
  `create table watches (n ${serial}, id text not null unique, account_id text references accounts (id), key_id text not null,
          name text, operation text not null, parameters text not null, fields text, facts text, every_ms bigint not null,
          credits_per_month bigint not null, paused bigint not null, created_at bigint not null, next_at bigint not null,
          claim text, claim_until bigint, checked_at bigint, fails bigint not null, pending text, pending_at bigint, absent text,
          webhook_url text, webhook_secret text, webhook_old_secret text, webhook_old_until bigint, webhook_failing_at bigint,
          webhook_disabled_at bigint, webhook_error text)`,
  'create index watches_account on watches (account_id, n)',
  'create index watches_next on watches (next_at)',
  `create table watch_answers (watch bigint not null, source text not null, body text not null, unread text not null,
          seen text not null, primary key (watch, source))${clustered}`,
  `create table watch_checks (watch integer not null, slot bigint not null, credits integer not null, outcome text not null, code text,
          source text, body text, value double precision, primary key (watch, slot))${clustered}`,
  `create table watch_bodies (watch bigint not null, hash text not null, operation text not null, body text not null,
          read_at bigint not null, stripped bigint not null, primary key (watch, hash))${clustered}`,
  'create index watch_bodies_read on watch_bodies (read_at)',
  'create index watch_bodies_texts on watch_bodies (operation, read_at) where stripped = 0',
  `create table watch_changes (account_id text not null, n bigint not null, watch bigint not null, slot bigint not null, at bigint not null,
          kind text not null, field text not null, key text, before text not null, after text not null, source text,
          stripped bigint not null, primary key (account_id, n))${clustered}`,
  'create index watch_changes_watch on watch_changes (watch, n)',
  'create index watch_changes_texts on watch_changes (at) where stripped = 0',
  `create table watch_feeds (account_id text primary key, n bigint not null)${clustered}`,
  `create table watch_deliveries (watch bigint not null, cursor bigint not null, kinds text not null, created_at bigint not null,
          attempts bigint not null, next_at bigint, delivered_at bigint, result text, primary key (watch, cursor))${clustered}`,
  'create index watch_deliveries_next on watch_deliveries (next_at) where next_at is not null',
];

const SQLITE: Dialect = { clustered: ' without rowid', id: 'text', serial: 'integer primary key' };
const POSTGRES: Dialect = {
  clustered: '',
  id: 'text collate "C"',
  serial: 'bigint generated always as identity primary key',
};

export const MIGRATION_0001 = {
  embedded: [...tables(SQLITE), ...EMBEDDED_TRIGGERS],
  postgres: [...tables(POSTGRES), REFUSE_CHANGES, NOW, ...POSTGRES_TRIGGERS],
};
