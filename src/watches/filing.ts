import type { Selectable, Transaction } from 'kysely';
import { type Operation, operationOf } from '../contract/operations/index.ts';
import type { Tables } from '../store/tables.ts';
import type { WatchRow } from '../store/watch-tables.ts';
import type { FeedChange } from './compare.ts';

/** 1: the platform does not limit how long texts are stored. */
export const mayStay = (operation: Operation | undefined): number => Number(operation?.watch.textsForMs === undefined);

/** What is filed of a watch: of a check, or of its date. */
export interface Entries {
  readonly watch: Pick<Selectable<WatchRow>, 'n' | 'account_id' | 'operation' | 'webhook_url'>;
  readonly slot: number;
  readonly changes: readonly FeedChange[];
  readonly source: string | null;
}

/** Appends entries to the account's feed, and the message to the webhook. The counter in watch_feeds assigns their order. */
export async function fileChanges(trx: Transaction<Tables>, { watch, slot, changes, source }: Entries, nowMs: number): Promise<void> {
  const { account_id } = watch;
  if (changes.length === 0 || account_id === null) return;
  const { n } = await trx
    .insertInto('watch_feeds')
    .values({ account_id, n: changes.length })
    .onConflict((c) => c.column('account_id').doUpdateSet((e) => ({ n: e('watch_feeds.n', '+', changes.length) })))
    .returning('n')
    .executeTakeFirstOrThrow();
  for (const [i, { kind, field, key, before, after, daysLeft = null, readAt = null }] of changes.entries())
    await trx
      .insertInto('watch_changes')
      .values({
        account_id,
        n: n - changes.length + i + 1,
        watch: watch.n,
        slot,
        at: nowMs,
        kind,
        field,
        key,
        before: JSON.stringify(before ?? null),
        after: JSON.stringify(after ?? null),
        source,
        days_left: daysLeft,
        read_at: readAt,
        stripped: mayStay(operationOf(watch.operation)),
      })
      .execute();
  if (watch.webhook_url === null) return;
  const kinds = JSON.stringify([...new Set(changes.map((change) => change.kind))]);
  const message = { watch: watch.n, cursor: n, kinds, created_at: nowMs, attempts: 0, next_at: nowMs, delivered_at: null, result: null };
  await trx.insertInto('watch_deliveries').values(message).execute();
}
