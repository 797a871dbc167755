import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../settings.ts';
import { describe } from './openapi/document.ts';
import { priceOf } from './prices.ts';

const serp = (depth: number) => ({ keyword: 'tea', depth }) as never;

test('prices of the setting count per operation, for search results per ten; what is not named costs 1', () => {
  const { SIGHTLINE_PRICES: prices } = readSettings({ SIGHTLINE_PRICES: '{"serp": 2, "short-video": 5}' });
  assert.deepEqual(
    [priceOf(prices, 'serp', serp(25)), priceOf(prices, 'serp', serp(25), 11), priceOf(prices, 'serp', serp(25), 0)],
    [6, 4, 1],
  );
  assert.deepEqual([priceOf(prices, 'short-video', {} as never), priceOf(prices, 'traffic', {} as never)], [5, 1]);
});

test('reading a page with no results costs 1', () => {
  assert.equal(priceOf({}, 'serp', serp(100), 0), 1);
});

test('the description shows the prices in force', () => {
  const text = JSON.stringify(describe({ prices: { serp: 2, traffic: 5 } }));
  assert.match(text, /Price: 2 credits for each ten results/);
  assert.match(text, /Price: 5 credits\. /);
  assert.match(JSON.stringify(describe()), /Price: 1 credit for each ten results/);
});

test('a wrong price list is refused with the name of the setting', () => {
  for (const text of ['x', '[]', '{"serp": 0}', '{"serp": 1.5}', '{"serp": "2"}', '{"nosuch": 2}', '{"serp": 1000001}', 'null'])
    assert.throws(() => readSettings({ SIGHTLINE_PRICES: text }), /SIGHTLINE_PRICES/, text);
});
