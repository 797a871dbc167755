import { grantWithin } from '../../billing/grants.ts';
import { isStatementCursor, readStatement } from '../../billing/statement.ts';
import type { CreditLedger } from '../../billing/types.ts';
import { tellChange } from '../../store/changes.ts';
import type { Store } from '../../store/store.ts';
import { explainToOperator } from '../usage/explain.ts';
import { findRequests, readRequests } from '../usage/request-log.ts';
import { isUsageCursor, type Usage } from '../usage/usage.ts';
import type { AuditedChange } from './audit.ts';
import { type AccountSummary, type Admin, AdminError } from './types.ts';

export interface AccountAdminParts {
  readonly store: Store;
  readonly ledger: CreditLedger;
  readonly usage: Pick<Usage, 'page' | 'flush'>;
  readonly now: () => number;
  readonly change: AuditedChange;
  readonly accountOf: (accountId: string | undefined) => Promise<AccountSummary>;
  /** Clears the caches of keys, clients and tokens. */
  readonly forgetCredentials: () => void;
}
type AccountAdmin = Pick<
  Admin,
  | 'renameAccount'
  | 'suspendAccount'
  | 'resumeAccount'
  | 'deleteAccount'
  | 'accountUsage'
  | 'accountLedger'
  | 'accountRequests'
  | 'explainRequest'
>;

const DAY_MS = 86_400_000;
const MAX_PAGE = 10_000;

export function cleanName(name: unknown): string {
  const clean = String(name ?? '').trim();
  if (!clean || clean.length > 200 || /\p{Cc}/u.test(clean))
    throw new AdminError('An account needs a name of one line, at most 200 characters.');
  return clean;
}

/** Admin actions on one existing account. */
export function createAccountAdmin(parts: AccountAdminParts): AccountAdmin {
  const { store, ledger, usage, now, change, accountOf, forgetCredentials } = parts;

  async function suspend(action: string, accountId: string, suspendedAt: number | null): Promise<AccountSummary> {
    const before = await accountOf(accountId);
    if ((before.suspendedAt === null) === (suspendedAt === null)) return before;
    await change(async (trx, write) => {
      await trx.updateTable('accounts').set({ suspended_at: suspendedAt }).where('id', '=', accountId).execute();
      // null: every gateway clears its whole key cache
      await tellChange(trx, store.kind, '');
      await write(action, accountId, {});
    });
    forgetCredentials();
    return accountOf(accountId);
  }

  return {
    async renameAccount({ accountId, name }) {
      const clean = cleanName(name);
      await accountOf(accountId);
      await change(async (trx, write) => {
        await trx.updateTable('accounts').set({ name: clean }).where('id', '=', accountId).execute();
        await write('account.rename', accountId, { name: clean });
      });
      return accountOf(accountId);
    },
    suspendAccount: ({ accountId }) => suspend('account.suspend', accountId, now()),
    resumeAccount: ({ accountId }) => suspend('account.resume', accountId, null),
    async deleteAccount({ accountId }) {
      await accountOf(accountId);
      const creditsTaken = await change(async (trx, write) => {
        const at = now();
        await trx.updateTable('accounts').set({ name: '', suspended_at: at, deleted_at: at }).where('id', '=', accountId).execute();
        for (const table of ['keys', 'clients'] as const)
          await trx
            .updateTable(table)
            .set({ revoked_at: at })
            .where('account_id', '=', accountId)
            .where('revoked_at', 'is', null)
            .execute();
        await tellChange(trx, store.kind, '');
        await write('account.delete', accountId, {});
        const { balance } = await trx
          .selectFrom('balances')
          .select('balance')
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow();
        if (balance === 0) return 0;
        const facts = { credits: -balance, note: 'account deleted', reference: '' };
        await grantWithin(store, trx, { accountId, ...facts });
        await write('credits.grant', accountId, facts);
        return balance;
      });
      ledger.forget(accountId);
      forgetCredentials();
      return { accountId, creditsTaken };
    },
    async accountUsage({ accountId, from, to, after, limit = 1000 }) {
      await accountOf(accountId);
      if (after !== undefined && !isUsageCursor(after)) throw new AdminError('after must be the cursor of the page before.');
      const day = (text: string | undefined, otherwise: number) => dayOf(text) ?? new Date(otherwise).toISOString().slice(0, 10);
      const query = { from: day(from, now() - 29 * DAY_MS), to: day(to, now()), after: after ?? null, limit: pageSize(limit) };
      return usage.page(accountId, query);
    },
    async accountLedger({ accountId, receipt, after, limit = 100 }) {
      await accountOf(accountId);
      if (after !== undefined && !isStatementCursor(after)) throw new AdminError('after must be the cursor of the page before.');
      return readStatement(store.db, accountId, { receipt: receipt ?? null, after: after ?? null, limit: pageSize(limit) });
    },
    async accountRequests({ accountId, operation, status, label, from, to, after, limit = 100 }) {
      await accountOf(accountId);
      if (after !== undefined && !/^\d{1,15}$/.test(after)) throw new AdminError('after must be the cursor of the page before.');
      await usage.flush();
      return readRequests(store.db, accountId, {
        operation: operation ?? null,
        status: status ?? null,
        label: label ?? null,
        from: dayOf(from),
        to: dayOf(to),
        after: after ?? null,
        limit: pageSize(limit),
      });
    },
    async explainRequest({ requestId }) {
      await usage.flush();
      const [row, ...others] = await findRequests(store.db, requestId, null);
      if (!row) throw new AdminError(`There is no request with the id or label ${requestId} of the last 30 days.`, 'missing');
      return explainToOperator([row, ...others]);
    },
  };
}

function pageSize(limit: number): number {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_PAGE)
    throw new AdminError(`limit must be a whole number from 1 to ${MAX_PAGE}, not ${limit}.`);
  return limit;
}
function dayOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) throw new AdminError(`${text} is no day: write 2027-01-31.`);
  return text;
}
