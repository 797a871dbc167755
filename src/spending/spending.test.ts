import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createSpending, openSpendingFile } from './spending.ts';

const rule = { key: 'x', maxRequests: 5, maxUsd: 1 };

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-spending-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a restart does not reset the caps of the day; the next day does', async (t) => {
  const folder = folderOf(t);
  const clock = createManualClock(Date.UTC(2026, 10, 1, 23));
  const start = async () => createSpending(clock, await openSpendingFile(folder, () => assert.fail('it is kept')));
  const first = await start();
  const taken = await Promise.all(Array.from({ length: 4 }, () => first.take(rule, 0.2)));
  assert.ok(taken.every((t) => t.taken));
  await first.correct('x', taken[0]?.day ?? 0, 0.1, 0.3);
  const second = await start();
  assert.deepEqual(await second.correct('x', taken[0]?.day ?? 0, 0), { day: taken[0]?.day, requests: 4, usd: 0.9, spentUsd: 0.3 });
  assert.equal((await second.take(rule, 0.2)).taken, false);
  assert.equal((await second.take(rule, 0.1)).taken, true);
  assert.equal((await (await start()).take(rule, 0)).taken, false, 'five requests were made');
  await clock.advance(3_600_000);
  const next = await (await start()).take(rule, 0.2);
  assert.deepEqual([next.taken, next.requests, next.usd], [true, 1, 0.2]);
  assert.equal(statSync(join(folder, 'paid-today.json')).mode & 0o777, 0o600);
});

test('a request is stored before it is made', async (t) => {
  const folder = folderOf(t);
  const spending = createSpending(createManualClock(), await openSpendingFile(folder, () => {}));
  await spending.take(rule, 0.2);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'paid-today.json'), 'utf8')).of, {
    x: { requests: 1, nanoUsd: 200_000_000, spentNanoUsd: 0 },
  });
});

test('an unreadable file stops the start instead of resetting the caps', async (t) => {
  for (const text of ['', '{', '{"day":20000}', '{"day":20000,"of":{"x":{"requests":-1,"nanoUsd":0}}}', '{"day":"a","of":{}}']) {
    const folder = folderOf(t);
    writeFileSync(join(folder, 'paid-today.json'), text);
    await assert.rejects(
      openSpendingFile(folder, () => {}),
      /Today's spending cannot be read/,
    );
  }
});

test('if the file cannot be written, counting continues in memory, and one log line says so', async (t) => {
  const folder = folderOf(t);
  const logged: string[] = [];
  const spending = createSpending(createManualClock(), await openSpendingFile(join(folder, 'gone'), (_, message) => logged.push(message)));
  const tags = [];
  for (let i = 0; i < 6; i++) tags.push((await spending.take(rule, 0.1)).taken);
  assert.deepEqual(tags, [true, true, true, true, true, false]);
  assert.equal(logged.length, 1);
});
