/**
 * Checks the project against the recorded answers: runs each black-box script of ../shared/conformance whose recordings exist,
 * and the grader of expected rows once for each folder of ../shared/recordings/2026-11.
 * `npm run conformance [-- forum serp-2026-11 …]`. The last line counts the runs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';

// its real path: a script that is started by a link does nothing
const SHARED = existsSync('../shared') ? realpathSync('../shared') : '../shared';
/** A run by name: the script, and the folder of recordings that it needs. */
const RUNS: readonly (readonly [name: string, script: string, folder: string | null])[] = [
  ['registration', 'registration', 'registration'],
  ['registration-2026-11', 'expected', '2026-11/registration'],
  ['forum', 'forum', 'forum'],
  ['forum-2026-11', 'expected', '2026-11/forum'],
  ['forum-sessions', 'forum-sessions', 'forum'],
  ['social', 'social', 'social'],
  ['social-2026-11', 'expected', '2026-11/social'],
  ['appmarket', 'appmarket', 'appmarket'],
  ['serp', 'serp', 'serp'],
  ['serp-2026-11', 'expected', '2026-11/serp'],
  ['traffic', 'traffic', 'traffic'],
  ['traffic-2026-11', 'analytics', '2026-11/traffic'],
  ['contract', 'contract', null],
  ['accounts', 'accounts', null],
  // small inputs of public reports, from ../shared/cases
  ['cases', 'cases', null],
];

const wanted = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const [name, script, recordings] of RUNS) {
  if (wanted.length && !wanted.includes(name)) continue;
  const file = `${SHARED}/conformance/${script}.mjs`;
  const folder = recordings && `${SHARED}/recordings/${recordings}`;
  if (!existsSync(file) || (folder && !existsSync(folder))) {
    console.log(`${name}: skipped, ${folder ?? file} is not here`);
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
  if (ran.status === 0 && last) counts.passed++;
  else {
    counts.failed++;
    console.log(`${name}: exit ${ran.status ?? ran.signal}${last ? '' : ', and it said nothing'}`);
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed ? 1 : 0;
