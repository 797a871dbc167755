/**
 * Runs the tests: `node tools/test.ts [files or folders …]`, everything by default. A file that fails in parallel with others is run once
 * more alone, and reported as flaky if it passes then. In CI a flaky file fails the run unless it is on the list of `tests/real-time.ts`. A
 * file that does not exit, exits with an error, loses a report or contains no test has failed (`tests/outcome.ts`). The last line counts
 * passed, failed and skipped tests. Tests of a service named in SIGHTLINE_TEST_REQUIRE fail instead of being skipped if the service is
 * missing.
 */
import { globSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { buildConsole } from './console-build.ts';
import { describeFile, describeRun, describeSlowest } from './tests/print.ts';
import { REAL_TIME } from './tests/real-time.ts';
import { LIMITS, runFiles } from './tests/run.ts';

const inCi = process.env.CI === 'true';
const quiet = inCi || process.env.SIGHTLINE_TEST_QUIET === '1';
const given = process.argv.slice(2);
const folders = given.length ? given : ['src', 'sandbox', 'test', 'tools'];
const files = [...new Set(folders.flatMap((f) => (statSync(f).isDirectory() ? globSync(`${f}/**/*.test.ts`) : [f])))].sort();
if (!files.length) {
  console.error(`There is no test in ${folders.join(', ')}.`);
  process.exit(1);
}

await buildConsole(process.cwd());
const before = new Set(readdirSync('.'));
const flaky: string[] = [];
const all = await runFiles(files, Math.min(availableParallelism(), 4), LIMITS, (ran) => {
  if (!quiet) console.log(describeFile(ran));
});
for (const [at, { file, failures }] of all.entries()) {
  if (!failures.length) continue;
  for (const failure of failures) console.log(`FAILED beside others: ${file} › ${failure}\n`);
  const [again] = await runFiles([file], 1, LIMITS);
  if (!again) continue;
  all[at] = again;
  if (again.failures.length) for (const failure of again.failures) console.log(`FAILED alone: ${file} › ${failure}\n`);
  else {
    console.log(`passed alone: ${file}\n`);
    flaky.push(file);
    if (inCi && !REAL_TIME.includes(file)) again.failures.push('the file is flaky: it failed beside others and passed alone');
  }
}
const left = readdirSync('.').filter((name) => !before.has(name));
if (inCi && left.length) {
  console.log(`FAILED: the tests left ${left.join(', ')} in the checkout\n`);
  all[0]?.failures.push('files were left behind');
}

const slowest = describeSlowest(all);
if (slowest) console.log(slowest);
const { text, good } = describeRun(all, flaky);
console.log(text);
process.exitCode = good ? 0 : 1;
