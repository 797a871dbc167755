import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ticksOf } from './ticks.ts';

test('ticks are round, reach the highest value, and are whole for counts', () => {
  assert.deepEqual(ticksOf(160, true), [0, 50, 100, 150, 200]);
  assert.deepEqual(ticksOf(3, true), [0, 1, 2, 3]);
  assert.deepEqual(ticksOf(0, true), [0, 1]);
  assert.deepEqual(ticksOf(0.22, false), [0, 0.1, 0.2, 0.3]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), (highest) => {
      const ticks = ticksOf(highest, true);
      assert.ok(ticks.length >= 2 && ticks.length <= 6 && Number(ticks.at(-1)) >= highest, `${highest}: ${ticks}`);
      assert.ok(ticks.every(Number.isInteger));
    }),
  );
});
