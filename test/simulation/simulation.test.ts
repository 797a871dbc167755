/** The service in one process with simulated time, seeded random numbers and faults. `npm run simulate` runs more of the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeOf } from '../support/sizes.ts';
import { FAULTS, type Fault, type Plant } from './faults.ts';
import { simulate } from './simulation.ts';

const run = (seed: number, charged: number, plant: Plant | null = null, faults: readonly Fault[] = FAULTS) =>
  simulate({ seed, charged, faults, plant });

test('under kills, freezes, clock jumps and a failing disk no credit is lost or made, and no answer is wrong', async (t) => {
  for (const seed of [11, 12, 13].slice(0, sizeOf({ whole: 3, part: 1 }))) {
    const { violations, faults, charged, requests } = await run(seed, 400);
    assert.deepEqual(violations, [], `seed ${seed}`);
    assert.ok(charged >= 400 && faults > 20);
    t.diagnostic(`seed ${seed}: ${requests} requests, ${charged} charged, ${faults} faults`);
  }
});

test('one seed is one run, to the byte; another seed is another run', async () => {
  const [first, second, other] = [await run(5, 150), await run(5, 150), await run(6, 150)];
  assert.deepEqual(second, first);
  assert.notEqual(other.digest, first.digest);
});

/** Each with the number of charged lookups that shows it. */
const PLANTED: readonly (readonly [Plant, number, RegExp])[] = [
  ['capture-twice', 100, /captured 2 times/],
  ['reply-before-hold', 100, /before \d+ credits were held/],
  ['slot-twice', 300, /1 checks with credits, and 2 charges/],
];
test('a planted fault is found', async () => {
  for (const [plant, charged, words] of PLANTED) {
    const { violations } = await run(1, charged, plant, []);
    assert.ok(violations.length > 0, plant);
    assert.match(violations.join('\n'), words);
  }
});
