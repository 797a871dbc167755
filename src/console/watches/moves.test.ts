import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movesOf } from './moves.ts';

const check = (places: Readonly<Record<string, number | null>>) => ({
  series: Object.entries(places).map(([key, value]) => ({ field: 'organic.rank', key, value })),
});

test('moves of a site are the sum of its steps over its known places, whatever it did meanwhile', () => {
  const checks = [check({ still: 1, mover: 2, gap: 5 }), check({ still: 1, mover: 6, gap: null }), check({ still: 1, mover: 2, gap: 7 })];
  assert.deepEqual(
    [...movesOf(checks, 'organic.rank')],
    [
      ['still', 0],
      ['mover', 8],
      ['gap', 2],
    ],
  );
  assert.equal(movesOf(checks, 'paid.rank').size, 0);
});
