import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OperationId } from '../contract/operations/index.ts';
import { filledFolder } from '../runtime/make-folder.ts';
import type { CaptureFacts, StoredCapture } from './capture.ts';
import { type CaptureFile, captureFileOf, captureFilesIn, digestOf, filesOfArea, ifThere } from './capture-files.ts';
import { captureFactsOf, captureOf } from './records.ts';
import { decodeRecord, type WarcRecord } from './warc.ts';

export interface FoundCapture {
  readonly file: string;
  readonly facts: CaptureFacts;
  readonly offset: number;
  readonly length: number;
}
/** What is damaged: `offset`, the byte of the first record that cannot be read; null: every record can. */
export interface Fault {
  readonly file: string;
  readonly offset: number | null;
  readonly capture: string | null;
  readonly why: string;
}
export type OnFault = (fault: Fault) => void;
const throwFault: OnFault = ({ file, why }) => {
  throw new Error(`${file} is damaged: ${why}`);
};

/** The records up to the end or to the first one that cannot be read. */
function recordsIn(bytes: Buffer) {
  const records: { readonly record: WarcRecord; readonly offset: number }[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const decoded = decodeRecord(bytes, offset);
    if (!decoded.ok) return { records, end: offset, why: decoded.why };
    records.push({ record: decoded.record, offset });
    offset = decoded.end;
  }
  return { records, end: offset, why: null };
}

function readBytes(file: string, offset: number, most: number): { bytes: Buffer; size: number } {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.max(0, Math.min(most, size - offset)));
    return { bytes: bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset)), size };
  } finally {
    closeSync(fd);
  }
}

/** Most metadata records end before this byte; a longer one is read with the whole file. */
const HEAD_BYTES = 16_384;

/** The capture of a file, by the first record alone; null where the file is gone or damaged. */
function headOf({ file, id }: CaptureFile, onFault: OnFault): FoundCapture | null {
  const read = ifThere(() => {
    const head = readBytes(file, 0, HEAD_BYTES);
    const decoded = decodeRecord(head.bytes, 0);
    return { size: head.size, decoded: decoded.ok || head.size <= HEAD_BYTES ? decoded : decodeRecord(readFileSync(file), 0) };
  });
  if (!read) return null;
  const { size, decoded } = read;
  const facts = decoded.ok ? captureFactsOf(decoded.record) : null;
  if (facts) return { file, facts, offset: 0, length: size };
  onFault({ file, offset: 0, capture: id, why: decoded.ok ? 'the first record is no metadata record of a capture' : decoded.why });
  return null;
}

/** The captures below a folder, oldest first, without shared documents; `isWanted` looks at the name of the file. */
export function* capturesIn(
  folder: string,
  onFault: OnFault = throwFault,
  isWanted: (file: CaptureFile) => boolean = () => true,
): Generator<FoundCapture> {
  for (const file of captureFilesIn(folder)) {
    const found = !file.isShared && isWanted(file) ? headOf(file, onFault) : null;
    if (found) yield found;
  }
}

/** The captures and shared documents of a WARC file that was exported, or of a capture's file, in order. */
export function capturesOf(file: string, onFault: OnFault = throwFault): readonly FoundCapture[] {
  const { records, end, why } = recordsIn(readFileSync(file));
  if (why !== null) onFault({ file, offset: end, capture: captureFileOf(file)?.id ?? null, why });
  const heads = records.flatMap(({ record, offset }) => {
    const facts = captureFactsOf(record);
    return facts ? [{ file, facts, offset }] : [];
  });
  return heads.map((head, i) => ({ ...head, length: (heads[i + 1]?.offset ?? end) - head.offset }));
}

/** The file or folder whose shared documents belong to the captures of a file. */
export const homeOf = (file: string): string => (captureFileOf(file) ? dirname(file) : file);
export function sharedIn(home: string, onFault: OnFault = throwFault): readonly FoundCapture[] {
  if (home.endsWith('.gz')) return capturesOf(home, onFault).filter(({ facts }) => facts.kind === 'shared');
  return filesOfArea(home).flatMap((file) => (file.isShared ? (headOf(file, onFault) ?? []) : []));
}

/** The bytes of a capture. Each record is its own gzip member. */
export const membersOf = ({ file, offset, length }: FoundCapture): Buffer => readBytes(file, offset, length).bytes;

export function readCapture(found: FoundCapture): StoredCapture {
  const { records, why } = recordsIn(membersOf(found));
  if (why !== null) throw new Error(`capture ${found.facts.capture} in ${found.file} is damaged: ${why}`);
  return captureOf(records.map(({ record }) => record));
}

/** Reads a file and compares it with its digests: of each record, and of all bytes in its name. Null: it is sound, or gone. */
export function verifyCapture({ file, id, digest }: CaptureFile): Fault | null {
  const bytes = ifThere(() => readFileSync(file));
  if (!bytes) return null;
  const { end, why } = recordsIn(bytes);
  if (why !== null) return { file, offset: end, capture: id, why };
  return digestOf(bytes) === digest ? null : { file, offset: null, capture: id, why: 'it differs from the digest in its name' };
}

/** Writes captures as one WARC file, mode 0600, with the shared documents that their replay needs. Throws if the file exists. */
export function exportWarc(found: readonly FoundCapture[], file: string, onFault: OnFault): void {
  const shared = [...Map.groupBy(found, (one) => homeOf(one.file))].flatMap(([home, own]) => {
    const names = new Set(own.map(({ facts }) => facts.source));
    return sharedIn(home, onFault).filter(({ facts }) => names.has(facts.source));
  });
  const opened = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(opened, Buffer.concat([...shared, ...found].map(membersOf)));
  } catch (error) {
    // a full disk: what was written would be taken for the whole
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(opened);
  }
}

/**
 * Writes captures as a folder of recordings: the bodies, and `expected.ndjson` with the lines of `sightline parse --ndjson`; the person who
 * files the case replaces `expected` by the right answer. Returns the number of lines. Throws if the folder exists.
 */
export function exportCase(
  found: readonly FoundCapture[],
  folder: string,
  readersOf: (source: string, operation: OperationId) => readonly string[],
): number {
  const lines: string[] = [];
  filledFolder(folder, () => {
    for (const one of found) {
      const { facts, exchanges } = readCapture(one);
      if (!facts.operation) continue;
      const answers = exchanges.flatMap(({ sent }) => sent.at(-1)?.answer ?? []);
      for (const [i, answer] of answers.entries()) {
        const { url, status, headers, body } = answer;
        const id = `${facts.capture}-${i + 1}`;
        const name = `${id}.${/json|html/.exec(headers['content-type'] ?? '')?.[0] ?? 'txt'}`;
        writeFileSync(join(folder, name), body, { mode: 0o600 });
        for (const reader of readersOf(facts.source, facts.operation)) {
          const expected = { outcome: facts.outcome?.tag ?? null };
          lines.push(JSON.stringify({ id, reader, file: name, body: name, url, status, headers, input: facts.input, expected }));
        }
      }
    }
    writeFileSync(join(folder, 'expected.ndjson'), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  });
  return lines.length;
}
