import type { Generated, Selectable } from 'kysely';
import type { WatchTables } from './watch-tables.ts';

/** Tables of the store, the same on both backends. Timestamps are epoch ms of the store's clock; absent values are null. */
export interface Tables extends WatchTables {
  kysely_migration: { name: string; timestamp: string };
  accounts: AccountRow;
  balances: BalanceRow;
  journal: JournalTableRow;
  /** References of grants: each is granted once per account. */
  grant_references: { account_id: string; reference: string };
  keys: KeyTable;
  key_spend: { key_id: string; period: string; credits: number };
  /** Number of changes of keys, clients and accounts, which gateways poll. */
  changes: { name: string; n: number };
  audit: AuditRow;
  request_log: RequestLogRow;
  /** Where the requests with a label of the caller are: account and time of rows of the request log. */
  request_labels: { label: string; account_id: string; at: number };
  usage_days: UsageDayRow;
  clients: ClientRow;
  signing_keys: SigningKeyRow;
  sessions: SessionRow;
  /** Codes that open one session of the console: SHA-256 of the code, hex. `account_id` null: for the operator. */
  sign_in_codes: { hash: string; account_id: string | null; expires_at: number };
  field_hours: FieldHourRow;
  installation: InstallationRow;
  /** Credentials of sources that were entered in the console, by setting: sealed with the secret of the service. */
  source_credentials: { name: string; sealed: string; hint: string; set_at: number };
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
  balance: number;
  /** Credits of open holds: the journal says which are open. */
  held: number;
  /** Number and hash of the last row in the journal; 0 and '' before the first. */
  seq: number;
  head: string;
}

/** One link of an account's chain: what one batch did to it. */
export interface JournalTableRow {
  account_id: string;
  seq: number;
  at: number;
  /** Entries, one a line (billing/rules.ts). */
  lines: string;
  /** SHA-256 of the columns above and of the hash before it, hex. */
  hash: string;
  /** Balance and held credits after it: the sum of all its credits and those before; null in rows of versions without this column. */
  total: number | null;
}

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
  facts: string;
  hash: string;
}

/** Requests of an account that were written together. */
export interface RequestLogRow {
  id: Generated<number>;
  account_id: string;
  at: number;
  /** JSON, in an embedded store also compressed (accounts/usage/rows.ts). */
  requests: string | Uint8Array;
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

export interface SessionRow {
  /** SHA-256 of the token in the cookie, hex. */
  hash: string;
  id: string;
  /** Null: a session of the operator. */
  account_id: string | null;
  /** The API key that opened it and with which it ends; null: opened by a code. */
  key_id: string | null;
  /** Of the operator: SHA-256 of the token of the admin listener or of the operator's key, with which the session ends, hex. */
  admin_token_hash: string | null;
  created_at: number;
  last_used_at: number;
  expires_at: number;
}

/** The one row of the installation, `this`. */
export interface InstallationRow {
  id: string;
  /** SHA-256 of the setup code, hex; null: none was made, or the installation was claimed. */
  code_hash: string | null;
  /** Null: it does not expire. */
  code_expires_at: number | null;
  /** Wrong codes that were tried since this one was made. */
  code_wrong: Generated<number>;
  printed_at: number | null;
  /** SHA-256 of the operator's key, hex; null: there is none. */
  operator_key_hash: string | null;
  operator_key_hint: string | null;
  operator_key_at: number | null;
}

/** How often a field of a source's answers had a value in an hour. */
export interface FieldHourRow {
  source: string;
  /** Source, operation and part. */
  stream: string;
  field: string;
  hour: number;
  answers: number;
  missing: number;
  unread: number;
  drifting: number;
}

export interface ClientRow {
  /** `client_id`. */
  id: string;
  account_id: string;
  /** SHA-256 of the client secret, hex. */
  secret_hash: string;
  label: string;
  /** JSON array of scopes; null: all. */
  scopes: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

export interface SigningKeyRow {
  kid: string;
  alg: string;
  public: string;
  /** Private JWK, encrypted with the service's secret. */
  sealed: string;
  created_at: number;
  /** Start of signing; it ends when a newer key starts. */
  signs_from: number;
  /** Since this time all its signatures are refused. */
  dropped_at: number | null;
}

/** An app that registered itself (RFC 7591). */
export interface AppRow {
  /** `client_id`. */
  id: string;
  name: string;
  /** JSON array. */
  redirect_uris: string;
  created_at: number;
  /** Time of the last consent; null: none yet. */
  used_at: number | null;
}

/** What a person granted to an app. Stored as a key whose secret is never issued; account, cap, duration and expiry are the key's. */
export interface GrantRow {
  key_id: string;
  client_id: string;
  redirect_uri: string;
  /** PKCE challenge of its code, S256. */
  challenge: string;
  /** Audience of its access tokens. */
  resource: string;
  /** JSON array. */
  scopes: string;
  expires_at: number;
}

/** The code of a grant or, once it is used, the current refresh token. One row a grant; a second use of a code or token ends the grant. */
export interface GrantTokenRow {
  /** SHA-256 of the code, hex: the beginning of each refresh token repeats it. */
  hash: string;
  key_id: string;
  kind: 'code' | 'refresh';
  expires_at: number;
  /** Time of the last refresh; null: none yet. */
  used_at: number | null;
  /** SHA-256 of the only refresh token that is valid, hex; null: a code, or a token of an earlier version, whose hash is `hash`. */
  current: string | null;
  /** HMAC over the other columns under the key of anchors. */
  seal: string | null;
}
