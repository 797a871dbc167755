import type { Selectable, Transaction } from 'kysely';
import { type Operation, operationOf } from '../contract/operations/index.ts';
import type { Tables } from '../store/tables.ts';
import type { WatchRow } from '../store/watch-tables.ts';
import type { FeedChange } from './compare.ts';
import { sendAt, targetsOf } from './notify/targets.ts';

/** 1: the platform does not limit how long texts are stored. */
export const mayStay = (operation: Operation | undefined): number => Number(operation?.watch.textsForMs === undefined);

const MOST_REASON = 200;

/** What is filed of a watch: of a check, or of its date. */
export interface Entries {
  readonly watch: Pick<Selectable<WatchRow>, 'n' | 'account_id' | 'operation' | 'webhook_url' | 'own_notify'>;
  readonly slot: number;
  readonly changes: readonly FeedChange[];
  readonly source: string | null;
}

/** Appends entries to the account's feed, and the messages to the webhook and the targets. The counter in watch_feeds assigns their order. */
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
  const kinds = JSON.stringify([...new Set(changes.map((change) => change.kind))]);
  const targets = await targetsOf(trx, account_id, watch.own_notify === 1 ? watch.n : null);
  const open = targets.filter(({ disabled_at, form, confirmed_at }) => disabled_at === null && (form !== 'email' || confirmed_at !== null));
  const times = [
    ...(watch.webhook_url === null ? [] : [[0, nowMs] as const]),
    ...open.map((target) => [target.n, sendAt(target, nowMs)] as const),
  ];
  for (const [target, next_at] of times)
    await trx
      .insertInto('watch_deliveries')
      .values({ watch: watch.n, cursor: n, target, kinds, created_at: nowMs, attempts: 0, next_at, delivered_at: null, result: null })
      .execute();
}

/** Tells the feed and the targets that are left that one is switched off. `field`: what it is. */
export const fileSwitchedOff = (
  trx: Transaction<Tables>,
  watch: Entries['watch'],
  { field, hint, reason }: { readonly field: 'webhook' | 'notify'; readonly hint: string; readonly reason: string },
  nowMs: number,
): Promise<void> => {
  const changes = [{ kind: 'failing', field, key: hint, before: null, after: reason.slice(0, MOST_REASON) }] as const;
  return fileChanges(trx, { watch, slot: nowMs, changes, source: null }, nowMs);
};
