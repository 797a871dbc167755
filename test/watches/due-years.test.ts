// Few in a process: it computes for long.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { BACKENDS, POSTGRES } from '../ledger/backends.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { sizeOf } from '../support/sizes.ts';

/** The release check has 2,000 domains for ten years (`npm run release-check -- due`). A process on PostgreSQL sends each statement over a socket. */
const SIZES = {
  embedded: { domains: sizeOf({ whole: 60, part: 20 }), years: sizeOf({ whole: 10, part: 3 }) },
  postgres: { domains: sizeOf({ whole: 100, part: 20 }), years: 1 },
} as const;

for (const { name, skip } of BACKENDS) {
  const { domains, years } = SIZES[name];
  test(`on ${name} ${domains} domains whose dates move, for ${years} years, two processes, killed and frozen between any two statements, registries that are out: every threshold is told exactly once, none early, none late, none twice`, {
    skip,
  }, async (t) => {
    const given = ['test/watches/run-due.ts', String(domains), String(years), '7', '182', name];
    const env = { ...CHILD_ENVIRONMENT, SIGHTLINE_TEST_POSTGRES: POSTGRES };
    const { stdout } = await promisify(execFile)(process.execPath, given, { env });
    t.diagnostic(stdout.trim());
    assert.match(stdout, / 0 missed, 0 late, 0 early, 0 twice, 0 of another date, /);
  });
}
