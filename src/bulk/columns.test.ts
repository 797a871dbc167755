import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInput } from '../contract/lists/input.ts';
import { OPERATIONS, type OperationId } from '../contract/operations/index.ts';
import { formOf, type Guess, guessForm, lackingIn, repaired } from './columns.ts';
import { understanding } from './values.ts';

const guess = (text: string, id: OperationId = 'serp', name = 'file.csv'): Guess => guessForm(text, name, OPERATIONS[id]);

test('separator, header, columns and the decimal sign are told from a file of a German spreadsheet', () => {
  const found = guess('Suchbegriff;Land;Tiefe;Kommentar\nlaufschuhe;Deutschland;20,0;Mara\nscarpe;Italien;10,0;\n');
  assert.deepEqual(found, {
    format: 'csv',
    separator: ';',
    hasHeader: true,
    names: ['Suchbegriff', 'Land', 'Tiefe', 'Kommentar'],
    holds: ['keyword', 'location', 'depth', null],
    decimal: ',',
  });
});

test('a plain list, NDJSON and a list with commas in its lines are no tables', () => {
  assert.equal(guess('running shoes\ntrail shoes, red\n', 'serp', 'words.txt').format, 'list');
  assert.equal(guess('{"keyword":"a"}\n', 'serp', 'x').format, 'ndjson');
  assert.deepEqual(guess('Domain\nacme.com\n', 'registration').holds, ['domain']);
});

test('without a header the required parameter is found by its values, and no line is taken for a header', () => {
  const found = guess('1;acme.com;x\n2;acme.org;y\n', 'registration');
  assert.deepEqual([found.hasHeader, found.names, found.holds], [false, ['column 1', 'column 2', 'column 3'], [null, 'domain', null]]);
});

test('what is missing is named; a column that is left out keeps a name that no parameter has', () => {
  const found = guess('keyword,depth\na,10\n');
  assert.deepEqual(lackingIn(OPERATIONS.serp, [null, 'depth']), ['keyword']);
  assert.deepEqual(formOf(found, ['keyword', null], OPERATIONS.serp).columns, ['keyword', 'depth (2)']);
});

test('a mapped file gives the lookups, with what was read in place of names and spreadsheet numbers', async () => {
  const text = 'Suchbegriff;Land;Tiefe\nlaufschuhe;Deutschland;20,0\nx;XX;10\nlaufschuhe;de;20\n';
  const found = guess(text);
  const bad: string[] = [];
  const plan = await readInput(
    text,
    {
      name: 'file.csv',
      operation: OPERATIONS.serp,
      form: formOf(found, found.holds, OPERATIONS.serp),
      understand: understanding({ decimal: found.decimal, languageOfCountry: true }),
    },
    (line, why) => bad.push(`${line}: ${why}`),
  );
  assert.deepEqual(
    plan.lookups.map((lookup) => [lookup.line, plan.read(lookup).input, lookup.first?.line]),
    [
      [2, { keyword: 'laufschuhe', location: 'DE', language: 'de', device: 'desktop', depth: 20, engine: 'engine_a' }, undefined],
      [4, { keyword: 'laufschuhe', location: 'DE', language: 'de', device: 'desktop', depth: 20, engine: 'engine_a' }, 2],
    ],
  );
  assert.deepEqual(bad, ['3: Parameter location is "XX", but it must be an assigned ISO 3166-1 alpha-2 country code, such as US.']);
  const [first] = plan.lookups;
  assert.ok(first);
  assert.deepEqual(plan.textsOf(first), { keyword: 'laufschuhe', location: 'Deutschland', depth: '20,0' });
});

test('a repaired line stands in its place, and the numbers of the others stay', () => {
  const text = 'keyword,depth\na,10\n,10\nc,500';
  assert.equal(
    repaired(
      text,
      ',',
      new Map([
        [3, 'b,10'],
        [4, 'c,50'],
      ]),
    ),
    'keyword,depth\na,10\nb,10\nc,50',
  );
});
