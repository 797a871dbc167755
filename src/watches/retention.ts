import { operationList, operationOf } from '../contract/operations/index.ts';
import type { Store } from '../store/store.ts';
import { withoutTexts } from './compare.ts';

const YEAR_MS = 366 * 86_400_000;
/** Texts go this much before their time, because this is done every ten minutes and times of reading are stored to the hour. */
const EARLY_MS = 3_600_000;
const BATCH = 500;

/** Deletes checks and bodies after a year, and the texts of operations whose platform limits how long they may be stored. */
export async function expire(store: Store, nowMs: number): Promise<void> {
  const { db } = store;
  await db
    .deleteFrom('watch_checks')
    .where('slot', '<', nowMs - YEAR_MS)
    .execute();
  await db
    .deleteFrom('watch_bodies')
    .where('read_at', '<', nowMs - YEAR_MS)
    .execute();
  await db
    .deleteFrom('watch_deliveries')
    .where('next_at', 'is', null)
    .where('created_at', '<', nowMs - YEAR_MS)
    .execute();
  for (const { id, watch } of operationList) {
    if (watch.textsForMs === undefined) continue;
    const before = nowMs - watch.textsForMs + EARLY_MS;
    const ofOperation = db.selectFrom('watch_bodies').select(['hash', 'body']).where('operation', '=', id).where('stripped', '=', 0);
    for (const { hash, body } of await ofOperation.where('read_at', '<=', before).limit(BATCH).execute())
      await db
        .updateTable('watch_bodies')
        .set({ body: JSON.stringify(withoutTexts(watch, JSON.parse(body))), stripped: 1 })
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
    .where('stripped', '=', 0)
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
