import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { OPERATIONS } from '../operations/index.ts';
import { readNewWatch } from './watch-input.ts';
import { NewWatch } from './watch-schemas.ts';

const bodyWith = (operation: string, parameters: object, fields: unknown) => ({
  ...{ operation, parameters, every: '1d', creditsPerMonth: 31 },
  fields,
});
const app = (...fields: unknown[]) => bodyWith('app', { handle: 'acme-reviews' }, fields);
const serp = (...fields: unknown[]) => bodyWith('serp', { keyword: 'shoes' }, fields);

test('thresholds: one of three for a number, also a fraction; what the schema accepts is accepted', () => {
  const accepted = [
    app({ path: 'rating', least: 0.1 }),
    app({ path: 'reviewCount', leastShare: 0.05 }),
    serp({ path: 'organic[www.acme-widgets.com].rank', crosses: 10 }),
  ];
  for (const body of accepted) {
    assert.ok(Value.Check(NewWatch, body), JSON.stringify(body));
    assert.deepEqual(readNewWatch(body).fields, body.fields);
  }
  for (const [body, words] of [
    [app({ path: 'rating', least: 0 }), /above 0/],
    [app({ path: 'rating', leastShare: -1 }), /above 0/],
    [app({ path: 'rating', least: 1, crosses: 4 }), /with one of/],
    [app({ path: 'rating' }), /with one of/],
  ] as const) {
    assert.ok(!Value.Check(NewWatch, body), JSON.stringify(body));
    assert.throws(() => readNewWatch(body), words);
  }
  for (const path of ['organic', 'organic.title', 'aiOverview', 'organic[www.acme-widgets.com]'])
    assert.throws(() => readNewWatch(serp({ path, least: 2 })), /must name a number of serp/, path);
});

test('the default fields by name are the default fields', () => {
  assert.equal(readNewWatch(serp(...OPERATIONS.serp.watch.fields)).fields, null);
  assert.deepEqual(readNewWatch(serp('organic.url')).fields, ['organic.url']);
});
