import type { Kysely } from 'kysely';
import { operationOf } from '../../contract/operations/index.ts';
import type { KeyRow, Tables } from '../../store/tables.ts';
import { CONSOLE_KEY_ID, OPERATOR_KEY_ID } from '../sessions/sessions.ts';

/** What decides whether a key, a grant (a key with scopes) or an OAuth client pays for checks of watches. Lists are JSON; null: no limit. */
type Credential = Pick<KeyRow, 'id' | 'expires_at' | 'revoked_at' | 'replaced_by' | 'operations'> & { readonly scopes: string | null };
export type FindCredential = (id: string) => Promise<Credential | undefined>;

/** Reads the keys, grants and clients of one account. */
export const credentialsOf =
  (db: Kysely<Tables>, accountId: string): FindCredential =>
  async (id) => {
    const key = await db
      .selectFrom('keys as k')
      .leftJoin('grants as g', 'g.key_id', 'k.id')
      .select(['k.id', 'k.expires_at', 'k.revoked_at', 'k.replaced_by', 'k.operations', 'g.scopes'])
      .where('k.id', '=', id)
      .where('k.account_id', '=', accountId)
      .executeTakeFirst();
    if (key) return key;
    const client = await db
      .selectFrom('clients')
      .select(['id', 'expires_at', 'revoked_at', 'scopes'])
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return client && { ...client, replaced_by: null, operations: null };
  };

/**
 * Id of the credential that pays for checks of this operation by a watch that `keyId` made: itself, or the key that replaced it once it is
 * over. Null: it is revoked, expired, or may not use the operation. A watch that a session without a key made belongs to the account alone.
 */
export async function payingCredential(find: FindCredential, keyId: string, operation: string, nowMs: number): Promise<string | null> {
  if (keyId === CONSOLE_KEY_ID || keyId === OPERATOR_KEY_ID) return keyId;
  let credential = await find(keyId);
  while (credential && credential.replaced_by !== null && isOver(credential, nowMs)) credential = await find(credential.replaced_by);
  if (!credential || isOver(credential, nowMs) || !isIn(credential.operations, operation)) return null;
  return isIn(credential.scopes, operationOf(operation)?.area.id ?? '') ? credential.id : null;
}

const isOver = ({ expires_at, revoked_at }: Credential, nowMs: number): boolean =>
  revoked_at !== null || (expires_at !== null && expires_at <= nowMs);

const isIn = (list: string | null, text: string): boolean => list === null || (JSON.parse(list) as string[]).includes(text);
