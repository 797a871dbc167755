import type { Generated, Selectable } from 'kysely';
import type { AppRow, ClientRow, GrantRow, GrantTokenRow, SigningKeyRow } from './oauth-tables.ts';

/** Tables of the store, the same on both backends. Timestamps are epoch ms of the store's clock; absent values are null. */
export interface Tables {
  /** Schema versions up to 4, as stores made before `kysely_migration` record them. */
  migrations: { version: number; name: string; at: number };
  kysely_migration: { name: string; timestamp: string };
  accounts: AccountRow;
  balances: BalanceRow;
  links: LinkRow;
  entries: EntryRow;
  holds: HoldRow;
  keys: KeyTable;
  key_spend: { key_id: string; period: string; credits: number };
  /** Number of key changes. Gateways poll it in case a notification is lost. */
  changes: { name: string; n: number };
  audit: AuditRow;
  usage: UsageTableRow;
  usage_days: UsageDayRow;
  clients: ClientRow;
  signing_keys: SigningKeyRow;
  sessions: SessionRow;
  sign_in_codes: SignInCodeRow;
  field_hours: FieldHourRow;
  apps: AppRow;
  grants: GrantRow;
  grant_tokens: GrantTokenRow;
}

export interface AccountRow {
  id: string;
  /** '' once the account is deleted. */
  name: string;
  created_at: number;
  /** Since this time its keys and clients are refused. */
  suspended_at: Generated<number | null>;
  deleted_at: Generated<number | null>;
}

export interface BalanceRow {
  account_id: string;
  /** Free credits, never negative. */
  balance: number;
  /** Credits of open holds. */
  held: number;
  /** Number and hash of the last link of the chain; 0 and '' before the first. */
  seq: number;
  head: string;
}

/** One link of an account's chain: one batch. */
export interface LinkRow {
  account_id: string;
  seq: number;
  at: number;
  entries: number;
  hash: string;
}

export interface EntryRow {
  account_id: string;
  link: number;
  n: number;
  kind: 'grant' | 'hold' | 'capture' | 'release' | 'expire';
  /** Change of balance + held: the sum over all entries equals balance + held. */
  credits: number;
  /** Change of the held credits: the sum over all entries equals held. */
  held: number;
  /** UUID of the hold, or the caller's reference of a grant. */
  hold: string;
  key_id: string;
  operation: string;
  label: string;
}

/** An open hold. A settled hold is deleted here and recorded in the entries. */
export interface HoldRow {
  id: string;
  account_id: string;
  key_id: string;
  amount: number;
  created_at: number;
  expires_at: number;
  /** 1 if the key has a credit cap, whose spent credits the settlement corrects. */
  capped: number;
}

/** A row of `keys` as it is read. */
export type KeyRow = Selectable<KeyTable>;

export interface KeyTable {
  id: string;
  account_id: string;
  /** SHA-256 of the raw key, hex. */
  hash: string;
  /** First characters of the raw key, to tell keys apart. */
  hint: string;
  label: string;
  /** JSON array of operation ids; null: all. */
  operations: string | null;
  /** JSON array of CIDRs; null: any address. */
  cidrs: string | null;
  cap_day: number | null;
  cap_month: number | null;
  rate_per_second: number | null;
  rate_burst: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** Id of the key that replaced this one. */
  replaced_by: string | null;
  /** 1: it may make, change, replace and revoke keys of its account. */
  manage: Generated<number>;
  /** Id of the key, or of the session opened by a code, that made it; null: the operator. */
  made_by: Generated<string | null>;
  /** Id of the first of the keys that it replaces: caps and rate of all of them are counted together. Null: its own. */
  counted_as: Generated<string | null>;
}

export interface AuditRow {
  seq: number;
  at: number;
  actor: string;
  action: string;
  subject: string;
  /** JSON object. */
  facts: string;
  hash: string;
}

export interface UsageTableRow {
  id: number;
  at: number;
  account_id: string;
  key_id: string;
  request_id: string;
  operation: string;
  status: number;
  code: string | null;
  credits: number;
  source: string | null;
  cache: string | null;
  duration_ms: number;
  upstream_ms: number;
  /** Path and query of a lookup whose parameters were valid; null for other requests and for rows of earlier versions. */
  target: Generated<string | null>;
  /** JSON of RequestDetails; null: nothing to tell. */
  details: Generated<string | null>;
  /** `X-Request-Id` of the caller; null: it sent none. */
  label: Generated<string | null>;
}

export interface UsageDayRow {
  account_id: string;
  day: string;
  operation: string;
  key_id: string;
  status: number;
  requests: number;
  credits: number;
}

/** A session of the console. */
export interface SessionRow {
  /** SHA-256 of the token in the cookie, hex. */
  hash: string;
  id: string;
  /** Null: a session of the operator. */
  account_id: string | null;
  /** The API key that opened it and with which it ends; null: opened by a code. */
  key_id: string | null;
  /** A session of the operator ends when the token of the admin listener changes: SHA-256 of that token, hex. */
  admin_token_hash: string | null;
  created_at: number;
  /** To the minute. */
  last_used_at: number;
  expires_at: number;
}

/** A code that opens one session of the console. */
export interface SignInCodeRow {
  /** SHA-256 of the code, hex. */
  hash: string;
  /** Null: for the operator. */
  account_id: string | null;
  expires_at: number;
}

/** How often a field of a source's answers had a value in an hour. */
export interface FieldHourRow {
  source: string;
  /** Source, operation and part. */
  stream: string;
  field: string;
  /** Hours since the epoch. */
  hour: number;
  answers: number;
  missing: number;
  unread: number;
  /** 1: the field drifted. */
  drifting: number;
}
