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

test('parameters are texts or numbers, as the schema says; what stands twice counts once, and a target is named once', () => {
  for (const value of [{ a: 1 }, null, ['a'], true]) {
    const body = bodyWith('serp', { keyword: 'shoes', depth: value }, null);
    assert.ok(!Value.Check(NewWatch, body));
    assert.throws(() => readNewWatch(body), /Field parameters\/depth is .*, but it must be a text, or a number/);
  }
  assert.deepEqual(readNewWatch(bodyWith('serp', { keyword: 'shoes', depth: 20 }, null)).parameters, { keyword: 'shoes', depth: '20' });
  const twice = {
    ...app({ path: 'rating', least: 1 }, 'name', 'name', { path: 'rating', least: 1 }, { path: 'rating', least: 2 }),
    tags: ['a', 'b', 'a'],
  };
  const read = readNewWatch(twice);
  assert.deepEqual(read.fields, [{ path: 'rating', least: 1 }, 'name', { path: 'rating', least: 2 }]);
  assert.deepEqual(read.tags, ['a', 'b']);
  const notify = [{ to: 'https://ntfy.sh/mine' }, { to: 'https://ntfy.sh/mine', as: 'text' }];
  assert.throws(() => readNewWatch({ ...app('name'), notify }), /Field notify\/1\/to is .*, but it must be named once/);
});

test('the default fields by name are the default fields', () => {
  assert.equal(readNewWatch(serp(...OPERATIONS.serp.watch.fields)).fields, null);
  assert.deepEqual(readNewWatch(serp('organic.url')).fields, ['organic.url']);
});

test('the limits of the settings are those of the schema: a value at the limit is accepted, one beyond is refused with what it must be', () => {
  const base = bodyWith('registration', { domain: 'acme-widgets.com' }, null);
  const tags = (count: number, tag: string) => Array.from({ length: count }, (_, i) => `${i}${tag}`);
  const cases: readonly (readonly [name: string, accepted: unknown, refused: unknown, must: string])[] = [
    ['every', '7d', 'hourly', 'must be one of 1h, 6h, 12h, 1d, 7d'],
    ['creditsPerMonth', 1_000_000_000, 1_000_000_001, 'must be a whole number from 1 to 1000000000'],
    ['creditsPerMonth', 1, 0, 'must be a whole number from 1 to 1000000000'],
    ['creditsPerMonth', 31, 1.5, 'must be a whole number from 1 to 1000000000'],
    ['name', 'é'.repeat(100), 'é'.repeat(101), 'must be one line of 1 to 100 characters, or null'],
    ['name', null, 'a\nb', 'must be one line of 1 to 100 characters, or null'],
    ['name', ' a', '', 'must be one line of 1 to 100 characters, or null'],
    ['name', 'a', ' ', 'must be one line of 1 to 100 characters, or null'],
    ['tags', tags(10, 'x'.repeat(39)), tags(11, 'x'), 'must be a list of at most 10 texts of 1 to 40 characters'],
    ['tags', [], [' '], 'must be a list of at most 10 texts of 1 to 40 characters'],
    ['tags', ['a b'], ['x'.repeat(41)], 'must be a list of at most 10 texts of 1 to 40 characters'],
    ['paused', true, 1, 'must be true or false'],
    ['due', [3_650, 0], [3_651], 'must be a list of at most 10 whole numbers from 0 to 3650, or null'],
    ['due', null, 7, 'must be a list of at most 10 whole numbers from 0 to 3650, or null'],
  ];
  for (const [name, accepted, refused, must] of cases) {
    assert.ok(Value.Check(NewWatch, { ...base, [name]: accepted }), `${name} by the schema`);
    readNewWatch({ ...base, [name]: accepted });
    assert.ok(!Value.Check(NewWatch, { ...base, [name]: refused }), `${name} by the schema`);
    assert.throws(
      () => readNewWatch({ ...base, [name]: refused }),
      (error: Error) => error.message.startsWith(`Field ${name} is `) && error.message.endsWith(`, but it ${must}.`),
      `${name}: ${must}`,
    );
  }
});
