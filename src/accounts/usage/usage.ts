import { sql } from 'kysely';
import type { Page } from '../../billing/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Outage } from '../../runtime/outage.ts';
import type { Statement, Store, StoreLog } from '../../store/store.ts';
import { reasonOf } from '../../store/unavailable.ts';
import { writesOutage } from '../../store/write-outage.ts';
import { isClientId } from '../oauth/clients.ts';
import type { UsageDay, UsageQuery, UsageRow } from '../types.ts';
import { insertUsage } from './rows.ts';

export interface Usage {
  /** Queues a row synchronously. If the queue is full, rows are dropped and counted. */
  record(row: UsageRow): void;
  /** By day, operation, key and status. */
  page(accountId: string, query: UsageQuery): Promise<Page<UsageDay>>;
  /** Writes the queued rows now, so that the request log shows them. */
  flush(): Promise<void>;
  /** Deletes raw rows past their retention; returns their number. */
  prune(): Promise<number>;
  readonly counts: Readonly<{ written: number; dropped: number }>;
  close(): Promise<void>;
}

const DAY = 86_400_000;
export const RAW_DAYS = 30;
const WRITE_EVERY_MS = 200;
const BATCH = 500;
const MAX_QUEUED = 20_000;
const PRUNE_EVERY_MS = 3_600_000;
const PRUNE_BATCH = 5_000;
/** Resolution of the last-used time of a key. */
const LAST_USE_MS = 60_000;

/** Usage rows of authenticated requests, written in batches outside the ledger. Raw rows are kept 30 days, daily sums without limit. */
export function createUsage(store: Store, clock: Clock, log: StoreLog, writes: Outage = writesOutage(clock, log)): Usage {
  const ending = new AbortController();
  const counts = { written: 0, dropped: 0 };
  const usedAt = new Map<string, number>();
  let queued: UsageRow[] = [];
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    let size = BATCH;
    while (queued.length) {
      const rows = queued.splice(0, size);
      try {
        await store.atomically([...insertUsage(store.kind, rows), ...lastUses(rows)], { lax: true });
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
  }
  const write = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = null;
    });
    return writing;
  };
  function drop(): void {
    const over = queued.length - MAX_QUEUED;
    if (over <= 0) return;
    queued.splice(0, over);
    counts.dropped += over;
  }

  function lastUses(rows: readonly UsageRow[]): Statement[] {
    if (usedAt.size > 100_000) usedAt.clear();
    const latest = new Map<string, number>();
    for (const { keyId, at } of rows)
      if (at - (usedAt.get(keyId) ?? 0) >= LAST_USE_MS) latest.set(keyId, Math.max(at, latest.get(keyId) ?? 0));
    return [...latest].map(([keyId, at]) => {
      usedAt.set(keyId, at);
      return store.db
        .updateTable(isClientId(keyId) ? 'clients' : 'keys')
        .set({ last_used_at: at })
        .where('id', '=', keyId)
        .compile();
    });
  }

  async function prune(): Promise<number> {
    const before = clock.now() - RAW_DAYS * DAY;
    const oldest = await store.db.selectFrom('usage').select(['id', 'at']).orderBy('id').limit(1).executeTakeFirst();
    if (!oldest || oldest.at >= before) return 0;
    const { numDeletedRows } = await store.db
      .deleteFrom('usage')
      .where('id', '<', oldest.id + PRUNE_BATCH)
      .where('at', '<', before)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async function every(ms: number, work: () => Promise<unknown>): Promise<void> {
    while (!ending.signal.aborted) {
      await clock.sleep(ms, ending.signal);
      await work().catch((error) => log('warn', 'usage: not pruned', { reason: String(error) }));
    }
  }
  const loops = [
    every(WRITE_EVERY_MS, write),
    every(PRUNE_EVERY_MS, async () => {
      while (!ending.signal.aborted && (await prune())) await clock.sleep(50, ending.signal);
    }),
  ];

  return {
    counts,
    record(row) {
      queued.push(row);
      if (queued.length > MAX_QUEUED) drop();
      else if (queued.length === BATCH) write();
    },
    async page(accountId, { from, to, after, limit }) {
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
    flush: write,
    prune,
    async close() {
      ending.abort();
      await Promise.all(loops);
      await write();
    },
  };
}

/** Position where a page of usage ended; null: not a valid cursor. */
const usagePlace = (cursor: string): readonly [day: string, operation: string, keyId: string, status: number] | null => {
  const [, day, operation, keyId, status] = /^(\d{4}-\d\d-\d\d)~([\w-]{1,60})~(\w{1,60})~(\d{3})$/.exec(cursor) ?? [];
  return day && operation && keyId && status ? [day, operation, keyId, Number(status)] : null;
};
/** Whether the text is a valid usage cursor. */
export const isUsageCursor = (text: string): boolean => usagePlace(text) !== null;
