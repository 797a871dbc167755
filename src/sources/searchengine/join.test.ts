import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked } from '../../../test/searchengine/fixture.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { blocked, found } from '../outcome.ts';
import { joinPages } from './join.ts';
import { type PageRead, type SerpInput, searchResult } from './result.ts';

const input = asked('x', { depth: 25 });
const page = (urls: readonly string[], more: Partial<PageRead> = {}) => {
  const organic = urls.map((url, i) => ({
    rank: i + 1,
    absoluteRank: i + 3,
    domain: 'a.example',
    url,
    title: url,
    description: null,
    breadcrumb: null,
    websiteName: null,
    isFeaturedSnippet: false,
    rating: null,
  }));
  const result = searchResult(input, 0, {
    totalResults: 99,
    features: ['paid', 'organic'],
    organic,
    relatedSearches: ['One', 'two'],
  });
  return found<PageRead>({ result, elements: urls.length + 2, next: 'next', ...more });
};
const ten = (from: number) => Array.from({ length: 10 }, (_, i) => `https://a.example/${from + i}`);
const clock = createManualClock();
const join = (pages: readonly ReturnType<typeof page>[], engine: SerpInput['engine'] = 'engine_a') =>
  joinPages({ ...input, engine }, clock, clock.now() + 1, async (i) => pages[i] ?? blocked('beyond the pages of this test'));

test('ranks and positions continue across pages, and a repeated URL counts once', async () => {
  const outcome = await join([page(ten(0)), page(['https://a.example/5', ...ten(10)]), page(ten(20))]);
  assert.ok(outcome.tag === 'found');
  assert.deepEqual(
    outcome.resource.organic.map((o) => o.rank),
    Array.from({ length: 25 }, (_, i) => i + 1),
  );
  assert.equal(outcome.resource.organic[10]?.absoluteRank, 12 + 4, 'the repeated one keeps its place');
  assert.equal(new Set(outcome.resource.organic.map((o) => o.url)).size, 25);
  assert.deepEqual([outcome.delivered, outcome.resource.relatedSearches], [25, ['One', 'two']]);
});
test('the list ends where the engine names no next page, or where a page adds no entries', async () => {
  const short = await join([page(ten(0)), page(ten(10), { next: null })]);
  assert.ok(short.tag === 'found' && short.delivered === 20);
  const again = await join([page(ten(0)), page(ten(0))]);
  assert.ok(again.tag === 'found' && again.delivered === 10);
  assert.equal((await join([page(ten(0)), page(ten(0))], 'engine_b')).tag, 'blocked');
});
test('a failed page or a lack of time fails the whole lookup', async () => {
  assert.equal((await join([page(ten(0))])).tag, 'blocked');
  const late = await joinPages(input, clock, clock.now(), async () => page(ten(0)));
  assert.equal(late.tag, 'timeout');
});
