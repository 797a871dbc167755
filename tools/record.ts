/**
 * `npm run record -- SUITE [arguments of the suite]` runs a suite and adds its counts to those of the same commit in `test/record.json`, from which
 * `npm run generate` writes docs/testing.md and docs/test-record.md. `npm run record -- failure SUITE "what failed" "what holds it now"` adds a failure that a suite found and that is repaired.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { FILE, type Recorded, SUITES } from './record-page.ts';

const [name = '', ...args] = process.argv.slice(2);
const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

function save(): void {
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}
function misused(why: string): never {
  console.error(`${why}: npm run record -- ${Object.keys(SUITES).join('|')} […], or failure SUITE WHAT HELD-BY`);
  process.exit(2);
}

if (name === 'failure') {
  const [suite = '', what, heldBy, ...more] = args;
  if (!SUITES[suite] || !what || !heldBy || more.length) misused('a failure has a suite, what failed, and the test that holds it now');
  recorded.failures.push({ version, suite, what, heldBy });
  save();
} else {
  const suite = SUITES[name] ?? misused(`there is no suite ${JSON.stringify(name)}`);
  const [command = '', ...own] = suite.command;
  const child = spawn(command, [...own, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...suite.environment } });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const printed = await text(child.stdout);
  const code = await ended;
  const counts = suite.read(printed);
  if (code !== 0 || !counts) {
    console.error(`${printed}\n${command} ended with ${code}: nothing is recorded`);
    process.exit(1);
  }
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim();
  const before = recorded.runs[name];
  const sum = before?.commit === commit ? before.counts : {};
  recorded.runs[name] = { commit, day: new Date().toISOString().slice(0, 10), counts: sum };
  for (const [what, n] of Object.entries({ runs: 1, ...counts })) sum[what] = Math.round(((sum[what] ?? 0) + n) * 100) / 100;
  save();
  console.log(`${name}: ${JSON.stringify(counts)}; in all ${JSON.stringify(sum)}`);
}
