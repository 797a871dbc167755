import type { ExpressionBuilder } from 'kysely';
import type { MadeBy } from '../accounts/rights.ts';
import { CONSOLE_KEY_ID, OPERATOR_KEY_ID } from '../accounts/sessions/sessions.ts';
import type { Payer } from '../billing/charge.ts';
import { operationOf } from '../contract/operations/index.ts';
import type { Store } from '../store/store.ts';
import type { ClientRow, KeyRow, Tables } from '../store/tables.ts';
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

const isOver = ({ expires_at, revoked_at }: Pick<ClientRow, 'expires_at' | 'revoked_at'>, nowMs: number): boolean =>
  revoked_at !== null || (expires_at !== null && expires_at <= nowMs);

const isIn = (list: string | null, text: string): boolean => list === null || (JSON.parse(list) as string[]).includes(text);

/** Whether these scopes of a grant or client have the area of the operation; null: all scopes, or a key. */
const areScopesOf = (scopes: string | null, operation: string): boolean => isIn(scopes, operationOf(operation)?.area.id ?? '');

const KEY_COLUMNS = ['k.id', 'k.expires_at', 'k.revoked_at', 'k.replaced_by', 'k.operations', 'g.scopes'] as const;

/**
 * Who pays for a check: the key, grant or OAuth client that made the watch, or the key that replaced it. Null: it is revoked, expired, or may
 * not use the operation; `deleted`: the account is. A watch that a session without a key made belongs to the account alone.
 */
export async function payerOf(
  { db }: Store,
  { account_id, key_id, operation }: Pick<StoredWatch, 'account_id' | 'key_id' | 'operation'>,
  nowMs: number,
): Promise<Payer | 'deleted' | null> {
  if (account_id === null) return null;
  const made = await db
    .selectFrom('accounts as a')
    .leftJoin('keys as k', (on) => on.onRef('k.account_id', '=', 'a.id').on('k.id', '=', key_id))
    .leftJoin('grants as g', 'g.key_id', 'k.id')
    .select(['a.suspended_at', 'a.deleted_at', ...KEY_COLUMNS])
    .where('a.id', '=', account_id)
    .executeTakeFirst();
  if (!made || made.deleted_at !== null) return 'deleted';
  if (made.suspended_at !== null) return null;
  let key: Pick<typeof made, 'id' | 'expires_at' | 'revoked_at' | 'replaced_by' | 'operations' | 'scopes'> | undefined = made;
  // a rerolled key hands on its watches
  while (key && key.replaced_by !== null && isOver(key, nowMs))
    key = await db
      .selectFrom('keys as k')
      .leftJoin('grants as g', 'g.key_id', 'k.id')
      .select(KEY_COLUMNS)
      .where('k.id', '=', key.replaced_by)
      .where('k.account_id', '=', account_id)
      .executeTakeFirst();
  if (!key) return null;
  if (key.id !== null) {
    const mayUse = isIn(key.operations, operation) && areScopesOf(key.scopes, operation);
    return isOver(key, nowMs) || !mayUse ? null : { accountId: account_id, keyId: key.id };
  }
  if (key_id === CONSOLE_KEY_ID || key_id === OPERATOR_KEY_ID) return { accountId: account_id, keyId: key_id };
  const client = await db
    .selectFrom('clients')
    .select(['expires_at', 'revoked_at', 'scopes'])
    .where('id', '=', key_id)
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  const mayPay = client && !isOver(client, nowMs) && areScopesOf(client.scopes, operation);
  return mayPay ? { accountId: account_id, keyId: key_id } : null;
}
