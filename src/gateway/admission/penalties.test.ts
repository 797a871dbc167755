import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter, createPenalties, type Limiter, type SharedPenalties } from './rate-limits.ts';

const rule = { ratePerSecond: 2, burst: 3 };

test('a key waits after its burst, and only that key', () => {
  const penalties = createPenalties('wrong', createLimiter(), rule);
  for (let i = 0; i < 3; i++) {
    assert.equal(penalties.waitMs('a', 0), 0);
    penalties.penalize('a', 0);
  }
  assert.deepEqual([penalties.waitMs('a', 0), penalties.waitMs('a', 499), penalties.waitMs('b', 0)], [500, 1, 0]);
  assert.equal(penalties.waitMs('a', 500), 0);
  penalties.penalize('a', 500);
  assert.equal(penalties.waitMs('a', 500), 500);
  assert.equal(penalties.waitMs('a', 10_000), 0);
  penalties.penalize('a', 10_000);
  assert.equal(penalties.waitMs('a', 10_000), 0, 'the whole burst is available again');
});

test('a failure beyond the burst is refused and not counted', () => {
  const penalties = createPenalties('wrong', createLimiter(), rule);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => penalties.penalize('a', 0)),
    [true, true, true, false, false],
  );
  assert.equal(penalties.waitMs('a', 0), 500);
});

test('with `overrun`, failures counted after the fact lengthen the wait, up to that number', () => {
  const penalties = createPenalties('uncharged', createLimiter(), { ...rule, overrun: 3 });
  for (let i = 0; i < 10; i++) penalties.penalize('a', 0);
  assert.equal(penalties.waitMs('a', 0), 2_000, 'one for the next, three beyond the burst');
});

test('a wait is published to other gateways once, and received waits apply', () => {
  const told: [string, number][] = [];
  let hear: (key: string, waitMs: number, nowMs: number) => void = () => assert.fail('nobody listens');
  const sharedPenalties: SharedPenalties = {
    tell: (...wait) => void told.push(wait),
    listen: (heard) => {
      hear = heard;
    },
  };
  const penalties = createPenalties('wrong', createLimiter(), rule, sharedPenalties);
  for (let i = 0; i < 5; i++) penalties.penalize('a', 0);
  assert.deepEqual(told, [['wrong a', 500]]);
  hear('wrong b', 900, 0);
  hear('another c', 900, 0);
  hear('wrong a', 100, 0);
  assert.deepEqual([penalties.waitMs('a', 0), penalties.waitMs('b', 0), penalties.waitMs('c', 0)], [500, 900, 0]);
});

test('a shared limiter may answer with a promise, or fail', async () => {
  const inner = createLimiter();
  let away = false;
  const shared: Limiter = { take: async (...asked) => (away ? Promise.reject(new Error('away')) : inner.take(...asked)) };
  const penalties = createPenalties('wrong', shared, rule);
  for (let i = 0; i < 3; i++) penalties.penalize('a', 0);
  await new Promise((done) => setImmediate(done));
  assert.equal(penalties.waitMs('a', 0), 500);
  away = true;
  penalties.penalize('b', 0);
  await new Promise((done) => setImmediate(done));
  assert.equal(penalties.waitMs('b', 0), 0);
});
