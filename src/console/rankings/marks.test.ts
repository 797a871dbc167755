import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksOf } from './marks.ts';

const day = (name: string, sources: string[], depths: number[], keywords = 2) => ({
  day: name,
  keywords,
  sources,
  depths,
});

test('a day is marked where sources or depths are others than on the answered day before it', () => {
  const marks = marksOf([
    day('a', ['one'], [20]),
    day('b', ['one'], [20]),
    day('gap', [], [], 0),
    day('c', ['one'], [20, 50]),
    day('d', ['one', 'two'], [50]),
    day('unstated', [], [50]),
    day('e', ['two'], [50]),
  ]);
  assert.deepEqual(
    [...marks],
    [
      ['c', 'Results asked for: 20 and 50, before it 20.'],
      ['d', 'Source: one and two, before it one. Results asked for: 50, before it 20 and 50.'],
    ],
  );
  assert.deepEqual([...marksOf([])], []);
});
