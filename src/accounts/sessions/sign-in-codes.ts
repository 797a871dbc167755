import { writeAudit } from '../admin/audit.ts';
import { hashOf } from '../keys/keys.ts';
import { randomToken, type SessionsParts } from './sessions.ts';

/** For whom a code opens a session; `accountId` null: the operator. */
type CodeOwner = { readonly accountId: string | null };

export type SignInCodes = ReturnType<typeof createSignInCodes>;

export const CODE_MS = 60_000;

/** One-time codes that open a session of the console: 256 random bits, valid for 60 seconds, kept as SHA-256. `actor`: recorded in the audit log. */
export const createSignInCodes = ({ store: { db }, clock, randomBytes, actor }: SessionsParts & { readonly actor: string }) => ({
  /** Makes a code and its audit entry. The account must exist. `expiresAt`: epoch ms. */
  async make({ accountId }: CodeOwner): Promise<{ readonly code: string; readonly expiresAt: number }> {
    const now = clock.now();
    const code = randomToken(randomBytes);
    const expiresAt = now + CODE_MS;
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute();
      const row = { hash: hashOf(code), account_id: accountId, expires_at: expiresAt };
      await trx.insertInto('sign_in_codes').values(row).execute();
      await writeAudit(trx, now, { actor, action: 'code.create', subject: accountId ?? 'operator', facts: {} });
    });
    return { code, expiresAt };
  },
  /** Uses a code up; null: unknown, used before, older than 60 seconds, or not for this kind of listener. */
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
