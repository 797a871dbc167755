import type { Kysely } from 'kysely';
import { ServiceError } from '../contract/errors.ts';
import { operationsOf } from '../contract/scopes.ts';
import { instant } from '../runtime/clock.ts';
import type { Tables } from '../store/tables.ts';
import { listOf } from './keys/keys.ts';
import { isClientId } from './oauth/clients.ts';
import { CONSOLE_KEY_ID, OPERATOR_KEY_ID } from './sessions/sessions.ts';
import type { AccountView, Caller } from './types.ts';

/** The caller's account and the key or client that authenticated the request. */
export async function viewOf(db: Kysely<Tables>, { accountId, keyId, scopes = null }: Caller): Promise<AccountView> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('balances', 'balances.account_id', 'accounts.id')
    .select(['name', 'created_at', 'balance', 'held'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  if (account && (keyId === CONSOLE_KEY_ID || keyId === OPERATOR_KEY_ID)) return withoutKey(accountId, keyId, account);
  const table = isClientId(keyId) ? 'clients' : 'keys';
  const came = await db
    .selectFrom(table)
    .select(['label', 'created_at', 'expires_at'])
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!account || !came) throw new ServiceError('UNAUTHORIZED');
  const listed = table === 'keys' ? await db.selectFrom('keys').select('operations').where('id', '=', keyId).executeTakeFirst() : undefined;
  return {
    accountId,
    name: account.name,
    credits: creditsOf(account),
    key: {
      keyId,
      label: came.label,
      createdAt: instant(came.created_at),
      expiresAt: came.expires_at === null ? null : instant(came.expires_at),
      operations: listed ? listOf(listed.operations) : scopes && operationsOf(scopes),
    },
  };
}

interface AccountRow {
  readonly name: string;
  readonly created_at: number;
  readonly balance: number;
  readonly held: number;
}
const creditsOf = ({ balance, held }: AccountRow) => ({ balance: balance + held, held });

/** The account for a caller who signed in to the console without a key: all operations, as old as the account. */
const withoutKey = (accountId: string, keyId: string, account: AccountRow): AccountView => ({
  accountId,
  name: account.name,
  credits: creditsOf(account),
  key: { keyId, label: keyId, createdAt: instant(account.created_at), expiresAt: null, operations: null },
});
