import type { Transaction } from 'kysely';
import { type Anchor, anchorLine, readAnchors, readHeads } from '../../billing/anchor.ts';
import { MAX_CREDITS } from '../../billing/bounds.ts';
import { verifyLedger } from '../../billing/verify.ts';
import type { Admin } from '../../contract/admin/actions.ts';
import { invalid } from '../../contract/errors.ts';
import type { Tables } from '../../store/tables.ts';
import { createKeyAdmin } from '../keys/key-admin.ts';
import { readLimits } from '../keys/key-limits.ts';
import { createClientAdmin } from '../oauth/client-admin.ts';
import { cleanName, createAccountAdmin, listAccounts } from './account-admin.ts';
import { readAudit } from './audit.ts';
import { type AdminParts, createAdminContext, findAccounts } from './context.ts';
import { verifyAudit } from './verify-audit.ts';

/** Admin actions. Every change and its audit entry are written in one transaction. */
export function createAdmin(parts: AdminParts): Admin {
  const context = createAdminContext(parts);
  const { store, db, ledger, sessions, clock, anchorKey, freeCredits, newId, change, writerOf, grantWithin, accountOf } = context;

  async function insertAccount(trx: Transaction<Tables>, id: string, name: string, credits: number): Promise<void> {
    await trx.insertInto('accounts').values({ id, name, created_at: clock.now() }).execute();
    await trx.insertInto('balances').values({ account_id: id, balance: 0, held: 0, seq: 0, head: '' }).execute();
    await writerOf(trx)('account.create', id, { name });
    if (credits !== 0) await grantWithin(trx, id, { credits, note: 'with the account', reference: '' });
  }

  function demandAnchorKey(): Buffer {
    const known = anchorKey();
    if (known === null)
      throw invalid('An anchor is signed with SIGHTLINE_SECRET: set it, the same on every gateway (openssl rand -base64 32 makes one).');
    return known;
  }
  /** The report of `verify`, and the faults of the anchors' lines before it. */
  async function against<R extends { readonly faults: readonly string[] }>(
    text: string | undefined,
    verify: (anchors: readonly Anchor[]) => Promise<R>,
  ): Promise<R> {
    const { anchors, faults } = text === undefined ? { anchors: [], faults: [] } : readAnchors(text, demandAnchorKey());
    const report = await verify(anchors);
    return { ...report, faults: [...faults, ...report.faults] };
  }

  const keys = createKeyAdmin(context);
  return {
    ...keys.actions,
    ...createClientAdmin(context),
    ...createAccountAdmin(context),
    async createAccount({ name, credits = 0 }) {
      const clean = cleanName(name);
      if (!Number.isSafeInteger(credits) || credits < 0 || credits > MAX_CREDITS)
        throw invalid(`credits must be a whole number from 0 to ${MAX_CREDITS}, not ${credits}.`);
      const id = newId('acc');
      await db.transaction().execute((trx) => insertAccount(trx, id, clean, credits));
      return accountOf(id);
    },
    listAccounts: (query = {}) => listAccounts(db, query, clock.now()),
    async endSessions({ accountId }) {
      await accountOf(accountId);
      return { ended: await sessions.endAllOf(accountId) };
    },
    showAccount: ({ accountId } = {}) => accountOf(accountId),
    async grant({ accountId, credits, note = '', reference = '' }) {
      const { accountId: id } = await accountOf(accountId);
      await db.transaction().execute((trx) => grantWithin(trx, id, { credits, note, reference }));
      ledger.forget(id);
      return accountOf(id);
    },
    verifyLedger: ({ anchor } = {}) => against(anchor, (anchors) => verifyLedger(store, anchors)),
    verifyAudit: ({ anchor } = {}) => against(anchor, (anchors) => verifyAudit(db, anchors, anchorKey())),
    anchorLedger: async () => ({ line: anchorLine(await readHeads(db, clock.now()), demandAnchorKey()) }),
    auditLog: (query = {}) => readAudit(db, query),
    async ensureFirstAccount() {
      if ((await findAccounts(db)).length) return null;
      const id = newId('acc');
      const limits = readLimits({ label: 'first' }, clock.now());
      // one transaction: if an account without a key remained, the next start would not create a key
      return change(async (trx, write) => {
        await insertAccount(trx, id, 'first', freeCredits);
        return keys.insertKey(trx, write, { account_id: id, ...limits, manage: 1, made_by: null, counted_as: null });
      });
    },
  };
}
