// Few in a process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

test('a shutdown that does not end within its time limit is logged, and the process exits with 1', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'never-stops.ts')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = text(child.stderr);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [1, null]);
  const line = JSON.parse(await log) as { level: string; msg: string; drainMs: number };
  assert.deepEqual([line.level, line.drainMs], ['error', 50]);
  assert.match(line.msg, /shutdown exceeded its time limit/);
});
