import type { Store } from '../store/store.ts';
import type { WatchAnswerRow } from '../store/watch-tables.ts';
import type { Baseline } from './compare.ts';

/** The last answer of a source, as it is stored; null: it has not answered yet. `wasRead`: some source has. */
export interface LastAnswer {
  readonly stored: Omit<WatchAnswerRow, 'watch' | 'source'> | null;
  readonly baseline: Baseline | null;
  readonly wasRead: boolean;
}
export async function lastAnswerOf(db: Store['db'], watch: number, source: string): Promise<LastAnswer> {
  const rows = await db
    .selectFrom('watch_answers as a')
    .leftJoin('watch_bodies as b', (on) => on.onRef('b.watch', '=', 'a.watch').onRef('b.hash', '=', 'a.body').on('a.source', '=', source))
    .select(['a.source', 'a.body', 'a.unread', 'a.seen', 'b.body as text'])
    .where('a.watch', '=', watch)
    .execute();
  const row = rows.find((one) => one.source === source);
  if (!row || row.text === null) return { stored: null, baseline: null, wasRead: rows.length > 0 };
  const { body, unread, seen, text } = row;
  const baseline = { body: JSON.parse(text), unread: JSON.parse(unread), seen: JSON.parse(seen) };
  return { stored: { body, unread, seen }, baseline, wasRead: true };
}
