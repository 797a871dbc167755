// Few in a process: it starts a service.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { until } from '../faults/service-process.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

/** Starts a service with its outputs as given; `said`: what the other one of the two held. */
async function serving(t: TestContext, stdio: { readonly out: number | 'pipe'; readonly err: number | 'pipe' }) {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-closed-output-'));
  const env = { ...CHILD_ENVIRONMENT, PATH: process.env.PATH, PORT: '0', SIGHTLINE_ADMIN_PORT: '0', SIGHTLINE_DATA_DIR: folder };
  const child = spawn(process.execPath, ['bin/sightline.mjs', 'serve'], { env, stdio: ['ignore', stdio.out, stdio.err] });
  const ended = once(child, 'exit');
  // it writes into its folder until it has ended
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return child;
}

const FULL = '/dev/full';
for (const which of ['stdout', 'stderr'] as const)
  for (const how of ['nobody reads', 'is on a full disk'] as const)
    test(`a service whose ${which} ${how} goes on, and ends as asked`, { skip: how !== 'nobody reads' && !existsSync(FULL) }, async (t) => {
      const broken = how === 'nobody reads' ? 'pipe' : openSync(FULL, 'w');
      if (broken !== 'pipe') t.after(() => closeSync(broken));
      const child = await serving(t, which === 'stdout' ? { out: broken, err: 'pipe' } : { out: 'pipe', err: broken });
      child[which]?.destroy();
      const lines: string[] = [];
      const other = which === 'stdout' ? child.stderr : child.stdout;
      other?.setEncoding('utf8').on('data', (part: string) => lines.push(part));
      const said = () => lines.join('');
      const urlIn = () => /"baseUrl":"([^"]+)"|(http:\S+)\/setup/.exec(said())?.slice(1).find(Boolean);
      await until('the service listens', async () => urlIn() !== undefined || child.exitCode !== null);
      for (let asked = 0; asked < 3; asked++) assert.equal((await fetch(`${urlIn()}/healthz`)).status, 200, said());
      if (which === 'stdout') assert.equal(said().split('standard output cannot be written').length, 2, said());
      assert.doesNotMatch(said(), /at .*\.ts:/);
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

test('a command says in one line that its result cannot be written, and goes on where nobody hears what it says beside it', {
  skip: !existsSync(FULL),
}, async (t) => {
  const full = openSync(FULL, 'w');
  t.after(() => closeSync(full));
  const env = { ...CHILD_ENVIRONMENT, PATH: process.env.PATH };
  const lost = spawn(process.execPath, ['bin/sightline.mjs', 'sources'], { env, stdio: ['ignore', full, 'pipe'] });
  const why = text(lost.stderr as Readable);
  assert.deepEqual(
    [await once(lost, 'exit'), await why],
    [[1, null], 'Standard output cannot be written: ENOSPC: no space left on device, write.\n'],
  );
  // a setting that is none is told on standard error
  const unheard = { ...env, SIGHTLINE_NONE: 'x' };
  const done = spawn(process.execPath, ['bin/sightline.mjs', 'sources', '--json'], { env: unheard, stdio: ['ignore', 'pipe', full] });
  const result = text(done.stdout as Readable);
  assert.deepEqual(await once(done, 'exit'), [0, null]);
  assert.ok(Array.isArray(JSON.parse(await result)));
});
