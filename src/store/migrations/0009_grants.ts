const tables = (clustered: '' | ' without rowid') => [
  `create table apps (id text primary key, name text not null, redirect_uris text not null, created_at bigint not null,
          used_at bigint)${clustered}`,
  `create table grants (key_id text primary key references keys (id), client_id text not null, redirect_uri text not null,
          challenge text not null, resource text not null, scopes text not null, expires_at bigint not null)${clustered}`,
  `create table grant_tokens (hash text primary key, key_id text not null references grants (key_id), kind text not null,
          expires_at bigint not null, used_at bigint)${clustered}`,
];

/** Version 9: apps that registered themselves, what persons granted to apps, their codes and refresh tokens. */
export const MIGRATION_0009 = { embedded: tables(' without rowid'), postgres: tables('') };
