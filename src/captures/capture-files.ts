import { readdirSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HOUR_MS } from '../runtime/clock.ts';
import { sha256 } from './warc.ts';

/** A capture is `<folder>/[<process>/]<area>/<id>~<digest>~<request>.warc.gz`, the id a UUIDv7; a shared document begins with `shared~`. */
const NAME = /^(shared~)?([\da-f]{8}-[\da-f]{4}-[\da-f-]{22})~([\da-f]{16})~(.*)\.warc\.gz$/;
export const TEMPORARY_END = '.part';
const MAX_REQUEST_LENGTH = 120;

/** Captures of the discussion platform lie apart, because they are dropped earlier. */
export type Area = 'forum' | 'other';
export const areaOf = (operation: string): Area => (operation.startsWith('forum-') ? 'forum' : 'other');
const isArea = (name: string): name is Area => name === 'forum' || name === 'other';

/** Copies of the discussion platform's content are never older. */
const FORUM_KEEP_MS = 48 * HOUR_MS;
/** No write takes longer: an older temporary file is of a process that was killed. */
const MAX_WRITE_MS = HOUR_MS;
const BLOCK_BYTES = 4_096;

export interface CaptureFile {
  readonly file: string;
  readonly id: string;
  readonly isShared: boolean;
  readonly digest: string;
  readonly request: string;
}

const requestPart = (requestId: string): string => encodeURIComponent(requestId).slice(0, MAX_REQUEST_LENGTH);
export const digestOf = (bytes: Uint8Array): string => sha256(bytes).slice(0, 16);
export const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

export const captureName = (id: string, requestId: string | null, bytes: Uint8Array): string =>
  `${id}~${digestOf(bytes)}~${requestPart(requestId ?? '')}.warc.gz`;
export const sharedName = (id: string, bytes: Uint8Array): string => `shared~${captureName(id, null, bytes)}`;

export function captureFileOf(file: string): CaptureFile | null {
  const [, shared, id, digest, request] = NAME.exec(basename(file)) ?? [];
  if (id === undefined || digest === undefined || request === undefined) return null;
  return { file, id, isShared: shared !== undefined, digest, request };
}

const unlessMissing =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback;
    throw error;
  };
/** The result, or null where the file does not exist: another process may drop files at any time. */
export function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    return unlessMissing(null)(error);
  }
}

const foldersBelow = (folder: string): readonly string[] =>
  (ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []).flatMap((e) => (e.isDirectory() ? [join(folder, e.name)] : []));
/** The folders of processes below the folder, and all folders of areas. */
function foldersIn(folder: string): { processes: readonly string[]; areas: readonly string[] } {
  const below = foldersBelow(folder);
  const processes = below.filter((path) => !isArea(basename(path)));
  return { processes, areas: [...below, ...processes.flatMap(foldersBelow)].filter((path) => isArea(basename(path))) };
}
const pathsIn = (area: string): readonly string[] => (ifThere(() => readdirSync(area)) ?? []).map((name) => join(area, name));
export const filesOfArea = (area: string): readonly CaptureFile[] => pathsIn(area).flatMap((path) => captureFileOf(path) ?? []);

export const captureFilesIn = (folder: string): readonly CaptureFile[] =>
  foldersIn(folder)
    .areas.flatMap(filesOfArea)
    .sort((a, b) => (a.id < b.id ? -1 : 1));

export const isOfRequest = ({ isShared, request }: CaptureFile, requestId: string): boolean =>
  !isShared && request === requestPart(requestId);

export async function capturesOfRequest(folder: string, requestId: string): Promise<readonly string[]> {
  const names = await Promise.all(foldersIn(folder).areas.map((area) => readdir(area).catch(unlessMissing<string[]>([]))));
  const files = names.flat().flatMap((name) => captureFileOf(name) ?? []);
  return files.flatMap((file) => (isOfRequest(file, requestId) ? [file.id] : [])).sort();
}

/** A shared document counts as young as the youngest capture that needs it. False: its file is gone. */
export const touch = (file: string, nowMs: number): boolean => ifThere(() => utimesSync(file, nowMs / 1000, nowMs / 1000)) !== null;

export interface Limits {
  readonly maxBytes: number;
  readonly keepMs: number;
}
export const spaceOf = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
/** What a process writes at most before it looks at the whole folder again. */
export const stepOf = (maxBytes: number): number => Math.floor(maxBytes / 32);

/** Drops what is too old, then the oldest until `room` bytes fit, a step of each process reserved; removes what killed processes left. */
export function dropCaptures(folder: string, { maxBytes, keepMs }: Limits, nowMs: number, room: number): void {
  const { processes, areas } = foldersIn(folder);
  const live: { path: string; space: number; atMs: number }[] = [];
  const remove = (path: string): void => rmSync(path, { force: true });
  for (const area of areas) {
    const areaKeepMs = basename(area) === 'forum' ? Math.min(FORUM_KEEP_MS, keepMs) : keepMs;
    for (const path of pathsIn(area)) {
      const stat = statSync(path, { throwIfNoEntry: false });
      const found = captureFileOf(path);
      if (!stat) continue;
      if (path.endsWith(TEMPORARY_END) && Math.abs(nowMs - stat.mtimeMs) > MAX_WRITE_MS) remove(path);
      if (!found) continue;
      const atMs = found.isShared ? stat.mtimeMs : timeOf(found.id);
      if (atMs + areaKeepMs <= nowMs) remove(path);
      else live.push({ path, space: spaceOf(stat.size), atMs });
    }
  }
  const limit = maxBytes - Math.min(processes.length + 1, 16) * stepOf(maxBytes) - room;
  let total = live.reduce((sum, { space }) => sum + space, 0);
  for (const { path, space } of live.sort((a, b) => a.atMs - b.atMs)) {
    if (total <= limit) break;
    remove(path);
    total -= space;
  }
  for (const path of [...areas, ...processes]) removeIfEmpty(path);
}
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
}
