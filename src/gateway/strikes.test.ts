import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter, type Limiter } from './limits.ts';
import { createStrikes } from './strikes.ts';

const rule = { ratePerSecond: 2, burst: 3 };

test('who has had the burst waits for the next one, and only that key does', () => {
  const strikes = createStrikes('wrong', createLimiter(), rule);
  for (let i = 0; i < 3; i++) {
    assert.equal(strikes.waitMs('a', 0), 0);
    strikes.strike('a', 0);
  }
  assert.deepEqual([strikes.waitMs('a', 0), strikes.waitMs('a', 499), strikes.waitMs('b', 0)], [500, 1, 0]);
  assert.equal(strikes.waitMs('a', 500), 0);
  strikes.strike('a', 500);
  assert.equal(strikes.waitMs('a', 500), 500);
  assert.equal(strikes.waitMs('a', 10_000), 0);
  strikes.strike('a', 10_000);
  assert.equal(strikes.waitMs('a', 10_000), 0, 'all is forgiven by then');
});

test('a shared limiter may answer later, or not at all', async () => {
  const inner = createLimiter();
  let away = false;
  const shared: Limiter = { take: async (...asked) => (away ? Promise.reject(new Error('away')) : inner.take(...asked)) };
  const strikes = createStrikes('wrong', shared, rule);
  for (let i = 0; i < 3; i++) strikes.strike('a', 0);
  await new Promise((done) => setImmediate(done));
  assert.equal(strikes.waitMs('a', 0), 500);
  away = true;
  strikes.strike('b', 0);
  await new Promise((done) => setImmediate(done));
  assert.equal(strikes.waitMs('b', 0), 0);
});
