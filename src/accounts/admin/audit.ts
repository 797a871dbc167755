import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Anchor, auditAgainst } from '../../billing/anchor.ts';
import type { ActionInput } from '../../contract/admin/actions.ts';
import type { AuditEntry, AuditReport } from '../../contract/admin/schemas.ts';
import { instant } from '../../runtime/clock.ts';
import type { AuditRow, Tables } from '../../store/tables.ts';
import { createAuditReplay } from './audit-replay.ts';

/** Writes an audit entry in the transaction of its change. */
export type WriteEvent = (action: string, subject: string, facts: Record<string, unknown>) => Promise<void>;

/** The text whose SHA-256 (hex) is an entry's hash. `head` is the hash of the previous entry, '' for the first. */
export const auditText = (seq: number, at: number, e: Pick<AuditRow, 'actor' | 'action' | 'subject' | 'facts'>, head: string): string =>
  `sightline-audit-1\n${seq}\n${at}\n${head}\n${JSON.stringify([e.actor, e.action, e.subject, e.facts])}`;

/**
 * Appends an audit entry in the caller's transaction. Entries are chained by SHA-256. `action`: such as `key.create`; `subject`: id of what was
 * changed, such as an account.
 */
export async function writeAudit(
  trx: Transaction<Tables>,
  at: number,
  event: Pick<AuditEntry, 'actor' | 'action' | 'subject' | 'facts'>,
): Promise<void> {
  // serialises the writers of all gateways
  await trx.updateTable('changes').set({ n: sql`n + 1` }).where('name', '=', 'audit').execute();
  const last = await trx.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  const seq = (last?.seq ?? 0) + 1;
  const row = { actor: event.actor, action: event.action, subject: event.subject, facts: JSON.stringify(event.facts) };
  await trx
    .insertInto('audit')
    .values({ seq, at, ...row, hash: hash('sha256', auditText(seq, at, row, last?.hash ?? ''), 'hex') })
    .execute();
}

/** The latest entries, newest first. */
export async function readAudit(db: Kysely<Tables>, query: ActionInput<'auditLog'>): Promise<readonly AuditEntry[]> {
  const { limit = 100, before, subject, action } = query;
  let found = db.selectFrom('audit').selectAll();
  if (before !== undefined) found = found.where('seq', '<', before);
  if (subject !== undefined) found = found.where('subject', '=', subject);
  if (action !== undefined) found = found.where('action', '=', action);
  const rows = await found
    .orderBy('seq', 'desc')
    .limit(Math.min(Math.max(1, limit), 10_000))
    .execute();
  return rows.map(({ at, facts, hash: _, ...row }) => ({ ...row, at: instant(at), facts: JSON.parse(facts) as AuditEntry['facts'] }));
}

const MAX_COMPARISONS = 20;

/**
 * Verifies the hash chain, the number of entries against the stored count, that the chain contains the anchors' heads, and that accounts, keys,
 * clients, sessions and signing keys are as the events leave them.
 */
export async function verifyAudit(db: Kysely<Tables>, anchors: readonly Anchor[] = []): Promise<AuditReport> {
  const faults: string[] = [];
  const replay = createAuditReplay();
  const countOf = async () => (await db.selectFrom('changes').select('n').where('name', '=', 'audit').executeTakeFirst())?.n;
  // read the count first: concurrent writes only add entries
  const counted = await countOf();
  let head = '';
  let seq = 0;
  async function readOn(): Promise<void> {
    for (;;) {
      const rows = await db.selectFrom('audit').selectAll().where('seq', '>', seq).orderBy('seq').limit(1000).execute();
      for (const row of rows) {
        if (row.seq !== seq + 1) faults.push(`audit: entry ${seq + 1} is missing`);
        if (row.hash === hash('sha256', auditText(row.seq, row.at, row, head), 'hex')) replay.apply(row);
        else faults.push(`audit: entry ${row.seq} does not fit its hash`);
        head = row.hash;
        seq = row.seq;
      }
      if (rows.length < 1000) return;
    }
  }
  await readOn();
  for (let comparison = 1; ; comparison++) {
    const upTo = seq;
    const differences = await replay.differences(db);
    await readOn();
    // a change that was written meanwhile is in the table before its event is read
    if (differences.length && seq !== upTo && comparison < MAX_COMPARISONS) continue;
    faults.push(...differences);
    break;
  }
  const outside = await db.selectFrom('audit').select('seq').where('seq', '<', 1).execute();
  for (const row of outside) faults.push(`audit: entry ${row.seq} belongs to no chain: the first one has number 1`);
  if (counted === undefined) faults.push('audit: the row that counts the entries is missing');
  else if (seq < counted) faults.push(`audit: ${counted} entries were written, the last one there is ${seq}`);
  else if (seq > counted) {
    const now = (await countOf()) ?? 0;
    if (seq > now) faults.push(`audit: ${now} entries were written, but there is an entry ${seq}`);
  }
  faults.push(...(await auditAgainst(db, anchors)));
  return { entries: seq, faults };
}
