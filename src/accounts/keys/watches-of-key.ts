import type { Transaction } from 'kysely';
import { invalid } from '../../contract/errors.ts';
import type { Tables } from '../../store/tables.ts';

/** Refuses to end a credential while watches check by it. `ids`: of the keys or the client that end with it. */
export async function demandNoWatches(trx: Transaction<Tables>, credential: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const stopping = await trx
    .selectFrom('watches')
    .select('id')
    .where('key_id', 'in', ids)
    .where(({ eb, or }) => or([eb('stopped', 'is', null), eb('stopped', '!=', 'key')]))
    .orderBy('id')
    .execute();
  const [first] = stopping;
  if (!first) return;
  throw invalid(
    stopping.length === 1
      ? `Watch ${first.id} stops with ${credential}. Take it over with a key that manages the account (sightline watch adopt ${first.id}), or let it stop (--stop-watches, stopWatches).`
      : `${stopping.length} watches stop with ${credential}, among them ${first.id}. Take them over with a key that manages the account (sightline watch adopt), or let them stop (--stop-watches, stopWatches).`,
  );
}
