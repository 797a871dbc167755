import { type InferResult, type Kysely, sql, type Transaction } from 'kysely';
import { type Clock, DAY_MS, HOUR_MS } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import type { Store } from '../../store/store.ts';
import type { SessionRow, Tables } from '../../store/tables.ts';
import { writeAudit } from '../admin/audit.ts';
import { callerOf, hashOf, isLimited } from '../keys/keys.ts';

/** Whose session it is. An account's session is opened by a key, whose limits and rights it has, or by a code (`keyId` null), with all. */
export type SessionOwner =
  | { readonly kind: 'account'; readonly accountId: string; readonly keyId: string | null }
  /** `adminTokenHash`: SHA-256 of the token of the admin listener, or of the operator's key, with which it ends, hex. */
  | { readonly kind: 'operator'; readonly adminTokenHash: string };

/** A session that is valid now. Times are epoch ms. */
export type Session = NonNullable<ReturnType<typeof sessionOf>>;
export type Sessions = ReturnType<typeof createSessions>;

export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_MAX_MS = 7 * DAY_MS;
const TOUCH_MS = 60_000;
/** Sessions of one account, and of the operator: opening another one ends the one that was used longest ago. */
export const MAX_SESSIONS = 100;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
/** Key id in ledger and usage of an account's session that was opened by a code. */
export const CONSOLE_KEY_ID = 'console';
/** Key id in ledger and usage of requests that the operator sends as an account. */
export const OPERATOR_KEY_ID = 'operator';

export const randomToken = (randomBytes: RandomBytes): string => Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');

export interface SessionsParts {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomBytes: RandomBytes;
}

