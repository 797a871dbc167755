import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ExpressionBuilder, Selectable, Transaction } from 'kysely';
import { valueAt } from '../contract/compare.ts';
import type { Operation } from '../contract/operations/index.ts';
import type { WatchedField } from '../contract/watched-field.ts';
import { HOUR_MS } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { WatchAnswerRow, WatchRow } from '../store/watch-tables.ts';
import type { FeedChange, Verdict } from './compare.ts';
import { dueNow, needsReading } from './due.ts';
import { fileChanges, mayStay } from './filing.ts';
import { isRanked, RANKED } from './places.ts';
import { firstNumber } from './series.ts';

/** A watch as it is read. */
export type StoredWatch = Selectable<WatchRow>;
export const fieldsOf = ({ fields }: Pick<StoredWatch, 'fields'>): readonly WatchedField[] | null =>
  fields === null ? null : (JSON.parse(fields) as WatchedField[]);
/** A claimed slot: the check of this process, until the claim ends. */
export interface ClaimedSlot {
  readonly watch: StoredWatch;
  readonly slot: number;
  readonly claim: string;
}

/** Checks, answers and messages are stored for a year. */
export const HISTORY_MS = 366 * 24 * HOUR_MS;
/** Longer than any lookup takes: a check that was frozen for longer is made by another process. */
export const CLAIM_MS = 300_000;

/** When the slots of a watch begin within its period: spread by the hash of its id. */
const offsetOf = ({ id, every_ms }: Planned): number => Number.parseInt(hash('sha256', id, 'hex').slice(0, 12), 16) % every_ms;
type Planned = Pick<StoredWatch, 'id' | 'every_ms'>;

/** The first slot after a time. Slots that have passed meanwhile are left out: they count as the one that ran. */
export function nextSlot(watch: Planned, nowMs: number): number {
  const offset = offsetOf(watch);
  return (Math.floor((nowMs - offset) / watch.every_ms) + 1) * watch.every_ms + offset;
}

export const hashOf = (body: string): string => hash('sha256', body, 'base64url').slice(0, 22);

/** No process has claimed it; a claim that ends far later than one of another process can is of a time before the clock was set back. */
export const isFree = (nowMs: number) => (e: ExpressionBuilder<Tables, 'watches'>) =>
  e.or([e('claim_until', 'is', null), e('claim_until', '<=', nowMs), e('claim_until', '>', nowMs + 2 * CLAIM_MS)]);

/** Its slot is due, or its date is to be looked at: not while it is paused, nor while a second check is to say whether it is still there. */
export const isDue = (nowMs: number) => (e: ExpressionBuilder<Tables, 'watches'>) =>
  e.or([e('next_at', '<=', nowMs), e.and([e('due_at', '<=', nowMs), e('paused', '=', 0), e('pending', 'is', null)])]);

/**
 * Claims a due slot, in one transaction; null: another process has it, or it has its outcome already and is passed over. A date that is due is
 * told at once if it was read lately; else the claim is for a check that reads it first.
 */
export async function claimSlot(store: Store, n: number, nowMs: number, claim: string): Promise<ClaimedSlot | null> {
  return store.db.transaction().execute(async (trx) => {
    const due = trx.selectFrom('watches').selectAll().where('n', '=', n).where(isDue(nowMs)).where(isFree(nowMs));
    const watch = await (store.kind === 'postgres' ? due.forUpdate().skipLocked() : due).executeTakeFirst();
    if (!watch) return null;
    const isOfDate = watch.next_at > nowMs;
    if (isOfDate && !needsReading(watch, nowMs)) {
      const { changes, due_at } = await dueNow(trx, watch, nowMs);
      await trx.updateTable('watches').set({ due_at }).where('n', '=', n).execute();
      await fileChanges(trx, { watch, slot: nowMs, changes, source: null }, nowMs);
      return null;
    }
    const slot = isOfDate ? nowMs : watch.next_at;
    const checks = trx.selectFrom('watch_checks').select('slot').where('watch', '=', n).where('slot', '=', slot);
    const isDone = (await checks.executeTakeFirst()) !== undefined;
    const set = isDone ? { next_at: nextSlot(watch, slot) } : { claim, claim_until: nowMs + CLAIM_MS };
    await trx.updateTable('watches').set(set).where('n', '=', n).execute();
    return isDone ? null : { watch: { ...watch, claim }, slot, claim };
  });
}

/** Claims a watch for a check at once; null: another check is being made. */
export async function claimNow(store: Store, watch: StoredWatch, slot: number, claim: string): Promise<ClaimedSlot | null> {
  const taken = await store.db
    .updateTable('watches')
    .set({ claim, claim_until: slot + CLAIM_MS })
    .where('n', '=', watch.n)
    .where(isFree(slot))
    .returningAll()
    .executeTakeFirst();
  return taken ? { watch: taken, slot, claim } : null;
}

/** How a check ended. */
export interface EndedCheck {
  readonly verdict: Verdict;
  readonly source: string | null;
  readonly credits: number;
  /** When it began, where it may have asked a source; else null. */
  readonly beganAt: number | null;
  /** Id of the hold that paid for it; null or absent: nothing was charged. */
  readonly receipt?: string | null;
  /** The answer of the source before this one. */
  readonly stored?: Omit<WatchAnswerRow, 'watch' | 'source'> | null;
}

/** A check whose outcome is stored, and when it ended. */
export type WrittenCheck = EndedCheck & { readonly atMs: number };

/**
 * Writes the outcome of a slot with all that follows from it, in one transaction. False: the claim ended or the slot has its outcome, and
 * nothing was written. `nowMs`: when it ended.
 */
