import type { Kysely, Selectable } from 'kysely';
import type { Page } from '../../billing/types.ts';
import type { AccountRequest } from '../../contract/account/schemas.ts';
import { type Operation, operationOf } from '../../contract/operations/index.ts';
import { DAY_MS, dayOf, instant, isWithinDays } from '../../runtime/clock.ts';
import { queryPairs, splitTarget } from '../../runtime/request-target.ts';
import type { RequestLogRow, Tables } from '../../store/tables.ts';
import type { RequestQuery, Timings, UsageQuery, UsageRow } from '../types.ts';
import { unpackRequests } from './rows.ts';

/** Requests that one page reads at most, so that a filter which matches little does not hold up the store. */
const MAX_SCANNED = 20_000;
/** Rows of the log that are read first, and at most at once. */
const FIRST_ROWS = 4;
const MAX_ROWS = 64;
const MAX_TIMED = 20_000;
/** A request is in the log at most this long after its id was made. */
const MAX_DELAY_MS = 300_000;

export function requestOf(row: UsageRow): AccountRequest {
  const { requestId, label, operation, status, code, source, cache, credits, durationMs, keyId, target } = row;
  const known = operationOf(operation);
  const parameters = known && target !== null ? Object.fromEntries(parametersOf(known, target)) : null;
  return { requestId, label, at: instant(row.at), operation, status, code, source, cache, credits, durationMs, keyId, parameters };
}

/** Parameters of a lookup by their names, from the path and the query of its request. */
export function parametersOf(operation: Operation, target: string): readonly (readonly [string, string])[] {
  const { path, query } = splitTarget(target);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const values = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)?.slice(1) ?? [];
  return [...names.map((name, i): [string, string] => [name, decodeURIComponent(values[i] ?? '')]), ...queryPairs(query)];
}

/** Path and query of a lookup by the texts of its parameters. */
export function targetOf({ path }: Operation, texts: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(texts);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(texts[name] ?? '');
  });
  return query.size ? `${filled}?${query}` : filled;
}

/** A request at its place: the row of the log and its number in it. */
interface Logged {
  readonly id: number;
  readonly n: number;
  readonly request: UsageRow;
}
const requestsIn = (row: Selectable<RequestLogRow>): Logged[] =>
  unpackRequests(row)
    .map((request, n) => ({ id: row.id, n, request }))
    .reverse();

/** Requests of an account, newest first: from a cursor on, of rows that were written since `from` and before `to`. */
export async function* newestRequests(
  db: Kysely<Tables>,
  accountId: string,
  { after, from, to }: Pick<RequestQuery, 'after' | 'from' | 'to'>,
): AsyncGenerator<Logged> {
  const [lastId = Number.MAX_SAFE_INTEGER, lastN = 0] = after?.split('.').map(Number) ?? [];
  let own = db.selectFrom('request_log').selectAll().where('account_id', '=', accountId).orderBy('id', 'desc');
  if (from !== undefined) own = own.where('at', '>=', Date.parse(from));
  if (to !== undefined) own = own.where('at', '<', Date.parse(to) + DAY_MS + MAX_DELAY_MS);
  let upTo = lastId;
  for (let limit = FIRST_ROWS; ; limit = Math.min(limit * 2, MAX_ROWS)) {
    const rows = await own.where('id', '<=', upTo).limit(limit).execute();
    for (const row of rows) for (const logged of requestsIn(row)) if (logged.id < lastId || logged.n < lastN) yield logged;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    upTo = last.id - 1;
  }
}

/** Requests of an account, newest first. A page that scanned its limit of requests is shorter, and has a cursor. */
export async function readRequests(db: Kysely<Tables>, accountId: string, query: RequestQuery): Promise<Page<AccountRequest>> {
  const found: Logged[] = [];
  const pageUpTo = (last: Logged | undefined): Page<AccountRequest> => ({
    entries: found.map(({ request }) => requestOf(request)),
    after: last ? `${last.id}.${last.n}` : null,
  });
  let scanned = 0;
  for await (const logged of newestRequests(db, accountId, query)) {
    const isChosen = matchesQuery(logged.request, query);
    if (isChosen && found.length === query.limit) return pageUpTo(found.at(-1));
    if (isChosen) found.push(logged);
    if (++scanned === MAX_SCANNED) return pageUpTo(logged);
  }
  return pageUpTo(undefined);
}

export const isRequestCursor = (text: string): boolean => /^\d{1,15}\.\d{1,9}$/.test(text);

