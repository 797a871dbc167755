/** `node test/chaos/bulk.ts --lines 100000 --kills 10 [--seed n]`: bulk lookups while client and gateway are killed. Exit code 1: a fault. */
import { parseArgs } from 'node:util';
import { faultsOf, runBulkChaos } from './bulk-run.ts';
import { createRandom } from './random.ts';

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '32' },
    seed: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
console.log(`bulk chaos: ${values.lines} lines, seed ${seed}`);
const report = await runBulkChaos({
  lines: Number(values.lines),
  kills: Number(values.kills),
  concurrency: Number(values.concurrency),
  random: createRandom(seed).next,
  say: (text) => console.log(text),
});
console.log(JSON.stringify(report, null, 2));
process.exitCode = faultsOf(report).length ? 1 : 0;
for (const fault of faultsOf(report)) console.log(`FAULT: ${fault}`);
