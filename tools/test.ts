/**
 * Runs the tests: `node tools/test.ts [files or folders …]`, everything by default. The last line counts what passed, failed and was skipped;
 * a service named in SIGHTLINE_TEST_REQUIRE that is missing makes its tests fail instead of skip.
 */
import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const given = process.argv.slice(2);
const folders = given.length ? given : ['src', 'sandbox', 'test', 'tools'];
const files = folders.flatMap((f) => (statSync(f).isDirectory() ? globSync(`${f}/**/*.test.ts`) : [f])).sort();
if (!files.length) {
  console.error(`There is no test in ${folders.join(', ')}.`);
  process.exit(1);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const skips = new Map<string, number>();
const failures: string[] = [];
const quiet = process.env.CI === 'true' || process.env.SIGHTLINE_TEST_QUIET === '1';
// a file that leaves something open ends all the same: the gate must not hang
const stream = run({ files, concurrency: Math.min(availableParallelism(), 4), timeout: 300_000, forceExit: true });
stream.on('test:pass', (event) => {
  if (event.details.type === 'suite') return;
  if (event.skip === undefined || event.skip === false) counts.passed++;
  else {
    counts.skipped++;
    const why = typeof event.skip === 'string' ? event.skip : 'no reason given';
    skips.set(why, (skips.get(why) ?? 0) + 1);
  }
});
stream.on('test:fail', (event) => {
  if (event.details.type === 'suite') return;
  counts.failed++;
  const error = event.details.error as Error & { cause?: unknown };
  failures.push(`${event.file ?? ''} › ${event.name}\n${String((error.cause as Error)?.stack ?? error.cause ?? error.stack ?? error)}`);
});
stream.on('end', () => {
  if (quiet) for (const failure of failures) console.log(`FAILED ${failure}\n`);
  for (const [why, n] of skips) console.log(`skipped ${n}: ${why}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed || !counts.passed ? 1 : 0;
});
if (quiet) stream.resume();
else stream.compose(spec).pipe(process.stdout, { end: false });