export async function finish(
  store: Store,
  claimed: ClaimedSlot,
  operation: Operation | null,
  ended: EndedCheck,
  nowMs: number,
): Promise<boolean> {
  const { watch, slot, claim } = claimed;
  const { verdict, source, credits, beganAt, stored } = ended;
  const { pending, absent, fails } = verdict;
  return store.db.transaction().execute(async (trx) => {
    const columns = [
      'id',
      'every_ms',
      'next_at',
      'account_id',
      'webhook_url',
      'own_notify',
      'fields',
      'paused',
      'due',
      'due_on',
      'due_read_at',
      'due_at',
    ] as const;
    const held = trx
      .selectFrom('watches')
      .select(columns)
      .where('n', '=', watch.n)
      .where('claim', '=', claim)
      .where('claim_until', '>', nowMs);
    const row = await (store.kind === 'postgres' ? held.forUpdate() : held).executeTakeFirst();
    if (!row) return false;
    const dated = await datedBy(trx, { ...watch, ...row }, operation, verdict, nowMs);
    const planned = row.next_at <= slot ? nextSlot(row, Math.max(nowMs, slot)) : row.next_at;
    await trx
      .updateTable('watches')
      .set({
        claim: null,
        claim_until: null,
        next_at: verdict.code === 'unconfirmed' ? Math.min(planned, nowMs + CONFIRM_RETRY_MS) : planned,
        fails,
        pending: pending?.kind ?? null,
        pending_at: pending?.sinceMs ?? null,
        absent,
        stopped: verdict.stopped,
        ...dated.columns,
        ...(beganAt !== null && { checked_at: nowMs }),
      })
      .where('n', '=', watch.n)
      .execute();
    const text = verdict.body === null || operation === null ? null : JSON.stringify(verdict.body);
    const body = text === null ? null : hashOf(text);
    const value = operation && firstNumber(operation, fieldsOf(row))?.of(verdict.body);
    const written = await trx
      .insertInto('watch_checks')
      .values({
        watch: watch.n,
        slot,
        at: nowMs,
        outcome: verdict.outcome,
        code: verdict.code,
        credits,
        source,
        body,
        value: value ?? null,
      })
      .onConflict((c) => c.doNothing())
      .returning('slot')
      .executeTakeFirst();
    if (!written) return false;
    const old = nowMs - HISTORY_MS;
    // by watch: the tables have no index by time, and are long
    await trx.deleteFrom('watch_checks').where('watch', '=', watch.n).where('slot', '<', old).execute();
    if (operation && text !== null) await storeBody(trx, watch.n, operation, text, nowMs);
    if (operation && source !== null && verdict.baseline) {
      const next = JSON.stringify(verdict.baseline.body);
      if (next !== text) await storeBody(trx, watch.n, operation, next, nowMs);
      const answer = { body: hashOf(next), unread: JSON.stringify(verdict.baseline.unread), seen: JSON.stringify(verdict.baseline.seen) };
      if (!isDeepStrictEqual(answer, stored))
        await trx
          .insertInto('watch_answers')
          .values({ watch: watch.n, source, ...answer })
          .onConflict((c) => c.columns(['watch', 'source']).doUpdateSet(answer))
          .execute();
    }
    await fileChanges(trx, { watch: { ...watch, ...row }, slot, changes: [...verdict.changes, ...dated.changes], source }, nowMs);
    await trx
      .deleteFrom('watch_deliveries')
      .where('watch', '=', watch.n)
      .where('next_at', 'is', null)
      .where('created_at', '<', old)
      .execute();
    return true;
  });
}
const CONFIRM_RETRY_MS = 601_000;

/** What the outcome of a check says of the date of its watch: its columns, and what is told of it. A paused watch tells nothing. */
async function datedBy(trx: Transaction<Tables>, watch: StoredWatch, operation: Operation | null, verdict: Verdict, nowMs: number) {
  const { absent, pending, body } = verdict;
  const rule = operation?.watch.due;
  const read = rule && body ? valueAt(body, rule.field) : null;
  const isRead = typeof read === 'string';
  // a name that is free, or a thing that is gone, has no date; an answer that states none says nothing of the last one
  const due_on = absent !== null ? null : isRead ? read : watch.due_on;
  const due_read_at = isRead ? nowMs : watch.due_read_at;
  const columns = { due_on, due_read_at };
  const isLookedAt = due_on !== watch.due_on || (watch.due_at !== null && watch.due_at <= nowMs);
  const noChanges: readonly FeedChange[] = [];
  if (!isLookedAt || watch.paused === 1) return { columns: { ...columns, due_at: watch.due_at }, changes: noChanges };
  const { changes, due_at } = await dueNow(trx, { ...watch, ...columns, absent, pending: pending?.kind ?? null }, nowMs);
  return { columns: { ...columns, due_at }, changes };
}

async function storeBody(trx: Transaction<Tables>, watch: number, operation: Operation, body: string, nowMs: number): Promise<void> {
  const read_at = nowMs - (nowMs % HOUR_MS);
  const stripped = mayStay(operation);
  const places = isRanked(operation.id) ? JSON.stringify(RANKED[operation.id].placesOf(JSON.parse(body) as Record<string, unknown>)) : null;
  await trx
    .insertInto('watch_bodies')
    .values({ watch, hash: hashOf(body), operation: operation.id, body, read_at, stripped, places })
    // texts that are read again may be stored again
    .onConflict((c) => c.columns(['watch', 'hash']).doUpdateSet({ read_at, body, stripped }).where('watch_bodies.read_at', '<', read_at))
    .execute();
}
