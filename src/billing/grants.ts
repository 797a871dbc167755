import { sql, type Transaction } from 'kysely';
import { OperatorError } from '../runtime/operator-error.ts';
import { CODE, type Op } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { MAX_CREDITS } from './bounds.ts';
import { plainLine } from './hold-id.ts';

export interface Grant {
  readonly accountId: string;
  /** Negative: removed, if the free balance covers it. */
  readonly credits: number;
  readonly note: string;
  /** A reference is granted once per account; '' is always granted. */
  readonly reference: string;
}
/** A grant that cannot be made: wrong amount, no such account, too few or too many credits. */
export class GrantError extends OperatorError {}
export interface Granted {
  /** Free credits afterwards. */
  readonly balance: number;
  /** False if the reference was granted before: nothing was written. */
  readonly written: boolean;
}

/** Grants credits within a transaction, so that they commit together with their audit entry. Throws GrantError for invalid grants. */
export async function grantWithin(store: Store, trx: Transaction<Tables>, grant: Grant): Promise<Granted> {
  const { accountId, credits } = grant;
  if (!Number.isSafeInteger(credits) || credits === 0 || Math.abs(credits) > MAX_CREDITS)
    throw new GrantError(`credits must be a whole number other than 0, at most ${MAX_CREDITS}, not ${credits}.`);
  // locks the row: its entry number shows whether the batch wrote an entry
  const before = await trx
    .updateTable('balances')
    .set({ seq: sql<number>`seq` })
    .where('account_id', '=', accountId)
    .returning(['seq', 'balance', 'held'])
    .executeTakeFirst();
  if (!before) throw new GrantError(`There is no account ${accountId}.`);
  const op: Op = ['grant', accountId, plainLine(grant.reference), credits, 0, '', '', plainLine(grant.note)];
  const { codes, amounts } = await store.settleWithin(trx, [op]);
  const [balance = 0] = amounts;
  if (codes[0] === CODE.short) throw new GrantError(`Account ${accountId} has ${balance} free credits: ${-credits} cannot be taken.`);
  const after = await trx
    .selectFrom('balances')
    .select(['seq', 'balance', 'held'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (after.balance + after.held > MAX_CREDITS)
    throw new GrantError(
      `Account ${accountId} has ${before.balance + before.held} credits: with ${credits} more it would have more than ${MAX_CREDITS}.`,
    );
  return { balance, written: after.seq !== before.seq };
}

/** Grants credits in a new transaction, in which `audit` runs if an entry was written. */
export async function grantAudited(store: Store, grant: Grant, audit: (trx: Transaction<Tables>) => Promise<unknown>): Promise<Granted> {
  return store.db.transaction().execute(async (trx) => {
    const granted = await grantWithin(store, trx, grant);
    if (granted.written) await audit(trx);
    return granted;
  });
}
