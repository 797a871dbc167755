import { readSync } from 'node:fs';
import { bad, good, type Read } from '../../contract/parameters/value-types.ts';

const CHUNK_BYTES = 65_536;
/** A line is read into memory whole. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Longest record with quotes: a quote that is never closed would take the rest of the file. */
const MAX_QUOTED_BYTES = 1024 * 1024;
const LINE_FEED = 10;
const QUOTE = 34;
/** Spreadsheets write it in front of UTF-8; the first field begins after it. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** One record of a file: a line, or a CSV record, which may hold line ends inside quotes. */
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
  /** Line of a quote that is not closed: the record is the last one that is read. */
  readonly openQuote: number | null;
}

/** The records of an open file, in order. With a separator they are CSV: a quote at the start of a field opens it. */
export function* recordsOf(file: number, separator: string | null): Generator<FileRecord, void, undefined> {
  const delimiter = separator?.charCodeAt(0);
  let rest: Buffer = Buffer.alloc(0);
  /** Place of `rest` in the file. */
  let place = 0;
  let line = 1;
  let scanned = 0;
  let lineEnds = 0;
  let atFieldStart = true;
  let openQuote: number | null = null;
  let afterQuote = false;
  for (;;) {
    // as much again as there is: a long record is copied a constant number of times
    const chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, rest.length));
    const read = readSync(file, chunk, 0, chunk.length, place + rest.length);
    const buffer = Buffer.concat([rest, chunk.subarray(0, read)]);
    let from = 0;
    if (place + scanned === 0 && buffer.subarray(0, 3).equals(BYTE_ORDER_MARK)) scanned = 3;
    for (let at = scanned; at < buffer.length; at++) {
      if (delimiter === undefined) {
        at = buffer.indexOf(LINE_FEED, at);
        if (at < 0) break;
      }
      const byte = buffer[at];
      if (byte === LINE_FEED) lineEnds++;
      if (openQuote !== null) {
        if (byte === QUOTE) {
          afterQuote = true;
          openQuote = null;
        }
        continue;
      }
      if (byte === QUOTE && delimiter !== undefined && (atFieldStart || afterQuote)) openQuote = line + lineEnds;
      atFieldStart = byte === delimiter;
      afterQuote = false;
      if (byte !== LINE_FEED) continue;
      yield { line, start: place + from, end: place + at, bytes: buffer.subarray(from, at), whole: true, openQuote };
      line += lineEnds;
      lineEnds = 0;
      from = at + 1;
      atFieldStart = true;
    }
    rest = buffer.subarray(from);
    place += from;
    scanned = rest.length;
    if (rest.length > MAX_LINE_BYTES) throw new RangeError(`Line ${line} is longer than ${MAX_LINE_BYTES} bytes.`);
    const isTooLong = openQuote !== null && rest.length > MAX_QUOTED_BYTES;
    if (read > 0 && !isTooLong) continue;
    if (rest.length) yield { line, start: place, end: place + rest.length, bytes: rest, whole: false, openQuote };
    return;
  }
}

/** The fields of one CSV record, without its line end. */
export function fieldsOf(record: string, separator: string): Read<string[]> {
  const fields: string[] = [];
  for (let at = 0; ; ) {
    if (record[at] === '"') {
      let value = '';
      for (;;) {
        const end = record.indexOf('"', at + 1);
        if (end < 0) return bad('has a quoted field that does not end: close it with "');
        value += record.slice(at + 1, end);
        at = end + 1;
        if (record[at] !== '"') break;
        value += '"';
      }
      fields.push(value);
      if (at === record.length) return good(fields);
      if (record[at] !== separator) return bad(`has text after the closing quote of field ${fields.length}: write "" for a quote inside`);
      at++;
    } else {
      const next = record.indexOf(separator, at);
      const value = record.slice(at, next < 0 ? undefined : next);
      if (value.includes('"'))
        return bad(`has a quote inside field ${fields.length + 1}: quote the whole field, and write "" for the quote`);
      fields.push(value);
      if (next < 0) return good(fields);
      at = next + 1;
    }
  }
}

/** A part of an open file. */
export function readPart(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file, bytes, done, bytes.length - done, start + done);
    if (read === 0) throw new Error('The file became shorter while it was read.');
    done += read;
  }
  return bytes;
}
