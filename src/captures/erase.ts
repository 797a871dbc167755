import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ERASED_FIELD, erasedLine } from './cdxj.ts';
import type { FoundCapture } from './read-segments.ts';
import { indexOf } from './segments.ts';
import { encodeRecordOf, sha256 } from './warc.ts';

/**
 * Overwrites a capture and its index lines in place, by a record and a line of the same length: a process may append to the segment
 * meanwhile, and other records stay where they are. Both files are flushed to the disk.
 */
export async function eraseCapture({ file, entry }: FoundCapture, newId: () => string, nowMs: number): Promise<void> {
  const lines = await linesOf(indexOf(file), entry.capture);
  const record = encodeRecordOf(
    entry.length,
    [
      ['WARC-Type', 'metadata'],
      ['WARC-Record-ID', `<urn:uuid:${newId()}>`],
      ['WARC-Date', new Date(nowMs).toISOString()],
      [ERASED_FIELD, String(lines?.length ?? 0)],
      ['Content-Type', 'text/plain'],
    ],
    'This capture was erased by the operator.',
  );
  if (!record) throw new Error(`capture ${entry.capture} in ${file} is shorter than the record that would take its place`);
  await overwrite(file, record, entry.offset);
  if (!lines) return;
  const { offset, length } = entry;
  const line = erasedLine(lines.length, { offset, length, sha256: sha256(record), filename: basename(file) });
  await overwrite(indexOf(file), Buffer.from(line), lines.start);
}

/** Place of the lines of a capture in the index, in bytes; null if the index lacks them. */
async function linesOf(index: string, capture: string): Promise<{ start: number; length: number } | null> {
  // one character a byte
  const text = await readFile(index, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const key = `urn:uuid:${capture} `;
  const last = text.startsWith(key) ? 0 : text.indexOf(`\n${key}`) + 1;
  const end = text.indexOf('\n', last) + 1;
  if ((last === 0 && !text.startsWith(key)) || end === 0) return null;
  // the lines of its responses stand before
  let start = last;
  while (start > 0) {
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    if (/^(urn:uuid:|!erased )/.test(text.slice(previous, previous + 9))) break;
    start = previous;
  }
  return { start, length: end - start };
}

async function overwrite(file: string, bytes: Buffer, offset: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.write(bytes, 0, bytes.length, offset);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
