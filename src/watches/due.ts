import type { Selectable, Transaction } from 'kysely';
import { spanOf } from '../contract/due-date.ts';
import { operationOf } from '../contract/operations/index.ts';
import { DAY_MS } from '../runtime/clock.ts';
import type { Tables } from '../store/tables.ts';
import type { WatchRow } from '../store/watch-tables.ts';
import { type FeedChange, OVER } from './compare.ts';

/** The columns of a watch that say what is due. */
export type DueWatch = Pick<Selectable<WatchRow>, 'n' | 'operation' | 'due' | 'due_on' | 'due_read_at' | 'absent' | 'pending'>;

/** A reading that is older is made again before a threshold is told. */
const STALE_MS = DAY_MS;

/** Whole days before its date on which a watch tells of it, the most first; those of the operation where it names none. */
export function thresholdsOf({ operation, due }: Pick<DueWatch, 'operation' | 'due'>): readonly number[] {
  const rule = operationOf(operation)?.watch.due;
  if (!rule) return [];
  return due === null ? rule.days : (JSON.parse(due) as number[]);
}

/** Whole days (UTC) from today to the date; below 0 after it. */
export const daysLeftOf = (on: string, nowMs: number): number => (spanOf(on).dayMs - Math.floor(nowMs / DAY_MS) * DAY_MS) / DAY_MS;

export interface Plan {
  /** What is to be told now: days left, `OVER` once the date is over; null: nothing. */
  readonly tell: number | null;
  /** When the next threshold passes; null: none is left. */
  readonly nextMs: number | null;
}

/** What of a date is to be told. `told`: the least that was told of it. Of several thresholds that passed only the nearest counts. */
export function planOf(on: string, thresholds: readonly number[], told: number | null, nowMs: number): Plan {
  if (thresholds.length === 0) return { tell: null, nextMs: null };
  const { dayMs, endsMs } = spanOf(on);
  const left = daysLeftOf(on, nowMs);
  const isOver = nowMs >= endsMs;
  const passed = isOver ? OVER : Math.min(...thresholds.filter((days) => days >= left));
  const ahead = thresholds.filter((days) => days < left && dayMs - days * DAY_MS < endsMs);
  return {
    tell: Number.isFinite(passed) && (told === null || told > passed) ? (isOver ? OVER : left) : null,
    nextMs: isOver ? null : ahead.length > 0 ? dayMs - Math.max(...ahead) * DAY_MS : endsMs,
  };
}

/** Whether the date is to be read again before it is told: the reading is old, or of a time when the date was not over yet. */
export function needsReading({ due_on, due_read_at }: Pick<DueWatch, 'due_on' | 'due_read_at'>, nowMs: number): boolean {
  if (due_on === null || due_read_at === null) return true;
  const { endsMs } = spanOf(due_on);
  return nowMs - due_read_at > STALE_MS || (nowMs >= endsMs && due_read_at < endsMs);
}

/** The least that the feed has told of this date; null: nothing. */
async function toldOf(trx: Transaction<Tables>, watch: number, on: string): Promise<number | null> {
  const rows = await trx
    .selectFrom('watch_changes')
    .select(['after', 'days_left'])
    .where('watch', '=', watch)
    .where('kind', '=', 'due')
    .execute();
  const { dayMs } = spanOf(on);
  const told = rows.flatMap(({ after, days_left }) =>
    days_left !== null && spanOf(JSON.parse(after) as string).dayMs === dayMs ? [days_left] : [],
  );
  return told.length > 0 ? Math.min(...told) : null;
}

/** What is to be told of the date of a watch now, and when it is looked at next (`due_at`; null: not before another date is read). */
export async function dueNow(
  trx: Transaction<Tables>,
  watch: DueWatch,
  nowMs: number,
): Promise<{ readonly changes: readonly FeedChange[]; readonly due_at: number | null }> {
  const { n, operation, due_on, due_read_at, absent, pending } = watch;
  const thresholds = thresholdsOf(watch);
  if (due_on === null || thresholds.length === 0 || absent !== null) return { changes: [], due_at: null };
  const { tell, nextMs } = planOf(due_on, thresholds, await toldOf(trx, n, due_on), nowMs);
  if (tell === null) return { changes: [], due_at: nextMs };
  // a second check says first whether it is still there
  if (pending !== null) return { changes: [], due_at: nowMs };
  const field = operationOf(operation)?.watch.due?.field ?? '';
  return { changes: [{ kind: 'due', field, key: null, before: null, after: due_on, daysLeft: tell, readAt: due_read_at }], due_at: nextMs };
}
