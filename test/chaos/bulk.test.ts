// Own process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, runBulkChaos } from './bulk-run.ts';
import { createRandom } from './random.ts';

const LINES = 1000;
const KILLS = 2;

test(`${LINES} bulk lookups while client and gateway are killed: every line once and in order, its credits those of the ledger`, async () => {
  const seed = Number(process.env.SIGHTLINE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));
  console.log(`SIGHTLINE_TEST_SEED=${seed}`);
  const report = await runBulkChaos({ lines: LINES, kills: KILLS, concurrency: 32, random: createRandom(seed).next, say: console.log });
  console.log(JSON.stringify(report));
  assert.deepEqual(faultsOf(report), []);
});
