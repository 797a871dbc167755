/**
 * Runs the tests: `node tools/test.ts [--all | --changed [commit] | files or folders …]`, by default what is not left to the gate. A file that fails in parallel with others, or whose
 * tests of real time could not be judged there (`test/support/real-time.ts`), is run again alone, and reported as flaky if it failed and
 * passes then. In CI it must pass three times; a second flaky file fails the run, and so does a test that isn't judged alone either. A file that does not exit, exits with an
 * error, loses a report or contains no test has failed (`tests/outcome.ts`). The last line counts passed, failed and skipped tests. Tests of
 * a service named in SIGHTLINE_TEST_REQUIRE fail instead of being skipped if the service is missing.
 */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { bundlePackages } from './bundled-packages.ts';
import { buildConsole } from './console-build.ts';
import { buildDocs } from './docs/build.ts';
import { openChromium } from './tests/browser.ts';
import { measureMachine, slownessOf } from './tests/machine.ts';
import { lastLines, notJudged } from './tests/outcome.ts';
import { processesOf } from './tests/plan.ts';
import { openDatabases } from './tests/postgres.ts';
import { describeFile, describeRun, describeSlowest } from './tests/print.ts';
import { cpuMs } from './tests/processes.ts';
import { LIMITS, type Limits, runProcesses } from './tests/run.ts';
import { type Selection, select } from './tests/select.ts';

const inCi = process.env.CI === 'true';
const quiet = inCi || process.env.SIGHTLINE_TEST_QUIET === '1';
let selection: Selection;
try {
  selection = select(process.argv.slice(2), process.env.SIGHTLINE_TEST_WHOLE === '1');
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
const { files, left: leftOut } = selection;
if (!files.length) {
  console.log('No test depends on what changed.');
  process.exit(0);
}

await buildConsole(process.cwd());
await buildDocs(process.cwd());
// what an installation loads: without them a process takes 35 MB more with its first lookup
await bundlePackages();
const before = new Set(readdirSync('.'));
const flaky: string[] = [];
const timesAlone = inCi ? 3 : 1;
/** The limits of files that run so many at a time. */
async function limitsFor(atATime: number): Promise<Limits> {
  // a run within a test takes what the run of that test has measured
  const measured = Number(process.env.SIGHTLINE_TEST_SLOWNESS ?? 0);
  if (measured) return { limitMs: LIMITS.limitMs * measured, graceMs: LIMITS.graceMs * measured, slowness: measured };
  const machine = await measureMachine();
  const slowness = slownessOf(machine) * Math.max(1, atATime / availableParallelism());
  if (!quiet) console.log(`work ${machine.workMs} ms, lag ${machine.lagMs} ms, start ${machine.startMs} ms: real time × ${slowness}`);
  return { limitMs: LIMITS.limitMs * slowness, graceMs: LIMITS.graceMs * slowness, slowness };
}
const databases = await openDatabases(files);
const chromium = await openChromium(files);
if (chromium.url) process.env.SIGHTLINE_TEST_CHROMIUM = chromium.url;
const cores = availableParallelism();
const all = await runProcesses(
  processesOf(files),
  { atLeast: cores, atMost: 4 * cores },
  await limitsFor(2 * cores),
  (ran) => {
    if (!quiet) console.log(describeFile(ran));
  },
  databases,
);
// alone: with a browser of its own, too
delete process.env.SIGHTLINE_TEST_CHROMIUM;
await chromium.close();
for (const [at, { file, failures, skips, output }] of all.entries()) {
  const unjudged = notJudged({ skips });
  if (!failures.length && !unjudged.length) continue;
  for (const failure of [...failures, ...unjudged]) console.log(`FAILED beside others: ${file} › ${failure}\n`);
  if (quiet && failures.length) console.log(lastLines(output));
  for (let n = 0; n < timesAlone && (n === 0 || !all[at]?.failures.length); n++) {
    const [again] = await runProcesses([[file]], { atLeast: 1, atMost: 1 }, await limitsFor(1), undefined, databases);
    if (!again) continue;
    all[at] = again;
    if (inCi) again.failures.push(...notJudged(again));
    for (const failure of again.failures) console.log(`FAILED alone: ${file} › ${failure}\n`);
  }
  if (!failures.length || all[at]?.failures.length) continue;
  console.log(`passed alone: ${file}\n`);
  flaky.push(file);
  if (inCi && flaky.length > 1) all[at]?.failures.push('a second flaky file: it failed beside others and passed alone');
}
await databases.close();
const left = readdirSync('.').filter((name) => !before.has(name));
if (inCi && left.length) {
  console.log(`FAILED: the tests left ${left.join(', ')} in the checkout\n`);
  all[0]?.failures.push('files were left behind');
}

const slowest = describeSlowest(all, cpuMs());
if (slowest) console.log(slowest);
else if (!quiet) console.log(`${(cpuMs() / 1000).toFixed(1)} s of CPU time`);
const { text, good } = describeRun(all, flaky);
if (leftOut.length)
  console.log(`${leftOut.length} files are left to the gate (CONTRIBUTING.md, "What is tested where"): npm test -- --all`);
console.log(text);
process.exitCode = good ? 0 : 1;
