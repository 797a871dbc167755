import type { Kysely, Transaction } from 'kysely';
import { anchorLine, readAnchors, readHeads } from '../../billing/anchor.ts';
import { MAX_CREDITS, MAX_GRACE_MS } from '../../billing/bounds.ts';
import { GrantError, grantAudited, grantWithin } from '../../billing/grants.ts';
import type { CreditLedger } from '../../billing/types.ts';
import { verifyLedger } from '../../billing/verify.ts';
import type { Clock } from '../../runtime/clock.ts';
import { instant } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { tellChange } from '../../store/changes.ts';
import type { Store } from '../../store/store.ts';
import type { KeyRow, Tables } from '../../store/tables.ts';
import { readEdits, readWishes, summaryOf } from '../keys/key-limits.ts';
import { hintOf, makeKey } from '../keys/key-text.ts';
import { hashOf, type Keys } from '../keys/keys.ts';
import { createClientAdmin } from '../oauth/client-admin.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { Usage } from '../usage/usage.ts';
import { cleanName, createAccountAdmin } from './account-admin.ts';
import { type AuditedChange, readAudit, verifyAudit, writeAudit } from './audit.ts';
import { type AccountSummary, type Admin, AdminError, type NewKey } from './types.ts';

export interface AdminParts {
  readonly store: Store;
  readonly ledger: CreditLedger;
  readonly keys: Keys;
  readonly usage: Pick<Usage, 'page' | 'flush'>;
  readonly oauth: OAuth;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly freeCredits: number;
  /** The service's secret, which signs anchors; null if there is none. */
  readonly secret: () => string | null;
  /** Actor recorded in the audit log. */
  readonly actor: string;
}

