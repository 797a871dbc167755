import type { Kysely, Transaction } from 'kysely';
import type { NewOperatorKey, OperatorKeySummary } from '../../contract/admin/schemas.ts';
import { instant } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import type { Tables } from '../../store/tables.ts';
import { hintOf, isOperatorKey, makeOperatorKey } from '../keys/key-text.ts';
import { hashOf } from '../keys/keys.ts';
import type { WriteEvent } from './audit.ts';

/** Makes the operator's key, with its audit entry. The one before it, and the sessions that it opened, end with the transaction. */
export async function replaceOperatorKey(
  trx: Transaction<Tables>,
  write: WriteEvent,
  { randomBytes, now }: { readonly randomBytes: RandomBytes; readonly now: number },
): Promise<NewOperatorKey> {
  const key = makeOperatorKey(randomBytes);
  const [hash, hint] = [hashOf(key), hintOf(key)];
  await trx.updateTable('installation').set({ operator_key_hash: hash, operator_key_hint: hint, operator_key_at: now }).execute();
  await write('operator-key.create', 'operator', { hash });
  return { key, hint, createdAt: instant(now) };
}

const rowOf = (db: Kysely<Tables>) => db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();

export async function operatorKeySummary(db: Kysely<Tables>): Promise<OperatorKeySummary | null> {
  const { operator_key_hint: hint, operator_key_at: enteredMs } = await rowOf(db);
  return hint === null || enteredMs === null ? null : { hint, createdAt: instant(enteredMs) };
}

/** SHA-256 of the operator's key, read from the store each time, so that a replaced one ends at once in every process. */
export const createOperatorKey = (db: Kysely<Tables>) => ({
  /** Null: there is none. */
  hash: async (): Promise<string | null> => (await rowOf(db)).operator_key_hash,
  /** Its hash if the text is the operator's key. */
  async hashIf(text: string): Promise<string | null> {
    if (!isOperatorKey(text)) return null;
    const digest = hashOf(text);
    return digest === (await rowOf(db)).operator_key_hash ? digest : null;
  },
});
export type OperatorKey = ReturnType<typeof createOperatorKey>;
