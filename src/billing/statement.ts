import type { Kysely } from 'kysely';
import { DAY_MS, instant, isWithinDays } from '../runtime/clock.ts';
import type { JournalTableRow, Tables } from '../store/tables.ts';
import { journalRows, lastSeq, readState } from './account-state.ts';
import { type Entry, readLines, splitHoldId } from './rules.ts';
import type { Page, StatementEntry, StatementQuery } from './types.ts';

/** Rows that are read first for a page, and at most at once. */
const FIRST_ROWS = 8;
const MAX_ROWS = 512;

interface StatementPlace {
  readonly seq: number;
  readonly n: number;
}
/** An entry at its place: the row of the journal and the line in it. */
interface Placed extends StatementPlace {
  readonly atMs: number;
  readonly entry: Entry;
  /** Credits of the account after it, held ones included; null: the row is of a version that did not store them. */
  readonly balance: number | null;
}
function entriesOf({ seq, at: atMs, lines, total }: JournalTableRow): Placed[] {
  const entries = readLines(lines);
  let after = total === null ? null : total - entries.reduce((sum, { credits }) => sum + credits, 0);
  return entries.map((entry, n) => {
    if (after !== null) after += entry.credits;
    return { seq, n, atMs, entry, balance: after };
  });
}

/** A cursor `<row>.<line>`. */
const parseCursor = (cursor: string): StatementPlace | null => {
  const [, seq, n] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? [];
  return seq === undefined || n === undefined ? null : { seq: Number(seq), n: Number(n) };
};

export const isStatementCursor = (text: string): boolean => parseCursor(text) !== null;

/**
 * The entries of an account, newest first; or those of one receipt. What ends a hold names the key and operation of the hold. By lookup only
 * holds that are open are entries: the end of a hold stands for both.
 */
export async function readStatement(db: Kysely<Tables>, accountId: string, query: StatementQuery): Promise<Page<StatementEntry>> {
  const place = query.after === undefined ? null : parseCursor(query.after);
  const account = await db.selectFrom('balances').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  const open = query.by === 'lookup' && account ? (await readState(db, account)).open : null;
  const isChosen = ({ seq, n, atMs, entry: { kind, id } }: Placed): boolean =>
    // a renewal changes no credits
    kind !== 'renew' &&
    (!place || seq < place.seq || (seq === place.seq && n < place.n)) &&
    isWithinDays(atMs, query) &&
    (kind !== 'hold' || !open || open.has(`${seq}.${id}`));
  const last = Math.min(place?.seq ?? Number.MAX_SAFE_INTEGER, account?.seq ?? 0);
  const found =
    query.receipt === undefined
      ? await newest(db, accountId, query.limit + 1, await rowsWithin(db, accountId, last, query), isChosen)
      : (await entriesOfHold(db, accountId, query.receipt)).filter(isChosen);
  const page = found.slice(0, query.limit);
  const holds = await holdsOf(db, accountId, page);
  const entries = page.map(({ atMs, seq, entry, balance }): StatementEntry => {
    const grant = entry.kind === 'grant';
    const id = entry.kind === 'hold' ? `${seq}.${entry.id}` : entry.id;
    const origin = grant ? undefined : holds.get(id);
    const [requestId, label = null] = (origin?.label ?? '').split(' ');
    return {
      at: instant(atMs),
      kind: entry.kind as StatementEntry['kind'],
      credits: entry.credits,
      held: entry.held,
      balance,
      receipt: grant ? null : `${accountId}.${id}`,
      keyId: origin?.keyId || null,
      operation: origin?.operation || null,
      requestId: requestId || null,
      label,
      note: (grant && entry.label) || null,
      reference: (grant && entry.id) || null,
    };
  });
  const end = page.at(-1);
  return { entries, after: end && found.length > query.limit ? `${end.seq}.${end.n}` : null };
}

/** By how much a store's clock may have been set back: rows stand in the order in which they were written, not in that of their times. */
const SET_BACK_MS = DAY_MS;

