import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Anchor, auditAgainst } from '../../billing/anchor.ts';
import type { Tables } from '../../store/tables.ts';
import { createAuditReplay } from './audit-replay.ts';

export interface AuditEntry {
  readonly seq: number;
  /** RFC 3339. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly facts: Readonly<Record<string, unknown>>;
}
export interface AuditEvent {
  readonly actor: string;
  /** `key.create`, `credits.grant`, … */
  readonly action: string;
  /** Id of the changed account, key or client. */
  readonly subject: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Writes an audit entry in the transaction of its change. */
export type WriteEvent = (action: string, subject: string, facts: Record<string, unknown>) => Promise<void>;

/** Runs a change of keys, clients or accounts with its audit entries in one transaction: one such change at a time, on all gateways. */
export type AuditedChange = <T>(work: (trx: Transaction<Tables>, write: WriteEvent) => Promise<T>) => Promise<T>;

/** The text whose SHA-256 (hex) is an entry's hash. `head` is the hash of the previous entry, '' for the first. */
export const auditText = (
  seq: number,
  at: number,
  e: { actor: string; action: string; subject: string; facts: string },
  head: string,
): string => `sightline-audit-1\n${seq}\n${at}\n${head}\n${JSON.stringify([e.actor, e.action, e.subject, e.facts])}`;

/** Appends an audit entry (actor, action, subject) in the caller's transaction. Entries are chained by SHA-256. */
export async function writeAudit(trx: Transaction<Tables>, at: number, event: AuditEvent): Promise<void> {
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
export async function readAudit(db: Kysely<Tables>, limit: number): Promise<readonly AuditEntry[]> {
  const rows = await db.selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(limit).execute();
  return rows.map(({ seq, at, actor, action, subject, facts }) => ({
    seq,
    at: new Date(at).toISOString(),
    actor,
    action,
    subject,
    facts: JSON.parse(facts) as Record<string, unknown>,
  }));
}

export interface AuditReport {
  readonly entries: number;
  readonly faults: readonly string[];
}

/** Comparisons with the tables while changes are written. */
const MAX_COMPARISONS = 20;

/**
 * Verifies the hash chain, the number of entries against the stored count, that the chain contains the anchors' heads, and that accounts, keys,
 * clients, sessions and signing keys are as the events leave them.
 */
export async function verifyAudit(db: Kysely<Tables>, anchors: readonly Anchor[] = []): Promise<AuditReport> {
  const faults: string[] = [];
  const replay = createAuditReplay();
  // read the count first: concurrent writes only add entries
  const counted = (await db.selectFrom('changes').select('n').where('name', '=', 'audit').executeTakeFirst())?.n;
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
    const now = (await db.selectFrom('changes').select('n').where('name', '=', 'audit').executeTakeFirst())?.n ?? 0;
    if (seq > now) faults.push(`audit: ${now} entries were written, but there is an entry ${seq}`);
  }
  faults.push(...(await auditAgainst(db, anchors)));
  return { entries: seq, faults };
}
