import { type Kysely, sql } from 'kysely';
import { HOUR_MS } from '../runtime/clock.ts';
import type { FieldHourRow, Tables } from './tables.ts';

export type DriftSums = ReturnType<typeof createDriftSums>;

const WEEK_HOURS = 7 * 24;
const RETENTION_HOURS = 30 * 24;
/** Rows of one statement: SQLite takes 32,766 parameters. */
const ROWS = 500;

/** Hourly sums of all processes that share a store: one row per field and hour, for 30 days. */
export function createDriftSums(db: Kysely<Tables>) {
  const lastWeek = (nowMs: number) =>
    db
      .selectFrom('field_hours')
      .select((e) => (['answers', 'missing', 'unread'] as const).map((column) => e.fn.sum<number>(column).as(column)))
      .where('hour', '>=', Math.floor(nowMs / HOUR_MS) - WEEK_HOURS);
  return {
    async add(sums: readonly FieldHourRow[]): Promise<void> {
      const added = (column: 'answers' | 'missing' | 'unread') =>
        sql<number>`${sql.ref(`field_hours.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
      for (let i = 0; i < sums.length; i += ROWS)
        await db
          .insertInto('field_hours')
          .values(sums.slice(i, i + ROWS).map((sum) => ({ ...sum })))
          .onConflict((conflict) =>
            conflict.columns(['stream', 'field', 'hour']).doUpdateSet({
              answers: added('answers'),
              missing: added('missing'),
              unread: added('unread'),
              drifting: sql<number>`case when excluded.drifting > field_hours.drifting then excluded.drifting else field_hours.drifting end`,
            }),
          )
          .execute();
      const newest = Math.max(0, ...sums.map(({ hour }) => hour));
      const old = db.deleteFrom('field_hours').where('hour', '<', newest - RETENTION_HOURS);
      await old.execute();
    },
    /** One sum per stream and field over the last week, without the hours in which the field drifted. */
    load: (nowMs: number) =>
      lastWeek(nowMs)
        .select(['source', 'stream', 'field', (e) => e.fn.max('hour').as('hour')])
        .where('drifting', '=', 0)
        .groupBy(['source', 'stream', 'field'])
        .execute(),
    drifted: () =>
      db
        .selectFrom('field_hours')
        .select(['source', 'field', (e) => e.fn.max('hour').as('hour')])
        .where('drifting', '=', 1)
        .groupBy(['source', 'field'])
        .execute(),
    /** The hours of a field of the last week, oldest first: sums over all of the source's streams. */
    hoursOf: (source: string, field: string, nowMs: number) =>
      lastWeek(nowMs)
        .select(['hour', (e) => e.fn.max('drifting').as('drifting')])
        .where('source', '=', source)
        .where('field', '=', field)
        .groupBy('hour')
        .orderBy('hour')
        .execute(),
  };
}
