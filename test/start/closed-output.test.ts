// Few in a process: it starts a service.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { until } from '../faults/service-process.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

test('a service whose output nobody reads goes on, says so once in its log, and ends as asked', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-closed-output-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...CHILD_ENVIRONMENT, PATH: process.env.PATH, PORT: '0', SIGHTLINE_ADMIN_PORT: '0', SIGHTLINE_DATA_DIR: folder };
  const child = spawn(process.execPath, ['bin/sightline.mjs', 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const lines: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (part: string) => lines.push(part));
  const said = () => lines.join('');
  await until('the service listens', async () => said().includes('"msg":"listening"') || child.exitCode !== null);
  const { baseUrl = '' } = JSON.parse(
    said()
      .split('\n')
      .find((line) => line.includes('"msg":"listening"')) ?? '{}',
  ) as { baseUrl?: string };
  assert.equal((await fetch(`${baseUrl}/healthz`)).status, 200, said());
  assert.equal(said().split('nobody reads standard output').length, 2, said());
  assert.doesNotMatch(said(), /EPIPE|at .*\.ts:/);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});

test('a command whose reader has enough ends without a word', async () => {
  const child = spawn(process.execPath, ['bin/sightline.mjs', 'sources'], {
    env: { ...CHILD_ENVIRONMENT, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const said = text(child.stderr);
  assert.deepEqual([await once(child, 'exit'), await said], [[0, null], '']);
});
