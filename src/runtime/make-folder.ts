import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder and the missing ones above it. Node's `recursive` never returns for a folder below /proc, whose parent refuses with ENOENT. */
export function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path), mode);
    mkdirSync(path, { mode });
  }
}

/** Makes a folder that only its owner reads, and fills it. Where either fails nothing is left: half of it would be taken for the whole. */
export function filledFolder<T>(path: string, fill: () => T): T {
  mkdirSync(path, { mode: 0o700 });
  try {
    return fill();
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}
