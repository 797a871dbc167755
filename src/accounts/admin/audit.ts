import { hash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { ActionInput } from '../../contract/admin/actions.ts';
import type { AuditEntry } from '../../contract/admin/schemas.ts';
import { instant } from '../../runtime/clock.ts';
import { countChange } from '../../store/changes.ts';
import type { AuditRow, Tables } from '../../store/tables.ts';

export type WriteEvent = (action: string, subject: string, facts: Record<string, unknown>) => Promise<void>;

/** The text whose SHA-256 (hex) is an entry's hash. `head` is the hash of the previous entry, '' for the first. */
export const auditText = (seq: number, atMs: number, e: Pick<AuditRow, 'actor' | 'action' | 'subject' | 'facts'>, head: string): string =>
  `sightline-audit-1\n${seq}\n${atMs}\n${head}\n${JSON.stringify([e.actor, e.action, e.subject, e.facts])}`;

/** Appends an audit entry, chained by SHA-256, in the caller's transaction. `subject`: id of what was changed, such as an account. */
export async function writeAudit(
  trx: Transaction<Tables>,
  atMs: number,
  event: Pick<AuditEntry, 'actor' | 'action' | 'subject' | 'facts'>,
): Promise<void> {
  // serialises the writers of all gateways
  await countChange(trx, 'audit');
  const last = await trx.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  const seq = (last?.seq ?? 0) + 1;
  const row = { actor: event.actor, action: event.action, subject: event.subject, facts: JSON.stringify(event.facts) };
  await trx
    .insertInto('audit')
    .values({ seq, at: atMs, ...row, hash: hash('sha256', auditText(seq, atMs, row, last?.hash ?? ''), 'hex') })
    .execute();
}

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
