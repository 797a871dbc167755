import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** Number and hash of the last link (ledger) or entry (audit log) of a chain. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}
/** The heads of all chains at one moment. */
export interface Anchor {
  /** RFC 3339. */
  readonly at: string;
  /** Null: the audit log was empty. */
  readonly audit: Head | null;
  /** By account; accounts without entries are omitted. */
  readonly accounts: Readonly<Record<string, Head>>;
}

const FORMAT = 'sightline-anchor-1';

function signatureOf(secret: string, text: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, 'sightline', 'ledger-anchor', 32));
  return createHmac('sha256', key).update(text).digest();
}

/** Reads the current heads. */
export async function readHeads(db: Kysely<Tables>, at: number): Promise<Anchor> {
  const rows = await db.selectFrom('balances').select(['account_id', 'seq', 'head']).where('seq', '>', 0).orderBy('account_id').execute();
  const last = await db.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  const accounts = Object.fromEntries(rows.map((row) => [row.account_id, { seq: row.seq, hash: row.head }]));
  return { at: new Date(at).toISOString(), audit: last ?? null, accounts };
}

/** One line of JSON, signed with HMAC-SHA-256 under a key derived from the service's secret. */
export function anchorLine(anchor: Anchor, secret: string): string {
  const text = JSON.stringify({ format: FORMAT, at: anchor.at, audit: anchor.audit, accounts: anchor.accounts });
  return JSON.stringify({ anchor: text, signature: signatureOf(secret, text).toString('base64url') });
}

/** Parses a file of anchors, one per line. A line that is malformed or not signed with this secret is a fault. */
export function readAnchors(text: string, secret: string): { anchors: readonly Anchor[]; faults: readonly string[] } {
  const anchors: Anchor[] = [];
  const faults: string[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (!line.trim()) continue;
    try {
      const { anchor, signature } = JSON.parse(line) as { anchor: string; signature: string };
      const [given, wanted] = [Buffer.from(signature, 'base64url'), signatureOf(secret, anchor)];
      const read = JSON.parse(anchor) as Anchor & { format: string };
      if (read.format !== FORMAT) faults.push(`anchor: line ${i + 1} has another format than ${FORMAT}`);
      else if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
        faults.push(`anchor: line ${i + 1} does not fit its signature: it was changed, or signed with another secret`);
      else anchors.push(read);
    } catch (error) {
      faults.push(`anchor: line ${i + 1} cannot be read: ${(error as Error).message}`);
    }
  }
  if (!anchors.length && !faults.length) faults.push('anchor: there is no line');
  return { anchors, faults };
}

/** Faults of account chains that lack the head of an anchor. verifyLedger verifies the chains themselves. */
export async function ledgerAgainst(db: Kysely<Tables>, anchors: readonly Anchor[]): Promise<readonly string[]> {
  const faults = new Set<string>();
  for (const { at, accounts } of anchors)
    for (const [accountId, head] of Object.entries(accounts)) {
      const link = await db
        .selectFrom('links')
        .select('hash')
        .where('account_id', '=', accountId)
        .where('seq', '=', head.seq)
        .executeTakeFirst();
      if (!link) faults.add(`${accountId}: link ${head.seq}, which the anchor of ${at} has, is missing: the end of the chain was cut`);
      else if (link.hash !== head.hash)
        faults.add(`${accountId}: link ${head.seq} is not the one that the anchor of ${at} has: the chain was rewritten`);
    }
  return [...faults];
}

/** The same for the audit log. */
export async function auditAgainst(db: Kysely<Tables>, anchors: readonly Anchor[]): Promise<readonly string[]> {
  const faults = new Set<string>();
  for (const { at, audit } of anchors) {
    if (!audit) continue;
    const entry = await db.selectFrom('audit').select('hash').where('seq', '=', audit.seq).executeTakeFirst();
    if (!entry) faults.add(`audit: entry ${audit.seq}, which the anchor of ${at} has, is missing: the end of the log was cut`);
    else if (entry.hash !== audit.hash)
      faults.add(`audit: entry ${audit.seq} is not the one that the anchor of ${at} has: the log was rewritten`);
  }
  return [...faults];
}
