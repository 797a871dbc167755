import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Segments lie in the folder of captures, or in a folder of their process below it:
 * `YYYY-MM-DD-<area>-<time>-<random>.warc.gz`, with an index of the same name that ends with `.cdxj`.
 */
export const SEGMENT_END = '.warc.gz';
const INDEX_END = '.cdxj';
const NAME = /^(\d{4}-\d\d-\d\d)-(forum|other)-(\d{2})(\d{2})(\d{2})(\d{3})-[\w-]+\.warc\.gz$/;

/** Captures of the discussion platform lie apart, because they are dropped earlier. */
export type Area = 'forum' | 'other';
export const areaOf = (operation: string): Area => (operation.startsWith('forum-') ? 'forum' : 'other');

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Copies of the discussion platform's content are never older. */
const FORUM_KEEP_MS = 48 * HOUR_MS;
/** How long captures of an area stay. */
export const keepOf = (area: Area, keepMs: number): number => (area === 'forum' ? Math.min(FORUM_KEEP_MS, keepMs) : keepMs);

export interface Segment {
  readonly file: string;
  readonly index: string;
  readonly area: Area;
  /** When its first capture was written, epoch ms; its captures stay until this plus the time that they are kept. */
  readonly beganMs: number;
  /** Of segment and index. */
  readonly bytes: number;
}

export const segmentName = (area: Area, beganMs: number, random: string): string => {
  const [day = '', time = ''] = new Date(beganMs).toISOString().split('T');
  return `${day}-${area}-${time.replace(/\D/g, '')}-${random}${SEGMENT_END}`;
};
export const indexOf = (file: string): string => file.slice(0, -SEGMENT_END.length) + INDEX_END;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** All segments of a folder of captures and of the folders below it, oldest first. None if the folder does not exist. */
export function segmentsIn(folder: string): readonly Segment[] {
  const segments: Segment[] = [];
  const read = (path: string, depth: number): void => {
    for (const entry of entriesOf(path)) {
      const file = join(path, entry.name);
      if (entry.isDirectory() && depth === 0) read(file, 1);
      const [, day, area, hours, minutes, seconds, ms] = NAME.exec(entry.name) ?? [];
      if (!day || !entry.isFile()) continue;
      const beganMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
      const index = indexOf(file);
      segments.push({ file, index, area: area as Area, beganMs, bytes: sizeOf(file) + sizeOf(index) });
    }
  };
  read(folder, 0);
  return segments.sort((a, b) => a.beganMs - b.beganMs || (a.file < b.file ? -1 : 1));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export interface Limits {
  /** Of all segments and indexes below the folder. */
  readonly maxBytes: number;
  readonly keepMs: number;
}

/** A segment is ended at this size: the budget is shared by enough of them that dropping one loses little. */
export const segmentBytes = (maxBytes: number): number => Math.max(16_384, Math.min(16_777_216, Math.floor(maxBytes / 16)));

/**
 * Drops segments that are too old, then the oldest ones until a new one fits into the budget. The last segment of another process counts
 * as full, because it may grow. Empty folders of ended processes are removed.
 */
export function dropSegments(folder: string, { maxBytes, keepMs }: Limits, nowMs: number): void {
  const expired = (s: Segment): boolean => s.beganMs + keepOf(s.area, keepMs) <= nowMs;
  const all = segmentsIn(folder);
  const live = all.filter((s) => !expired(s));
  const growing = new Set([...Map.groupBy(live, (s) => `${dirname(s.file)} ${s.area}`).values()].map((own) => own.at(-1)));
  const full = segmentBytes(maxBytes);
  let total = live.reduce((sum, s) => sum + (growing.has(s) ? Math.max(s.bytes, full) : s.bytes), full);
  const over = live.filter((s) => {
    if (total <= maxBytes) return false;
    total -= growing.has(s) ? Math.max(s.bytes, full) : s.bytes;
    return true;
  });
  for (const { file, index } of [...all.filter(expired), ...over]) {
    // the segment first: an index alone is harmless
    rmSync(file, { force: true });
    rmSync(index, { force: true });
    if (dirname(file) !== folder) removeIfEmpty(dirname(file));
  }
}
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
}

export const nameOfFile = (segment: Segment): string => basename(segment.file);
