import { type Kysely, sql } from 'kysely';
import { instant } from '../runtime/clock.ts';
import type { Tables } from '../store/tables.ts';
import type { Page, StatementEntry, StatementQuery } from './types.ts';

/** Position of an entry in its account: the link of the chain and the entry's number in it. */
const placeOf = (cursor: string): readonly [link: number, n: number] | null => {
  const [, link, n] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? [];
  return link === undefined || n === undefined ? null : [Number(link), Number(n)];
};

/** Whether the text is a valid statement cursor. */
export const isStatementCursor = (text: string): boolean => placeOf(text) !== null;

/** The entries of an account, newest first; or those of one receipt. Releases and captures name the key and operation of their hold. */
export async function readStatement(db: Kysely<Tables>, accountId: string, query: StatementQuery): Promise<Page<StatementEntry>> {
  const { receipt, limit } = query;
  const place = query.after === null ? null : placeOf(query.after);
  // a receipt is `<account>.<hold>`: the receipt of another account matches no entry
  const hold = receipt?.startsWith(`${accountId}.`) ? receipt.slice(accountId.length + 1) : null;
  if (receipt !== null && !hold) return { entries: [], after: null };
  let chosen = db
    .selectFrom('entries as e')
    .innerJoin('links as l', (on) => on.onRef('l.account_id', '=', 'e.account_id').onRef('l.seq', '=', 'e.link'))
    .select(['e.link', 'e.n', 'e.kind', 'e.credits', 'e.held', 'e.hold', 'e.key_id', 'e.operation', 'e.label', 'l.at'])
    .where('e.account_id', '=', accountId);
  if (hold) chosen = chosen.where('e.hold', '=', hold).where('e.kind', '<>', 'grant');
  if (place) chosen = chosen.where(sql<boolean>`(e.link, e.n) < (${place[0]}, ${place[1]})`);
  const rows = await chosen
    .orderBy('e.link', 'desc')
    .orderBy('e.n', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const settled = page.filter((row) => row.kind !== 'grant' && row.kind !== 'hold').map((row) => row.hold);
  const opened = settled.length
    ? await db
        .selectFrom('entries')
        .select(['hold', 'key_id', 'operation', 'label'])
        .where('hold', 'in', settled)
        .where('account_id', '=', accountId)
        .where('kind', '=', 'hold')
        .execute()
    : [];
  const holdOf = new Map(opened.map((row) => [row.hold, row]));
  const last = page.at(-1);
  return {
    entries: page.map((row) => {
      const grant = row.kind === 'grant';
      const origin = grant ? undefined : (holdOf.get(row.hold) ?? row);
      const [requestId, label = null] = (origin?.label ?? '').split(' ');
      return {
        at: instant(row.at),
        kind: row.kind,
        credits: row.credits,
        held: row.held,
        receipt: grant ? null : `${accountId}.${row.hold}`,
        keyId: origin?.key_id || null,
        operation: origin?.operation || null,
        requestId: requestId || null,
        label,
        note: (grant && row.label) || null,
        reference: (grant && row.hold) || null,
      };
    }),
    after: rows.length > limit && last ? `${last.link}.${last.n}` : null,
  };
}
