const tables = (clustered: '' | ' without rowid') => [
  `create table sessions (hash text primary key, id text not null unique, account_id text references accounts (id), key_id text,
          admin_token_hash text, created_at bigint not null, last_used_at bigint not null, expires_at bigint not null)${clustered}`,
  'create index sessions_account on sessions (account_id)',
  `create table sign_in_codes (hash text primary key, account_id text references accounts (id), expires_at bigint not null)${clustered}`,
];

/** Version 6: sessions of the console and the codes that open them. */
export const MIGRATION_0006 = { embedded: tables(' without rowid'), postgres: tables('') };
