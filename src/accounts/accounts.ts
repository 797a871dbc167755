import { randomBytes as systemRandomBytes } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { Clock } from '../outside/world.ts';
import { deadlineOf, type Settings } from '../settings.ts';
import { openStore } from '../store/open.ts';
import type { Store, StoreLog } from '../store/store.ts';
import { createAdmin } from './admin.ts';
import type { Admin } from './admin-types.ts';
import { instant } from './key-wishes.ts';
import { createKeys, listOf } from './keys.ts';
import { type CreditLedger, createLedger, type LedgerCounts } from './ledger.ts';
import type { Accounts, AccountView, Caller } from './types.ts';
import { createUsage } from './usage.ts';
import type { RandomBytes } from './uuid.ts';

export interface AccountsParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Default: the system's cryptographic source. */
  readonly randomBytes?: RandomBytes;
  /** Who stands in the audit log. Default `operator`. */
  readonly actor?: string;
}
export interface OpenAccounts extends Accounts {
  readonly ledger: CreditLedger;
  readonly admin: Admin;
  readonly store: Store;
  /** For the metrics. */
  counts(): { readonly ledger: Readonly<LedgerCounts>; readonly usage: Readonly<{ written: number; dropped: number }> };
}

/** How much longer than the longest deadline a hold lives. */
export const HOLD_MARGIN_MS = 30_000;

/** The longest life of a hold under these settings, ms. */
export const holdMsOf = (settings: Settings): number =>
  Math.max(...Object.values(OPERATIONS).map((operation) => deadlineOf(operation, settings))) + HOLD_MARGIN_MS;

/** Opens the store, brings it up to date, and gives everything that knows of accounts. Throws StoreHeldError where the folder is served already. */
export async function openAccounts(parts: AccountsParts): Promise<OpenAccounts> {
  const { settings, clock, log, randomBytes = systemRandomBytes, actor = 'operator' } = parts;
  const store = await openStore(settings, clock, log);
  const ledger = createLedger({ store, clock, log, randomBytes, holdMs: holdMsOf(settings) });
  const keys = createKeys(store);
  const usage = createUsage(store, clock, log);
  const admin = createAdmin({ store, ledger, keys, clock, randomBytes, freeCredits: settings.SIGHTLINE_FREE_CREDITS, actor });
  let closing: Promise<void> | null = null;

  async function view({ accountId, keyId }: Caller): Promise<AccountView> {
    const row = await store.db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .innerJoin('balances', 'balances.account_id', 'keys.account_id')
      .select(['accounts.name', 'balance', 'held', 'label', 'keys.created_at', 'expires_at', 'operations'])
      .where('keys.id', '=', keyId)
      .where('keys.account_id', '=', accountId)
      .executeTakeFirst();
    if (!row) throw new ServiceError('UNAUTHORIZED');
    return {
      accountId,
      name: row.name,
      credits: { balance: row.balance + row.held, held: row.held },
      key: {
        keyId,
        label: row.label,
        createdAt: instant(row.created_at),
        expiresAt: row.expires_at === null ? null : instant(row.expires_at),
        operations: listOf(row.operations),
      },
    };
  }

  return {
    store,
    ledger,
    admin,
    authenticate: keys.authenticate,
    record: usage.record,
    view,
    usage: ({ accountId }, from, to) => usage.days(accountId, from, to),
    ready: () => store.ready(),
    counts: () => ({ ledger: ledger.counts, usage: usage.counts }),
    close() {
      closing ??= (async () => {
        await ledger.close();
        await usage.close();
        await store.close();
      })();
      return closing;
    },
  };
}
