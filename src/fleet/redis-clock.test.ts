import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedisClock } from './redis-clock.ts';

test("the shortest of the last eight round trips says how far Redis' clock is ahead", () => {
  let ms = 0;
  const redis = createRedisClock(() => ms);
  redis.measure(100, 104, 1_102);
  redis.measure(200, 240, 1_235); // late on the way back
  assert.equal(redis.roundTripMs(), 4);
  assert.equal(redis.slackMs(), 12);
  ms = 500;
  assert.equal(redis.now(), 1_500);
  for (let i = 0; i < 8; i++) redis.measure(300 + 10 * i, 306 + 10 * i, 1_303 + 10 * i);
  assert.equal(redis.roundTripMs(), 6, 'the short one is forgotten');
});

test('a clock that was set outweighs what was measured before, and a long round trip is capped', () => {
  const redis = createRedisClock(() => 0);
  redis.measure(0, 2, 1);
  redis.measure(10, 20, 5_015);
  assert.deepEqual([redis.roundTripMs(), redis.now()], [10, 5_000]);
  redis.measure(30, 9_030, 9_999_999);
  assert.equal(redis.roundTripMs(), 2_000);
});
