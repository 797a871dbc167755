import type { AccountInput } from '../contract/account/endpoints.ts';
import type { WatchChange, WatchChanges, WatchCheck, WatchHistory } from '../contract/account/watch-schemas.ts';
import { type OperationId, operationOf } from '../contract/operations/index.ts';
import { csvRecord } from '../contract/tables.ts';
import { instant } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { WatchCheckRow } from '../store/watch-tables.ts';
import { type SeriesPoint, seriesOf } from './compare.ts';
import { isOneOf } from './maker.ts';
import type { StoredWatch } from './records.ts';

type Db = Store['db'];
export type PageQuery = Pick<AccountInput<'account-watches'>, 'after' | 'limit'>;

/** Id of a change, and of the message that tells of it. */
export const changeIdOf = (watchId: string, n: number): string => `chg_${watchId.slice(4)}_${n}`;

export type FeedQuery = Omit<AccountInput<'account-changes'>, 'rest'>;
/** A page of the feed of an account. `watch`: only of this one. `operations`: only of these, while the cursor passes over others; null: of all. */
export async function readChanges(
  db: Db,
  accountId: string,
  { after, limit, order, watch }: FeedQuery,
  operations: readonly OperationId[] | null,
): Promise<WatchChanges> {
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
    }),
  );
  const hasMore = rows.length > limit;
  const last = Number(changes.at(-1)?.cursor ?? after ?? 0);
  const end = hasMore || order === 'newest' ? last : Math.max(last, feed?.n ?? 0);
  return { changes, after: end > 0 || after !== undefined ? String(end) : null, hasMore };
}

export const endedView = ({ slot, outcome, code }: Pick<WatchCheckRow, 'slot' | 'outcome' | 'code'>) => ({
  at: instant(slot),
  outcome: outcome as WatchCheck['outcome'],
  code,
});
export const checkView = (row: Omit<WatchCheckRow, 'watch' | 'body' | 'value'>): WatchCheck => ({
  ...endedView(row),
  credits: row.credits,
  source: row.source,
});

async function checksOf(db: Db, { n, operation: id }: StoredWatch, { after, limit }: PageQuery) {
  const operation = operationOf(id);
  let query = db
    .selectFrom('watch_checks')
    .leftJoin('watch_bodies as b', (on) => on.onRef('b.watch', '=', 'watch_checks.watch').onRef('b.hash', '=', 'watch_checks.body'))
    .select(['slot', 'outcome', 'code', 'credits', 'source', 'b.body as text'])
    .where('watch_checks.watch', '=', n);
  if (after !== undefined) query = query.where('slot', '<', after);
  const rows = await query.orderBy('slot', 'desc').limit(limit).execute();
  return rows.map(({ text, ...row }) => ({
    slot: row.slot,
    check: checkView(row),
    series: operation && text !== null ? seriesOf(operation, JSON.parse(text)) : [],
  }));
}

/** The checks of a watch with the numbers that they read, newest first. */
export async function readHistory(db: Db, watch: StoredWatch, { after, limit }: PageQuery): Promise<WatchHistory> {
  const rows = await checksOf(db, watch, { after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { checks: page.map(({ check, series }) => ({ ...check, series })), after: hasMore ? String(page.at(-1)?.slot) : null, hasMore };
}

const COLUMNS = ['at', 'outcome', 'code', 'credits', 'source', 'field', 'key', 'value'] as const;
const NO_POINT: SeriesPoint = { field: '', key: null, value: null };
const BATCH = 500;

/** The whole history, newest first: one row for each check and number, one for a check without a number. */
export async function exportHistory(db: Db, watch: StoredWatch, format: 'csv' | 'ndjson'): Promise<string> {
  const lines: string[] = format === 'csv' ? [csvRecord(COLUMNS)] : [];
  for (let after: number | undefined; ; ) {
    const rows = await checksOf(db, watch, { after, limit: BATCH });
    for (const { check, series } of rows)
      for (const point of series.length > 0 ? series : [NO_POINT]) {
        const row = { ...check, ...point, field: point.field || null };
        lines.push(format === 'csv' ? csvRecord(COLUMNS.map((name) => row[name])) : `${JSON.stringify(row)}\n`);
      }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return lines.join('');
    after = last.slot;
  }
}
