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
  return found<PageRead>({ result, places: urls.length, elements: urls.length + 2, roots: [], next: 'next', ...more });
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
test('a page that comes again with a slash at its end, without encryption or at another place in its text counts once', async () => {
  const outcome = await join([
    page(ten(0)),
    page(['https://a.example/5/', 'http://a.example/6', 'https://a.example/7#part', ...ten(10)], { next: null }),
  ]);
  assert.ok(outcome.tag === 'found');
  assert.deepEqual(
    outcome.resource.organic.map((o) => o.url),
    [...ten(0), ...ten(10)],
  );
});
test('the list ends where the engine names no next page; a page that repeats what came before fails the lookup', async () => {
  const short = await join([page(ten(0)), page(ten(10), { next: null })]);
  assert.ok(short.tag === 'found' && short.delivered === 20);
  for (const engine of ['engine_a', 'engine_b'] as const) assert.equal((await join([page(ten(0)), page(ten(0))], engine)).tag, 'blocked');
});
test('pages that mostly repeat are tolerated once, and fail the lookup then', async () => {
  const mostly = (from: number) => page([...ten(0).slice(2), `https://a.example/${from}`, `https://a.example/${from + 1}`]);
  let asked = 0;
  const deep = { ...input, depth: 40, engine: 'engine_b' as const };
  const outcome = await joinPages(deep, clock, clock.now() + 1, async (i) => {
    asked++;
    return i === 0 ? page(ten(0)) : mostly(i * 10);
  });
  assert.deepEqual([outcome.tag, asked], ['blocked', 3]);
  const once = await join([page(ten(0)), mostly(10), page(ten(20)), page(ten(40))]);
  assert.ok(once.tag === 'found' && once.delivered === 25);
});
test('entries known by the root of their site alone are joined by place: a site that comes again is another entry', async () => {
  const sites = (names: readonly string[]) => names.map((name) => `https://${name}.example`);
  const sealed = (names: readonly string[], next: string | null = 'next') =>
    page(sites(names), { roots: names.map((_, i) => i + 1), next });
  const outcome = await join([sealed(['a', 'b', 'c', 'd']), sealed(['e', 'b', 'a'], null)]);
  assert.ok(outcome.tag === 'found');
  assert.deepEqual(
    outcome.resource.organic.map(({ url, rank }) => `${rank} ${url}`),
    sites(['a', 'b', 'c', 'd', 'e', 'b', 'a']).map((url, i) => `${i + 1} ${url}`),
  );
  assert.equal((await join([sealed(['a', 'b']), sealed(['a', 'b'])])).tag, 'blocked', 'the same page again');
  const mostly = ['e', 'f'].map((name) => sealed(['a', 'b', name]));
  assert.equal((await join([sealed(['a', 'b', 'c']), ...mostly])).tag, 'blocked', 'pages of which more than half repeats');
});
test('a place whose entry was left out counts for ranks, for depth and as delivered', async () => {
  const gap = page(ten(0).slice(1));
  const organic = gap.resource.result.organic.map((entry) => ({ ...entry, rank: entry.rank + 1 }));
  const first = { ...gap, resource: { ...gap.resource, result: { ...gap.resource.result, organic }, places: 10 }, unread: ['organic.url'] };
  const outcome = await join([first, page(ten(10)), page(ten(20))]);
  assert.ok(outcome.tag === 'found');
  assert.deepEqual([outcome.delivered, outcome.resource.organic.length, outcome.resource.organic[9]?.rank], [25, 24, 11]);
  assert.deepEqual(outcome.unread, ['organic.url']);
});
test('a lookup that is not complete after thirty pages fails: a ranking is never cut', async () => {
  const outcome = await joinPages({ ...input, depth: 200 }, clock, clock.now() + 1, async (i) => page(ten(i * 10).slice(0, 5)));
  assert.equal(outcome.tag, 'changed');
});
test('a failed page or a lack of time fails the whole lookup', async () => {
  assert.equal((await join([page(ten(0))])).tag, 'blocked');
  const late = await joinPages(input, clock, clock.now(), async () => page(ten(0)));
  assert.equal(late.tag, 'timeout');
});
