import { type Kysely, sql } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** Answers of an hour in which a field was expected. */
export interface HourlySum {
  readonly source: string;
  /** Source, operation and part. */
  readonly stream: string;
  /** Dotted path in the resource, without list indexes. */
  readonly field: string;
  /** Hours since the epoch. */
  readonly hour: number;
  readonly answers: number;
  readonly missing: number;
  readonly unread: number;
  /** 1: the field drifted in this hour, which says nothing about its long-run rates. */
  readonly drifting: number;
}
/** Hourly sums of all processes that share a store. */
export interface DriftSums {
  add(sums: readonly HourlySum[]): Promise<void>;
  /** One sum per stream and field over the last week, without the hours in which the field drifted. */
  load(nowMs: number): Promise<readonly HourlySum[]>;
}

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;
const RETENTION_HOURS = 30 * 24;
/** Rows of one statement: SQLite takes 32,766 parameters. */
const ROWS = 500;

/** Hourly sums in the store: one row per field and hour, for 30 days. */
export function createDriftSums(db: Kysely<Tables>): DriftSums {
  return {
    async add(sums) {
      for (let i = 0; i < sums.length; i += ROWS) {
        await db
          .insertInto('field_hours')
          .values(sums.slice(i, i + ROWS).map((sum) => ({ ...sum })))
          .onConflict((conflict) =>
            conflict.columns(['stream', 'field', 'hour']).doUpdateSet({
              answers: sql<number>`field_hours.answers + excluded.answers`,
              missing: sql<number>`field_hours.missing + excluded.missing`,
              unread: sql<number>`field_hours.unread + excluded.unread`,
              drifting: sql<number>`case when excluded.drifting > field_hours.drifting then excluded.drifting else field_hours.drifting end`,
            }),
          )
          .execute();
      }
      const newest = Math.max(0, ...sums.map(({ hour }) => hour));
      await db
        .deleteFrom('field_hours')
        .where('hour', '<', newest - RETENTION_HOURS)
        .execute();
    },
    async load(nowMs) {
      const rows = await db
        .selectFrom('field_hours')
        .select(['source', 'stream', 'field'])
        .select((e) => [e.fn.sum<number>('answers').as('answers'), e.fn.sum<number>('missing').as('missing')])
        .select((e) => [e.fn.sum<number>('unread').as('unread'), e.fn.max<number>('hour').as('hour')])
        .where('hour', '>=', Math.floor(nowMs / HOUR_MS) - WEEK_HOURS)
        .where('drifting', '=', 0)
        .groupBy(['source', 'stream', 'field'])
        .execute();
      return rows.map(({ source, stream, field, hour, answers, missing, unread }) => ({
        source,
        stream,
        field,
        hour: Number(hour),
        answers: Number(answers),
        missing: Number(missing),
        unread: Number(unread),
        drifting: 0,
      }));
    },
  };
}
