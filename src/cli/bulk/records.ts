import { readSync } from 'node:fs';

const CHUNK_BYTES = 65_536;
/** A record is read into memory whole. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 10;
const QUOTE = 34;

/** One record of a file: a line, or with `quoted` a CSV record, which may hold line ends inside quotes. */
export interface FileRecord {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Place of its first byte. */
  readonly start: number;
  /** Place after its last byte, line end excluded. */
  readonly end: number;
  /** Without line end. */
  readonly bytes: Buffer;
  /** False for a last record without line end. */
  readonly whole: boolean;
}

function count(bytes: Buffer, byte: number, from: number, to: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte, from); at >= 0 && at < to; at = bytes.indexOf(byte, at + 1)) found++;
  return found;
}

/** The records of an open file, in order, in constant memory. */
export function* recordsOf(file: number, quoted: boolean): Generator<FileRecord, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  /** Place of `rest` in the file. */
  let place = 0;
  let line = 1;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(file, chunk, 0, CHUNK_BYTES, place + rest.length);
    const buffer = Buffer.concat([rest, chunk.subarray(0, read)]);
    let from = 0;
    let scanned = 0;
    let inQuotes = false;
    for (let end = buffer.indexOf(LINE_FEED); end >= 0; end = buffer.indexOf(LINE_FEED, end + 1)) {
      if (quoted && count(buffer, QUOTE, scanned, end) % 2 === 1) inQuotes = !inQuotes;
      scanned = end + 1;
      if (inQuotes) continue;
      yield { line, start: place + from, end: place + end, bytes: buffer.subarray(from, end), whole: true };
      line += quoted ? count(buffer, LINE_FEED, from, end + 1) : 1;
      from = end + 1;
    }
    rest = buffer.subarray(from);
    place += from;
    if (rest.length > MAX_RECORD_BYTES) throw new RangeError(`Line ${line} is longer than ${MAX_RECORD_BYTES} bytes.`);
    if (read > 0) continue;
    if (rest.length) yield { line, start: place, end: place + rest.length, bytes: rest, whole: false };
    return;
  }
}

/** Fills the bytes from a place of an open file; returns their number. */
export function readInto(file: number, bytes: Buffer, start: number): number {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, start + done);
    if (read === 0) throw new Error('The file became shorter while it was read.');
    done += read;
  }
  return bytes.length;
}

/** A part of an open file. */
export function readPart(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  readInto(file, bytes, start);
  return bytes;
}
