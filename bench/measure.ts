/** One row of the table: a ratio (or count) and its limit. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly bar: number;
  /** `one within`: the value differs from 1 by at most the bar; a measurement of the noise, beyond which the other rows of its suite are void. */
  readonly holds: 'at least' | 'at most' | 'one within';
  /** Absolute figures, for information: they are valid for this machine only. */
  readonly note: string;
  /** Smallest and largest value of a round. */
  readonly spread?: readonly [number, number];
  /** Where the value is beyond its limit: what the profile says, and the next idea. */
  readonly missed?: string;
}
/** The result of one load. */
export interface Loaded {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
export type Suite = () => Row[] | Promise<Row[]>;

export const median = (values: readonly number[]): number => {
  const s = [...values].sort((a, b) => a - b);
  const middle = s.length >> 1;
  return s.length % 2 ? (s[middle] ?? Number.NaN) : ((s[middle - 1] ?? Number.NaN) + (s[middle] ?? Number.NaN)) / 2;
};
export const quantile = (values: readonly number[], q: number): number => {
  const s = [...values].sort((a, b) => a - b);
  return s[Math.min(s.length - 1, Math.floor(q * s.length))] ?? Number.NaN;
};

/**
 * Median duration, ms, of each function over `rounds` after a warm-up. The functions run in turns, so that a slow moment of the machine
 * affects all of them.
 */
export async function interleaved<K extends string>(
  works: Record<K, () => unknown>,
  rounds: number,
  warmUp = Math.ceil(rounds / 4),
): Promise<Record<K, number>> {
  const names = Object.keys(works) as K[];
  const times = Object.fromEntries(names.map((n) => [n, [] as number[]])) as Record<K, number[]>;
  for (let round = -warmUp; round < rounds; round++) {
    // the order rotates, so that no function always follows the same one
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + Math.abs(round)) % names.length] as K;
      const from = performance.now();
      await works[name]();
      if (round >= 0) times[name].push(performance.now() - from);
    }
  }
  return Object.fromEntries(names.map((n) => [n, median(times[n])])) as Record<K, number>;
}

export const atMost = (what: string, value: number, bar: number, note: string): Row => ({ what, value, bar, holds: 'at most', note });
export const atLeast = (what: string, value: number, bar: number, note: string): Row => ({ what, value, bar, holds: 'at least', note });
export function holds(row: Row): boolean {
  switch (row.holds) {
    case 'at least':
      return row.value >= row.bar;
    case 'at most':
      return row.value <= row.bar;
    case 'one within':
      return Math.abs(row.value - 1) <= row.bar;
  }
}
/** True where the machine was too noisy for the values of a suite to count. */
export const isVoid = (rows: readonly Row[]): boolean => rows.some((row) => row.holds === 'one within' && !holds(row));
