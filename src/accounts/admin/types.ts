import type { Page, StatementEntry } from '../../billing/types.ts';
import type { LedgerReport } from '../../billing/verify.ts';
import type { AccountRequest } from '../../contract/account/schemas.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import type { UsageDay } from '../types.ts';
import type { OperatorExplanation } from '../usage/explain.ts';
import type { AuditEntry, AuditReport } from './audit.ts';

/** An operator's mistake. The message is printed on the terminal. */
export class AdminError extends OperatorError {
  override readonly name = 'AdminError';
  /** `missing`: the account, key or client does not exist. */
  readonly kind: 'wrong' | 'missing';
  constructor(message: string, kind: 'wrong' | 'missing' = 'wrong') {
    super(message);
    this.kind = kind;
  }
}

export interface AccountSummary {
  readonly accountId: string;
  readonly name: string;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Free credits. */
  readonly balance: number;
  readonly held: number;
  /** Since this time its keys and clients are refused. */
  readonly suspendedAt: string | null;
}
export interface KeySummary {
  readonly keyId: string;
  readonly accountId: string;
  readonly label: string;
  /** First characters of the key. */
  readonly hint: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To the minute or so. */
  readonly lastUsedAt: string | null;
  readonly operations: readonly string[] | null;
  readonly addresses: readonly string[] | null;
  readonly creditsPerDay: number | null;
  readonly creditsPerMonth: number | null;
  readonly ratePerSecond: number | null;
  readonly rateBurst: number | null;
  /** The key that replaced this one. */
  readonly replacedBy: string | null;
  /** It may make, change, replace and revoke keys of its account. */
  readonly manages: boolean;
  /** The key, or the session opened by a link, that made it; null: the operator. */
  readonly madeBy: string | null;
}
/** A key of a list in which each key follows the one that made it. */
export interface ListedKey extends KeySummary {
  /** Number of makers above it. */
  readonly depth: number;
}
/** The only result that contains the raw key. */
export interface NewKey extends KeySummary {
  readonly key: string;
}
export interface KeyWishes {
  /** Optional if there is only one account. */
  readonly accountId?: string;
  readonly label?: string;
  /** RFC 3339. */
  readonly expiresAt?: string | null;
  readonly operations?: readonly string[] | null;
  /** CIDRs or addresses. */
  readonly addresses?: readonly string[] | null;
  readonly creditsPerDay?: number | null;
  readonly creditsPerMonth?: number | null;
  readonly ratePerSecond?: number | null;
  readonly rateBurst?: number | null;
}

export interface ClientSummary {
  readonly clientId: string;
  readonly accountId: string;
  readonly label: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To the minute or so. */
  readonly lastUsedAt: string | null;
  /** Null: all. */
  readonly scopes: readonly string[] | null;
}
/** What a person granted to an app. It is a key: `revokeKey` ends it. */
export interface GrantSummary {
  readonly keyId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly label: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly creditsPerDay: number | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}
/** The only result that contains the client secret. */
export interface NewClient extends ClientSummary {
  readonly clientSecret: string;
}
export interface ClientWishes {
  /** Optional if there is only one account. */
  readonly accountId?: string;
  readonly label?: string;
  /** RFC 3339. */
  readonly expiresAt?: string | null;
  readonly scopes?: readonly string[] | null;
}

/** Parameters and results are plain JSON, which the admin socket transfers unchanged. Throws AdminError for an operator's mistakes. */
export interface Admin {
  createAccount(p: { name: string; credits?: number }): Promise<AccountSummary>;
  listAccounts(): Promise<readonly AccountSummary[]>;
  showAccount(p: { accountId?: string }): Promise<AccountSummary>;
  /** A negative number removes credits. A reference is applied once. */
  grant(p: { accountId?: string; credits: number; note?: string; reference?: string }): Promise<AccountSummary>;
  renameAccount(p: { accountId: string; name: string }): Promise<AccountSummary>;
  /** Its keys and clients are refused until it is resumed. In effect as `revokeKey` is. */
  suspendAccount(p: { accountId: string }): Promise<AccountSummary>;
  resumeAccount(p: { accountId: string }): Promise<AccountSummary>;
  /** Revokes keys and clients, removes the free credits and the name; keeps ledger, audit log and usage. Returns the credits removed. */
  deleteAccount(p: { accountId: string }): Promise<{ readonly accountId: string; readonly creditsTaken: number }>;
  /** Requests and credits by day, operation, key and status. Days are UTC; default: the last 30. */
  accountUsage(p: { accountId: string; from?: string; to?: string; after?: string; limit?: number }): Promise<Page<UsageDay>>;
  /** Entries of the ledger, newest first. */
  accountLedger(p: { accountId: string; receipt?: string; after?: string; limit?: number }): Promise<Page<StatementEntry>>;
  /** Requests of the last 30 days, newest first. A page may be shorter than its limit although there are more. */
  accountRequests(p: {
    accountId: string;
    operation?: string;
    status?: number;
    /** `X-Request-Id` of the caller. */
    label?: string;
    from?: string;
    to?: string;
    after?: string;
    limit?: number;
  }): Promise<Page<AccountRequest>>;
  /** The request with this id, else the newest with this label, of any account; `others` are all that have the label. */
  explainRequest(p: { requestId: string }): Promise<OperatorExplanation>;
  /** Changes the given fields; null removes a limit. In effect as `revokeKey` is. */
  editKey(p: { keyId: string } & Omit<KeyWishes, 'accountId'>): Promise<KeySummary>;
  /** `manage`: it may make, change, replace and revoke keys of its account. */
  createKey(p: KeyWishes & { manage?: boolean }): Promise<NewKey>;
  listKeys(p?: { accountId?: string }): Promise<readonly ListedKey[]>;
  /**
   * Ends the key with its sessions, and unless `keepDescendants` every key that it made, and that these made. In effect when it resolves
   * (embedded store), or within a second on every gateway (PostgreSQL).
   */
  revokeKey(p: { keyId: string; keepDescendants?: boolean }): Promise<KeySummary>;
  /** Creates a key with the rights, limits and spent credits of the old one: both count together. The old key stays valid for `graceMs` (default 0: revoked now). */
  rerollKey(p: { keyId: string; graceMs?: number }): Promise<NewKey>;
  /** Grants of apps, also those that have ended. */
  listGrants(p?: { accountId?: string }): Promise<readonly GrantSummary[]>;
  createClient(p: ClientWishes): Promise<NewClient>;
  listClients(p?: { accountId?: string }): Promise<readonly ClientSummary[]>;
  /** Revokes the client and all its tokens. In effect as `revokeKey` is. */
  revokeClient(p: { clientId: string }): Promise<ClientSummary>;
  /** Creates a signing key and uses it at once; with `drop` all earlier tokens are refused. */
  rotateSigningKey(p?: { drop?: boolean }): Promise<{ readonly kid: string; readonly dropped: number }>;
  /** `anchor`: lines of `anchorLedger`, kept outside the store; each head in them must still be in its chain. */
  verifyLedger(p?: { anchor?: string }): Promise<LedgerReport>;
  verifyAudit(p?: { anchor?: string }): Promise<AuditReport>;
  /** The signed heads of all chains, one line. */
  anchorLedger(): Promise<{ readonly line: string }>;
  auditLog(p?: { limit?: number }): Promise<readonly AuditEntry[]>;
  /** Creates the first account, with the free credits and a key; null if an account exists. */
  ensureFirstAccount(): Promise<NewKey | null>;
}
