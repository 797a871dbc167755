// Few in a process: it computes for long.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { sizeOf } from '../support/sizes.ts';

/** The release check has 2,000 domains for ten years (`npm run release-check -- due`). */
const [DOMAINS, YEARS] = [sizeOf({ whole: 60, part: 20 }), sizeOf({ whole: 10, part: 3 })];

test(`${DOMAINS} domains whose dates move, for ${YEARS} years, two processes, killed and frozen between any two statements, registries that are out: every threshold is told exactly once, none early, none late, none twice`, async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/watches/run-due.ts', String(DOMAINS), String(YEARS), '7', '182'], {
    env: CHILD_ENVIRONMENT,
  });
  t.diagnostic(stdout.trim());
  assert.match(stdout, / 0 missed, 0 late, 0 early, 0 twice, 0 of another date, /);
});
