import { sql } from 'kysely';
import type { Page } from '../../billing/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Clock, DAY_MS, HOUR_MS } from '../../runtime/clock.ts';
import type { Outage } from '../../runtime/outage.ts';
import { repeat } from '../../runtime/repeat.ts';
import { singleFlight } from '../../runtime/single-flight.ts';
import type { Statement, Store, StoreLog } from '../../store/store.ts';
import { reasonOf, writesOutage } from '../../store/unavailable.ts';
import { isClientId } from '../oauth/clients.ts';
import type { UsageDay, UsageQuery, UsageRow } from '../types.ts';
import { insertUsage } from './rows.ts';

export type Usage = ReturnType<typeof createUsage>;

export const RAW_DAYS = 30;
const WRITE_EVERY_MS = 200;
const BATCH = 500;
const MAX_QUEUED = 20_000;
const PRUNE_ROWS = 200;
const LAST_USE_MS = 60_000;

/** Usage rows of authenticated requests, written in batches outside the ledger. Raw rows stay 30 days, daily sums without limit. */
export function createUsage(store: Store, clock: Clock, log: StoreLog, writes: Outage = writesOutage(clock, log)) {
  const counts = { written: 0, dropped: 0 };
  const usedAt = new Map<string, number>();
  let queued: UsageRow[] = [];

  const write = singleFlight(async () => {
    let size = BATCH;
    while (queued.length) {
      const rows = queued.splice(0, size);
      try {
        await store.atomically([...insertUsage(store, rows, clock.now()), ...lastUses(rows)], { lax: true });
        counts.written += rows.length;
        writes.worked();
        size = BATCH;
      } catch (error) {
        const isRefused = !(error instanceof ServiceError);
        if (isRefused && rows.length === 1) {
          counts.dropped++;
          log('error', 'usage: the store refuses a row, which is dropped', { reason: String(error), requestId: rows[0]?.requestId });
          continue;
        }
        queued = rows.concat(queued);
        if (isRefused) {
          size = rows.length >> 1; // one row must not keep the others out
          continue;
        }
        writes.failed(reasonOf(error));
        drop();
        return; // retried with the next batch
      }
    }
  });
  function drop(): void {
    const over = queued.length - MAX_QUEUED;
    if (over <= 0) return;
    queued.splice(0, over);
    counts.dropped += over;
  }

  function lastUses(rows: readonly UsageRow[]): Statement[] {
    if (usedAt.size > 200_000) usedAt.clear();
    const due = rows.filter(({ keyId, at }) => {
      const isDue = at - (usedAt.get(keyId) ?? 0) >= LAST_USE_MS;
      if (isDue) usedAt.set(keyId, at);
      return isDue;
    });
    // one statement for all keys of a second, with its first time: a use is noted once a minute anyway
    return [...Map.groupBy(due, ({ keyId, at }) => `${isClientId(keyId) ? 'clients' : 'keys'} ${Math.floor(at / 1000)}`)].map(
      ([group, own]) =>
        store.db
          .updateTable(group.startsWith('clients') ? 'clients' : 'keys')
          .set({ last_used_at: Math.min(...own.map(({ at }) => at)) })
          .where(
            'id',
            'in',
            own.map(({ keyId }) => keyId),
          )
          .compile(),
    );
  }

  async function prune(): Promise<number> {
    const before = clock.now() - RAW_DAYS * DAY_MS;
    for (const table of ['request_labels', 'request_log'] as const) {
      const oldest = await store.db.selectFrom(table).select('at').orderBy('at').limit(PRUNE_ROWS).execute();
      const upTo = Math.min(oldest.at(-1)?.at ?? 0, before - 1);
      const { numDeletedRows } = await store.db.deleteFrom(table).where('at', '<=', upTo).executeTakeFirst();
      if (numDeletedRows) return Number(numDeletedRows);
    }
    return 0;
  }

  const writing = repeat(clock, () => write().then(() => WRITE_EVERY_MS), WRITE_EVERY_MS);
  const pruneAll = async (closed: AbortSignal): Promise<number> => {
    try {
      while (!closed.aborted && (await prune())) await clock.sleep(50, closed);
    } catch (error) {
      log('warn', 'usage: not pruned', { reason: String(error) });
    }
    return HOUR_MS;
  };
  const pruning = repeat(clock, pruneAll, HOUR_MS);

  return {
    counts,
    /** Queues a row. If the queue is full, rows are dropped and counted. */
    record(row: UsageRow): void {
      queued.push(row);
      if (queued.length > MAX_QUEUED) drop();
      else if (queued.length === BATCH) write();
    },
    /** With the rows that are queued. */
    async page(accountId: string, { from, to, after, limit }: UsageQuery): Promise<Page<UsageDay>> {
      await write();
      const place = after === null ? null : usagePlace(after);
      let rows = store.db
        .selectFrom('usage_days')
        .select(['day', 'operation', 'key_id', 'status', 'requests', 'credits'])
        .where('account_id', '=', accountId)
        .where('day', '>=', from)
        .where('day', '<=', to);
      if (place) rows = rows.where(sql<boolean>`(day, operation, key_id, status) > (${sql.join(place)})`);
      const found = await rows
        .orderBy('day')
        .orderBy('operation')
        .orderBy('key_id')
        .orderBy('status')
        .limit(limit + 1)
        .execute();
      const entries = found.slice(0, limit).map(({ key_id: keyId, ...row }) => ({ ...row, keyId }));
      const last = found.length > limit ? entries.at(-1) : undefined;
      return { entries, after: last ? [last.day, last.operation, last.keyId, last.status].join('~') : null };
    },
    /** Writes the queued rows now, so that the request log shows them. */
    flush: write,
    /** Deletes some rows of the request log that are past their retention; returns their number. */
    prune,
    async close(): Promise<void> {
      await Promise.all([writing.close(), pruning.close()]);
      await write();
    },
  };
}

/** Position where a page of usage ended; null: not a valid cursor. */
const usagePlace = (cursor: string): readonly [day: string, operation: string, keyId: string, status: number] | null => {
  const [, day, operation, keyId, status] = /^(\d{4}-\d\d-\d\d)~([\w-]{1,60})~(\w{1,60})~(\d{3})$/.exec(cursor) ?? [];
  return day && operation && keyId && status ? [day, operation, keyId, Number(status)] : null;
};
export const isUsageCursor = (text: string): boolean => usagePlace(text) !== null;
