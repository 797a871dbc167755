import type { Store } from '../store/store.ts';

/** When the month (UTC) began. */
export function monthOf(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}
/** Credits that the checks of a watch have cost in the month (UTC) of `nowMs`. */
export async function spentInMonth(db: Store['db'], watch: number, nowMs: number): Promise<number> {
  const { credits } = await db
    .selectFrom('watch_checks')
    .select((e) => e.fn.sum('credits').as('credits'))
    .where('watch', '=', watch)
    .where('slot', '>=', monthOf(nowMs))
    .executeTakeFirstOrThrow();
  return Number(credits ?? 0);
}
