import type { Kysely, Selectable } from 'kysely';
import type { Page } from '../../billing/types.ts';
import type { AccountRequest } from '../../contract/account/schemas.ts';
import { instant } from '../../runtime/clock.ts';
import type { Tables, UsageTableRow } from '../../store/tables.ts';
import type { RequestQuery } from '../types.ts';

/** A row of the request log, as the store returns it. */
export type LoggedRequest = Selectable<UsageTableRow>;

/** Rows that one page reads at most, so that a filter which matches little does not hold up the store. */
const MAX_SCANNED = 20_000;
const DAY_MS = 86_400_000;

export const requestOf = (row: LoggedRequest): AccountRequest => ({
  requestId: row.request_id,
  label: row.label,
  at: instant(row.at),
  operation: row.operation,
  status: row.status,
  code: row.code,
  source: row.source,
  cache: row.cache,
  credits: row.credits,
  durationMs: row.duration_ms,
  keyId: row.key_id,
});

/** Requests of an account, newest first. A page that scanned its limit of rows is shorter, and has a cursor. */
export async function readRequests(db: Kysely<Tables>, accountId: string, query: RequestQuery): Promise<Page<AccountRequest>> {
  const { operation, status, label, from, to, after, limit } = query;
  let scanned = db.selectFrom('usage').select('id').where('account_id', '=', accountId);
  if (after !== null) scanned = scanned.where('id', '<', Number(after));
  scanned = scanned.orderBy('id', 'desc').limit(MAX_SCANNED);
  const { lowest, rows } = await db
    .selectFrom(scanned.as('scanned'))
    .select((e) => [e.fn.min('id').as('lowest'), e.fn.countAll<number>().as('rows')])
    .executeTakeFirstOrThrow();
  if (Number(rows) === 0) return { entries: [], after: null };

  let matching = db.selectFrom('usage').selectAll().where('account_id', '=', accountId).where('id', '>=', Number(lowest));
  if (after !== null) matching = matching.where('id', '<', Number(after));
  if (operation !== null) matching = matching.where('operation', '=', operation);
  if (status !== null) matching = matching.where('status', '=', status);
  if (label !== null) matching = matching.where('label', '=', label);
  if (from !== null) matching = matching.where('at', '>=', Date.parse(from));
  if (to !== null) matching = matching.where('at', '<', Date.parse(to) + DAY_MS);
  const found = await matching
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const entries = found.slice(0, limit);
  const more = found.length > limit ? entries.at(-1)?.id : Number(rows) === MAX_SCANNED ? lowest : undefined;
  return { entries: entries.map(requestOf), after: more === undefined ? null : String(more) };
}

/** Requests of one label that an explanation names at most. */
const MAX_LABELLED = 1000;

/**
 * The request with this id, else the newest that its caller labelled so, and all others with the label; of one account or (null) of any.
 * Empty: none.
 */
export async function findRequests(db: Kysely<Tables>, name: string, accountId: string | null): Promise<readonly LoggedRequest[]> {
  const all = db.selectFrom('usage').selectAll().orderBy('id', 'desc');
  const own = accountId === null ? all : all.where('account_id', '=', accountId);
  const found = await own.where('request_id', '=', name).limit(1).execute();
  const labelled = await own.where('label', '=', name).limit(MAX_LABELLED).execute();
  return [...found, ...labelled.filter(({ id }) => id !== found[0]?.id)];
}
