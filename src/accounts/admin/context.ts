import type { Kysely, Selectable, Transaction } from 'kysely';
import { type CreditGrant, grantCredits } from '../../billing/credit-grants.ts';
import type { CreditLedger } from '../../billing/ledger.ts';
import type { AccountSummary } from '../../contract/admin/schemas.ts';
import { invalid, missing } from '../../contract/errors.ts';
import { noSuch } from '../../contract/ids.ts';
import { type Clock, instant, instantOrNull } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { countChange } from '../../store/changes.ts';
import type { Store } from '../../store/store.ts';
import type { AccountRow, BalanceRow, Tables } from '../../store/tables.ts';
import type { Keys } from '../keys/keys.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Usage } from '../usage/usage.ts';
import { type WriteEvent, writeAudit } from './audit.ts';

export interface AdminParts {
  readonly store: Store;
  readonly ledger: CreditLedger;
  readonly keys: Keys;
  readonly usage: Pick<Usage, 'page' | 'flush'>;
  readonly oauth: OAuth;
  readonly sessions: Pick<Sessions, 'endAllOf'>;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly freeCredits: number;
  /** The key that signs anchors; null if the service has no secret. */
  readonly anchorKey: () => Buffer | null;
  readonly actor: string;
  /** Id of the key or session whose holder makes the changes; null: the operator. */
  readonly madeBy: string | null;
}

/** What the admin actions share: their parts, and audited changes of accounts, keys and clients. */
export type AdminContext = ReturnType<typeof createAdminContext>;

export function createAdminContext(parts: AdminParts) {
  const { store, keys, oauth, clock, randomBytes, actor } = parts;
  const { db } = store;
  const writerOf =
    (trx: Transaction<Tables>): WriteEvent =>
    (action, subject, facts) =>
      writeAudit(trx, clock.now(), { actor, action, subject, facts });
  return {
    ...parts,
    db,
    writerOf,
    async grantCredits(trx: Transaction<Tables>, accountId: string, facts: Omit<CreditGrant, 'accountId'>): Promise<void> {
      const { written } = await grantCredits(store, trx, { accountId, ...facts });
      if (written) await writerOf(trx)('credits.grant', accountId, { ...facts });
    },
    newId: (prefix: string) => `${prefix}_${Buffer.from(randomBytes(10)).toString('hex')}`,
    /** Runs a change of keys, clients or accounts with its audit entries in one transaction: one such change at a time, on all gateways. */
    async change<T>(work: (trx: Transaction<Tables>, write: WriteEvent) => Promise<T>): Promise<T> {
      try {
        return await db.transaction().execute(async (trx) => {
          await countChange(trx);
          return work(trx, writerOf(trx));
        });
      } finally {
        keys.forget();
        oauth.forget();
      }
    },
    /** The account with this id, or the only one. Throws a ServiceError if there is none, or several. */
    async accountOf(accountId: string | undefined): Promise<AccountSummary> {
      const [only, another] = await findAccounts(db, accountId);
      if (!only)
        throw accountId !== undefined
          ? noSuch('account', accountId)
          : missing(
              'There is no account yet: make one with sightline accounts create NAME --credits 1000, then its key with sightline keys create.',
            );
      if (another) throw invalid('There are several accounts: name one with --account (accountId); sightline accounts list shows them.');
      return only;
    },
  };
}

export async function findAccounts(db: Kysely<Tables>, accountId?: string): Promise<AccountSummary[]> {
  const all = db
    .selectFrom('accounts')
    .innerJoin('balances', 'balances.account_id', 'accounts.id')
    .select(SUMMARY_COLUMNS)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id');
  const rows = await (accountId !== undefined ? all.where('accounts.id', '=', accountId) : all).execute();
  return rows.map(accountSummary);
}

export const SUMMARY_COLUMNS = ['accounts.id', 'name', 'created_at', 'balance', 'held', 'suspended_at'] as const;
type SummaryRow = Selectable<Pick<AccountRow, 'id' | 'name' | 'created_at' | 'suspended_at'>> & Pick<BalanceRow, 'balance' | 'held'>;
export const accountSummary = (row: SummaryRow): AccountSummary => ({
  accountId: row.id,
  name: row.name,
  createdAt: instant(row.created_at),
  balance: row.balance,
  held: row.held,
  suspendedAt: instantOrNull(row.suspended_at),
});
