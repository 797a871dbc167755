import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnOf, linesOf } from './moves.ts';

const url = (site: string, page = 'page') => `https://${site}/${page}`;
const check = (places: Readonly<Record<string, number | null>>) => ({
  series: Object.entries(places).map(([key, value]) => ({ field: 'organic.rank', key, value })),
});
const namesOf = (lines: readonly { readonly name: string | null }[]) => lines.map(({ name }) => name);

test('moves of a site are the sum of its steps over its known places, whatever it did meanwhile; the one that moved most is first', () => {
  const checks = [check({ still: 1, gap: 5, mover: 2 }), check({ still: 1, gap: null, mover: 6 }), check({ still: 1, gap: 7, mover: 2 })];
  assert.deepEqual(
    linesOf(checks, 'organic.rank').map(({ name, moves, values }) => [name, moves, values]),
    [
      ['mover', 8, [2, 6, 2]],
      ['gap', 2, [5, null, 7]],
      ['still', 0, [1, 1, 1]],
    ],
  );
  assert.deepEqual(linesOf(checks, 'paid.rank'), []);
});

test('pages of a site are one line, of which the best placed counts; a page that a watch names is a line of its own', () => {
  const checks = [check({ [url('a.example', '1')]: 2, [url('a.example', '2')]: 5 }), check({ [url('a.example', '2')]: 3 })];
  assert.deepEqual(
    linesOf(checks, 'organic.rank').map(({ name, values }) => [name, values]),
    [['a.example', [2, 3]]],
  );
  const named = { field: `organic[${url('a.example', '2')}].rank`, key: null };
  const own = checks.map(({ series }, index) => ({ series: [{ ...named, value: 5 - 2 * index }, ...series] }));
  assert.deepEqual(
    linesOf(own, 'organic.rank').map(({ name, isOwn, values }) => [name, isOwn, values]),
    [
      [url('a.example', '2'), true, [5, 3]],
      ['a.example', false, [2, null]],
    ],
  );
});

test('the chart has the entries that are named first, then those that moved most or were chosen: six lines, no entry twice', () => {
  const places = (step: number) => ({
    [url('own.example')]: 1 + step,
    [url('still.example')]: 2,
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [url(`m${n}.example`), 3 + n * step])),
  });
  const named = { field: 'organic[own.example].rank', key: null };
  const checks = [0, 1, 0].map((step) => ({ series: [{ ...named, value: 1 + step }, ...check(places(step)).series] }));
  const lines = linesOf(checks, 'organic.rank');
  assert.equal(lines.length, 8);
  assert.deepEqual(namesOf(drawnOf(lines, [])), ['own.example', ...[6, 5, 4, 3, 2].map((n) => `m${n}.example`)]);
  assert.deepEqual(namesOf(drawnOf(lines, ['still.example', 'm1.example'])), ['own.example', 'm1.example', 'still.example']);
  assert.deepEqual(namesOf(drawnOf(lines, ['gone.example'])), namesOf(drawnOf(lines, [])), 'a name of no line chooses nothing');
  const calm = [0, 0].map(() => ({ series: [{ ...named, value: 1 }, ...check({ [url('still.example')]: 2 }).series] }));
  assert.deepEqual(namesOf(drawnOf(linesOf(calm, 'organic.rank'), [])), ['own.example'], 'nothing else moved');
  assert.equal(drawnOf(linesOf([check({ a: 1, b: 2 })], 'organic.rank'), []).length, 2, 'none is named');
  assert.deepEqual(linesOf([{ series: [{ field: 'visits', key: null, value: 5 }] }], 'visits'), [
    { name: null, isOwn: false, values: [5], moves: 0 },
  ]);
});
