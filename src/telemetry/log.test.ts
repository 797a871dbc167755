import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from './log.ts';

test('lines are JSON with an RFC 3339 time and a level name, and secrets are redacted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-log-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'w');
  const log = createLog({ level: 'info', pretty: false, fd, sync: true });
  log.debug({ a: 1 }, 'not shown');
  log.warn(
    { requestId: 'r1', apiKey: 'sl_secret', upstream: { headers: { authorization: 'Bearer sl_secret' }, password: 'sl_secret' } },
    'words',
  );
  log.error({ err: new Error('broken') }, 'defect');
  closeSync(fd);
  const text = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  const [first, second] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.doesNotMatch(text, /sl_secret|not shown/);
  assert.deepEqual([first.level, first.msg, first.requestId, first.apiKey], ['warn', 'words', 'r1', '[redacted]']);
  assert.match(first.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(second.err.message, 'broken');
});
