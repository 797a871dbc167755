import type { Selectable } from 'kysely';
import type { WatchChange } from '../../contract/account/watch-schemas.ts';
import type { WatchTables } from '../../store/watch-tables.ts';
import { changeIdOf } from '../feed.ts';
import type { StoredWatch } from '../records.ts';
import type { ScheduleParts } from '../schedule.ts';
import type { Told } from './message.ts';

type StoreParts = Pick<ScheduleParts, 'store'>;
/** A message that this process has taken. */
export type Due = Selectable<WatchTables['watch_deliveries']>;

const MOST_CHANGES = 200;

/** What a message of this cursor tells, the entries of its check, and its id, which is that of the change. */
export async function toldOf({ store }: StoreParts, watch: StoredWatch, cursor: number): Promise<(Told & { readonly id: string }) | null> {
  const rows = await store.db
    .selectFrom('watch_changes')
    .selectAll()
    .where('watch', '=', watch.n)
    .where('n', '<=', cursor)
    .orderBy('n', 'desc')
    .limit(MOST_CHANGES)
    .execute();
  const [last] = rows;
  if (!last || last.n !== cursor) return null;
  const end = rows.findIndex(({ slot, at }) => slot !== last.slot || at !== last.at);
  const ofCheck = store.db.selectFrom('watch_changes').where('watch', '=', watch.n).where('slot', '=', last.slot).where('at', '=', last.at);
  const left =
    end >= 0 || rows.length < MOST_CHANGES
      ? []
      : await ofCheck
          .select('kind')
          .where('n', '<', rows.at(-1)?.n ?? 0)
          .execute();
  const changes = rows.slice(0, end < 0 ? rows.length : end).toReversed();
  return {
    id: changeIdOf(watch.id, cursor),
    watch,
    atMs: last.at,
    more: left.map(({ kind }) => kind as WatchChange['kind']),
    changes: changes.map(({ kind, field, key, before, after: now, days_left, read_at }) => ({
      ...{ kind: kind as WatchChange['kind'], field, key },
      before: JSON.parse(before) as unknown,
      after: JSON.parse(now) as unknown,
      daysLeft: days_left === null ? null : Math.max(0, days_left),
      readAt: read_at,
    })),
  };
}

/** What a digest tells: one entry a check, of those that were taken with it. What is filed meanwhile is told with the next one. */
export async function toldTogether(parts: StoreParts, { target, next_at }: Due) {
  const { db } = parts.store;
  const taken = await db
    .selectFrom('watch_deliveries')
    .select(['watch', 'cursor'])
    .where('target', '=', target)
    .where('next_at', '=', next_at)
    .orderBy('cursor')
    .execute();
  const told: NonNullable<Awaited<ReturnType<typeof toldOf>>>[] = [];
  for (const { watch: n, cursor } of taken) {
    const watch = await db.selectFrom('watches').selectAll().where('n', '=', n).executeTakeFirst();
    const one = watch && (await toldOf(parts, watch, cursor));
    if (one) told.push(one);
  }
  return told;
}
