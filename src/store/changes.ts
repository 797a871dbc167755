import { sql, type Transaction } from 'kysely';
import type { StoreKind } from './store.ts';
import type { Tables } from './tables.ts';

/** Channel of NOTIFY; the payload identifies the change: the SHA-256 of a key, `client:` and an id, or `signing`. */
export const KEY_CHANNEL = 'sightline_keys';

/** Lets changes of keys, clients and accounts run one after the other, on all gateways. */
export async function lockKeys(trx: Transaction<Tables>): Promise<void> {
  await trx.updateTable('changes').set({ n: sql`n` }).where('name', '=', 'keys').execute();
}

/** Publishes a change to every gateway when the transaction commits: NOTIFY, and the counter that gateways poll. */
export async function tellChange(trx: Transaction<Tables>, kind: StoreKind, what: string): Promise<void> {
  await trx.updateTable('changes').set({ n: sql`n + 1` }).where('name', '=', 'keys').execute();
  if (kind === 'postgres') await sql`select pg_notify(${KEY_CHANNEL}, ${what})`.execute(trx);
}
