import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createOutage } from './outage.ts';

function house() {
  const clock = createManualClock();
  const lines: unknown[] = [];
  const outage = createOutage(clock, (level, message, facts) => lines.push([level, message, facts]), 'begins', 'ends');
  const fail = async (times: number, everyMs: number, reason = 'full') => {
    for (let i = 0; i < times; i++) {
      outage.failed(reason);
      await clock.advance(everyMs);
    }
  };
  return { clock, lines, outage, fail };
}

test('an outage logs one line when it begins, one a minute with a count, and one when it ends', async () => {
  const { lines, outage, fail } = house();
  outage.worked();
  await fail(600, 250);
  outage.worked();
  outage.worked();
  assert.deepEqual(lines, [
    ['error', 'begins', { reason: 'full' }],
    ['error', 'begins', { reason: 'full', failures: 241, seconds: 60 }],
    ['error', 'begins', { reason: 'full', failures: 481, seconds: 120 }],
    ['info', 'ends', { failures: 600, seconds: 150 }],
  ]);
});

test('an outage that starts and ends many times a second logs at most three lines a minute, and every failure is counted', async () => {
  const { lines, outage, fail, clock } = house();
  for (let i = 0; i < 1_200; i++) {
    await fail(1, 50);
    outage.worked();
    await clock.advance(50);
  }
  assert.ok(lines.length <= 2 * 3, `${lines.length} lines in two minutes`);
  const counted = lines
    .filter((line) => (line as string[])[1] === 'ends')
    .map((line) => (line as [string, string, { failures: number }])[2]);
  assert.deepEqual(
    counted.map((f) => f.failures),
    [1, 600],
  );
});

test('a later outage is logged from its beginning', async () => {
  const { lines, outage, fail, clock } = house();
  await fail(2, 1_000);
  outage.worked();
  await clock.advance(61_000);
  await fail(1, 0, 'locked');
  assert.deepEqual(lines.at(-1), ['error', 'begins', { reason: 'locked' }]);
});

test('a clock that is set back does not stop the log lines', async () => {
  let now = 1e12;
  const lines: string[] = [];
  const outage = createOutage({ now: () => now }, (_, message) => lines.push(message), 'begins', 'ends');
  outage.failed('full');
  now -= 3_600_000;
  outage.failed('full');
  assert.deepEqual(lines, ['begins', 'begins']);
});
