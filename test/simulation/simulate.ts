/**
 * `npm run simulate -- --seed N --seconds N [--plant …]`: 300 charged requests for each second, so that one seed is one run. The last line is
 * one line of JSON; exit code 1 where there are violations.
 */
import { parseArgs } from 'node:util';
import { FAULTS, type Fault, PLANTS, type Plant } from './faults.ts';
import { type SimulationResult, simulate } from './simulation.ts';

const PER_SECOND = 300;
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
    plant: { type: 'string' },
    /** Classes of faults, separated by commas; default: all. */
    faults: { type: 'string', default: FAULTS.join(',') },
  },
});
function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`--${name} is ${JSON.stringify(text)}, but it must be a whole number.`);
  process.exit(2);
}
function chosen<T extends string>(name: string, text: string, from: readonly T[]): T {
  const found = from.find((one) => one === text);
  if (found) return found;
  console.error(`--${name} is ${JSON.stringify(text)}: choose from ${from.join(', ')}.`);
  process.exit(2);
}
const seed = wholeNumber('seed', values.seed);
const charged = PER_SECOND * wholeNumber('seconds', values.seconds);
const plant: Plant | null = values.plant === undefined ? null : chosen('plant', values.plant, PLANTS);
const faults = values.faults.split(',').flatMap((name) => (name ? [chosen<Fault>('faults', name, FAULTS)] : []));

const began = process.cpuUsage();
const result = await simulate({ seed, charged, faults, plant });
const { user, system } = process.cpuUsage(began);
if (result.violations.length) await explain(result);
const { requests, violations } = result;
console.log(
  JSON.stringify({
    seed,
    requests,
    'charged requests': result.charged,
    faults: result.faults,
    violations: violations.length,
    seconds: Math.round((user + system) / 1e4) / 100,
  }),
);
process.exit(violations.length ? 1 : 0);

/** Prints the violations, and the smallest run that still has one: less work, fewer kinds of faults. */
async function explain(first: SimulationResult): Promise<void> {
  for (const violation of first.violations.slice(0, 20)) console.error(violation);
  let smallest = { charged, faults };
  const fails = async (options: typeof smallest) => (await simulate({ seed, plant, ...options })).violations.length > 0;
  while (smallest.charged > 1 && (await fails({ ...smallest, charged: smallest.charged >> 1 })))
    smallest = { ...smallest, charged: smallest.charged >> 1 };
  for (const fault of faults) {
    const without = { ...smallest, faults: smallest.faults.filter((name) => name !== fault) };
    if (await fails(without)) smallest = without;
  }
  console.error(
    `seed ${seed} fails with ${smallest.charged} charged requests and these faults: ${smallest.faults.join(', ') || 'none'}. Again: npm run simulate -- --seed ${seed} --seconds ${Math.ceil(smallest.charged / PER_SECOND)} --faults "${smallest.faults.join(',')}"`,
  );
}
