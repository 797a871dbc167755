import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Admin } from '../contract/admin/actions.ts';
import { type Clock, HOUR_MS } from '../runtime/clock.ts';
import { createOutage } from '../runtime/outage.ts';
import { repeat } from '../runtime/repeat.ts';
import type { Settings } from '../settings.ts';
import type { StoreLog } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** Number and hash of the last link (ledger) or entry (audit log) of a chain. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}
export interface Anchor {
  readonly at: string;
  /** Null: the audit log was empty. */
  readonly audit: Head | null;
  /** By account; accounts without entries are omitted. */
  readonly accounts: Readonly<Record<string, Head>>;
}

const FORMAT = 'sightline-anchor-1';

/** In the folder of an export for an audit: the key of its anchors, base64url. */
export const ANCHOR_KEY_FILE = 'anchor-key';

/** The key that signs anchors: derived from the secret, or that of an export in the data folder; null if there is neither. */
export function anchorKeyOf(
  { SIGHTLINE_SECRET: given, SIGHTLINE_DATA_DIR: folder }: Pick<Settings, 'SIGHTLINE_SECRET' | 'SIGHTLINE_DATA_DIR'>,
  secret: () => string | null,
): Buffer | null {
  const exported = join(folder, ANCHOR_KEY_FILE);
  // whoever can write to the folder must not choose the key of a service whose secret is elsewhere
  if (given === null && existsSync(exported)) return Buffer.from(readFileSync(exported, 'utf8').trim(), 'base64url');
  const known = secret();
  return known === null ? null : Buffer.from(hkdfSync('sha256', known, 'sightline', 'ledger-anchor', 32));
}

const signatureOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export async function readHeads(db: Kysely<Tables>, atMs: number): Promise<Anchor> {
  const rows = await db.selectFrom('balances').select(['account_id', 'seq', 'head']).where('seq', '>', 0).orderBy('account_id').execute();
  const last = await db.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  const accounts = Object.fromEntries(rows.map((row) => [row.account_id, { seq: row.seq, hash: row.head }]));
  return { at: new Date(atMs).toISOString(), audit: last ?? null, accounts };
}

/** One line of JSON, signed with HMAC-SHA-256 under the key of the service. */
export function anchorLine(anchor: Anchor, key: Buffer): string {
  const text = JSON.stringify({ format: FORMAT, at: anchor.at, audit: anchor.audit, accounts: anchor.accounts });
  return JSON.stringify({ anchor: text, signature: signatureOf(key, text).toString('base64url') });
}

/** Parses a file of anchors, one per line. A line that is malformed or not signed with this key is a fault. */
export function readAnchors(text: string, key: Buffer): { anchors: readonly Anchor[]; faults: readonly string[] } {
  const anchors: Anchor[] = [];
  const faults: string[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (!line.trim()) continue;
    try {
      const { anchor, signature } = JSON.parse(line) as { anchor: string; signature: string };
      const [given, wanted] = [Buffer.from(signature, 'base64url'), signatureOf(key, anchor)];
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

/** The fault of a chain in which the head of an anchor has this hash now; undefined: it is missing. */
function faultOf(what: string, chain: string, wanted: Head, anchoredAt: string, found: { readonly hash: string } | undefined): string[] {
  if (!found) return [`${what} ${wanted.seq}, which the anchor of ${anchoredAt} has, is missing: the end of the ${chain} was cut`];
  return found.hash === wanted.hash
    ? []
    : [`${what} ${wanted.seq} is not the one that the anchor of ${anchoredAt} has: the ${chain} was rewritten`];
}

/** Faults of account chains that lack the head of an anchor. verifyLedger verifies the chains themselves. */
export async function ledgerAgainst(db: Kysely<Tables>, anchors: readonly Anchor[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { at, accounts } of anchors)
    for (const [accountId, head] of Object.entries(accounts)) {
      const link = db.selectFrom('journal').select('hash').where('account_id', '=', accountId).where('seq', '=', head.seq);
      faults.push(...faultOf(`${accountId}: link`, 'chain', head, at, await link.executeTakeFirst()));
    }
  return [...new Set(faults)];
}

export async function auditAgainst(db: Kysely<Tables>, anchors: readonly Anchor[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { at, audit } of anchors) {
    if (!audit) continue;
    const entry = db.selectFrom('audit').select('hash').where('seq', '=', audit.seq);
    faults.push(...faultOf('audit: entry', 'log', audit, at, await entry.executeTakeFirst()));
  }
  return [...new Set(faults)];
}

/** The last line of a file, which may be long: it is read from its end. Empty: there is no file, or nothing in it. */
async function lastLineOf(file: string): Promise<string> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return '';
  try {
    const { size } = await handle.stat();
    for (let length = 65_536; ; length *= 2) {
      const start = Math.max(0, size - length);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
      const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
      if (lines.length > 1 || start === 0) return lines.at(-1) ?? '';
    }
  } finally {
    await handle.close();
  }
}

/** Says at the start that the store lacks what the last anchor of its file has: it is an older copy, or another store. */
export async function compareWithFile(file: string, db: Kysely<Tables>, key: Buffer | null, log: StoreLog): Promise<void> {
  const line = await lastLineOf(file);
  if (line === '' || key === null) return;
  const { anchors, faults } = readAnchors(line, key);
  const all = [...faults, ...(await ledgerAgainst(db, anchors)), ...(await auditAgainst(db, anchors))];
  if (all.length === 0) return;
  const facts = { file, anchor: anchors[0]?.at ?? null, faults: all.length, first: all[0] };
  log('error', 'ledger: the store does not have what its anchor file has: it is older (a backup was restored), or was changed', facts);
}

/** Appends an anchor to a file at the start, after `compare`, and then hourly. A failed write is logged and retried with the next one. */
export function writeAnchors(
  file: string,
  admin: Pick<Admin, 'anchorLedger'>,
  clock: Clock,
  log: StoreLog,
  compare: () => Promise<void> = async () => {},
) {
  const writes = createOutage(clock, log, 'ledger: an anchor could not be written', 'ledger: anchors are written again');
  let isCompared = false;
  return repeat(clock, async () => {
    try {
      if (!isCompared) await compare();
      isCompared = true;
      const { line } = await admin.anchorLedger();
      await appendFile(file, `${line}\n`, { mode: 0o600 });
      writes.worked();
    } catch (error) {
      writes.failed(String(error));
    }
    return HOUR_MS;
  });
}
