import { type Kysely, sql } from 'kysely';
import { isStatementCursor, readStatement } from '../../billing/statement.ts';
import { PAGE_FIELDS } from '../../contract/admin/account-actions.ts';
import type { ActionInput, Admin } from '../../contract/admin/actions.ts';
import type { AccountSummary, ListedAccount } from '../../contract/admin/schemas.ts';
import { invalid, missing } from '../../contract/errors.ts';
import { DAY_MS, dayOf, instant } from '../../runtime/clock.ts';
import type { Tables } from '../../store/tables.ts';
import { explainToOperator } from '../usage/explain.ts';
import { findRequests, isRequestCursor, readRequests, requestWithId } from '../usage/request-log.ts';
import { isUsageCursor } from '../usage/usage.ts';
import { type AdminContext, accountSummary, SUMMARY_COLUMNS } from './context.ts';

export function cleanName(name: unknown): string {
  const clean = String(name ?? '').trim();
  if (!clean || clean.length > 200 || /\p{Cc}/u.test(clean)) throw invalid('An account needs a name of one line, at most 200 characters.');
  return clean;
}

export function createAccountAdmin(context: AdminContext) {
  const { store, ledger, usage, change, grantCredits, accountOf } = context;
  const { now } = context.clock;

  async function suspend(action: string, accountId: string, suspendedAt: number | null): Promise<AccountSummary> {
    const before = await accountOf(accountId);
    if ((before.suspendedAt === null) === (suspendedAt === null)) return before;
    await change(async (trx, write) => {
      await trx.updateTable('accounts').set({ suspended_at: suspendedAt }).where('id', '=', accountId).execute();
      await write(action, accountId, {});
    });
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
        const atMs = now();
        await trx.updateTable('accounts').set({ name: '', suspended_at: atMs, deleted_at: atMs }).where('id', '=', accountId).execute();
        for (const table of ['keys', 'clients'] as const) {
          const valid = trx.updateTable(table).where('account_id', '=', accountId).where('revoked_at', 'is', null);
          await valid.set({ revoked_at: atMs }).execute();
        }
        await write('account.delete', accountId, {});
        const own = trx.selectFrom('balances').select('balance').where('account_id', '=', accountId);
        const { balance } = await own.executeTakeFirstOrThrow();
        if (balance === 0) return 0;
        await grantCredits(trx, accountId, { credits: -balance, note: 'account deleted', reference: '' });
        return balance;
      });
      ledger.forget(accountId);
      return { accountId, creditsTaken };
    },
    async accountUsage({ accountId, limit = 1000, ...query }) {
      await accountOf(accountId);
      demandPage({ ...query, limit }, isUsageCursor);
      const { from = dayOf(now() - 29 * DAY_MS), to = dayOf(now()), after = null } = query;
      return usage.page(accountId, { from, to, after, limit });
    },
    async accountLedger({ accountId, limit = 100, ...query }) {
      await accountOf(accountId);
      demandPage({ ...query, limit }, isStatementCursor);
      return readStatement(store.db, accountId, { ...query, limit });
    },
    async accountRequests({ accountId, limit = 100, ...query }) {
      await accountOf(accountId);
      demandPage({ ...query, limit }, isRequestCursor);
      await usage.flush();
      return readRequests(store.db, accountId, { ...query, limit });
    },
    async explainRequest({ requestId }) {
      await usage.flush();
      const [row, ...others] = await findRequests(store.db, requestId, null);
      if (!row) throw missing(`There is no request with the id or label ${requestId} of the last 30 days.`);
      return explainToOperator([row, ...others]);
    },
  } satisfies Partial<Admin>;
}

type PageQuery = Pick<ActionInput<'accountUsage'>, 'from' | 'to' | 'after' | 'limit'>;
function demandPage(query: PageQuery, isCursor: (text: string) => boolean): void {
  if (query.after !== undefined && !isCursor(query.after)) throw invalid('after must be the cursor of the page before.');
  for (const name of ['from', 'to', 'limit'] as const) {
    const value = query[name];
    const read = value === undefined ? null : PAGE_FIELDS[name].read(String(value));
    if (read?.ok === false) throw invalid(`${name} is ${JSON.stringify(value)}, but it ${read.why}.`);
  }
}

const DAYS = 7;

/** Accounts with what they used in 7 days. A page ends after `limit` accounts; `after` is the id of the last one of the page before. */
export async function listAccounts(
  db: Kysely<Tables>,
  query: ActionInput<'listAccounts'>,
  nowMs: number,
): Promise<readonly ListedAccount[]> {
  const { search = '', order = 'age', after, limit = 10_000 } = query;
  const since = dayOf(nowMs - (DAYS - 1) * DAY_MS);
  const used = db
    .selectFrom('usage_days')
    .where('day', '>=', since)
    .select(['account_id', (e) => e.fn.sum<number>('requests').as('requests'), (e) => e.fn.sum<number>('credits').as('credits')])
    .select(sql<number>`sum(case when status >= 400 then requests else 0 end)`.as('errors'))
    .groupBy('account_id')
    .as('used');
  const keys = db
    .selectFrom('keys')
    .select(['account_id', sql<number>`sum(case when revoked_at is null then 1 else 0 end)`.as('count')])
    .select((e) => e.fn.max('last_used_at').as('last_used_at'))
    .groupBy('account_id')
    .as('keys');
  let found = db
    .selectFrom('accounts')
    .innerJoin('balances', 'balances.account_id', 'accounts.id')
    .leftJoin(used, 'used.account_id', 'accounts.id')
    .leftJoin(keys, 'keys.account_id', 'accounts.id')
    .select(SUMMARY_COLUMNS)
    .select(['requests', 'credits', 'errors', 'count', 'last_used_at'])
    .where('deleted_at', 'is', null);
  if (search !== '') {
    const pattern = search.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`);
    const ofRequest = await requestWithId(db, search, null);
    found = found.where((e) =>
      e.or([
        sql<boolean>`lower(name) like ${`%${pattern}%`} escape '\\'`,
        sql<boolean>`accounts.id like ${`${pattern}%`} escape '\\'`,
        e('accounts.id', 'in', e.selectFrom('keys').select('account_id').where('id', '=', search)),
        e('accounts.id', '=', ofRequest?.accountId ?? ''),
      ]),
    );
  }
  if (order === 'use' && after !== undefined) throw invalid('after is for the order age: the other one has one page.');
  if (order === 'use') found = found.orderBy(sql`coalesce(requests, 0)`, 'desc');
  else if (after !== undefined) {
    const last = await db.selectFrom('accounts').select(['id', 'created_at']).where('id', '=', after).executeTakeFirst();
    if (!last) throw invalid('after must be the id of the last account of the page before.');
    found = found.where(sql<boolean>`(created_at, accounts.id) > (${last.created_at}, ${last.id})`);
  }
  const rows = await found
    .orderBy('created_at')
    .orderBy('accounts.id')
    .limit(Math.min(Math.max(1, limit), 10_000))
    .execute();
  return rows.map((row) => ({
    ...accountSummary(row),
    keys: Number(row.count ?? 0),
    lastUsedAt: row.last_used_at === null ? null : instant(Number(row.last_used_at)),
    lastWeek: { requests: Number(row.requests ?? 0), errors: Number(row.errors ?? 0), credits: Number(row.credits ?? 0) },
  }));
}