/** Sessions of the console. The store keeps the SHA-256 of their tokens; nothing is cached, so that an end is in effect at once everywhere. */
export function createSessions({ store: { db }, clock, randomBytes }: SessionsParts) {
  const rowsOf = (accountId: string | null) => sessionRows(db).where('sessions.account_id', accountId === null ? 'is' : '=', accountId);

  /** Deletes expired sessions, and beyond the limit those of this owner that were used longest ago. */
  async function makeRoom(trx: Transaction<Tables>, accountId: string | null, now: number): Promise<void> {
    const isOver = sql<boolean>`(expires_at <= ${now} or last_used_at <= ${now - SESSION_IDLE_MS})`;
    const over = await trx.selectFrom('sessions').select('hash').where(isOver).execute();
    await remove(trx, over, now);
    const found = await trx
      .selectFrom('sessions')
      .select('hash')
      .where('account_id', accountId === null ? 'is' : '=', accountId)
      .orderBy('last_used_at', 'desc')
      .orderBy('created_at', 'desc')
      .execute();
    await remove(trx, found.slice(MAX_SESSIONS - 1), now);
  }

  /** The sessions that this one may end, newest first: those of its key; of its account if it manages keys without limits; or of the operator. */
  async function list(session: Session): Promise<readonly (Session & { readonly hash: string })[]> {
    const { owner } = session;
    const now = clock.now();
    const rows = await rowsOf(owner.kind === 'account' ? owner.accountId : null).execute();
    return rows
      .flatMap((row) => {
        const found = sessionOf(row, now);
        return found && mayEnd(session, found) ? [{ ...found, hash: row.hash }] : [];
      })
      .sort((a, b) => b.createdAt - a.createdAt || a.sessionId.localeCompare(b.sessionId));
  }

  const endThese = (ended: readonly { readonly hash: string }[]): Promise<number> =>
    db.transaction().execute((trx) => remove(trx, ended, clock.now()));

  return {
    /**
     * Opens a session, which is written into the audit log, as its end is. `token` (256 random bits, base64url) is known to the cookie only.
     * `session` null: its key or account is not accepted any more.
     */
    async open(owner: SessionOwner): Promise<{ readonly token: string; readonly sessionId: string; readonly session: Session | null }> {
      const now = clock.now();
      const token = randomToken(randomBytes);
      const account = owner.kind === 'account' ? owner : null;
      const row: SessionRow = {
        hash: hashOf(token),
        id: `ses_${Buffer.from(randomBytes(10)).toString('hex')}`,
        account_id: account?.accountId ?? null,
        key_id: account?.keyId ?? null,
        admin_token_hash: owner.kind === 'operator' ? owner.adminTokenHash : null,
        created_at: now,
        last_used_at: now,
        expires_at: now + SESSION_MAX_MS,
      };
      const session = await db.transaction().execute(async (trx) => {
        await makeRoom(trx, row.account_id, now);
        await trx.insertInto('sessions').values(row).execute();
        const { hash, account_id: accountId, key_id: keyId, expires_at: expiresAt, admin_token_hash } = row;
        const facts = { accountId, keyId, hash, expiresAt, ...(accountId === null && { adminTokenHash: admin_token_hash }) };
        await writeAudit(trx, now, { actor: actorOf(accountId, keyId), action: 'session.open', subject: row.id, facts });
        return sessionOf(await sessionRows(trx).where('sessions.hash', '=', hash).executeTakeFirstOrThrow(), now);
      });
      return { token, sessionId: row.id, session };
    },
    /** The valid session of a token. Null: unknown, malformed, ended, idle for 12 hours, or its key or account is not accepted any more. */
    async find(token: string): Promise<Session | null> {
      if (!TOKEN.test(token)) return null;
      const now = clock.now();
      const row = await sessionRows(db).where('sessions.hash', '=', hashOf(token)).executeTakeFirst();
      const found = row ? sessionOf(row, now) : null;
      if (!row || !found || now - found.lastUsedAt < TOUCH_MS) return found;
      await db.updateTable('sessions').set({ last_used_at: now }).where('hash', '=', row.hash).execute();
      return { ...found, lastUsedAt: now, idleExpiresAt: Math.min(now + SESSION_IDLE_MS, found.expiresAt) };
    },
    async end(token: string): Promise<void> {
      await endThese([{ hash: hashOf(token) }]);
    },
    list,
    /** Ends one of `list`; false if it is not among them. */
    endOne: async (session: Session, sessionId: string): Promise<boolean> =>
      (await endThese((await list(session)).filter((each) => each.sessionId === sessionId))) > 0,
    endAll: async (session: Session): Promise<number> => endThese(await list(session)),
    endAllOf: async (accountId: string): Promise<number> =>
      endThese(await db.selectFrom('sessions').select('hash').where('account_id', '=', accountId).execute()),
  };
}

/** Name of the owner of a session in the audit log; `accountId` null: the operator. */
export const actorOf = (accountId: string | null, keyId: string | null): string =>
  accountId === null ? 'operator' : (keyId ?? `console:${accountId}`);

async function remove(trx: Transaction<Tables>, ended: readonly { readonly hash: string }[], now: number): Promise<number> {
  if (!ended.length) return 0;
  const hashes = ended.map(({ hash: each }) => each);
  const rows = await trx.deleteFrom('sessions').where('hash', 'in', hashes).returning(['id', 'account_id', 'key_id']).execute();
  for (const { id, account_id, key_id } of rows)
    await writeAudit(trx, now, { actor: actorOf(account_id, key_id), action: 'session.end', subject: id, facts: {} });
  return rows.length;
}

/** Whether `other`, of the same account or of the operator too, is within reach of a session. */
const mayEnd = (session: Session, other: Session): boolean => {
  if (session.owner.kind === 'operator') return other.owner.kind === 'operator';
  return other.owner.kind === 'account' && ((session.manages && !session.limited) || other.owner.keyId === session.owner.keyId);
};

