import type { Kysely, Transaction } from 'kysely';
import { invalid } from '../contract/errors.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

export async function countOf(db: Kysely<Tables>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('watches')
    .select((e) => e.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
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
