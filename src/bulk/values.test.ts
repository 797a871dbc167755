import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../contract/operations/index.ts';
import { codeNamed } from '../contract/parameters/code-names.ts';
import { decoded, encodingOf, noText } from './encoding.ts';
import { languageOf, meantBy } from './values.ts';

const parameter = (name: string) => {
  const found = OPERATIONS.serp.parameters.find((p) => p.name === name);
  if (!found) throw new Error(name);
  return found;
};

test('countries and languages are read by their names in many languages', () => {
  const read = (kind: 'region' | 'language', names: readonly string[]) => names.map((name) => codeNamed(kind, name));
  assert.deepEqual(
    read('region', ['Deutschland', 'germany', 'Allemagne', 'Italien', 'USA', 'UK', ' Japan', '日本', 'Österreich', 'Holland']),
    [...['DE', 'DE', 'DE', 'IT', 'US', 'GB', 'JP', 'JP', 'AT', 'NL']],
  );
  assert.deepEqual(read('language', ['German', 'Deutsch', 'français', 'Español', '日本語']), ['de', 'de', 'fr', 'es', 'ja']);
  assert.deepEqual(read('region', ['XX', '', 'Atlantis']), [null, null, null]);
});

test('the language of a country is one that the service knows', () => {
  assert.deepEqual(['DE', 'US', 'AT', 'BR', 'JP', 'XX'].map(languageOf), ['de', 'en', 'de', 'pt', 'ja', languageOf('XX')]);
});

test('numbers are read with their decimal sign; a fraction is no whole number', () => {
  const depth = (text: string, decimal: '.' | ',') => meantBy(parameter('depth'), text, { decimal });
  assert.deepEqual(
    [depth('10,0', ','), depth('10.0', '.'), depth('10,5', ','), depth('10.000', ','), depth('1.0', ',')],
    ['10', '10', null, null, null],
  );
  assert.equal(depth('10,0', '.'), null);
});

test('a value in another case, or by another word, is the value', () => {
  const words = new Map([['google', 'engine_a']]);
  assert.equal(meantBy(parameter('device'), 'Mobile', { decimal: '.' }), 'mobile');
  assert.equal(meantBy(parameter('engine'), 'Google', { decimal: '.', words }), 'engine_a');
  assert.equal(meantBy(parameter('engine'), 'Yahoo', { decimal: '.', words }), null);
});

test('the encoding is told by its marks and bytes; a file of a spreadsheet program is refused with the cure', () => {
  const latin = Uint8Array.from([...'schuhe für'].map((c) => c.charCodeAt(0)));
  assert.equal(decoded(latin, encodingOf(latin)), 'schuhe für');
  assert.equal(encodingOf(latin), 'windows-1252');
  const wide = new Uint8Array(Buffer.from('\ufeffschuhe\n', 'utf16le'));
  assert.equal(decoded(wide, encodingOf(wide)), 'schuhe\n');
  assert.equal(encodingOf(new TextEncoder().encode('日本語')), 'utf-8');
  assert.match(noText(Uint8Array.from([0x50, 0x4b, 3, 4]), 'a.xlsx') ?? '', /a\.xlsx is a file of a spreadsheet program: save it as CSV/);
  assert.equal(noText(latin, 'a.csv'), null);
});
