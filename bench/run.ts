/**
 * `npm run bench [-- suite …]`: every important metric, as a ratio to a reference in the same run. Each suite runs in a separate process;
 * a value beyond its limit fails the run. Writes bench/results.json and, from it, docs/benchmarks.md and docs/benchmark-suites.md.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { bundlePackages } from '../tools/bundled-packages.ts';
import { holds, isVoid, type Row } from './measure.ts';
import { type Before, benchmarksPage, type Machine, type Measured, type Results, suitesPage } from './page.ts';

const SUITES = [
  'gateway',
  'overload',
  'ledger',
  'miss',
  'start',
  'registration',
  'forum',
  'shortvideo',
  'appmarket',
  'searchengine',
  'traffic',
  'auth',
  'fleet',
  'bulk',
  'captures',
  'growth',
  'tail',
  'watches',
  'signatures',
] as const;
/** Measured where they are named: they need a larger machine or half an hour, or compare with what nobody has to follow. */
const OPTIONAL = ['cores', 'soak', 'peers'] as const;
/** A suite whose noise makes it void is measured again, so often in all. */
const TIMES = 3;
const OWN = '--suite';

if (process.argv[2] === OWN) {
  const module = (await import(`./${process.argv[3]}.suite.ts`)) as { suite: () => Promise<Row[]> };
  process.stdout.write(`\n${JSON.stringify(await module.suite())}\n`);
  process.exit(0);
}

const wanted = process.argv.slice(2);
const all: readonly string[] = [...SUITES, ...OPTIONAL];
const unknown = wanted.filter((w) => !all.includes(w));
if (unknown.length) {
  console.error(`There is no suite ${unknown.join(', ')}: choose among ${all.join(', ')}.`);
  process.exit(2);
}
await bundlePackages();
const path = 'bench/results.json';
const machine: Machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  day: new Date().toISOString().slice(0, 10),
};
const results: Record<string, Measured> = existsSync(path) ? { ...(JSON.parse(readFileSync(path, 'utf8')) as Results) } : {};
const format = (n: number): string => (Number.isFinite(n) ? (Math.abs(n) >= 100 ? n.toFixed(0) : n.toFixed(3)) : String(n));
let missed = 0;

/** Prints the rows of a suite; returns how many miss their limits. */
function print(suite: string, rows: readonly Row[]): number {
  if (isVoid(rows)) console.log(`VOID   ${suite}: the same server measured against itself differs by more than 5 %`);
  for (const row of rows) {
    const spread = row.spread ? ` [${row.spread.map(format).join(' … ')}]` : '';
    console.log(
      `${holds(row) ? 'holds ' : 'MISSED'} ${suite.padEnd(13)} ${format(row.value).padStart(8)}${spread} (${row.holds} ${row.bar})  ${row.what}  · ${row.note}`,
    );
  }
  return rows.filter((row) => !holds(row)).length;
}

/** The rows of a suite, measured in a process of its own; null: it failed. */
function measured(suite: string): readonly Row[] | null {
  const began = performance.now();
  const ran = spawnSync(process.execPath, ['--expose-gc', 'bench/run.ts', OWN, suite], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
  console.log(`       ${suite.padEnd(13)} ${Math.round((performance.now() - began) / 1000)} s`);
  if (ran.status === 0) return JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '[]') as Row[];
  console.log(`${suite}: failed (exit ${ran.status ?? ran.signal})\n${ran.stdout.slice(-2000)}`);
  return null;
}

for (const suite of wanted.length ? all.filter((each) => wanted.includes(each)) : SUITES) {
  let rows = measured(suite);
  for (let again = 1; again < TIMES && rows && isVoid(rows); again++) rows = measured(suite);
  if (!rows) {
    missed++;
    continue;
  }
  missed += print(suite, rows);
  const before: Before = Object.fromEntries((results[suite]?.rows ?? []).map((row) => [row.what, row.value]));
  results[suite] = { machine, rows, before };
}
writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync('docs/benchmarks.md', benchmarksPage(results));
writeFileSync('docs/benchmark-suites.md', suitesPage(results));
console.log(
  `${missed ? `${missed} values are beyond their limits` : 'every value is within its limit'}; ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}`,
);
process.exitCode = missed ? 1 : 0;
