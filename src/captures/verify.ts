import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { groupsOf, indexLinesOf } from './cdxj.ts';
import { bytesOf, coverOf, placeOf, recordsFrom, spanOf } from './read-segments.ts';
import { indexOf } from './segments.ts';

export interface Fault {
  readonly file: string;
  /** Byte of the segment; null: the index. */
  readonly offset: number | null;
  /** The damaged capture, if the index names it. */
  readonly capture: string | null;
  readonly why: string;
}
export interface Verified {
  readonly captures: number;
  readonly faults: readonly Fault[];
  /** Bytes of a capture that a killed process left unfinished at the end. */
  readonly tornBytes: number;
}

/** A part of the index as it follows from the segment; null: the records are damaged. */
interface Part {
  readonly end: number;
  readonly text: string | null;
}

/**
 * Reads a whole segment and compares it with its index: every byte of a record is covered by the digest in its index line, and every line of
 * the index follows from the segment. An index that ends early is none of the faults.
 */
export async function verifySegment(file: string): Promise<Verified> {
  const bytes = await bytesOf(file);
  const name = basename(file);
  const index = await readFile(indexOf(file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const places = coverOf(index).lines.flatMap((line) => placeOf(line) ?? []);
  const faults: Fault[] = [];
  const parts: Part[] = [];
  let captures = 0;
  let tornBytes = 0;
  for (let start = 0; start < bytes.length; ) {
    const { records, end, why } = recordsFrom(bytes, start);
    for (const group of groupsOf(records)) {
      const last = group.at(-1);
      const text = indexLinesOf(name, spanOf(bytes, group), group);
      if (last) parts.push({ end: last.offset + last.length, text });
      if (captureIn(text) !== null) captures++;
    }
    start = parts.at(-1)?.end ?? start;
    if (why === null && end === bytes.length && start === bytes.length) break;
    const place = places.find(({ offset, length }) => offset <= end && end < offset + length && offset + length > start);
    if (!place) {
      if (places.some(({ offset }) => offset > end)) faults.push({ file, offset: end, capture: null, why: why ?? 'records are missing' });
      else tornBytes = bytes.length - start;
      break;
    }
    faults.push({ file, offset: end, capture: place.capture, why: why ?? 'the file ends within a capture' });
    start = place.offset + place.length;
    parts.push({ end: start, text: null });
  }
  const wrong = indexFault(index, parts, bytes.length);
  if (wrong !== null) faults.push({ file: indexOf(file), offset: null, ...wrong });
  return { captures, faults, tornBytes };
}

/** What of an index does not follow from the segment; null if all does. */
function indexFault(index: string, parts: readonly Part[], size: number): Pick<Fault, 'capture' | 'why'> | null {
  let at = 0;
  for (const { end, text } of parts) {
    if (text === null) {
      at = endOfLines(index, at, end);
      continue;
    }
    if (index.startsWith(text, at)) {
      at += text.length;
      continue;
    }
    // the process was killed before it wrote these lines
    if (text.startsWith(index.slice(at))) return null;
    return { capture: captureIn(text), why: 'a line differs from what the segment holds' };
  }
  if (at < index.length) return { capture: null, why: `it names records beyond the end of the segment (${size} bytes)` };
  return null;
}
/** The capture whose lines these are. */
const captureIn = (lines: string): string | null => placeOf(lines.trimEnd().split('\n').at(-1) ?? '')?.capture ?? null;

/** Position after the line whose group ends at byte `end` of the segment. */
function endOfLines(index: string, from: number, end: number): number {
  for (let at = from; at < index.length; ) {
    const next = index.indexOf('\n', at) + 1 || index.length;
    const place = placeOf(index.slice(at, next));
    at = next;
    if (place && place.offset + place.length >= end) return at;
  }
  return index.length;
}
