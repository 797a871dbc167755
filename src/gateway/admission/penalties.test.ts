import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPenalties, createTakeLimits, type LimitRule, type SharedPenalties } from './rate-limits.ts';

const rule = { ratePerSecond: 2, burst: 3 };
const penaltiesOf = (name: string, own: LimitRule = rule, shared?: SharedPenalties) =>
  createPenalties(name, createTakeLimits(), 'address', own, shared);

test('a key waits after its burst, and only that key', async () => {
  const penalties = penaltiesOf('wrong');
  for (let i = 0; i < 3; i++) {
    assert.equal(penalties.waitMs('a', 0), 0);
    await penalties.penalize('a', 0);
  }
  assert.deepEqual([penalties.waitMs('a', 0), penalties.waitMs('a', 499), penalties.waitMs('b', 0)], [500, 1, 0]);
  assert.equal(penalties.waitMs('a', 500), 0);
  await penalties.penalize('a', 500);
  assert.equal(penalties.waitMs('a', 500), 500);
  assert.equal(penalties.waitMs('a', 10_000), 0);
  await penalties.penalize('a', 10_000);
  assert.equal(penalties.waitMs('a', 10_000), 0, 'the whole burst is available again');
});

test('a failure beyond the burst is refused and not counted', async () => {
  const penalties = penaltiesOf('wrong');
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(() => penalties.penalize('a', 0))), [true, true, true, false, false]);
  assert.equal(penalties.waitMs('a', 0), 500);
});

test('with `overrun`, failures counted after the fact lengthen the wait, up to that number', async () => {
  const penalties = penaltiesOf('uncharged', { ...rule, overrun: 3 });
  for (let i = 0; i < 10; i++) await penalties.penalize('a', 0);
  assert.equal(penalties.waitMs('a', 0), 2_000, 'one for the next, three beyond the burst');
});

test('a wait is published to other gateways once, and received waits apply', async () => {
  const told: [string, number][] = [];
  let hear: (key: string, waitMs: number, nowMs: number) => void = () => assert.fail('nobody listens');
  const sharedPenalties: SharedPenalties = {
    tell: (...wait) => void told.push(wait),
    listen: (heard) => {
      hear = heard;
    },
  };
  const penalties = penaltiesOf('wrong', rule, sharedPenalties);
  for (let i = 0; i < 5; i++) await penalties.penalize('a', 0);
  assert.deepEqual(told, [['wrong a', 500]]);
  hear('wrong b', 900, 0);
  hear('another c', 900, 0);
  hear('wrong a', 100, 0);
  assert.deepEqual([penalties.waitMs('a', 0), penalties.waitMs('b', 0), penalties.waitMs('c', 0)], [500, 900, 0]);
});

test('limits that are counted elsewhere answer with a promise', async () => {
  const take = createTakeLimits();
  const penalties = createPenalties('wrong', async (...asked) => take(...asked), 'address', rule);
  for (let i = 0; i < 3; i++) assert.equal(await penalties.penalize('a', 0), true);
  assert.equal(penalties.waitMs('a', 0), 500);
});
