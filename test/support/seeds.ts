import { randomInt } from 'node:crypto';

/** Property tests run on a seed that never changes, so that a change of theirs shows, and on one that is new in every run. */
export const FIXED_SEED = 20_261_101;
/** `SIGHTLINE_TEST_SEED=n` repeats a run. */
export const EXPLORED_SEED = Number(process.env.SIGHTLINE_TEST_SEED ?? randomInt(2 ** 31 - 1));
console.log(`# explored seed: SIGHTLINE_TEST_SEED=${EXPLORED_SEED}`);

/** Seed and number of runs: all on the fixed one, a third as many on the explored one. */
export const explore = (numRuns: number): readonly { readonly seed: number; readonly numRuns: number }[] => [
  { seed: FIXED_SEED, numRuns },
  { seed: EXPLORED_SEED, numRuns: Math.ceil(numRuns / 3) },
];
