import { hash } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';

/**
 * A rank list on disk: one short read per lookup, without loading the list into memory.
 * Layout: 8 bytes magic · u32 length of the header · header JSON {list, date, id, rows} · 65,537 u32 (first record of each bucket; the
 * bucket is the first 16 bits of the hash) · records of 12 bytes: 8 of SHA-1(domain), u32 rank. All numbers big-endian.
 */
const MAGIC = 'SLRANKS1';
const BUCKETS = 65_536;
const RECORD = 12;

export interface RankHeader {
  readonly list: 'tranco' | 'crux';
  readonly date: string;
  readonly id: string;
  readonly rows: number;
}

const keyOf = (domain: string): Buffer => hash('sha1', domain, 'buffer').subarray(0, 8);

/** Returns the previous value. */
function bump(counts: Uint32Array, i: number): number {
  const was = counts[i] ?? 0;
  counts[i] = was + 1;
  return was;
}

/** Writes the list to a temporary file and renames it, so that a reader sees either the old or the new list. */
export function writeRanks(path: string, header: RankHeader, rows: Iterable<readonly [domain: string, rank: number]>): number {
  const records = Buffer.alloc(header.rows * RECORD);
  const counts = new Uint32Array(BUCKETS + 1);
  let n = 0;
  for (const [domain, rank] of rows) {
    if (n >= header.rows) throw new Error(`the list holds more than the ${header.rows} rows that it names`);
    keyOf(domain).copy(records, n * RECORD);
    records.writeUInt32BE(rank, n * RECORD + 8);
    bump(counts, records.readUInt16BE(n * RECORD) + 1);
    n++;
  }
  for (let b = 0; b < BUCKETS; b++) counts[b + 1] = (counts[b + 1] ?? 0) + (counts[b] ?? 0);
  const sorted = Buffer.alloc(n * RECORD);
  const next = counts.slice();
  for (let i = 0; i < n; i++) {
    const bucket = records.readUInt16BE(i * RECORD);
    records.copy(sorted, bump(next, bucket) * RECORD, i * RECORD, (i + 1) * RECORD);
  }
  const head = Buffer.from(JSON.stringify({ ...header, rows: n }));
  const front = Buffer.alloc(12 + head.length + (BUCKETS + 1) * 4);
  front.write(MAGIC);
  front.writeUInt32BE(head.length, 8);
  head.copy(front, 12);
  for (const [b, c] of counts.entries()) front.writeUInt32BE(c, 12 + head.length + b * 4);
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, Buffer.concat([front, sorted]), { flush: true });
  renameSync(draft, path);
  return n;
}

/** Opens a list; null if the file does not exist. Throws if the file is not a rank list. */
export function openRanks(path: string) {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const front = Buffer.alloc(12);
  readSync(fd, front, 0, 12, 0);
  if (front.toString('latin1', 0, 8) !== MAGIC) {
    closeSync(fd);
    throw new Error(`${path} is no rank list: run \`sightline ranks update\` again`);
  }
  const headLength = front.readUInt32BE(8);
  const head = Buffer.alloc(headLength);
  readSync(fd, head, 0, headLength, 12);
  const header = JSON.parse(head.toString()) as RankHeader;
  const index = Buffer.alloc((BUCKETS + 1) * 4);
  readSync(fd, index, 0, index.length, 12 + headLength);
  const start = 12 + headLength + index.length;
  return {
    header,
    mtimeMs: statSync(path).mtimeMs,
    /** The rank, the best if the list names the domain more than once; null if it is not in the list. */
    rankOf(domain: string): number | null {
      const key = keyOf(domain);
      const bucket = key.readUInt16BE(0);
      const [from, to] = [index.readUInt32BE(bucket * 4), index.readUInt32BE(bucket * 4 + 4)];
      const page = Buffer.allocUnsafe((to - from) * RECORD);
      readSync(fd, page, 0, page.length, start + from * RECORD);
      let best: number | null = null;
      for (let at = 0; at < page.length; at += RECORD)
        if (page.compare(key, 0, 8, at, at + 8) === 0) best = Math.min(best ?? Number.POSITIVE_INFINITY, page.readUInt32BE(at + 8));
      return best;
    },
    close: () => closeSync(fd),
  };
}