function matchesQuery(row: UsageRow, { operation, status, label, key: keyId, source, kind, from, to }: RequestQuery): boolean {
  if (kind !== undefined && operationOf(row.operation) === undefined) return false;
  if ((kind === 'error' && row.status < 400) || !isWithinDays(row.at, { from, to })) return false;
  const wanted = { operation, status, label, keyId, source };
  return (Object.keys(wanted) as (keyof typeof wanted)[]).every((name) => wanted[name] === undefined || wanted[name] === row[name]);
}

const MAX_LABELLED = 1000;

/** The request with this id, else the newest with this label, then all others with the label. `accountId` null: of any account. */
export async function findRequests(db: Kysely<Tables>, name: string, accountId: string | null): Promise<readonly UsageRow[]> {
  const found = await requestWithId(db, name, accountId);
  const labelled: UsageRow[] = [];
  let rows = db
    .selectFrom('request_labels as l')
    .innerJoin('request_log as r', (on) => on.onRef('r.at', '=', 'l.at').onRef('r.account_id', '=', 'l.account_id'))
    .selectAll('r')
    .where('l.label', '=', name)
    .orderBy('r.id', 'desc')
    .limit(MAX_ROWS);
  if (accountId !== null) rows = rows.where('l.account_id', '=', accountId);
  for (let upTo = Number.MAX_SAFE_INTEGER; labelled.length < MAX_LABELLED; ) {
    const read = await rows.where('r.id', '<=', upTo).execute();
    for (const { request } of read.flatMap(requestsIn))
      if (request.label === name && request.requestId !== found?.requestId) labelled.push(request);
    const last = read.at(-1);
    if (!last || read.length < MAX_ROWS) break;
    upTo = last.id - 1;
  }
  return [...(found ? [found] : []), ...labelled.slice(0, MAX_LABELLED)];
}

/** The request with an id that this service made; it says when. */
export async function requestWithId(db: Kysely<Tables>, id: string, accountId: string | null): Promise<UsageRow | undefined> {
  const [, time] = /^[0-9a-z]{14}-([0-9a-z]{8,9})-[0-9a-z]{1,11}$/.exec(id) ?? [];
  if (time === undefined) return undefined;
  const madeAt = Number.parseInt(time, 36);
  const { first, last } = await db
    .selectFrom('request_log')
    .select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last')])
    .where('at', '>=', madeAt)
    .where('at', '<=', madeAt + MAX_DELAY_MS)
    .executeTakeFirstOrThrow();
  let rows = db.selectFrom('request_log').selectAll().where('id', '<=', last).orderBy('id').limit(FIRST_ROWS);
  if (accountId !== null) rows = rows.where('account_id', '=', accountId);
  for (let from = first; ; ) {
    const read = await rows.where('id', '>=', from).execute();
    const found = read.flatMap(requestsIn).find(({ request }) => request.requestId === id);
    const end = read.at(-1);
    if (found || !end || read.length < FIRST_ROWS) return found?.request;
    from = end.id + 1;
  }
}

/** How long the lookups of an account took: by day, by operation and over all. Both days are included, UTC. */
export async function readTimings(db: Kysely<Tables>, accountId: string, { from, to }: Pick<UsageQuery, 'from' | 'to'>): Promise<Timings> {
  const rows: UsageRow[] = [];
  for await (const { request } of newestRequests(db, accountId, { from, to })) {
    if (rows.length === MAX_TIMED) break;
    if (isWithinDays(request.at, { from, to }) && operationOf(request.operation)) rows.push(request);
  }
  const groupOf = (day: string | null, operation: string | null) => ({ day, operation, cacheHits: 0, durationsMs: [] as number[] });
  const groups = new Map<string, ReturnType<typeof groupOf>>();
  for (const row of rows) {
    const day = dayOf(row.at);
    const keys: readonly [string | null, string | null][] = [
      [day, null],
      [null, row.operation],
      [null, null],
    ];
    for (const [ofDay, operation] of keys) {
      const group = groups.get(`${ofDay} ${operation}`) ?? groupOf(ofDay, operation);
      groups.set(`${ofDay} ${operation}`, group);
      group.durationsMs.push(row.durationMs);
      if (row.cache === 'hit') group.cacheHits++;
    }
  }
  return [...groups.values()].map(({ day, operation, cacheHits, durationsMs }) => {
    const sorted = durationsMs.sort((a, b) => a - b);
    const quantile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    return { day, operation, requests: sorted.length, cacheHits, medianMs: quantile(0.5), p95Ms: quantile(0.95) };
  });
}
