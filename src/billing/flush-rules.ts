import { creditMessage } from './credit-messages.ts';
import type { JournalAnswer } from './journal.ts';
import { type Op, type Outcome, plainLine } from './rules.ts';
import type { HoldAnswer, HoldRequest } from './types.ts';

/** The part of a waiting operation that decides what a failed flush does with it. */
export interface Retryable {
  /** Until when a settlement is tried again, epoch ms; 0: never. */
  readonly keepUntil: number;
}
/** `split`: each half is flushed by itself. `sorted`: `again` goes before what was gathered meanwhile, `lost` gets the error. */
export type AfterFailure<W> =
  | { readonly kind: 'split'; readonly halves: readonly [readonly W[], readonly W[]] }
  | { readonly kind: 'sorted'; readonly again: readonly W[]; readonly lost: readonly W[] };

/**
 * What becomes of a batch whose flush failed. `isAway`: the store did not answer, so that what was written is not known: holds are refused (an
 * unseen one expires), settlements are tried again while they may live, in a shutdown until `closeByMs`. Otherwise the store refused one of the
 * operations, which must not take the others along.
 */
export function afterFailure<W extends Retryable>(
  batch: readonly W[],
  { isAway, nowMs, closeByMs }: { readonly isAway: boolean; readonly nowMs: number; readonly closeByMs: number },
): AfterFailure<W> {
  if (!isAway && batch.length > 1) {
    const half = batch.length >> 1;
    return { kind: 'split', halves: [batch.slice(0, half), batch.slice(half)] };
  }
  const { again = [], lost = [] } = Object.groupBy(batch, ({ keepUntil }) =>
    isAway && Math.min(keepUntil, closeByMs) > nowMs ? 'again' : 'lost',
  );
  return { kind: 'sorted', again, lost };
}

/** Whether settlements wait before they are tried again: not where a caller waits for the same queue. */
export const waitsToRetry = (gathered: readonly Retryable[]): boolean => gathered.every(({ keepUntil }) => keepUntil > 0);

/** The operation of a hold; null where credits or time are no whole numbers that can be stored. */
export function holdOp({ accountId, keyId, amount, operation, ttlMs, requestId, label }: HoldRequest, id: string): Op | null {
  const lifeMs = Math.ceil(ttlMs);
  if (!Number.isSafeInteger(amount) || amount < 1 || !Number.isSafeInteger(lifeMs)) return null;
  const names = label ? `${requestId} ${label}` : requestId;
  return { kind: 'hold', accountId, id, amount, lifeMs, keyId, operation, label: plainLine(names) };
}

/** What a caller is told of a hold that the journal answered. `askedMs`: when it was asked for, by this process's clock. */
export function holdAnswer(
  { accountId, id, amount }: Op,
  outcome: Outcome,
  { atMs, states }: Pick<JournalAnswer, 'atMs' | 'states'>,
  { askedMs, ttlMs }: { readonly askedMs: number; readonly ttlMs: number },
): HoldAnswer {
  const { code, amount: left, cap } = outcome;
  const state = states.get(accountId);
  if (code === 'done' && state) return { ok: true, holdId: `${accountId}.${state.seq}.${id}`, remaining: left, expiresAt: askedMs + ttlMs };
  const message = creditMessage(outcome, amount, atMs);
  return { ok: false, error: 'INSUFFICIENT_CREDITS', message, remaining: state?.balance ?? 0, ...(cap && { capLeft: left }) };
}
