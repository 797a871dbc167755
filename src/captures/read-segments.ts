import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { StoredCapture } from './capture.ts';
import { type CaptureEntry, entryOf, groupsOf, indexLinesOf, type PlacedRecord } from './cdxj.ts';
import { captureOf } from './records.ts';
import { indexOf, type Segment, segmentsIn } from './segments.ts';
import { decodeRecord } from './warc.ts';

/** A capture in a file. */
export interface FoundCapture {
  readonly entry: CaptureEntry;
  readonly file: string;
}

/** Null where the file does not exist: another process may drop a segment at any time. */
async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
export async function bytesOf(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

/** The records from `start` up to the end or to the first one that cannot be read. */
export function recordsFrom(file: Buffer, start = 0): { records: readonly PlacedRecord[]; end: number; why: string | null } {
  const records: PlacedRecord[] = [];
  let offset = start;
  while (offset < file.length) {
    const decoded = decodeRecord(file, offset);
    if (!decoded.ok) return { records, end: offset, why: decoded.why };
    records.push({ record: decoded.record, offset, length: decoded.end - offset });
    offset = decoded.end;
  }
  return { records, end: offset, why: null };
}

/** Index lines of the part of a file that its index does not cover: a killed process, or a file without an index. */
function linesFrom(name: string, bytes: Buffer, start: number): string {
  return groupsOf(recordsFrom(bytes, start).records)
    .map((group) => indexLinesOf(name, spanOf(bytes, group), group))
    .join('');
}
export function spanOf(bytes: Buffer, group: readonly PlacedRecord[]): Buffer {
  const [first, last] = [group[0], group.at(-1)];
  return first && last ? bytes.subarray(first.offset, last.offset + last.length) : bytes.subarray(0, 0);
}

/** Whole lines of an index, and the end of what they cover in the segment. */
export function coverOf(index: string): { lines: readonly string[]; end: number } {
  const lines = index.slice(0, index.lastIndexOf('\n') + 1).split('\n');
  lines.pop();
  let end = 0;
  for (const line of lines) {
    const place = placeOf(line);
    if (place) end = Math.max(end, place.offset + place.length);
  }
  return { lines, end };
}
/** Place of the group of records that a line ends; null for a line of a response and for a damaged one. */
export function placeOf(line: string): { offset: number; length: number; capture: string | null } | null {
  if (!/^(urn:uuid:|!erased )/.test(line)) return null;
  try {
    const { offset, length, capture = null } = JSON.parse(line.slice(line.indexOf('{'))) as ReturnType<typeof placeOf> & object;
    return Number.isSafeInteger(offset) && Number.isSafeInteger(length) ? { offset, length, capture } : null;
  } catch {
    return null; // damaged: `captures verify` reports it
  }
}
const readEntry = (line: string): CaptureEntry | null => (placeOf(line) ? entryOf(line) : null);

/** The captures of a segment or of any WARC file that was exported from segments, in order. */
export async function capturesOf(file: string): Promise<readonly FoundCapture[]> {
  const index = (file.endsWith('.gz') ? await textOf(indexOf(file)) : null) ?? '';
  const { lines, end } = coverOf(index);
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return [];
  let rest = '';
  try {
    const { size } = await handle.stat();
    if (size > end) rest = linesFrom(basename(file), await handle.readFile(), end);
  } finally {
    await handle.close();
  }
  return [...lines, ...rest.split('\n')].flatMap((line) => {
    const entry = readEntry(line);
    return entry ? [{ entry, file }] : [];
  });
}

/** The captures below a folder, oldest segment first. */
export async function* capturesIn(folder: string): AsyncGenerator<FoundCapture> {
  for (const { file } of segmentsIn(folder)) yield* await capturesOf(file);
}

/** Ids of the captures of a request, for the operator; reads the indexes. */
export async function capturesOfRequest(folder: string, requestId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { index } of segmentsIn(folder)) {
    const text = (await textOf(index)) ?? '';
    if (!text.includes(requestId)) continue;
    for (const line of coverOf(text).lines) {
      const entry = readEntry(line);
      if (entry?.requestId === requestId) ids.push(entry.capture);
    }
  }
  return ids;
}

/** The raw gzip members of a capture. */
export async function membersOf({ file, entry }: FoundCapture): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(entry.length);
    await handle.read(bytes, 0, entry.length, entry.offset);
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Reads a capture. Throws where it is damaged. */
export async function readCapture(found: FoundCapture): Promise<StoredCapture> {
  const { records, why } = recordsFrom(await membersOf(found));
  if (why !== null) throw new Error(`capture ${found.entry.capture} in ${found.file} is damaged: ${why}`);
  return captureOf(records.map(({ record }) => record));
}

/** The documents that the captures of a segment share, by source. */
export async function sharedIn(found: readonly FoundCapture[]): Promise<readonly StoredCapture[]> {
  return Promise.all(found.filter(({ entry }) => entry.kind === 'shared').map(readCapture));
}

export const segmentOf = (segments: readonly Segment[], file: string): Segment | undefined => segments.find((s) => s.file === file);
