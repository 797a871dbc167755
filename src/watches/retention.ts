import { sql, type Transaction } from 'kysely';
import { recordWatch } from '../accounts/admin/bound-rows.ts';
import { operationList, operationOf } from '../contract/operations/index.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { withoutTexts } from './compare.ts';
import { HISTORY_MS, nextSlot } from './records.ts';

/** Texts go this much before their time, because this is done every ten minutes and times of reading are stored to the hour. */
const EARLY_MS = 3_600_000;
const BATCH = 500;

/**
 * Deletes bodies after a year, and the texts of operations whose platform limits how long they may be stored. What it looks for has an index: the
 * tables are long. Old checks and messages are deleted with the next one of their watch.
 */
export async function expire(store: Store, nowMs: number): Promise<void> {
  const { db } = store;
  await db
    .deleteFrom('watch_bodies')
    .where('read_at', '<', nowMs - HISTORY_MS)
    .execute();
  for (const { id, watch } of operationList) {
    if (watch.textsForMs === undefined) continue;
    const before = nowMs - watch.textsForMs + EARLY_MS;
    const ofOperation = db
      .selectFrom('watch_bodies')
      .select(['watch', 'hash', 'body'])
      .where('operation', '=', id)
      .where('stripped', '=', sql.lit(0));
    for (const { watch: n, hash, body } of await ofOperation.where('read_at', '<=', before).limit(BATCH).execute())
      await db
        .updateTable('watch_bodies')
        .set({ body: JSON.stringify(withoutTexts(watch, JSON.parse(body))), stripped: 1 })
        .where('watch', '=', n)
        .where('hash', '=', hash)
        .execute();
    await stripChanges(store, id, before);
  }
}

async function stripChanges({ db }: Store, operation: string, before: number): Promise<void> {
  const rules = operationOf(operation)?.watch;
  const rows = await db
    .selectFrom('watch_changes')
    .innerJoin('watches', 'watches.n', 'watch_changes.watch')
    .select(['watch_changes.account_id', 'watch_changes.n', 'field', 'before', 'after'])
    .where('operation', '=', operation)
    .where('stripped', '=', sql.lit(0))
    .where('at', '<=', before)
    .limit(BATCH)
    .execute();
  for (const { account_id, n, field, before: was, after } of rows) {
    const strip = (value: string): string => (rules ? JSON.stringify(withoutTexts(rules, JSON.parse(value), field)) : 'null');
    await db
      .updateTable('watch_changes')
      .set({ before: strip(was), after: strip(after), stripped: 1 })
      .where('account_id', '=', account_id)
      .where('n', '=', n)
      .execute();
  }
}

/** A clock that was set back leaves slots too far in the future: they are planned again. */
export async function replan(store: Store, nowMs: number): Promise<void> {
  const late = await store.db
    .selectFrom('watches')
    .selectAll()
    .where((e) => e('next_at', '>', e('every_ms', '+', nowMs)))
    .limit(1_000)
    .execute();
  for (const watch of late)
    await store.db
      .updateTable('watches')
      .set({ next_at: nextSlot(watch, nowMs), claim: null, claim_until: null })
      .where('n', '=', watch.n)
      .where('next_at', '=', watch.next_at)
      .execute();
}

/**
 * Deletes a watch with its history. The watch first: a check of another process that is being written ends before, or writes nothing. `actor`: who
 * does, in the audit log.
 */
export async function deleteWatch(trx: Transaction<Tables>, n: number, actor: string, nowMs: number): Promise<void> {
  await trx.deleteFrom('notify_targets').where('watch', '=', n).execute();
  const deleted = await trx.deleteFrom('watches').where('n', '=', n).returningAll().executeTakeFirst();
  for (const table of ['watch_deliveries', 'watch_changes', 'watch_answers', 'watch_checks', 'watch_bodies'] as const)
    await trx.deleteFrom(table).where('watch', '=', n).execute();
  if (deleted) await recordWatch(trx, nowMs, actor, 'delete', deleted);
}
