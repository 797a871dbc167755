import type { Page, StatementEntry } from '../../billing/types.ts';
import type { LedgerReport } from '../../billing/verify.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import type { UsageDay } from '../types.ts';
import type { AuditEntry, AuditReport } from './audit.ts';

/** What the operator did wrong, in words for the terminal. */
export class AdminError extends OperatorError {
  override readonly name = 'AdminError';
  /** `missing`: there is no such account, key or client. */
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
  /** Its keys and clients are refused since then. */
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
  /** The key that this one was rerolled to. */
  readonly replacedBy: string | null;
}
/** The one time that the raw key is seen. */
export interface NewKey extends KeySummary {
  readonly key: string;
}
export interface KeyWishes {
  /** Not needed where there is one account only. */
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
/** The one time that the secret is seen. */
export interface NewClient extends ClientSummary {
  readonly clientSecret: string;
}
export interface ClientWishes {
  /** Not needed where there is one account only. */
  readonly accountId?: string;
  readonly label?: string;
  /** RFC 3339. */
  readonly expiresAt?: string | null;
  readonly scopes?: readonly string[] | null;
}

/** Every method takes and gives plain JSON, so that the admin socket carries it as it is. Throws AdminError for the operator's mistakes. */
export interface Admin {
  createAccount(p: { name: string; credits?: number }): Promise<AccountSummary>;
  listAccounts(): Promise<readonly AccountSummary[]>;
  showAccount(p: { accountId?: string }): Promise<AccountSummary>;
  /** A negative number takes credits away. The same reference happens once. */
  grant(p: { accountId?: string; credits: number; note?: string; reference?: string }): Promise<AccountSummary>;
  renameAccount(p: { accountId: string; name: string }): Promise<AccountSummary>;
  /** Its keys and clients are refused, as fast as revoked ones, until it is resumed. */
  suspendAccount(p: { accountId: string }): Promise<AccountSummary>;
  resumeAccount(p: { accountId: string }): Promise<AccountSummary>;
  /** Ends keys and clients, takes the free credits and the name; ledger, audit log and usage stay. Gives the credits taken. */
  deleteAccount(p: { accountId: string }): Promise<{ readonly accountId: string; readonly creditsTaken: number }>;
  /** Requests and credits by day, operation, key and status. Days are UTC; default: the last 30. */
  accountUsage(p: { accountId: string; from?: string; to?: string; after?: string; limit?: number }): Promise<Page<UsageDay>>;
  /** Entries of the ledger, newest first. */
  accountLedger(p: { accountId: string; receipt?: string; after?: string; limit?: number }): Promise<Page<StatementEntry>>;
  /** Changes what is given; null takes a limit away. In effect as `revokeKey` is. */
  editKey(p: { keyId: string } & Omit<KeyWishes, 'accountId'>): Promise<KeySummary>;
  createKey(p: KeyWishes): Promise<NewKey>;
  listKeys(p?: { accountId?: string }): Promise<readonly KeySummary[]>;
  /** In effect when it resolves (embedded store), else within a second on every gateway. */
  revokeKey(p: { keyId: string }): Promise<KeySummary>;
  /** A new key like the old one, which goes on for `graceMs` (default 0: ends now). */
  rerollKey(p: { keyId: string; graceMs?: number }): Promise<NewKey>;
  createClient(p: ClientWishes): Promise<NewClient>;
  listClients(p?: { accountId?: string }): Promise<readonly ClientSummary[]>;
  /** Ends the client and every token of its. In effect as `revokeKey` is. */
  revokeClient(p: { clientId: string }): Promise<ClientSummary>;
  /** A new key signs access tokens; with `drop` no token signed before is accepted any more. */
  rotateSigningKey(p?: { drop?: boolean }): Promise<{ readonly kid: string; readonly dropped: number }>;
  /** `anchor`: lines of `anchorLedger`, kept outside the store; each head in them must still be in its chain. */
  verifyLedger(p?: { anchor?: string }): Promise<LedgerReport>;
  verifyAudit(p?: { anchor?: string }): Promise<AuditReport>;
  /** The signed heads of all chains, one line. */
  anchorLedger(): Promise<{ readonly line: string }>;
  auditLog(p?: { limit?: number }): Promise<readonly AuditEntry[]>;
  /** Makes an account with the free credits and a key where there is no account yet; null otherwise. */
  ensureFirstAccount(): Promise<NewKey | null>;
}
