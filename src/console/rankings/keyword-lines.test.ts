import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decoded, linesInWords, readFile, readLines } from './keyword-lines.ts';

test('a line that is there twice, is watched already or is too long is left out by its number', () => {
  const read = readLines(
    'trail shoes\n\n  running shoes \r\nTrail  Shoes\nwide shoes\nWide shoes\nmarathon\n'.concat('x'.repeat(701)),
    new Set(['marathon']),
  );
  assert.deepEqual(read.fresh, [
    { line: 1, keyword: 'trail shoes' },
    { line: 3, keyword: 'running shoes' },
    { line: 5, keyword: 'wide shoes' },
  ]);
  assert.equal(
    linesInWords(read),
    '7 lines: 3 new, 2 twice (lines 4, 6), 1 already watched (line 7), 1 longer than 700 characters (line 8).',
  );
  assert.equal(linesInWords(readLines('one', new Set())), '1 line: 1 new.');
  assert.match(linesInWords(readLines('a\n'.repeat(20), new Set())), /19 twice \(lines 2, 3, 4, 5, 6, 7, 8, 9 and 11 more\)/);
});

test('of a table the column of keywords is guessed by its name, and any other can be chosen', () => {
  const table = readFile('Clicks;Top queries;Country\n5;"running; shoes";US\n3;schuhe\n', true);
  assert.deepEqual([table.columns, table.guess], [['Clicks', 'Top queries', 'Country'], 1]);
  assert.equal(table.textOf(1), 'running; shoes\nschuhe');
  assert.equal(table.textOf(2), 'US\n');
  const bare = readFile('running shoes,10\nwide shoes,20', true);
  assert.deepEqual([bare.columns, bare.guess, bare.textOf(0)], [['Column 1', 'Column 2'], 0, 'running shoes\nwide shoes']);
  const list = readFile('shoes, red\nshoes, blue', false);
  assert.equal(list.textOf(0), 'shoes, red\nshoes, blue');
});

test('files of spreadsheets are read whatever their encoding is', () => {
  const text = 'Größe\n靴';
  assert.equal(decoded(new TextEncoder().encode(`\ufeff${text}`)), text);
  assert.equal(decoded(new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))), text);
  assert.equal(decoded(new Uint8Array(Buffer.from('Größe', 'latin1'))), 'Größe');
});
