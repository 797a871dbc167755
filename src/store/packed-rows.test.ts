import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Column, eachRow, type PackedCell, packRows } from './packed-rows.ts';

type Row = readonly [id: string | null, kind: string | null, n: number | null];
const COLUMNS: readonly Column<Row>[] = [
  { text: ([id]) => id, repeats: false },
  { text: ([, kind]) => kind, repeats: true },
  { number: ([, , n]) => n },
];

test('rows are unpacked as they were packed', () => {
  const rows: readonly Row[] = [
    ['a', 'x', 0],
    ['b', 'x', -1.5],
    ['', null, null],
    [null, 'y', Number.MAX_SAFE_INTEGER],
    ['a', '', 3],
  ];
  const unpacked: PackedCell[][] = [];
  eachRow(packRows(rows, COLUMNS), (cells) => unpacked.push([...cells]));
  assert.deepEqual(unpacked, rows);
});

test('a text that repeats is passed once', () => {
  const { texts } = packRows<Row>(
    [
      ['a', 'x', 1],
      ['b', 'x', 2],
    ],
    COLUMNS,
  );
  assert.deepEqual(texts, ['a', 'x', 'b']);
});

test('no rows, no calls', () => eachRow(packRows<Row>([], COLUMNS), () => assert.fail('called')));
