import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, movesOf } from './moves.ts';

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

test('the chart has the entries that are named first, then those that moved most: six lines, no entry twice', () => {
  const url = (site: string) => `https://${site}/page`;
  const places = (step: number) => ({
    [url('own.example')]: 1 + step,
    [url('still.example')]: 2,
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [url(`m${n}.example`), 3 + n * step])),
  });
  const named = { field: 'organic[own.example].rank', key: null };
  const checks = [0, 1, 0].map((step) => ({ series: [{ ...named, value: 1 + step }, ...check(places(step)).series] }));
  const lines = linesOf(checks, 'organic.rank');
  assert.deepEqual(
    lines.map(({ name }) => name),
    ['own.example', ...[6, 5, 4, 3, 2].map((n) => url(`m${n}.example`))],
  );
  assert.deepEqual([lines[0]?.path, lines[0]?.key, lines[1]?.path], ['organic[own.example].rank', null, 'organic.rank']);
  const calm = [0, 0].map(() => ({ series: [{ ...named, value: 1 }, ...check({ [url('still.example')]: 2 }).series] }));
  assert.deepEqual(
    linesOf(calm, 'organic.rank').map(({ name }) => name),
    ['own.example'],
    'nothing else moved',
  );
  assert.equal(linesOf([check({ a: 1, b: 2 })], 'organic.rank').length, 2, 'none is named');
  assert.deepEqual(linesOf([{ series: [{ field: 'visits', key: null, value: 5 }] }], 'visits'), [
    { path: 'visits', key: null, name: null },
  ]);
});
