import type { AccountInput } from '../contract/account/endpoints.ts';
import type { WatchChange, WatchChanges, WatchCheck, WatchHistory } from '../contract/account/watch-schemas.ts';
import { missing, type ServiceError } from '../contract/errors.ts';
import { type OperationId, operationOf } from '../contract/operations/index.ts';
import { csvRecord } from '../contract/tables.ts';
import { instant, instantOrNull } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { WatchCheckRow } from '../store/watch-tables.ts';
import { OVER } from './compare.ts';
import { isOneOf } from './maker.ts';
import { fieldsOf, type StoredWatch } from './records.ts';
import { type SeriesPoint, seriesOf } from './series.ts';

type Db = Store['db'];
export type PageQuery = Pick<AccountInput<'account-watches'>, 'after' | 'limit'>;

/** Id of a change, and of the message that tells of it. */
export const changeIdOf = (watchId: string, n: number): string => `chg_${watchId.slice(4)}_${n}`;

export const noWatch = (id: string): ServiceError => missing(`This account has no watch ${id}.`);

export type FeedQuery = Omit<AccountInput<'account-changes'>, 'rest'>;
/**
 * A page of the feed of an account. `watch`: only of this one, else NOT_FOUND. `operations`: only of these, while the cursor passes over others;
 * null: of all.
 */
export async function readChanges(
  db: Db,
  accountId: string,
  { after, limit, order, watch }: FeedQuery,
  operations: readonly OperationId[] | null,
): Promise<WatchChanges> {
  if (watch !== undefined) {
    const found = db.selectFrom('watches').select('n').where('id', '=', watch).where('account_id', '=', accountId);
    if (!(await found.executeTakeFirst())) throw noWatch(watch);
  }
  // read first: what is filed meanwhile is left for the next page
  const feed = operations && (await db.selectFrom('watch_feeds').select('n').where('account_id', '=', accountId).executeTakeFirst());
  let query = db
    .selectFrom('watch_changes')
    .innerJoin('watches', 'watches.n', 'watch_changes.watch')
    .selectAll('watch_changes')
    .select(['watches.id', 'watches.name', 'watches.operation'])
    .where('watch_changes.account_id', '=', accountId)
    .where(isOneOf(operations));
  if (after !== undefined) query = query.where('watch_changes.n', order === 'newest' ? '<' : '>', after);
  if (watch !== undefined) query = query.where('watches.id', '=', watch);
  const rows = await query
    .orderBy('watch_changes.n', order === 'newest' ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute();
  const changes = rows.slice(0, limit).map(
    (row): WatchChange => ({
      id: changeIdOf(row.id, row.n),
      cursor: String(row.n),
      watchId: row.id,
      name: row.name,
      operation: row.operation,
      at: instant(row.at),
      kind: row.kind as WatchChange['kind'],
      field: row.field,
      key: row.key,
      before: JSON.parse(row.before),
      after: JSON.parse(row.after),
      source: row.source,
      // over: 0, as a count
      daysLeft: row.days_left === OVER ? 0 : row.days_left,
      readAt: instantOrNull(row.read_at),
    }),
  );
  const hasMore = rows.length > limit;
  const last = Number(changes.at(-1)?.cursor ?? after ?? 0);
  const end = hasMore || order === 'newest' ? last : Math.max(last, feed?.n ?? 0);
  return { changes, after: end > 0 || after !== undefined ? String(end) : null, hasMore };
}

export const endedView = ({ slot, at, outcome, code }: Pick<WatchCheckRow, 'slot' | 'at' | 'outcome' | 'code'>) => ({
  at: instant(at ?? slot),
  slot: instant(slot),
  outcome: outcome as WatchCheck['outcome'],
  code,
});
export const checkView = (row: Omit<WatchCheckRow, 'watch' | 'body' | 'value'>): WatchCheck => ({
  ...endedView(row),
  credits: row.credits,
  source: row.source,
});

async function checksOf(db: Db, { n }: StoredWatch, { after, limit }: PageQuery) {
  let query = db
    .selectFrom('watch_checks')
    .leftJoin('watch_bodies as b', (on) => on.onRef('b.watch', '=', 'watch_checks.watch').onRef('b.hash', '=', 'watch_checks.body'))
    .select(['slot', 'watch_checks.at', 'outcome', 'code', 'credits', 'source', 'b.body as text'])
    .where('watch_checks.watch', '=', n);
  if (after !== undefined) query = query.where('slot', '<', after);
  return query.orderBy('slot', 'desc').limit(limit).execute();
}
/** The numbers of the answer of a check. */
function pointsOf(watch: StoredWatch, { text }: { readonly text: string | null }): readonly SeriesPoint[] {
  const operation = operationOf(watch.operation);
  return operation && text !== null ? seriesOf(operation, fieldsOf(watch), JSON.parse(text)) : [];
}

/** The checks of a watch with the numbers that they read, newest first. */
export async function readHistory(db: Db, watch: StoredWatch, { after, limit }: PageQuery): Promise<WatchHistory> {
  const rows = await checksOf(db, watch, { after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    checks: page.map((row) => ({ ...checkView(row), series: [...pointsOf(watch, row)] })),
    after: hasMore ? String(page.at(-1)?.slot) : null,
    hasMore,
  };
}

const ENDED_COLUMNS = ['outcome', 'code', 'credits', 'source'] as const;
const CHECK_COLUMNS = ['at', 'slot', ...ENDED_COLUMNS] as const;
const POINT_COLUMNS = ['field', 'key', 'value'] as const;
type Point = { readonly [name in (typeof POINT_COLUMNS)[number]]: SeriesPoint[name] | null };
const NO_POINTS: readonly Point[] = [{ field: null, key: null, value: null }];
const CRLF = 2;

/** Rows of a check, one for each of its numbers. What they share is made once: an hourly year has a million rows. */
const ROWS = {
  csv(check: WatchCheck, points: readonly Point[]): string {
    // times as in JSON, which a spreadsheet's form would leave without their zone
    const shared = `${check.at},${check.slot},${csvRecord(ENDED_COLUMNS.map((name) => check[name])).slice(0, -CRLF)}`;
    return points.map(({ field, key, value }) => `${shared},${csvRecord([field, key, value])}`).join('');
  },
  ndjson(check: WatchCheck, points: readonly Point[]): string {
    const shared = JSON.stringify(check).slice(0, -1);
    return points.map((point) => `${shared},${JSON.stringify(point).slice(1)}\n`).join('');
  },
};
/** Checks whose bodies are in memory at a time: few, so that they do not outlive the young generation of the heap. */
const BATCH = 4;

/** The whole history as text, newest first, in pieces: one row for each check and number, one for a check without a number. */
export async function* exportHistory(db: Db, watch: StoredWatch, format: 'csv' | 'ndjson'): AsyncGenerator<string> {
  const rowsOf = ROWS[format];
  if (format === 'csv') yield csvRecord([...CHECK_COLUMNS, ...POINT_COLUMNS]);
  for (let after: number | undefined; ; ) {
    const rows = await checksOf(db, watch, { after, limit: BATCH });
    for (const row of rows) {
      const points = pointsOf(watch, row);
      yield rowsOf(checkView(row), points.length > 0 ? points : NO_POINTS);
    }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.slot;
  }
}

/** Makes the exports of an account one after another. */
export function createExports() {
  const last = new Map<string, Promise<void>>();
  return async function* inTurn(accountId: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
    const before = last.get(accountId);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    last.set(accountId, ended);
    try {
      await before;
      yield* pieces;
    } finally {
      end();
      if (last.get(accountId) === ended) last.delete(accountId);
    }
  };
}
