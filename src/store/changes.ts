import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Counts a change, by default of keys, clients or accounts: gateways poll that counter. Such changes run one after the other, on all gateways: its row is locked. */
export async function countChange(trx: Transaction<Tables>, name: 'keys' | 'signing' | 'audit' = 'keys'): Promise<void> {
  await trx.updateTable('changes').set({ n: sql`n + 1` }).where('name', '=', name).execute();
}
