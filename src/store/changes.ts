import { sql, type Transaction } from 'kysely';
import type { StoreKind } from './store.ts';
import type { Tables } from './tables.ts';

/** Channel of `notify`; the payload says what changed: the SHA-256 of a key, `client:` and an id, `signing`. */
export const KEY_CHANNEL = 'sightline_keys';

/** Tells every gateway, with the transaction: by the channel, and by the counter that those ask for who were not told. */
export async function tellChange(trx: Transaction<Tables>, kind: StoreKind, what: string): Promise<void> {
  await trx.updateTable('changes').set({ n: sql`n + 1` }).where('name', '=', 'keys').execute();
  if (kind === 'postgres') await sql`select pg_notify(${KEY_CHANNEL}, ${what})`.execute(trx);
}
