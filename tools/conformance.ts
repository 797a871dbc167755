/**
 * Holds the project against the recorded answers: runs each black-box script of ../shared/conformance whose recordings are there.
 * `npm run conformance [-- forum serp …]`. The last line counts the scripts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const SHARED = '../shared';
const AREAS: readonly (readonly [script: string, area: string | null])[] = [
  ['registration', 'registration'],
  ['forum', 'forum'],
  ['forum-sessions', 'forum'],
  ['social', 'social'],
  ['appmarket', 'appmarket'],
  ['serp', 'serp'],
  ['traffic', 'traffic'],
  ['contract', null],
  ['accounts', null],
];

const wanted = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const [script, area] of AREAS) {
  if (wanted.length && !wanted.includes(script)) continue;
  const file = `${SHARED}/conformance/${script}.mjs`;
  const folder = area && `${SHARED}/recordings/${area}`;
  if (!existsSync(file) || (folder && !existsSync(folder))) {
    console.log(`${script}: skipped, ${folder ?? file} is not here`);
    if (process.env.SIGHTLINE_TEST_REQUIRE?.includes('recordings')) counts.failed++;
    else counts.skipped++;
    continue;
  }
  const ran = spawnSync('node', [file, ...(folder ? ['--dir', folder] : [])], {
    env: { ...process.env, HELD: `${SHARED}/recordings`, SIGHTLINE_TEST_REQUIRE: '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
  });
  const last = ran.stdout.trim().split('\n').at(-1) ?? '';
  console.log(last.length > 600 ? `${last.slice(0, 600)}…` : last);
  if (ran.status === 0) counts.passed++;
  else {
    counts.failed++;
    console.log(`${script}: exit ${ran.status ?? ran.signal}`);
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed ? 1 : 0;
