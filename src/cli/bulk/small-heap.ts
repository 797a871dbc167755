import { statSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';

const MB = 1024 * 1024;
/** Heap of a run beside its plan. */
const BASE_MB = 64;
/** The plan needs some 200 bytes for a line, which may be as short as 8 bytes. */
const PLAN_BYTES_PER_BYTE = 25;

/**
 * Starts the command again in the same process (execve) with a small heap: V8 sizes it by the memory of the machine, and a long run would
 * take hundreds of MB for objects that are no longer used. Does nothing the second time, and where the system has no execve.
 */
export function restartWithSmallHeap(inputName: string): void {
  const young = '--max-semi-space-size=4';
  if (process.execArgv.includes(young) || process.platform === 'win32' || !process.execve) return;
  const bytes = inputName === '-' ? null : (statSync(inputName, { throwIfNoEntry: false })?.size ?? 0);
  const old = bytes === null ? [] : [`--max-old-space-size=${BASE_MB + Math.ceil((bytes * PLAN_BYTES_PER_BYTE) / MB)}`];
  const cache = getCompileCacheDir();
  process.execve(process.execPath, [process.execPath, young, ...old, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
  });
}
