import type { Kysely, Transaction } from 'kysely';
import { anchorLine, readAnchors, readHeads } from '../../billing/anchor.ts';
import { MAX_CREDITS } from '../../billing/bounds.ts';
import { GrantError, grantAudited, grantWithin } from '../../billing/grants.ts';
import type { CreditLedger } from '../../billing/types.ts';
import { verifyLedger } from '../../billing/verify.ts';
import type { Clock } from '../../runtime/clock.ts';
import { instant } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { lockKeys, tellChange } from '../../store/changes.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { createKeyAdmin } from '../keys/key-admin.ts';
import { readWishes } from '../keys/key-limits.ts';
import type { Keys } from '../keys/keys.ts';
import { createClientAdmin } from '../oauth/client-admin.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { Usage } from '../usage/usage.ts';
import { cleanName, createAccountAdmin } from './account-admin.ts';
import { type AuditedChange, readAudit, verifyAudit, type WriteEvent, writeAudit } from './audit.ts';
import { type AccountSummary, type Admin, AdminError } from './types.ts';

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
  /** Id of the key or session whose holder makes the changes; null: the operator. */
  readonly madeBy: string | null;
}

/** Admin actions. Every change and its audit entry are written in one transaction. */
export function createAdmin({
  store,
  ledger,
  keys,
  usage,
  oauth,
  clock,
  randomBytes,
  freeCredits,
  secret,
  actor,
  madeBy,
}: AdminParts): Admin {
  const { db } = store;
  const newId = (prefix: string) => `${prefix}_${Buffer.from(randomBytes(10)).toString('hex')}`;

  const change: AuditedChange = (work) =>
    db.transaction().execute(async (trx) => {
      await lockKeys(trx);
      return work(trx, writerOf(trx));
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
  const writerOf =
    (trx: Transaction<Tables>): WriteEvent =>
    (action, subject, facts) =>
      writeAudit(trx, clock.now(), { actor, action, subject, facts });

  async function insertAccount(trx: Transaction<Tables>, id: string, name: string, credits: number): Promise<void> {
    await trx.insertInto('accounts').values({ id, name, created_at: clock.now() }).execute();
    await trx.insertInto('balances').values({ account_id: id, balance: 0, held: 0, seq: 0, head: '' }).execute();
    const write = writerOf(trx);
    await write('account.create', id, { name });
    if (credits === 0) return;
    const note = 'with the account';
    await grantWithin(store, trx, { accountId: id, credits, note, reference: '' });
    await write('credits.grant', id, { credits, note, reference: '' });
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

  const { insertKey, ...keyAdmin } = createKeyAdmin({
    db,
    keys: {
      forget(hash) {
        keys.forget(hash);
        oauth.forgetGrants();
      },
    },
    now: clock.now,
    randomBytes,
    madeBy,
    newId,
    change,
    changed: keyChanged,
    accountOf,
  });
  return {
    ...keyAdmin,
    ...createClientAdmin({ db, oauth, clock, randomBytes, actor, newId, change, changed: keyChanged, accountOf }),
    ...createAccountAdmin({
      store,
      ledger,
      usage,
      now: clock.now,
      change,
      accountOf,
      forgetCredentials() {
        keys.forget(null);
        oauth.clients.forget(null);
        oauth.forgetGrants();
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
      await grantAudited(store, { accountId: id, ...facts }, (trx) => writerOf(trx)('credits.grant', id, facts)).catch((error) => {
        throw error instanceof GrantError ? new AdminError(error.message) : error;
      });
      ledger.forget(id);
      return accountOf(id);
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
      const id = newId('acc');
      const limits = readWishes({ label: 'first' }, clock.now());
      // one transaction: if an account without a key remained, the next start would not create a key
      return change(async (trx, write) => {
        await insertAccount(trx, id, 'first', freeCredits);
        return insertKey(trx, write, { account_id: id, ...limits, manage: 1, made_by: null, counted_as: null });
      });
    },
  };
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
