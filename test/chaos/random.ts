/** Seeded pseudo-random numbers (mulberry32). */
export interface Random {
  next(): number;
  /** Integer from min to max, both inclusive. */
  int(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(these: readonly T[]): T[];
}
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick<T>(from: readonly T[]): T {
      const one = from[int(0, from.length - 1)];
      if (one === undefined) throw new Error('nothing to pick from');
      return one;
    },
    shuffled<T>(these: readonly T[]): T[] {
      return these
        .map((value) => ({ value, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ value }) => value);
    },
  };
}
