// Few in a process: waits for a process.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { composeLookups } from '../../src/cli/service.ts';
import { ORDINARY } from '../../src/orchestrator/types.ts';
import { readSettings } from '../../src/settings.ts';

test('sightline sandbox serves the simulated platforms to a service that has the printed settings, until SIGTERM', async () => {
  const child = spawn(process.execPath, ['bin/sightline.mjs', 'sandbox', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  });
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const printed = JSON.parse(line) as Record<string, string>;
  const lookups = await composeLookups(readSettings(printed), () => {});
  const result = await lookups.orchestrator.lookup({
    operation: 'serp',
    input: { keyword: 'running shoes', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' },
    freshness: ORDINARY,
    charge: { hold: async () => {}, release: () => {} },
    deadlineMs: lookups.clock.now() + 60_000,
    requestId: 'r',
  });
  await lookups.close();
  assert.ok(result.ok, result.ok ? '' : result.refusal.error.message);
  assert.equal(result.answer.cached.source, 'DataForSEO');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  assert.equal(existsSync(printed.SIGHTLINE_HOSTS ?? ''), false, 'the map of hosts is removed');
});
