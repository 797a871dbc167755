import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPenalties, createTakeLimits, type LimitRule } from './rate-limits.ts';

const rule = { ratePerSecond: 2, burst: 3 };
const penaltiesOf = (name: string, own: LimitRule = rule) => createPenalties(name, createTakeLimits(), 'address', own);

test('a key waits after its burst, and only that key', async () => {
  const penalties = penaltiesOf('wrong');
  for (let i = 0; i < 3; i++) {
    assert.equal(penalties.waitMs('a', 0), 0);
    await penalties.penalize('a', 0);
  }
  const waits = [penalties.waitMs('a', 0), penalties.waitMs('a', 499), penalties.waitMs('b', 0)];
  assert.deepEqual(waits, [500, 1, 0]);
  assert.equal(penalties.waitMs('a', 500), 0);
  await penalties.penalize('a', 500);
  assert.equal(penalties.waitMs('a', 500), 500);
  assert.equal(penalties.waitMs('a', 10_000), 0);
  await penalties.penalize('a', 10_000);
  assert.equal(penalties.waitMs('a', 10_000), 0, 'the whole burst is available again');
});

test('a failure beyond the burst is refused and not counted', async () => {
  const penalties = penaltiesOf('wrong');
  const counted = await Promise.all([1, 2, 3, 4, 5].map(() => penalties.penalize('a', 0)));
  assert.deepEqual(
    counted.map(({ ok }) => ok),
    [true, true, true, false, false],
  );
  assert.equal(penalties.waitMs('a', 0), 500);
  assert.equal((await penalties.penalize('b', 0)).ok, true, 'another key has its own burst');
});

test('a wait that is longer than the rule allows is that of a clock that was set back', async () => {
  const penalties = penaltiesOf('wrong');
  for (let i = 0; i < 3; i++) await penalties.penalize('a', 0);
  assert.deepEqual([penalties.waitMs('a', -1_000), penalties.waitMs('a', -1_001)], [1_500, 0]);
});

test('with `overrun`, failures counted after the fact lengthen the wait, up to that number', async () => {
  const penalties = penaltiesOf('uncharged', { ...rule, overrun: 3 });
  for (let i = 0; i < 10; i++) await penalties.penalize('a', 0);
  assert.equal(penalties.waitMs('a', 0), 2_000, 'one for the next, three beyond the burst');
});

test('a wait is read together with other limits: it ends the counting of those that follow', async () => {
  const takeLimits = createTakeLimits();
  const penalties = createPenalties('wrong', takeLimits, 'address', rule);
  const account = { limiter: 'account', key: 'a', rule } as const;
  for (let i = 0; i < 3; i++) {
    assert.equal(takeLimits([penalties.limitOf('a'), account], 0).length, 2);
    await penalties.penalize('a', 0);
  }
  assert.deepEqual(
    takeLimits([penalties.limitOf('a'), account], 0).map(({ ok, waitMs }) => [ok, waitMs]),
    [[false, 500]],
  );
});

test('limits that are counted elsewhere answer with a promise', async () => {
  const take = createTakeLimits();
  const penalties = createPenalties('wrong', async (...asked) => take(...asked), 'address', rule);
  for (let i = 0; i < 3; i++) assert.equal((await penalties.penalize('a', 0)).ok, true);
  assert.equal(penalties.waitMs('a', 0), 500);
});

test('after the clock was set back nobody waits longer than the rule says', async () => {
  const penalties = penaltiesOf('wrong');
  for (let i = 0; i < 3; i++) await penalties.penalize('a', 3_600_000);
  assert.equal(penalties.waitMs('a', 3_600_000), 500);
  assert.equal(penalties.waitMs('a', 0), 0);
});
