import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../runtime/operator-error.ts';
import type { CountKeeper, DayCount } from './spending.ts';

const FILE = 'paid-today.json';

/** Today's count cannot be read. Counting from 0 could exceed a cap. */
export class SpendingFileError extends OperatorError {
  constructor(file: string, reason: string) {
    super(`Today's spending cannot be read from ${file} (${reason}). Repair the file, or delete it to reset today's count to zero.`);
    this.name = 'SpendingFileError';
  }
}

/** Stores the count in the data folder, so that a restart does not reset the caps. Rejects with a SpendingFileError. */
export async function openSpendingFile(
  folder: string,
  log: (level: 'warn', message: string, facts?: object) => void,
): Promise<CountKeeper> {
  const file = join(folder, FILE);
  const saved = await readCount(file);
  let waiting: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();
  let failing = false;

  async function write(count: DayCount): Promise<void> {
    try {
      await writeFile(`${file}.new`, JSON.stringify(count), { mode: 0o600, flush: true });
      await rename(`${file}.new`, file);
      failing = false;
    } catch (error) {
      // the count goes on in memory; it is lost only by a restart
      if (!failing) log('warn', 'spending: the count cannot be written, a restart would use an older one', { file, reason: String(error) });
      failing = true;
    }
  }

  return {
    saved,
    keep(count) {
      // one write at a time; counts that change meanwhile are in the next one
      waiting ??= last.then(() => {
        waiting = null;
        last = write(count());
        return last;
      });
      return waiting;
    },
  };
}

async function readCount(file: string): Promise<DayCount | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new SpendingFileError(file, error.message);
  });
  if (text === null) return null;
  try {
    const { day, of } = JSON.parse(text) as DayCount;
    const entries = Object.values(of);
    if (!Number.isInteger(day) || !entries.every((e) => e.requests >= 0 && e.nanoUsd >= 0)) throw new Error('not a count of a day');
    return { day, of };
  } catch (error) {
    throw new SpendingFileError(file, (error as Error).message);
  }
}
