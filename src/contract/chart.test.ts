import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { courseOf, spread, ticksOf } from './chart.ts';

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

test('a day without a value is a gap of the line', () => {
  const line = (value: number): number => value;
  assert.equal(courseOf([1, 2, null, 4, null], line, line), 'M0 1L1 2M3 4');
});

test('labels keep their order and distance, and stay inside', () => {
  assert.deepEqual(spread([10, 50], 16, 0, 100), [10, 50]);
  assert.deepEqual(spread([50, 52, 51], 16, 0, 100), [50, 82, 66]);
  assert.deepEqual(spread([99, 98], 16, 0, 100), [100, 84]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 6 }), (heights) => {
      const placed = [...spread(heights, 16, 0, 200)].sort((a, b) => a - b);
      assert.ok(placed.every((height, i) => height >= 0 && height <= 200 && (i === 0 || height - (placed[i - 1] ?? 0) >= 16)));
    }),
  );
});
