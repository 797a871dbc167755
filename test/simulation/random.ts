/** Seeded random numbers (xoshiro128**): one seed, one sequence. */
export interface Random {
  /** 0 ≤ n < 1. */
  next(): number;
  /** A whole number, 0 ≤ n < limit. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Exponentially distributed, with this mean. */
  wait(meanMs: number): number;
  bytes(size: number): Uint8Array;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // splitmix32 fills the state
  const word = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let [a, b, c, d] = [word(), word(), word(), word()];
  const rotated = (x: number, k: number): number => ((x << k) | (x >>> (32 - k))) >>> 0;
  const uint32 = (): number => {
    const result = Math.imul(rotated(Math.imul(b, 5) >>> 0, 7), 9) >>> 0;
    const shifted = (b << 9) >>> 0;
    c = (c ^ a) >>> 0;
    d = (d ^ b) >>> 0;
    b = (b ^ c) >>> 0;
    a = (a ^ d) >>> 0;
    c = (c ^ shifted) >>> 0;
    d = rotated(d, 11);
    return result;
  };
  const next = (): number => uint32() / 2 ** 32;
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    wait: (meanMs) => -Math.log(1 - next()) * meanMs,
    bytes: (size) => Uint8Array.from({ length: size }, () => below(256)),
  };
}
