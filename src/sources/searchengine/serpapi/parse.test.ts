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