/** How many of the first rows of a journal are before a time, as if no clock had been set back. */
async function rowsBefore(db: Kysely<Tables>, accountId: string, timeMs: number, last: number): Promise<number> {
  let [before, most] = [0, last];
  while (before < most) {
    const seq = Math.ceil((before + most) / 2);
    const row = db.selectFrom('journal').select('at').where('account_id', '=', accountId).where('seq', '=', seq);
    if ((await row.executeTakeFirstOrThrow()).at < timeMs) before = seq;
    else most = seq - 1;
  }
  return before;
}

/** The rows in which the entries of these days are: those after the first number, up to the second. */
async function rowsWithin(
  db: Kysely<Tables>,
  accountId: string,
  last: number,
  { from, to }: Pick<StatementQuery, 'from' | 'to'>,
): Promise<readonly [after: number, upTo: number]> {
  return [
    from === undefined ? 0 : await rowsBefore(db, accountId, Date.parse(from) - SET_BACK_MS, last),
    to === undefined ? last : await rowsBefore(db, accountId, Date.parse(to) + DAY_MS + SET_BACK_MS, last),
  ];
}

/** The newest of these entries in some rows of the journal, newest first. */
async function newest(
  db: Kysely<Tables>,
  accountId: string,
  count: number,
  [after, last]: readonly [after: number, last: number],
  isChosen: (placed: Placed) => boolean,
): Promise<readonly Placed[]> {
  const found: Placed[] = [];
  for (let [upTo, rows] = [last, FIRST_ROWS]; upTo > after && found.length < count; upTo -= rows, rows = Math.min(rows * 2, MAX_ROWS)) {
    const read = (await journalRows(db, accountId, Math.max(after, upTo - rows), upTo)).toReversed();
    for (const row of read) if (found.length < count) found.push(...entriesOf(row).reverse().filter(isChosen));
  }
  return found.slice(0, count);
}

/** The hold of a receipt `<account>.<row>.<UUID>`, and the entry that ended it, newest first. Scans forward from the hold's row. */
async function entriesOfHold(db: Kysely<Tables>, accountId: string, receipt: string): Promise<readonly Placed[]> {
  const [account, hold] = splitHoldId(receipt);
  const [, row, uuid] = /^(\d{1,15})\.([\w-]{36})$/.exec(hold) ?? [];
  // the receipt of another account matches no entry
  if (account !== accountId || row === undefined) return [];
  const seq = Number(row);
  const [opened] = await journalRows(db, accountId, seq - 1, seq);
  const first = opened && entriesOf(opened).find(({ entry }) => entry.kind === 'hold' && entry.id === uuid);
  if (!first) return [];
  const last = await lastSeq(db, accountId);
  for (let [after, rows] = [seq, FIRST_ROWS]; after < last; after += rows, rows = Math.min(rows * 2, MAX_ROWS)) {
    const read = await journalRows(db, accountId, after, after + rows, hold);
    const end = read.flatMap(entriesOf).find(({ entry }) => entry.id === hold && entry.kind !== 'renew');
    if (end) return [end, first];
  }
  return [first];
}

/** The holds of the entries of a page. They are read where the page does not have them. */
async function holdsOf(db: Kysely<Tables>, accountId: string, page: readonly Placed[]): Promise<ReadonlyMap<string, Entry>> {
  const holds = new Map<string, Entry>();
  const put = ({ seq, entry }: Placed) => entry.kind === 'hold' && holds.set(`${seq}.${entry.id}`, entry);
  page.forEach(put);
  const missing = new Set<number>();
  for (const { entry } of page)
    if (entry.kind !== 'hold' && entry.kind !== 'grant' && !holds.has(entry.id)) missing.add(Number.parseInt(entry.id, 10));
  if (!missing.size) return holds;
  const rows = db
    .selectFrom('journal')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('seq', 'in', [...missing]);
  for (const row of await rows.execute()) entriesOf(row).forEach(put);
  return holds;
}