const sessionRows = (db: Kysely<Tables>) =>
  db
    .selectFrom('sessions')
    .leftJoin('accounts', 'accounts.id', 'sessions.account_id')
    .leftJoin('keys', 'keys.id', 'sessions.key_id')
    .selectAll('sessions')
    .select(['accounts.name', 'accounts.suspended_at', 'keys.id as found_key', 'keys.expires_at as key_expires_at', 'keys.revoked_at'])
    .select(['operations', 'cidrs', 'cap_day', 'cap_month', 'rate_per_second', 'rate_burst', 'manage', 'counted_as']);

type JoinedRow = InferResult<ReturnType<typeof sessionRows>>[number];

function sessionOf(row: JoinedRow, now: number) {
  const expiresAt = Math.min(row.expires_at, row.key_expires_at ?? Number.POSITIVE_INFINITY);
  const idleExpiresAt = Math.min(row.last_used_at + SESSION_IDLE_MS, expiresAt);
  if (idleExpiresAt <= now || row.suspended_at !== null || row.revoked_at !== null || row.found_key !== row.key_id) return null;
  const owner = ownerOf(row);
  if (!owner) return null;
  const key = { ...row, expires_at: row.key_expires_at };
  const limited = isLimited(key);
  const manages = row.key_id === null || row.manage === 1;
  return {
    /** Names the session in lists; it opens nothing. */
    sessionId: row.id,
    owner,
    name: row.name,
    createdAt: row.created_at,
    /** To the minute. */
    lastUsedAt: row.last_used_at,
    idleExpiresAt,
    /** When it ends in any case: after seven days, or with its key. */
    expiresAt,
    /** The caller of a lookup; null for the operator. */
    caller:
      owner.kind === 'account'
        ? {
            ...callerOf(owner.keyId ?? CONSOLE_KEY_ID, owner.accountId, key),
            manages: manages && !limited,
            session: manages ? ('manages' as const) : ('reads' as const),
          }
        : null,
    /** Whether its key has limits: such a session sees and manages its own key only. */
    limited,
    /** Whether it may change keys: a code opened it, or a key that manages keys. */
    manages,
  };
}

function ownerOf({ account_id: accountId, key_id: keyId, admin_token_hash: adminTokenHash }: JoinedRow): SessionOwner | null {
  if (accountId !== null) return { kind: 'account', accountId, keyId };
  return adminTokenHash === null ? null : { kind: 'operator', adminTokenHash };
}

/** For whom a code opens a session; `accountId` null: the operator. */
type CodeOwner = { readonly accountId: string | null };

export type SignInCodes = ReturnType<typeof createSignInCodes>;

export const CODE_MS = 60_000;

/** One-time codes that open a session of the console: 256 random bits, valid for 60 seconds where nothing else is said, stored as SHA-256. */
export const createSignInCodes = ({ store: { db }, clock, randomBytes }: SessionsParts) => ({
  /** Makes a code and its audit entry. The account must exist. `expiresAt`: epoch ms. */
  async make({ accountId }: CodeOwner, lifeMs = CODE_MS): Promise<{ readonly code: string; readonly expiresAt: number }> {
    const now = clock.now();
    const code = randomToken(randomBytes);
    const expiresAt = now + lifeMs;
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute();
      const row = { hash: hashOf(code), account_id: accountId, expires_at: expiresAt };
      await trx.insertInto('sign_in_codes').values(row).execute();
      await writeAudit(trx, now, { actor: 'operator', action: 'code.create', subject: accountId ?? 'operator', facts: {} });
    });
    return { code, expiresAt };
  },
  /** Uses a code up; null: unknown, used before, too old, or not for this kind of listener. */
  async redeem(code: string, kind: 'account' | 'operator'): Promise<CodeOwner | null> {
    // one statement: of two requests with the same code one finds it
    const row = await db
      .deleteFrom('sign_in_codes')
      .where('hash', '=', hashOf(code))
      .where('account_id', kind === 'operator' ? 'is' : 'is not', null)
      .returningAll()
      .executeTakeFirst();
    return row && row.expires_at > clock.now() ? { accountId: row.account_id } : null;
  },
});
