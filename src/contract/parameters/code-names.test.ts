import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTRIES, codeNamed } from './code-names.ts';

test('a country is known by its English name, its own, and what people say', () => {
  const meant = {
    Germany: 'DE',
    deutschland: 'DE',
    España: 'ES',
    espana: 'ES',
    'United States': 'US',
    USA: 'US',
    'the U.S.A.': null,
    UK: 'GB',
    'Côte d’Ivoire': 'CI',
    日本: 'JP',
    'South Korea': 'KR',
    Türkiye: 'TR',
    Turkey: 'TR',
    Atlantis: null,
    '': null,
  };
  assert.deepEqual(Object.fromEntries(Object.keys(meant).map((name) => [name, codeNamed('region', name)])), meant);
});

test('every assigned country has its own English name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  for (const code of COUNTRIES) assert.equal(codeNamed('region', names.of(code) ?? ''), code);
});
