import type { Kysely } from 'kysely';
import { instant } from '../runtime/clock.ts';
import type { JournalTableRow, Tables } from '../store/tables.ts';
import { journalRows, lastSeq } from './account-state.ts';
import { type Entry, readLines, splitHoldId } from './rules.ts';
import type { Page, StatementEntry, StatementQuery } from './types.ts';

/** Rows that are read first for a page, and at most at once. */
const FIRST_ROWS = 8;
const MAX_ROWS = 512;

/** An entry at its place: the row of the journal and the line in it. */
interface Placed {
  readonly seq: number;
  readonly n: number;
  readonly at: number;
  readonly entry: Entry;
}
const entriesOf = ({ seq, at, lines }: JournalTableRow): Placed[] => readLines(lines).map((entry, n) => ({ seq, n, at, entry }));

const placeOf = (cursor: string): readonly [seq: number, n: number] | null => {
  const [, seq, n] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? [];
  return seq === undefined || n === undefined ? null : [Number(seq), Number(n)];
};

export const isStatementCursor = (text: string): boolean => placeOf(text) !== null;

/** The entries of an account, newest first; or those of one receipt. What ends a hold names the key and operation of the hold. */
export async function readStatement(db: Kysely<Tables>, accountId: string, query: StatementQuery): Promise<Page<StatementEntry>> {
  const place = query.after === undefined ? null : placeOf(query.after);
  const isBefore = ({ seq, n }: Placed): boolean => !place || seq < place[0] || (seq === place[0] && n < place[1]);
  const found =
    query.receipt === undefined
      ? await newest(db, accountId, query.limit + 1, place?.[0] ?? Number.MAX_SAFE_INTEGER, isBefore)
      : (await entriesOfHold(db, accountId, query.receipt)).filter(isBefore);
  const page = found.slice(0, query.limit);
  const holds = await holdsOf(db, accountId, page);
  const last = page.at(-1);
  return {
    entries: page.map(({ at, seq, entry }) => {
      const grant = entry.kind === 'grant';
      const hold = entry.kind === 'hold' ? `${seq}.${entry.hold}` : entry.hold;
      const origin = grant ? undefined : holds.get(hold);
      const [requestId, label = null] = (origin?.label ?? '').split(' ');
      return {
        at: instant(at),
        kind: entry.kind as StatementEntry['kind'],
        credits: entry.credits,
        held: entry.held,
        receipt: grant ? null : `${accountId}.${hold}`,
        keyId: origin?.keyId || null,
        operation: origin?.operation || null,
        requestId: requestId || null,
        label,
        note: (grant && entry.label) || null,
        reference: (grant && entry.hold) || null,
      };
    }),
    after: found.length > query.limit && last ? `${last.seq}.${last.n}` : null,
  };
}

/** The newest entries from a row on, newest first. A renewal changes no credits, and is no entry of a statement. */
async function newest(
  db: Kysely<Tables>,
  accountId: string,
  count: number,
  from: number,
  isChosen: (placed: Placed) => boolean,
): Promise<readonly Placed[]> {
  const found: Placed[] = [];
  let upTo = Math.min(from, await lastSeq(db, accountId));
  for (let rows = FIRST_ROWS; upTo > 0 && found.length < count; rows = Math.min(rows * 2, MAX_ROWS)) {
    const read = (await journalRows(db, accountId, upTo - rows, upTo)).toReversed();
    for (const row of read) {
      if (found.length >= count) break;
      const chosen = entriesOf(row).filter((placed) => placed.entry.kind !== 'renew' && isChosen(placed));
      found.push(...chosen.reverse());
    }
    upTo -= rows;
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
  const first = opened && entriesOf(opened).find(({ entry }) => entry.kind === 'hold' && entry.hold === uuid);
  if (!first) return [];
  const last = await lastSeq(db, accountId);
  for (let [after, rows] = [seq, FIRST_ROWS]; after < last; after += rows, rows = Math.min(rows * 2, MAX_ROWS)) {
    const read = await journalRows(db, accountId, after, after + rows, hold);
    const end = read.flatMap(entriesOf).find(({ entry }) => entry.hold === hold && entry.kind !== 'renew');
    if (end) return [end, first];
  }
  return [first];
}

/** The holds of the entries of a page. They are read where the page does not have them. */
async function holdsOf(db: Kysely<Tables>, accountId: string, page: readonly Placed[]): Promise<ReadonlyMap<string, Entry>> {
  const holds = new Map<string, Entry>();
  const put = ({ seq, entry }: Placed) => entry.kind === 'hold' && holds.set(`${seq}.${entry.hold}`, entry);
  page.forEach(put);
  const missing = new Set<number>();
  for (const { entry } of page)
    if (entry.kind !== 'hold' && entry.kind !== 'grant' && !holds.has(entry.hold)) missing.add(Number.parseInt(entry.hold, 10));
  if (!missing.size) return holds;
  const rows = db
    .selectFrom('journal')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('seq', 'in', [...missing]);
  for (const row of await rows.execute()) entriesOf(row).forEach(put);
  return holds;
}
