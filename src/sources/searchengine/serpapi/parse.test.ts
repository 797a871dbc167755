import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SerpInput } from '../result.ts';
import { readBody } from './parse.ts';

const input: SerpInput = { keyword: 'tea', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' };
const tagOf = (engine: string, asked: SerpInput = input): string =>
  readBody(
    { search_parameters: { engine }, organic_results: [{ position: 1, title: 'Tea', link: 'https://tea.example/' }] },
    asked,
    1_700_000_000_000,
  ).tag;

test('light variants of an engine are accepted; another vertical or another engine is not', () => {
  assert.equal(tagOf('google'), 'found');
  assert.equal(tagOf('google_light'), 'found');
  assert.equal(tagOf('google_light_fast'), 'found');
  for (const other of ['google_maps', 'google_images_light', 'google_shopping', 'bing']) assert.equal(tagOf(other), 'changed', other);
  assert.equal(tagOf('google_light', { ...input, engine: 'engine_b' }), 'changed');
});

test('what forums, films and profiles have in place of an address is no breadcrumb, and nothing unread', () => {
  const lines = ['https://tea.example › pots', '8.2K+ followers', '50+ comments · 3 years ago'];
  const organic_results = lines.map((displayed_link, i) => ({ title: `Tea ${i}`, link: `https://tea.example/${i}`, displayed_link }));
  const outcome = readBody({ search_parameters: { engine: 'google' }, organic_results }, input, 0);
  assert.ok(outcome.tag === 'found');
  assert.deepEqual(
    outcome.resource.result.organic.map(({ breadcrumb }) => breadcrumb),
    ['https://tea.example › pots', null, null],
  );
  assert.equal((outcome.unread ?? []).includes('organic.breadcrumb'), false);
});
