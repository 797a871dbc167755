const tables = (clustered: '' | ' without rowid') => [
  `create table clients (id text primary key, account_id text not null references accounts (id), secret_hash text not null,
          label text not null, scopes text, created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint)`,
  'create index clients_account on clients (account_id)',
  `create table signing_keys (kid text primary key, alg text not null, public text not null, sealed text not null,
          created_at bigint not null, signs_from bigint not null, dropped_at bigint)${clustered}`,
  "insert into changes (name, n) values ('signing', 0)",
];

/** Version 2: OAuth clients and signing keys. */
export const MIGRATION_0002 = { embedded: tables(' without rowid'), postgres: tables('') };
