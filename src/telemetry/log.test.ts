import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { createLogOutput } from './log-output.ts';

/** Writes to a file, and reads what it holds once its lines are there. */
async function linesIn(write: (fd: number) => void, count: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-log-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'w');
  write(fd);
  const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  while (lines().length < count) await new Promise((resolve) => setImmediate(resolve));
  closeSync(fd);
  const found = lines();
  rmSync(folder, { recursive: true });
  return found;
}

test('lines are JSON with an RFC 3339 time and a level name, and secrets are redacted', async () => {
  const lines = await linesIn((fd) => {
    const log = createLog({ level: 'info', pretty: false, fd });
    log.debug({ a: 1 }, 'not shown');
    log.warn(
      { requestId: 'r1', apiKey: 'sl_secret', upstream: { headers: { authorization: 'Bearer sl_secret' }, password: 'sl_secret' } },
      'words',
    );
    log.error({ err: new Error('broken') }, 'defect');
  }, 2);
  const [first, second] = lines.map((line) => JSON.parse(line));
  assert.doesNotMatch(lines.join(), /sl_secret|not shown/);
  assert.deepEqual([first.level, first.msg, first.requestId, first.apiKey], ['warn', 'words', 'r1', '[redacted]']);
  assert.match(first.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(second.err.message, 'broken');
});

test('lines stay in their order; those that more than four megabytes of waiting ones leave no room for are counted', async () => {
  const lost: number[] = [];
  const line = `${'ä'.repeat(999)}\n`;
  const lines = await linesIn((fd) => {
    const output = createLogOutput(fd, (count) => {
      lost.push(count);
      output.write('the last one\n');
    });
    for (let n = 0; n < 5_000; n++) output.write(`${n} ${line}`);
  }, 4_000);
  while (lost.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const written = lines.filter((one) => one.includes('ä')).map((one) => Number(one.split(' ')[0]));
  assert.deepEqual(
    written,
    written.map((_, n) => n),
  );
  assert.deepEqual(lost, [5_000 - written.length]);
  assert.ok(written.length > 4_000);
});
