import type { Kysely } from 'kysely';
import { invalid } from '../../contract/errors.ts';
import type { Tables } from '../../store/tables.ts';
import { credentialsOf, type FindCredential, payingCredential } from './payer.ts';

/** Ids of an account's watches that check now and that nobody pays for once these keys or this client are revoked. */
export async function watchesStoppedBy(
  db: Kysely<Tables>,
  accountId: string,
  ending: ReadonlySet<string>,
  nowMs: number,
): Promise<readonly string[]> {
  const watches = await db
    .selectFrom('watches')
    .select(['id', 'key_id', 'operation'])
    .where('account_id', '=', accountId)
    .where(({ eb, or }) => or([eb('stopped', 'is', null), eb('stopped', '!=', 'key')]))
    .orderBy('id')
    .execute();
  const find = credentialsOf(db, accountId);
  const findAfter: FindCredential = async (id) => {
    const credential = await find(id);
    return credential && ending.has(id) ? { ...credential, revoked_at: nowMs } : credential;
  };
  const stopped: string[] = [];
  for (const [maker, made] of Map.groupBy(watches, ({ key_id, operation }) => `${key_id} ${operation}`)) {
    const [keyId = '', operation = ''] = maker.split(' ');
    const isPaid = async (by: FindCredential): Promise<boolean> => (await payingCredential(by, keyId, operation, nowMs)) !== null;
    if ((await isPaid(find)) && !(await isPaid(findAfter))) stopped.push(...made.map(({ id }) => id));
  }
  return stopped.sort();
}

/** Refuses to end a credential with which watches stop. */
export function demandNoWatches(credential: string, stopping: readonly string[]): void {
  const [first] = stopping;
  if (first === undefined) return;
  throw invalid(
    stopping.length === 1
      ? `Watch ${first} stops with ${credential}. Take it over with a key that manages the account (sightline watch adopt ${first}), or let it stop (--stop-watches, stopWatches).`
      : `${stopping.length} watches stop with ${credential}, among them ${first}. Take them over with a key that manages the account (sightline watch adopt), or let them stop (--stop-watches, stopWatches).`,
  );
}
