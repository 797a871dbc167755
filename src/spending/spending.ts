import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, DAY_MS } from '../runtime/clock.ts';
import { OperatorError } from '../settings.ts';
import type { Spending, Spent } from '../upstream/ports.ts';

/** Money is counted in integer nano-dollars, because sums of fractions drift. */
export const nanoUsd = (usd: number): number => Math.min(Number.MAX_SAFE_INTEGER, Math.round(usd * 1e9));
export const usdOf = (nano: number): number => nano / 1e9;

export interface DayCount {
  readonly day: number;
  readonly of: Readonly<Record<string, { readonly requests: number; readonly nanoUsd: number; readonly spentNanoUsd?: number }>>;
}
export interface CountKeeper {
  readonly saved: DayCount | null;
  keep(count: () => DayCount): Promise<void>;
}

/** Daily caps of one process, by UTC day. Without a keeper a restart resets the count. */
export function createSpending(clock: Clock, keeper?: CountKeeper): Spending {
  let day = keeper?.saved?.day ?? -1;
  let of = new Map(Object.entries(keeper?.saved?.of ?? {}));
  const count = (): DayCount => ({ day, of: Object.fromEntries(of) });
  const today = (): number => {
    const now = Math.floor(clock.now() / DAY_MS);
    if (now !== day) of = new Map();
    day = now;
    return day;
  };
  const entry = (key: string) => of.get(key) ?? { requests: 0, nanoUsd: 0, spentNanoUsd: 0 };
  const spent = (key: string): Spent => ({
    day,
    requests: entry(key).requests,
    usd: usdOf(entry(key).nanoUsd),
    spentUsd: usdOf(entry(key).spentNanoUsd ?? 0),
  });

  return {
    async take({ key, maxRequests, maxUsd }, usd) {
      today();
      const { requests, nanoUsd: before, spentNanoUsd = 0 } = entry(key);
      const after = before + nanoUsd(usd);
      if (requests >= maxRequests || after > nanoUsd(maxUsd)) return { ...spent(key), taken: false };
      of.set(key, { requests: requests + 1, nanoUsd: after, spentNanoUsd });
      const counted = { ...spent(key), taken: true };
      await keeper?.keep(count);
      return counted;
    },
    async today(key) {
      today();
      return spent(key);
    },
    async correct(key, on, moreUsd, spentUsd = 0) {
      const [more, stated] = [nanoUsd(moreUsd), nanoUsd(spentUsd)];
      if ((more === 0 && stated === 0) || today() !== on) return spent(key);
      const { requests, nanoUsd: before, spentNanoUsd = 0 } = entry(key);
      of.set(key, { requests, nanoUsd: Math.max(0, before + more), spentNanoUsd: spentNanoUsd + stated });
      const corrected = spent(key);
      await keeper?.keep(count);
      return corrected;
    },
  };
}

const FILE = 'paid-today.json';

/** Today's count cannot be read. Counting from 0 could exceed a cap. */
const unreadable = (file: string, reason: string): OperatorError =>
  new OperatorError(
    `Today's spending cannot be read from ${file} (${reason}). Repair the file, or delete it to reset today's count to zero.`,
  );

/** Stores the count in the data folder, so that a restart does not reset the caps. Rejects with an OperatorError. */
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
    throw unreadable(file, error.message);
  });
  if (text === null) return null;
  try {
    const { day, of } = JSON.parse(text) as DayCount;
    const entries = Object.values(of);
    if (!Number.isInteger(day) || !entries.every((e) => e.requests >= 0 && e.nanoUsd >= 0)) throw new Error('not a count of a day');
    return { day, of };
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  }
}
