// Few in a process: it computes for long.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

/** `SIGHTLINE_TEST_WATCHES=10000x90`: that many watches for that many days; the gate has 10,000 for ten. */
const SIZE = process.env.SIGHTLINE_TEST_WATCHES ?? '800x10';

test(`${SIZE} watches by days, two processes, killed and frozen between any two statements, clocks that jump, sources that are out: every slot has one outcome and one charge at most`, async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/watches/run-days.ts', ...SIZE.split('x'), '7'], {
    env: CHILD_ENVIRONMENT,
  });
  t.diagnostic(stdout.trim());
  assert.match(stdout, /0 held/);
});
