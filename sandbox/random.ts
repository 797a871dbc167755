/** Seeded pseudo-random numbers: the same key yields the same sequence on every machine. */
export interface Random {
  /** 0 ≤ n < 1. */
  next(): number;
  /** Whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
}

export function random(key: string): Random {
  let state = 2_166_136_261;
  for (const c of key) state = Math.imul(state ^ (c.codePointAt(0) ?? 0), 16_777_619);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { next, int, pick: (values) => values[int(0, values.length - 1)] as (typeof values)[number], chance: (p) => next() < p };
}
