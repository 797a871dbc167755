import type { Transaction } from 'kysely';
import { type Anchor, anchorLine, readAnchors, readHeads } from '../../billing/anchor.ts';
import { MAX_CREDITS } from '../../billing/bounds.ts';
import { verifyLedger } from '../../billing/verify.ts';
import type { Admin } from '../../contract/admin/actions.ts';
import type { NewKey } from '../../contract/admin/schemas.ts';
import { invalid } from '../../contract/errors.ts';
import type { Tables } from '../../store/tables.ts';
import { createKeyAdmin } from '../keys/key-admin.ts';
import { readLimits } from '../keys/key-limits.ts';
import { createClientAdmin } from '../oauth/client-admin.ts';
import { isClaimed, type SetupParts } from '../setup.ts';
import { cleanName, createAccountAdmin, listAccounts } from './account-admin.ts';
import { readAudit, type WriteEvent } from './audit.ts';
import { type AdminParts, createAdminContext, findAccounts } from './context.ts';
import { operatorKeySummary, replaceOperatorKey } from './operator-key.ts';
import { verifyAudit } from './verify-audit.ts';

/** Admin actions. Every change and its audit entry are written in one transaction. */
export function createAdmin(parts: AdminParts): { readonly actions: Admin; readonly claim: SetupParts['claim'] } {
  const context = createAdminContext(parts);
  const { store, db, ledger, sessions, clock, randomBytes, anchorKey, freeCredits, newId, change, writerOf, grantCredits, accountOf } =
    context;

  async function insertAccount(trx: Transaction<Tables>, id: string, name: string, credits: number): Promise<void> {
    await trx.insertInto('accounts').values({ id, name, created_at: clock.now() }).execute();
    await trx.insertInto('balances').values({ account_id: id, balance: 0, held: 0, seq: 0, head: '' }).execute();
    await writerOf(trx)('account.create', id, { name });
    if (credits !== 0) await grantCredits(trx, id, { credits, note: 'with the account', reference: '' });
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
  /** In one transaction: if an account without a key remained, the next start would not create a key. */
  async function makeFirst(trx: Transaction<Tables>, write: WriteEvent, name: string): Promise<NewKey> {
    const id = newId('acc');
    await insertAccount(trx, id, name, freeCredits);
    const limits = readLimits({ label: 'first' }, clock.now());
    return keys.insertKey(trx, write, { account_id: id, ...limits, manage: 1, made_by: null, counted_as: null });
  }
  const actions: Admin = {
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
      await db.transaction().execute((trx) => grantCredits(trx, id, { credits, note, reference }));
      ledger.forget(id);
      return accountOf(id);
    },
    verifyLedger: ({ anchor } = {}) => against(anchor, (anchors) => verifyLedger(store, anchors)),
    verifyAudit: ({ anchor } = {}) => against(anchor, (anchors) => verifyAudit(db, anchors, anchorKey())),
    anchorLedger: async () => ({ line: anchorLine(await readHeads(db, clock.now()), demandAnchorKey()) }),
    auditLog: (query = {}) => readAudit(db, query),
    async ensureFirstAccount() {
      return change(async (trx, write) => {
        if ((await findAccounts(trx)).length || (await isClaimed(trx))) return null;
        return makeFirst(trx, write, 'first');
      });
    },
    showOperatorKey: () => operatorKeySummary(db),
    rerollOperatorKey: () => change((trx, write) => replaceOperatorKey(trx, write, { randomBytes, now: clock.now() })),
  };
  const claim: SetupParts['claim'] = async (name, demand) => {
    const clean = cleanName(name);
    return change(async (trx, write) => {
      if (await isClaimed(trx)) return null;
      await demand(trx);
      const key = await makeFirst(trx, write, clean);
      const operatorKey = await replaceOperatorKey(trx, write, { randomBytes, now: clock.now() });
      await trx.updateTable('installation').set({ code_hash: null, code_expires_at: null }).execute();
      return { key, operatorKey };
    });
  };
  return { actions, claim };
}
