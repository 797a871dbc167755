/** A grant has one row of tokens with the hash of its current refresh token; `seal` is an HMAC over the row. Used tokens of before go. */
const STATEMENTS: readonly string[] = [
  'delete from grant_tokens where used_at is not null',
  'alter table grant_tokens add column current text',
  'alter table grant_tokens add column seal text',
  'create index grant_tokens_key on grant_tokens (key_id)',
  // 0: watches and grants of before are not in the audit log yet
  "insert into changes (name, n) values ('bound', 0)",
];

export const MIGRATION_0002 = { embedded: STATEMENTS, postgres: STATEMENTS };
