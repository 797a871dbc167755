/**
 * Runs the tests: `node tools/test.ts [files or folders …]`, everything by default. A file that fails beside others is run once more by
 * itself, and named if it passes then: some guarantees are about real seconds, and files share the cores. The last line counts what passed,
 * failed and was skipped; a service named in SIGHTLINE_TEST_REQUIRE that is missing makes its tests fail instead of skip.
 */
import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

interface Outcome {
  passed: number;
  failures: string[];
  skips: string[];
}
const quiet = process.env.CI === 'true' || process.env.SIGHTLINE_TEST_QUIET === '1';

/** Runs the files, so many at a time; what came of each. */
async function runFiles(files: readonly string[], concurrency: number): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>(files.map((f) => [f, { passed: 0, failures: [], skips: [] }]));
  const of = (file: string | undefined): Outcome => outcomes.get(relative('.', file ?? '')) ?? (outcomes.values().next().value as Outcome);
  // a file that leaves something open ends all the same: the gate must not hang
  const stream = run({ files: [...files], concurrency, timeout: 300_000, forceExit: true });
  stream.on('test:pass', ({ details, skip, file }) => {
    if (details.type === 'suite') return;
    if (skip === undefined || skip === false) of(file).passed++;
    else of(file).skips.push(typeof skip === 'string' ? skip : 'no reason given');
  });
  stream.on('test:fail', ({ details, file, name }) => {
    if (details.type === 'suite') return;
    const error = details.error as Error & { cause?: unknown };
    of(file).failures.push(`${name}\n${String((error.cause as Error)?.stack ?? error.cause ?? error.stack ?? error)}`);
  });
  if (quiet) stream.resume();
  else stream.compose(spec).pipe(process.stdout, { end: false });
  await new Promise((resolve) => stream.once('end', resolve));
  return outcomes;
}

const given = process.argv.slice(2);
const folders = given.length ? given : ['src', 'sandbox', 'test', 'tools'];
const files = folders.flatMap((f) => (statSync(f).isDirectory() ? globSync(`${f}/**/*.test.ts`) : [f])).sort();
if (!files.length) {
  console.error(`There is no test in ${folders.join(', ')}.`);
  process.exit(1);
}

const outcomes = await runFiles(files, Math.min(availableParallelism(), 4));
const failed = [...outcomes].filter(([, o]) => o.failures.length).map(([file]) => file);
for (const file of failed) {
  for (const failure of outcomes.get(file)?.failures ?? []) console.log(`FAILED beside others: ${file} › ${failure}\n`);
  const [again] = (await runFiles([file], 1)).values();
  if (!again) continue;
  outcomes.set(file, again);
  if (again.failures.length) for (const failure of again.failures) console.log(`FAILED alone: ${file} › ${failure}\n`);
  else console.log(`passed alone: ${file}\n`);
}

const all = [...outcomes.values()];
const skips = new Map<string, number>();
for (const why of all.flatMap((o) => o.skips)) skips.set(why, (skips.get(why) ?? 0) + 1);
for (const [why, n] of skips) console.log(`skipped ${n}: ${why}`);
const passed = all.reduce((n, o) => n + o.passed, 0);
const failures = all.reduce((n, o) => n + o.failures.length, 0);
console.log(`${passed} passed, ${failures} failed, ${[...skips.values()].reduce((a, b) => a + b, 0)} skipped`);
process.exit(failures || !passed ? 1 : 0);
