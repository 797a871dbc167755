import type { Kysely, Transaction } from 'kysely';
import { lookupsOf } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import { DUE_SOON_DAYS } from '../contract/account/watch-schemas.ts';
import { invalid } from '../contract/errors.ts';
import { DAY_MS, instant } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { isOneOf } from './maker.ts';

export async function countOf(db: Kysely<Tables>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('watches')
    .select((e) => e.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Dates that are near or over. */
export async function dueSoonOf(db: Kysely<Tables>, caller: Caller, nowMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('watches')
    .select((e) => e.fn.countAll().as('count'))
    .where('account_id', '=', caller.accountId)
    // as texts: a day, or an instant of it
    .where('due_on', '<', instant(nowMs + (DUE_SOON_DAYS + 1) * DAY_MS).slice(0, 10))
    .where(isOneOf(lookupsOf(caller)))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Until the transaction ends no other one that asks for the same runs. SQLite has one transaction at a time. */
export async function lockAccount(store: Pick<Store, 'kind'>, trx: Transaction<Tables>, accountId: string): Promise<void> {
  if (store.kind === 'postgres')
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().executeTakeFirst();
}

/** Throws INVALID_REQUEST where the account has its most watches. Until the transaction ends no other one makes a watch of the account. */
export async function demandPlace(store: Store, trx: Transaction<Tables>, accountId: string, most: number): Promise<void> {
  await lockAccount(store, trx, accountId);
  const count = await countOf(trx, accountId);
  if (count >= most)
    throw invalid(
      `The account has ${count} watches, and SIGHTLINE_WATCHES_PER_ACCOUNT allows ${most}: delete one first, or ask the operator for more.`,
    );
}
