import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleJson } from '../contract/errors.ts';
import { columnsOf, forTerminal, table, terminalWidth, wrapped } from './terminal.ts';

/** OSC 52 (clipboard), OSC 8, CSI, the 8-bit CSI, an override of the direction of text, a tag character. */
const HOSTILE = 'a\x1b]52;c;aGk=\x07\x1b]8;;http://x\x1b\\\x1b[2J\u009b31m\u202eb\u{e0041}';
const RAW = /[^\n\t\P{Cc}]|\p{Cf}/u;

test('no control or format character of a message, a table or data reaches the terminal raw; lines and tabs stay', () => {
  assert.doesNotMatch(forTerminal(HOSTILE), RAW);
  assert.match(forTerminal(HOSTILE), /\\u001b\]52.*\\u009b31m\\u202eb/);
  assert.equal(forTerminal('one\n\ttwo, Zürich ✓'), 'one\n\ttwo, Zürich ✓');
  assert.doesNotMatch(table(['A', 'B'], [[HOSTILE, 'x\ny']]).replace('\n', ''), RAW);
});

test('a table is as wide as the terminal at most, and the widest columns give way; elsewhere nothing is cut', () => {
  const rows = [['key_0123456789', 'a long label of a key that nobody can read at once', '12']];
  const wide = table(['KEY', 'LABEL', 'REQUESTS'], rows, { width: Number.POSITIVE_INFINITY });
  assert.ok(wide.includes(rows[0]?.[1] ?? '?'));
  const narrow = table(['KEY', 'LABEL', 'REQUESTS'], rows, { width: 40 }).split('\n');
  assert.deepEqual(narrow, ['KEY             LABEL           REQUESTS', 'key_0123456789  a long label …  12']);
  for (const width of [10, 20, 40])
    for (const line of table(['KEY', 'LABEL', 'REQUESTS'], rows, { width }).split('\n')) assert.ok(line.length <= width, line);
});

test('columns stand below each other and no line is too wide, whatever the script: ideographs and emoji take two columns, marks none', () => {
  assert.deepEqual(['靴', 'ランニング', '운동화', 'Ａ', '👟', 'e\u0301', 'ﾗﾝ', 'Ж', ''].map(columnsOf), [2, 10, 6, 2, 2, 1, 2, 1, 0]);
  const rows = [
    ['ランニングシューズ おすすめ', '1'],
    ['running shoes', '2'],
    ['zapatillas 👟👟', '3'],
  ];
  const lines = table(['KEYWORD', 'RANK'], rows).split('\n');
  assert.deepEqual(
    lines.map((line) => columnsOf(line.replace(/\w+$/, ''))),
    [29, 29, 29, 29],
  );
  for (const wrap of [false, true])
    for (let width = 12; width < 30; width++)
      for (const line of table(['KEYWORD', 'RANK'], rows, { width, wrap }).split('\n')) {
        assert.ok(columnsOf(line) <= width, line);
        assert.ok(line.isWellFormed(), 'no character is cut');
      }
  const [, first = ''] = table(['KEYWORD', 'RANK'], rows, { width: 16 }).split('\n');
  assert.equal(first, 'ランニン…   1');
});

test('JSON for a terminal is the same value', () => {
  const value = { text: HOSTILE, list: [1, null, 'x\ny'] };
  for (const indent of [0, 2]) {
    assert.doesNotMatch(visibleJson(value, indent), RAW);
    assert.deepEqual(JSON.parse(visibleJson(value, indent)), value);
  }
});

test('with wrap nothing is cut: cells go on in further lines, and a column keeps its longest word as long as others can give way', () => {
  const rows = [
    ['SerpApi', 'No key: SIGHTLINE_A_LONG_NAME, SERPAPI_KEY', 'results of both engines, paid'],
    ['x', 'In use', 'y'],
  ];
  const lines = table(['SOURCE', 'STATE', 'ABOUT'], rows, { width: 50, wrap: true }).split('\n');
  assert.deepEqual(lines, [
    'SOURCE   STATE                   ABOUT',
    'SerpApi  No key:                 results of both',
    '         SIGHTLINE_A_LONG_NAME,  engines, paid',
    '         SERPAPI_KEY',
    'x        In use                  y',
  ]);
  const letters = (text: string): string => [...text.replace(/\s/g, '')].sort().join('');
  for (const width of [24, 30, 50, 80, Number.POSITIVE_INFINITY]) {
    const text = table(['SOURCE', 'STATE', 'ABOUT'], rows, { width, wrap: true });
    assert.ok(
      text.split('\n').every((line) => line.length <= width),
      text,
    );
    assert.equal(letters(text), letters(`SOURCESTATEABOUT${rows.flat().join('')}`), text);
  }
  assert.deepEqual(wrapped('one https://example.com/long two three', 10), ['one', 'https://example.com/long', 'two three']);
  assert.deepEqual(wrapped('abcdefgh', 3, true), ['abc', 'def', 'gh']);
  assert.deepEqual([wrapped('', 5), wrapped('a  b', 9)], [[''], ['a  b']]);
});

test('a terminal that does not know its size cuts nothing', () => {
  assert.equal(terminalWidth(0), Number.POSITIVE_INFINITY);
  assert.equal(terminalWidth(80), 80);
});
