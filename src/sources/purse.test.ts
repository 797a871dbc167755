import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../outside/manual-clock.ts';
import { createPurse } from './purse.ts';

test('neither requests nor money go beyond the caps of a UTC day, and the log says so once a day', async () => {
  const clock = createManualClock(Date.UTC(2026, 10, 1, 23));
  const logged: unknown[] = [];
  const log = (_: string, __: string, facts: unknown): void => void logged.push(facts);
  const purse = createPurse({ name: 'x', maxRequests: 10, maxUsd: 0.03, usdEach: 0.01, settings: 'A_CAP' }, clock, log);
  const take = (n: number) => Array.from({ length: n }, () => purse.take()?.tag ?? 'go');
  assert.deepEqual(take(5), ['go', 'go', 'go', 'refused', 'refused']);
  assert.deepEqual(logged, [{ source: 'x', requests: 3, settings: 'A_CAP' }]);
  await clock.advance(3_600_000);
  assert.deepEqual(take(4), ['go', 'go', 'go', 'refused']);
  assert.equal(logged.length, 2);
  const few = createPurse({ name: 'y', maxRequests: 1, maxUsd: Number.POSITIVE_INFINITY, usdEach: 0, settings: 'B' }, clock, log);
  assert.deepEqual([few.take(), few.take()?.tag], [null, 'refused']);
});
