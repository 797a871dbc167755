import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../settings.ts';
import { describe } from '../openapi/document.ts';
import { priceOf } from './index.ts';

const serp = (depth: number) => ({ keyword: 'tea', location: 'US', language: 'en', device: 'desktop', depth, engine: 'engine_a' }) as const;
const video = { url: 'https://www.tiktok.com/@acme/video/7301234567890123456' };

test('configured prices apply per operation, to search results per ten; the default is 1', () => {
  const { SIGHTLINE_PRICES: prices } = readSettings({ SIGHTLINE_PRICES: '{"serp": 2, "short-video": 5}' });
  assert.deepEqual(
    [priceOf(prices, 'serp', serp(25)), priceOf(prices, 'serp', serp(25), 11), priceOf(prices, 'serp', serp(25), 0)],
    [6, 4, 1],
  );
  assert.deepEqual([priceOf(prices, 'short-video', video), priceOf(prices, 'traffic', { domain: 'a.com' })], [5, 1]);
});

test('the setting accepts operation ids in camelCase too, and each operation once', () => {
  assert.deepEqual(readSettings({ SIGHTLINE_PRICES: '{"shortVideo": 5}' }).SIGHTLINE_PRICES, { 'short-video': 5 });
  assert.throws(() => readSettings({ SIGHTLINE_PRICES: '{"shortVideo": 5, "short-video": 6}' }), /SIGHTLINE_PRICES/);
});

test('a page without results costs 1', () => {
  assert.equal(priceOf({}, 'serp', serp(100), 0), 1);
});

test('the description shows the configured prices', () => {
  const text = JSON.stringify(describe({ prices: { serp: 2, traffic: 5 } }));
  assert.match(text, /Price: 2 credits per 10 results/);
  assert.match(text, /Price: 5 credits\. /);
  assert.match(JSON.stringify(describe()), /Price: 1 credit per 10 results/);
});

test('an invalid price list is refused with the name of the setting', () => {
  for (const text of ['x', '[]', '{"serp": 0}', '{"serp": 1.5}', '{"serp": "2"}', '{"nosuch": 2}', '{"serp": 1000001}', 'null'])
    assert.throws(() => readSettings({ SIGHTLINE_PRICES: text }), /SIGHTLINE_PRICES/, text);
});
