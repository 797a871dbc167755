import type { Kysely } from 'kysely';
import type { BalanceRow, JournalTableRow, Tables } from '../store/tables.ts';
import { readLines } from './entries.ts';
import { type AccountState, type Caps, fold, type OpenHold } from './rules.ts';

/** Rows of the journal that are read first to find the open holds. */
const FIRST_ROWS = 64;
/** Beyond this many rows the open holds are read from the end of the journal, not from an earlier state on. */
const MAX_ROWS_SINCE = 256;

/** Rows of an account's journal: numbers above `after` up to `upTo`, in order. `naming`: only those whose lines name this hold. */
export function journalRows(db: Kysely<Tables>, accountId: string, after: number, upTo: number, naming = ''): Promise<JournalTableRow[]> {
  const rows = db.selectFrom('journal').selectAll().where('account_id', '=', accountId).where('seq', '>', after).where('seq', '<=', upTo);
  return (naming ? rows.where('lines', 'like', `%\t${naming}%`) : rows).orderBy('seq').execute();
}

/** Number of the last row of an account's journal. */
export const lastSeq = async (db: Kysely<Tables>, accountId: string): Promise<number> =>
  (await db.selectFrom('balances').select('seq').where('account_id', '=', accountId).executeTakeFirst())?.seq ?? 0;

/** The state of an account as its balance row and its journal say. `known`: an earlier state, which spares reading. */
export async function readState(db: Kysely<Tables>, row: BalanceRow, known?: AccountState): Promise<AccountState> {
  if (known?.seq === row.seq && known.head === row.head) return known;
  const { balance, held, seq, head } = row;
  return { balance, held, seq, head, open: await openHolds(db, row, known), spent: new Map() };
}

async function openHolds(db: Kysely<Tables>, row: BalanceRow, known?: AccountState): Promise<Map<string, OpenHold>> {
  const { account_id: accountId, seq, held } = row;
  if (held === 0) return new Map();
  const foldRows = async (open: Map<string, OpenHold>, after: number) => {
    for (const { seq: number, at, lines } of await journalRows(db, accountId, after, seq)) fold(open, number, at, readLines(lines));
    return open;
  };
  if (known && seq > known.seq && seq - known.seq <= MAX_ROWS_SINCE) return foldRows(new Map(known.open), known.seq);
  // amounts are positive: holds of the last rows whose sum is `held` are all that are open
  for (let rows = FIRST_ROWS; ; rows *= 4) {
    const open = await foldRows(new Map(), seq - rows);
    if (rows >= seq || [...open.values()].reduce((sum, hold) => sum + hold.amount, 0) === held) return open;
  }
}

/** The caps of those keys that have one. */
export async function readCaps(db: Kysely<Tables>, keyIds: readonly string[]): Promise<ReadonlyMap<string, Caps>> {
  if (!keyIds.length) return new Map();
  const rows = await db
    .selectFrom('keys')
    .select(['id', 'counted_as', 'cap_day', 'cap_month'])
    .where('id', 'in', keyIds)
    .where((e) => e.or([e('cap_day', 'is not', null), e('cap_month', 'is not', null)]))
    .execute();
  return new Map(rows.map((row) => [row.id, { counter: row.counted_as ?? row.id, day: row.cap_day, month: row.cap_month }]));
}

/** Sums of spent credits by `<counter> <period>`; 0 where nothing was spent. */
export async function readSpent(db: Kysely<Tables>, sums: readonly string[]): Promise<Map<string, number>> {
  const spent = new Map(sums.map((sum) => [sum, 0]));
  const counters = sums.map((sum) => sum.slice(0, sum.indexOf(' ')));
  const rows = await db.selectFrom('key_spend').selectAll().where('key_id', 'in', counters).execute();
  for (const { key_id, period, credits } of rows) if (spent.has(`${key_id} ${period}`)) spent.set(`${key_id} ${period}`, credits);
  return spent;
}
