import { hash } from 'node:crypto';
import { writeAudit } from '../admin/audit.ts';
import { randomToken, type SessionsParts } from './sessions.ts';

/** For whom a code opens a session; `accountId` null: the operator. */
export interface CodeOwner {
  readonly accountId: string | null;
}

/** One-time codes that open a session of the console: 256 random bits, valid for 60 seconds, kept as SHA-256. */
export interface SignInCodes {
  /** Makes a code and its audit entry. The account must exist. `expiresAt`: epoch ms. */
  make(owner: CodeOwner): Promise<{ readonly code: string; readonly expiresAt: number }>;
  /** Uses a code up; null: unknown, used before, older than 60 seconds, or not for this kind of listener. */
  redeem(code: string, kind: 'account' | 'operator'): Promise<CodeOwner | null>;
}

export const CODE_MS = 60_000;

const hashOf = (code: string): string => hash('sha256', code, 'hex');

/** `actor`: recorded in the audit log. */
export const createSignInCodes = ({
  store: { db },
  clock,
  randomBytes,
  actor,
}: SessionsParts & { readonly actor: string }): SignInCodes => ({
  async make({ accountId }) {
    const now = clock.now();
    const code = randomToken(randomBytes);
    const expiresAt = now + CODE_MS;
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute();
      await trx
        .insertInto('sign_in_codes')
        .values({ hash: hashOf(code), account_id: accountId, expires_at: expiresAt })
        .execute();
      await writeAudit(trx, now, { actor, action: 'code.create', subject: accountId ?? 'operator', facts: {} });
    });
    return { code, expiresAt };
  },
  async redeem(code, kind) {
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
