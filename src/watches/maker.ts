import type { ExpressionBuilder } from 'kysely';
import { credentialsOf, payingCredential } from '../accounts/keys/payer.ts';
import type { MadeBy } from '../accounts/rights.ts';
import type { Payer } from '../billing/charge.ts';
import type { Store } from '../store/store.ts';
import type { KeyRow, Tables } from '../store/tables.ts';
import type { StoredWatch } from './records.ts';

/** Watches with the first of the keys that their maker replaced, whose watches they count as. */
export const withMaker = (db: Store['db']) =>
  db.selectFrom('watches').leftJoin('keys', 'keys.id', 'watches.key_id').selectAll('watches').select('keys.counted_as');
export const madeBy = ({ operation, key_id, counted_as }: StoredWatch & Pick<KeyRow, 'counted_as'>): MadeBy => ({
  operation,
  keyId: key_id,
  lineage: counted_as ?? key_id,
});

/** Only watches of these operations; null: all. */
export const isOneOf = (operations: readonly string[] | null) => (e: ExpressionBuilder<Tables, 'watches'>) =>
  operations === null || operations.length === 0 ? e.lit(operations === null) : e('watches.operation', 'in', operations);

/** Who pays for a check (accounts/keys/payer.ts). Null: nobody, or the account is suspended; `deleted`: the account is. */
export async function payerOf(
  { db }: Store,
  { account_id, key_id, operation }: Pick<StoredWatch, 'account_id' | 'key_id' | 'operation'>,
  nowMs: number,
): Promise<Payer | 'deleted' | null> {
  if (account_id === null) return null;
  const account = await db.selectFrom('accounts').select(['suspended_at', 'deleted_at']).where('id', '=', account_id).executeTakeFirst();
  if (!account || account.deleted_at !== null) return 'deleted';
  if (account.suspended_at !== null) return null;
  const keyId = await payingCredential(credentialsOf(db, account_id), key_id, operation, nowMs);
  return keyId === null ? null : { accountId: account_id, keyId };
}
