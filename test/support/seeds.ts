import { randomInt } from 'node:crypto';
import { sizeOf } from './sizes.ts';

/** Property tests run with a fixed seed, which makes regressions reproducible, and with a new seed in every run. */
export const FIXED_SEED = 20_261_101;
/** `SIGHTLINE_TEST_SEED=n` repeats a run. */
export const EXPLORED_SEED = Number(process.env.SIGHTLINE_TEST_SEED ?? randomInt(2 ** 31 - 1));
console.log(`# explored seed: SIGHTLINE_TEST_SEED=${EXPLORED_SEED}`);

/** Seed and number of runs: all with the fixed seed in the gate, a third as many with the new one, and elsewhere with either. */
export const explore = (numRuns: number): readonly { readonly seed: number; readonly numRuns: number }[] => [
  { seed: FIXED_SEED, numRuns: sizeOf({ whole: numRuns, part: Math.ceil(numRuns / 3) }) },
  { seed: EXPLORED_SEED, numRuns: Math.ceil(numRuns / 3) },
];
