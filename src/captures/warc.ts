import { createHash } from 'node:crypto';
import { crc32, gzipSync, inflateRawSync } from 'node:zlib';

/** WARC 1.1 (ISO 28500:2017). Each record is its own gzip member. */
export interface WarcRecord {
  /** Named fields, in order, without `WARC-Block-Digest` and `Content-Length`, which the writer adds. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly block: Uint8Array;
}

const VERSION_LINE = 'WARC/1.1';
const CRLF = '\r\n';
/** Deflate; no flags, time or level; system unknown (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 255]);
const GZIP_TRAILER_BYTES = 8;
/** Fast: the writer shares the machine with the service. */
const LEVEL = 4;
const MAX_RECORD_BYTES = 1 << 28;

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const plainBytes = ({ fields, block }: WarcRecord): Buffer => {
  const lines = [...fields, ['WARC-Block-Digest', `sha256:${sha256(block)}`], ['Content-Length', String(block.length)]];
  const head = `${VERSION_LINE}${CRLF}${lines.map(([name, value]) => `${name}: ${value}${CRLF}`).join('')}${CRLF}`;
  return Buffer.concat([Buffer.from(head), block, Buffer.from(CRLF + CRLF)]);
};

export function encodeRecord(record: WarcRecord): Buffer {
  const member = gzipSync(plainBytes(record), { level: LEVEL });
  GZIP_HEADER.copy(member);
  return member;
}

export const fieldOf = (record: WarcRecord, name: string): string =>
  record.fields.find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1] ?? '';

export type Decoded =
  | { readonly ok: true; readonly record: WarcRecord; readonly end: number }
  | { readonly ok: false; readonly why: string };
const damaged = (why: string): Decoded => ({ ok: false, why });

/** Decodes the member at `start`. Checks its gzip header and checksum, the version, the length and the digest of the block. */
export function decodeRecord(file: Buffer, start: number): Decoded {
  const bodyStart = start + GZIP_HEADER.length;
  if (!file.subarray(start, bodyStart).equals(GZIP_HEADER)) return damaged('not the gzip header of a record');
  const body = file.subarray(bodyStart);
  let inflated: Inflated;
  try {
    inflated = inflateRawSync(body, { info: true, maxOutputLength: MAX_RECORD_BYTES }) as Buffer & Inflated;
  } catch (error) {
    return damaged(`the compressed data cannot be read: ${(error as Error).message}`);
  }
  const { buffer: plain, engine } = inflated;
  const consumed = engine.bytesWritten;
  const trailer = body.subarray(consumed, consumed + GZIP_TRAILER_BYTES);
  if (trailer.length < GZIP_TRAILER_BYTES) return damaged('the file ends within a record');
  if (trailer.readUInt32LE(0) !== crc32(plain) || trailer.readUInt32LE(4) !== plain.length) return damaged('the checksum does not match');
  const record = recordOf(plain);
  return typeof record === 'string' ? damaged(record) : { ok: true, record, end: bodyStart + consumed + GZIP_TRAILER_BYTES };
}

/** With `info` zlib returns its engine too, which counts the bytes that it consumed; the type declarations lack that. */
type Inflated = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

function recordOf(plain: Buffer): WarcRecord | string {
  const headEnd = plain.indexOf(CRLF + CRLF);
  if (headEnd < 0) return 'the record has no header';
  const [version, ...lines] = plain.toString('utf8', 0, headEnd).split(CRLF);
  if (version !== VERSION_LINE) return `the record begins with ${JSON.stringify(version?.slice(0, 20))}`;
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const block = plain.subarray(headEnd + 4, plain.length - 4);
  const all = { fields, block };
  if (fieldOf(all, 'Content-Length') !== String(block.length)) return 'the length of the block does not match';
  if (fieldOf(all, 'WARC-Block-Digest') !== `sha256:${sha256(block)}`) return 'the digest of the block does not match';
  return { fields: fields.filter(([name]) => name !== 'WARC-Block-Digest' && name !== 'Content-Length'), block };
}
