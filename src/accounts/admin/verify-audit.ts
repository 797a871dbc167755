import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Anchor, auditAgainst } from '../../billing/anchor.ts';
import type { AuditReport } from '../../contract/admin/schemas.ts';
import type { Tables } from '../../store/tables.ts';
import { tokenSeal } from '../oauth/token-seal.ts';
import { auditText } from './audit.ts';
import { createAuditReplay } from './audit-replay.ts';

const MAX_COMPARISONS = 20;

/**
 * Verifies the hash chain, its count, the anchors' heads, that accounts, keys, clients, sessions, signing keys, grants, their apps and watches are as
 * the events leave them, and the seals of the grants' tokens. `sealKey` null: it is not known here.
 */
export async function verifyAudit(
  db: Kysely<Tables>,
  anchors: readonly Anchor[] = [],
  sealKey: Buffer | null = null,
): Promise<AuditReport> {
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
  faults.push(...(await tokenFaults(db, sealKey)), ...(await auditAgainst(db, anchors)));
  return { entries: seq, faults };
}

async function tokenFaults(db: Kysely<Tables>, sealKey: Buffer | null): Promise<readonly string[]> {
  const rows = await db.selectFrom('grant_tokens').selectAll().orderBy('hash').execute();
  if (rows.length > 0 && sealKey === null)
    return [`grant tokens: their ${rows.length} seals cannot be checked here: set SIGHTLINE_SECRET to that of the service`];
  return rows
    .filter((row) => sealKey && row.seal !== tokenSeal(sealKey, row))
    .map(
      ({ hash: id, key_id }) =>
        `grant token ${id.slice(0, 12)} of ${key_id}: it does not fit its seal: it was changed or added, or sealed with another secret`,
    );
}