/** Admin actions. Every change and its audit entry are written in one transaction. */
export function createAdmin({ store, ledger, keys, usage, oauth, clock, randomBytes, freeCredits, secret, actor }: AdminParts): Admin {
  const { db } = store;
  const newId = (prefix: string) => `${prefix}_${Buffer.from(randomBytes(10)).toString('hex')}`;

  const change: AuditedChange = (action, subject, facts, work) =>
    db.transaction().execute(async (trx) => {
      const result = await work(trx);
      await writeAudit(trx, clock.now(), { actor, action, subject, facts });
      return result;
    });
  const keyChanged = (trx: Transaction<Tables>, hash: string): Promise<void> => tellChange(trx, store.kind, hash);

  async function accountOf(accountId: string | undefined): Promise<AccountSummary> {
    const found = await accounts(db, accountId);
    const [only, another] = found;
    if (!only)
      throw new AdminError(
        accountId
          ? `There is no account ${accountId}.`
          : 'There is no account yet: make one with sightline accounts create NAME --credits 1000, then its key with sightline keys create.',
        'missing',
      );
    if (another)
      throw new AdminError('There are several accounts: name one with --account (accountId); sightline accounts list shows them.');
    return only;
  }
  async function keyOf(keyId: string): Promise<KeyRow> {
    const row = await db.selectFrom('keys').selectAll().where('id', '=', keyId).executeTakeFirst();
    if (!row) throw new AdminError(`There is no key ${keyId}.`, 'missing');
    return row;
  }
  const audited = (action: string, subject: string, facts: Record<string, unknown>) => (trx: Transaction<Tables>) =>
    writeAudit(trx, clock.now(), { actor, action, subject, facts });
  async function insertKey(
    trx: Transaction<Tables>,
    id: string,
    fields: Omit<KeyRow, 'id' | 'hash' | 'hint' | 'created_at'>,
  ): Promise<NewKey> {
    const key = makeKey(randomBytes);
    const row: KeyRow = { ...fields, id, hash: hashOf(key), hint: hintOf(key), created_at: clock.now() };
    await trx.insertInto('keys').values(row).execute();
    return { ...summaryOf(row), key };
  }

  async function insertAccount(trx: Transaction<Tables>, id: string, name: string, credits: number): Promise<void> {
    await trx.insertInto('accounts').values({ id, name, created_at: clock.now() }).execute();
    await trx.insertInto('balances').values({ account_id: id, balance: 0, held: 0, seq: 0, head: '' }).execute();
    await audited('account.create', id, { name })(trx);
    if (credits === 0) return;
    const note = 'with the account';
    await grantWithin(store, trx, { accountId: id, credits, note, reference: '' });
    await audited('credits.grant', id, { credits, note, reference: '' })(trx);
  }

  function anchorSecret(): string {
    const known = secret();
    if (known === null)
      throw new AdminError(
        'An anchor is signed with SIGHTLINE_SECRET: set it, the same on every gateway (openssl rand -base64 32 makes one).',
      );
    return known;
  }
  const anchorsOf = (text: string | undefined): ReturnType<typeof readAnchors> =>
    text === undefined ? { anchors: [], faults: [] } : readAnchors(text, anchorSecret());

  const admin: Admin = {
    ...createClientAdmin({ db, oauth, clock, randomBytes, actor, newId, change, changed: keyChanged, accountOf }),
    ...createAccountAdmin({
      store,
      ledger,
      usage,
      now: clock.now,
      change,
      audited,
      accountOf,
      forgetCredentials() {
        keys.forget(null);
        oauth.clients.forget(null);
        oauth.forgetTokens();
      },
    }),
    async createAccount({ name, credits = 0 }) {
      const clean = cleanName(name);
      if (!Number.isSafeInteger(credits) || credits < 0 || credits > MAX_CREDITS)
        throw new AdminError(`credits must be a whole number from 0 to ${MAX_CREDITS}, not ${credits}.`);
      const id = newId('acc');
      await db.transaction().execute((trx) => insertAccount(trx, id, clean, credits));
      return accountOf(id);
    },
    listAccounts: () => accounts(db),
    showAccount: ({ accountId }) => accountOf(accountId),
    async grant({ accountId, credits, note = '', reference = '' }) {
      const { accountId: id } = await accountOf(accountId);
      const facts = { credits, note, reference };
      await grantAudited(store, { accountId: id, ...facts }, audited('credits.grant', id, facts)).catch((error) => {
        throw error instanceof GrantError ? new AdminError(error.message) : error;
      });
      ledger.forget(id);
      return accountOf(id);
    },
    async createKey({ accountId, ...wishes }) {
      const limits = readWishes(wishes, clock.now());
      const { accountId: id } = await accountOf(accountId);
      const keyId = newId('key');
      const made = await change('key.create', keyId, { accountId: id, ...limits }, (trx) =>
        insertKey(trx, keyId, { account_id: id, ...limits, revoked_at: null, last_used_at: null, replaced_by: null }),
      );
      keys.forget(hashOf(made.key));
      return made;
    },
    async listKeys({ accountId } = {}) {
      const all = db.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id');
      const rows = await (accountId ? all.where('account_id', '=', accountId) : all).execute();
      return rows.map(summaryOf);
    },
    async editKey({ keyId, ...wishes }) {
      const row = await keyOf(keyId);
      if (row.revoked_at !== null) throw new AdminError(`Key ${keyId} is revoked: it cannot be edited.`);
      const edited = readEdits(wishes, clock.now());
      await change('key.edit', keyId, { accountId: row.account_id, ...edited }, async (trx) => {
        await trx.updateTable('keys').set(edited).where('id', '=', keyId).execute();
        await keyChanged(trx, row.hash);
      });
      keys.forget(row.hash);
      return summaryOf(await keyOf(keyId));
    },
    async revokeKey({ keyId }) {
      const row = await keyOf(keyId);
      if (row.revoked_at === null)
        await change('key.revoke', keyId, { accountId: row.account_id }, async (trx) => {
          await trx.updateTable('keys').set({ revoked_at: clock.now() }).where('id', '=', keyId).execute();
          await keyChanged(trx, row.hash);
        });
      keys.forget(row.hash);
      return summaryOf(await keyOf(keyId));
    },
    async rerollKey({ keyId, graceMs = 0 }) {
      if (!Number.isSafeInteger(graceMs) || graceMs < 0 || graceMs > MAX_GRACE_MS)
        throw new AdminError(`graceMs must be a whole number of milliseconds from 0 to ${MAX_GRACE_MS} (366 days), not ${graceMs}.`);
      const { id, hash, hint, created_at, ...row } = await keyOf(keyId);
      if (row.revoked_at !== null || row.replaced_by !== null) throw new AdminError(`Key ${keyId} was revoked or rerolled already.`);
      const now = clock.now();
      const nextId = newId('key');
      const made = await change('key.reroll', keyId, { accountId: row.account_id, graceMs, newKeyId: nextId }, async (trx) => {
        const next = await insertKey(trx, nextId, { ...row, last_used_at: null });
        const end = graceMs ? { expires_at: Math.min(row.expires_at ?? Number.POSITIVE_INFINITY, now + graceMs) } : { revoked_at: now };
        await trx
          .updateTable('keys')
          .set({ ...end, replaced_by: next.keyId })
          .where('id', '=', keyId)
          .execute();
        await keyChanged(trx, hash);
        return next;
      });
      keys.forget(hash);
      keys.forget(hashOf(made.key));
      return made;
    },
    async verifyLedger({ anchor } = {}) {
      const read = anchorsOf(anchor);
      const report = await verifyLedger(store, read.anchors);
      return { ...report, faults: [...read.faults, ...report.faults] };
    },
    async verifyAudit({ anchor } = {}) {
      const read = anchorsOf(anchor);
      const report = await verifyAudit(db, read.anchors);
      return { ...report, faults: [...read.faults, ...report.faults] };
    },
    anchorLedger: async () => ({ line: anchorLine(await readHeads(db, clock.now()), anchorSecret()) }),
    auditLog: ({ limit = 100 } = {}) => readAudit(db, Math.min(Math.max(1, limit), 10_000)),
    async ensureFirstAccount() {
      if ((await accounts(db)).length) return null;
      const [accountId, keyId] = [newId('acc'), newId('key')];
      const fields = { ...readWishes({ label: 'first' }, clock.now()), account_id: accountId };
      // one transaction: if an account without a key remained, the next start would not create a key
      const made = await change('key.create', keyId, { accountId, label: 'first' }, async (trx) => {
        await insertAccount(trx, accountId, 'first', freeCredits);
        return insertKey(trx, keyId, { ...fields, revoked_at: null, last_used_at: null, replaced_by: null });
      });
      keys.forget(hashOf(made.key));
      return made;
    },
  };
  return admin;
}

async function accounts(db: Kysely<Tables>, accountId?: string): Promise<AccountSummary[]> {
  const all = db
    .selectFrom('accounts')
    .innerJoin('balances', 'balances.account_id', 'accounts.id')
    .select(['accounts.id', 'name', 'created_at', 'balance', 'held', 'suspended_at'])
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id');
  const rows = await (accountId ? all.where('accounts.id', '=', accountId) : all).execute();
  return rows.map((row) => ({
    accountId: row.id,
    name: row.name,
    createdAt: instant(row.created_at),
    balance: row.balance,
    held: row.held,
    suspendedAt: row.suspended_at === null ? null : instant(row.suspended_at),
  }));
}
