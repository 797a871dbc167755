import type { Transaction } from 'kysely';
import { invalid } from '../contract/errors.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { MAX_CREDITS } from './bounds.ts';
import { lineOf, plainEntry, plainLine, rowHash } from './rules.ts';

export interface CreditGrant {
  readonly accountId: string;
  /** Negative: removed, if the free balance covers it. */
  readonly credits: number;
  readonly note: string;
  /** A reference is granted once per account; '' is always granted. */
  readonly reference: string;
}

/** Grants credits within a transaction. Returns the free credits; `written` false: the reference was granted before. Throws INVALID_REQUEST. */
export async function grantCredits(store: Store, trx: Transaction<Tables>, grant: CreditGrant) {
  const { accountId, credits } = grant;
  if (!Number.isSafeInteger(credits) || credits === 0 || Math.abs(credits) > MAX_CREDITS)
    throw invalid(`credits must be a whole number other than 0, at most ${MAX_CREDITS}, not ${credits}.`);
  for (const name of ['note', 'reference'] as const)
    if (plainLine(grant[name]) !== grant[name]) throw invalid(`${name} must be one line of at most 200 characters.`);
  const { atMs, balances } = await store.lockBalances(trx, [accountId]);
  const before = balances[0];
  if (!before) throw invalid(`There is no account ${accountId}.`);
  const { reference, note } = grant;
  if (reference) {
    const known = await trx
      .insertInto('grant_references')
      .values({ account_id: accountId, reference })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (known.numInsertedOrUpdatedRows === 0n) return { balance: before.balance, written: false };
  }
  const balance = before.balance + credits;
  if (balance < 0) throw invalid(`Account ${accountId} has ${before.balance} free credits: ${-credits} cannot be taken.`);
  if (balance + before.held > MAX_CREDITS)
    throw invalid(
      `Account ${accountId} has ${before.balance + before.held} credits: with ${credits} more it would have more than ${MAX_CREDITS}.`,
    );
  const seq = before.seq + 1;
  const lines = lineOf({ ...plainEntry('grant', credits, 0, reference), label: note });
  const row = { accountId, seq, lines, hash: rowHash(accountId, seq, atMs, before.head, lines), balance, held: before.held };
  await store.append({ atMs, rows: [row], spent: [], keyChanges: null }, trx);
  return { balance, written: true };
}
