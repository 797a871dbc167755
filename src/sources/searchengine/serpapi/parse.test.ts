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

test('votes are what the lines of the page count: not the rating once more, and not a number cut before its word', () => {
  const ratingIn = (extensions: readonly string[] | undefined, detected_extensions: object) => {
    const rich_snippet = { top: { extensions, detected_extensions } };
    const outcome = readBody({ organic_results: [{ link: 'https://tea.example/', title: 'Tea', rich_snippet }] }, input, 0);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    const { value, votesCount, max } = outcome.resource.result.organic[0]?.rating ?? {};
    return [value, votesCount, max];
  };
  // github.com/serpapi/public-roadmap/issues/2149: the provider reads the line that repeats the rating as reviews
  assert.deepEqual(ratingIn(['Rating 8/10', ' 8/10'], { rating: 8, reviews: 8 }), [8, null, 10]);
  assert.deepEqual(ratingIn(['Rating 90%', '90%'], { rating: 90, reviews: 90 }), [90, null, 100]);
  assert.deepEqual(ratingIn(['Rating 5.0 (5)', ' 5.0 (5)'], { rating: 5, reviews: 5 }), [5, 5, 5]);
  for (const [line, cut, votes] of [
    ['12K reviews', 12, 12_000],
    ['2 mil votos', 2, 2_000],
    ['3万件のレビュー', 3, 30_000],
    ['2 тыс. отзывов', 2, 2_000],
    ['2 mil. hodnocení', 2, null],
    ['2B users', 2, null],
    ['29,015 votes', 29_015, 29_015],
    ['1.204 glasova', 1_204, 1_204],
    ['350', 350, 350],
  ] as const)
    assert.deepEqual(ratingIn(['Rating: 4.6', line], { rating: 4.6, reviews: cut }), [4.6, votes, 5], line);
  for (const unit of ['50 mins', '50 min.', '50 km', '50 mg', '50 months ago', '50 分钟', '50 €', '50-60 mins', '50 % off'])
    assert.deepEqual(ratingIn(['Rating: 4.6', unit], { rating: 4.6, votes: 50 }), [4.6, null, 5], unit);
  for (const line of ['50', '(50)', '50 · 20 mins', 'Votes: 50', '50+ votes', '50 de votos', '50 个评价'])
    assert.deepEqual(ratingIn(['Rating: 4.6', line], { rating: 4.6, votes: 50 }), [4.6, 50, 5], line);
  assert.deepEqual(ratingIn(['4,6 (2 mil)'], { rating: 4.6, reviews: 2 }), [4.6, 2_000, 5]);
  assert.deepEqual(ratingIn(['Rating: 4.6', '350'], { rating: 4.6 }), [4.6, null, 5]);
  assert.deepEqual(ratingIn(undefined, { rating: 4.6, reviews: 12 }), [4.6, 12, 5]);
});

test('a rating in another place of an entry is unread', () => {
  for (const more of [
    { rating: 4.8, reviews: 408 },
    { rich_snippet: { extensions: ['Rating: 4.8', '408 votes'], detected_extensions: { rating: 4.8, votes: 408 } } },
    { rich_snippet: { middle: { extensions: ['Rating: 4.8'], detected_extensions: { rating: 4.8 } } } },
    { rich_snippet_list: ['Rating: 4.8', '408 votes'] },
    { extensions: ['4.8(408)'] },
  ]) {
    const outcome = readBody({ organic_results: [{ link: 'https://tea.example/', title: 'Tea', ...more }] }, input, 0);
    assert.ok(outcome.tag === 'found' && outcome.unread?.includes('organic.rating'), JSON.stringify(more));
  }
  const none = { link: 'https://tea.example/', title: 'Tea', rating: 0, extensions: ['50 mins', 'Jan 5, 2024'] };
  const outcome = readBody({ organic_results: [none] }, input, 0);
  assert.ok(outcome.tag === 'found' && (outcome.unread ?? []).length === 0, JSON.stringify(outcome));
});

test('a direct answer that leads to a search of the engine quotes no page: it is no entry and no featured snippet', () => {
  const search = 'https://www.google.com/search?q=tea+kettle&stick=H4s';
  const ranked = (answer_box: object) => {
    const organic_results = [{ position: 1, title: 'Tea', link: 'https://tea.example/' }];
    const outcome = readBody({ answer_box, organic_results }, input, 0);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    const { organic, features } = outcome.resource.result;
    return [organic.map(({ rank, domain }) => `${rank} ${domain}`), features, outcome.unread ?? []];
  };
  const direct = { type: 'organic_result', title: 'Tea/Kettle', link: search, answer: 'Copper' };
  assert.deepEqual(ranked(direct), [['1 tea.example'], ['other', 'organic'], []]);
  const box = [['1 leaf.example', '2 tea.example'], ['featured_snippet', 'organic'], []];
  assert.deepEqual(ranked({ ...direct, displayed_link: 'https://leaf.example › kettle' }), box, 'the site is shown');
  assert.deepEqual(ranked({ ...direct, link: 'https://leaf.example/kettle' }), box, 'a page');
  const sealed = ranked({ ...direct, link: 'https://www.google.com/goto?url=CAES' });
  assert.deepEqual(sealed, [['2 tea.example'], ['featured_snippet', 'organic'], ['organic.url']], 'a page that is hidden');
});

test("a rating beside a price alone is that of the page; one of a store, or beside a delivery, is the shop's", () => {
  const ratingOf = (extensions: readonly string[], more: object = {}) => {
    const bottom = { extensions, detected_extensions: { price: 12, currency: '$', rating: 4.8, reviews: 98, ...more } };
    const outcome = readBody({ organic_results: [{ link: 'https://tea.example/', title: 'Tea', rich_snippet: { bottom } }] }, input, 0);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return outcome.resource.result.organic[0]?.rating ?? null;
  };
  for (const line of ['$180.00 to $220.00', '$12.00', '12,00 €'])
    assert.deepEqual(ratingOf([line, '4.8(98)']), { value: 4.8, votesCount: 98, max: 5 }, line);
  assert.equal(ratingOf(['$12.00', '4.8 store rating (98)']), null);
  assert.equal(ratingOf(['$12.00', '4.8(98)', 'Free delivery over $35']), null);
  assert.equal(ratingOf(['$12.00', '4.8(98)'], { free_30_day_returns: true }), null);
});

test('searches that the page suggests beside its pictures are no section of their own', () => {
  const organic_results = [{ position: 1, title: 'Tea', link: 'https://tea.example/' }];
  const outcome = readBody({ organic_results, inline_images_suggested_searches: [{ name: 'cups' }] }, input, 0);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  assert.deepEqual(outcome.resource.result.features, ['organic']);
});
