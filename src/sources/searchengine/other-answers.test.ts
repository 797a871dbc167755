import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchResult } from '../../contract/operations/serp/operation.ts';
import type { Outcome } from '../outcome.ts';
import { readBingPage } from './bing/parse.ts';
import { readDataforseo } from './dataforseo/parse.ts';
import { readGooglePage } from './google/parse.ts';
import { isRatingLine, readRating } from './numbers.ts';
import type { SerpInput } from './result.ts';
import { readSearxng } from './searxng/parse.ts';
import { readSerpapi } from './serpapi/parse.ts';

const input: SerpInput = { keyword: 'green tea', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' };
type Read = (answer: Parameters<typeof readSerpapi>[0], input: SerpInput) => Outcome<SearchResult>;
const read = (reader: Read, body: unknown, asked = input) =>
  reader({ status: 200, headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), url: '', atMs: 0 }, asked);
function found(reader: Read, body: unknown, asked = input) {
  const outcome = read(reader, body, asked);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return { ...outcome.resource, unread: outcome.unread ?? [] };
}

const entry = (n: number, more: object = {}) => ({
  position: n,
  title: `Tea ${n}`,
  link: `https://tea${n}.example/`,
  ...more,
});
const serpapi = (keyword: string, more: object = {}) => ({
  search_metadata: { status: 'Success' },
  search_parameters: { engine: 'google', q: keyword },
  organic_results: [entry(1)],
  ...more,
});
const item = (n: number, more: object = {}) => ({
  type: 'organic',
  rank_group: n,
  rank_absolute: n,
  title: `Tea ${n}`,
  url: `https://tea${n}.example/`,
  ...more,
});
const dataforseo = (keyword: string | null, items: readonly unknown[] | null, { path = 'google', code = 20_000, more = {} } = {}) => ({
  status_code: 20_000,
  tasks: [
    {
      status_code: code,
      path: ['v3', 'serp', path, 'organic'],
      data: { keyword },
      result: items && [{ keyword, type: 'organic', items, ...more }],
    },
  ],
});
const searxng = (query: string, more: object = {}) => ({
  query,
  results: [{ url: 'https://tea1.example/', title: 'Tea 1', engines: ['google'] }],
  ...more,
});
const google = (box: string, rest: string) =>
  `<!doctype html><html><body><form action="/search">${box}</form><div id="main">${rest}</div></body></html>`;
const LIST =
  '<div id="rso"><div><a href="https://tea1.example/"><h3>Tea 1</h3><cite>https://tea1.example</cite></a></div><div><a href="https://tea2.example/"><h3>Tea 2</h3><cite>https://tea2.example</cite></a></div></div>';
const bing = (box: string) =>
  `<!doctype html><html><body><form>${box}</form><ol id="b_results"><li class="b_algo"><h2><a href="https://tea1.example/">Tea 1</a></h2></li></ol></body></html>`;

/** Answers that name the search which they are about. */
const NAMING: readonly (readonly [name: string, reader: Read, body: (keyword: string) => unknown])[] = [
  ['serpapi', readSerpapi, serpapi],
  ['dataforseo', readDataforseo, (keyword) => dataforseo(keyword, [item(1)])],
  ['searxng', readSearxng, searxng],
  ['google', readGooglePage, (keyword) => google(`<textarea name="q">${keyword}</textarea>`, LIST)],
  ['google, older', readGooglePage, (keyword) => google(`<input name="q" value="${keyword}">`, LIST)],
  [
    'bing',
    (answer, asked) => readBingPage(answer, { ...asked, engine: 'engine_b' }),
    (keyword) => bing(`<input name="q" value="${keyword}">`),
  ],
];
test('a ranking of another keyword is not sold under the one that was asked for', () => {
  for (const [name, reader, body] of NAMING) {
    for (const other of ['black tea', 'green', 'green teapot', '緑茶'])
      assert.equal(read(reader, body(other)).tag, 'changed', `${name}: ${other}`);
    // as sources repeat a search: blanks, case, quotes, escapes, or its beginning
    for (const same of ['green tea', ' Green  Tea ', '“green” tea', 'green%20tea', 'green te…']) found(reader, body(same));
    found(reader, body(''));
    found(reader, body('+++'), { ...input, keyword: '+++' });
  }
  found(readDataforseo, dataforseo('100%25 wool', [item(1)]), { ...input, keyword: '100% wool' });
});

test('that nothing was found for another keyword or by another engine says nothing of what was asked for', () => {
  const nothing = (keyword: string) => ({
    ...serpapi(keyword, { organic_results: undefined }),
    search_information: { organic_results_state: 'Fully empty' },
  });
  assert.equal(found(readSerpapi, nothing('green tea')).totalResults, 0);
  assert.equal(read(readSerpapi, nothing('black tea')).tag, 'changed');
  const none = { code: 40_102 };
  assert.equal(found(readDataforseo, dataforseo('green tea', null, none)).totalResults, 0);
  assert.equal(read(readDataforseo, dataforseo('black tea', null, none)).tag, 'changed');
  assert.equal(read(readDataforseo, dataforseo('green tea', null, { ...none, path: 'bing' })).tag, 'changed');
  const page = (keyword: string) =>
    google(`<textarea name="q">${keyword}</textarea>`, 'Your search - <b>x</b> - did not match any documents.');
  assert.equal(found(readGooglePage, page('green tea')).totalResults, 0);
  assert.equal(read(readGooglePage, page('black tea')).tag, 'changed');
});

test('"no results" of a task beside entries or sections of the page is not "nothing found"', () => {
  const none = { code: 40_102 };
  const listed = found(readDataforseo, dataforseo('green tea', [item(1)], none));
  assert.deepEqual([listed.organic.length, listed.totalResults], [1, null]);
  const related = found(readDataforseo, dataforseo('green tea', [{ type: 'related_searches', items: ['black tea'] }], none));
  assert.deepEqual([related.totalResults, related.relatedSearches, related.features], [null, ['black tea'], ['other']]);
});

test('an entry of a list in another form keeps its place', () => {
  for (const odd of ['Tea 2', 7, ['Tea 2'], null]) {
    const { organic, unread } = found(readSerpapi, serpapi('green tea', { organic_results: [entry(1), odd, entry(3)] }));
    assert.deepEqual(
      [organic.map(({ rank }) => rank), unread],
      [
        [1, 3],
        ['organic.url', 'organic.title'],
      ],
      JSON.stringify(odd),
    );
  }
  const box = { type: 'organic_result', title: 'Tea', link: 'https://tea0.example/' };
  assert.equal(read(readSerpapi, serpapi('green tea', { answer_box: box, organic_results: { 0: entry(1) } })).tag, 'changed');
  const ranks = found(readDataforseo, dataforseo('green tea', [item(1), item(4, { rank_group: '4', rank_absolute: '6' })]));
  assert.deepEqual(
    ranks.organic.map(({ rank, absoluteRank }) => [rank, absoluteRank]),
    [
      [1, 1],
      [4, 6],
    ],
  );
});

test('a list that states more than it holds is unread', () => {
  assert.deepEqual(found(readDataforseo, dataforseo('green tea', [item(1)], { more: { items_count: 5 } })).unread, ['organic']);
  assert.deepEqual(found(readDataforseo, dataforseo('green tea', [item(1)], { more: { items_count: 1 } })).unread, []);
});

test('related searches and ads in another form are unread', () => {
  const odd = [['black tea'], [{ text: 'black tea' }], { 0: { query: 'black tea' } }, 'black tea'];
  for (const related_searches of odd)
    assert.deepEqual(
      found(readSerpapi, serpapi('green tea', { related_searches })).unread,
      ['relatedSearches'],
      JSON.stringify(related_searches),
    );
  for (const items of [[{ title: 'black tea' }], { 0: 'black tea' }])
    assert.deepEqual(found(readDataforseo, dataforseo('green tea', [item(1), { type: 'related_searches', items }])).unread, [
      'relatedSearches',
    ]);
  for (const suggestions of [[{ text: 'black tea' }], { 0: 'black tea' }])
    assert.deepEqual(found(readSearxng, searxng('green tea', { suggestions })).unread, ['relatedSearches']);
  assert.deepEqual(found(readSearxng, searxng('green tea', { suggestions: ['black tea', null] })).unread, []);
  for (const ads of [['Ad'], { 0: { title: 'Ad' } }]) assert.deepEqual(found(readSerpapi, serpapi('green tea', { ads })).unread, ['paid']);
});

test('a part of the overview in a form that is not known makes its text unread', () => {
  const overview = (...items: object[]) =>
    found(readDataforseo, dataforseo('green tea', [{ type: 'ai_overview', rank_absolute: 1, items }, item(1, { rank_absolute: 2 })]))
      .unread;
  const known = { type: 'ai_overview_element', text: 'Tea is green.' };
  assert.deepEqual(overview(known, { type: 'ai_overview_note', words: 'Or it is black.' }), ['aiOverview.text']);
  assert.deepEqual(overview(known, { type: 'ai_overview_note', phrase: '緑茶は緑です' }), ['aiOverview.text']);
  assert.deepEqual(overview(known, { type: 'ai_overview_image', alt: 'A cup of tea', image_url: 'https://tea.example/1.jpg' }), []);
});

test('a rating beyond its scale is none, and one that is shown in words alone is unread', () => {
  const rated = found(readDataforseo, dataforseo('green tea', [item(1, { rating: { rating_type: 'Max5', value: 9, rating_max: 5 } })]));
  assert.deepEqual([rated.organic[0]?.rating, rated.unread], [null, ['organic.rating']]);
  const shown = (...extensions: string[]) =>
    found(readSerpapi, serpapi('green tea', { organic_results: [entry(1, { rich_snippet: { top: { extensions } } })] })).unread;
  for (const line of ['4.5(1,200)', 'Bewertung: 4,5', '4.5/5', '★ 4.5 · 88 reviews'])
    assert.deepEqual(shown(line), ['organic.rating'], line);
  for (const line of ['5 min', '12 avis', '350 kcal', 'Jan 4, 2024', '2024', '$4.50', '4 servings'])
    assert.deepEqual(shown(line), [], line);
  assert.deepEqual(shown('4.5(1,200)', '$12.99', 'Free delivery'), []);
  assert.ok(isRatingLine('評価: 4.5') && !isRatingLine('4.5'));
  // a time and a range are no ratings, and a counter beside a count in brackets is no unit
  assert.deepEqual([readRating('4:30'), readRating('4-5')], [null, null]);
  assert.deepEqual(readRating('4.5(1,234개)'), { value: 4.5, votesCount: 1234, max: 5 });
});

test('positions that an instance writes as text decide, and one that is none does not', () => {
  const result = (name: string, positions: readonly unknown[]) => ({
    url: `https://${name}.example/`,
    title: name,
    engines: ['google'],
    positions,
  });
  const order = (...results: object[]) => found(readSearxng, searxng('green tea', { results })).organic.map(({ title }) => title);
  assert.deepEqual(order(result('b', ['2']), result('a', ['1'])), ['a', 'b']);
  assert.deepEqual(order(result('a', [1]), result('b', ['second']), result('c', [3])), ['a', 'b', 'c']);
});

test('a region or a language that a provider refuses is not served, in whatever words and under whatever status it says so', () => {
  const notServed = (reader: Read, status: number, body: unknown): unknown => {
    const outcome = reader({ status, headers: {}, body: Buffer.from(JSON.stringify(body)), url: '', atMs: 0 }, input);
    return outcome.tag === 'refused' ? (outcome.notServed ?? false) : outcome.tag;
  };
  for (const [error, want] of [
    ['Unsupported `Taiwan` country - gl parameter.', true],
    ['Unsupported `en-US` interface language - hl parameter.', true],
    ['Unsupported `aq` location.', true],
    ['`hl` parameter `xx` is not supported.', true],
    ['Unsupported `tablett` device - device parameter.', false],
    ['Invalid API key.', false],
  ] as const)
    assert.equal(notServed(readSerpapi, 400, { error }), want, error);
  for (const [status, name, want] of [
    [200, 'location_code', true],
    [400, 'language_code', true],
    [400, 'depth', false],
  ] as const)
    assert.equal(notServed(readDataforseo, status, { status_code: 40_501, status_message: `Invalid Field: '${name}'.` }), want, name);
});

test('the description of an answer box from a provider holds its list or its table, as that of a page does, or its short answer alone', () => {
  const boxed = (answer_box: object) => {
    const { organic, unread } = found(
      readSerpapi,
      serpapi('green tea', { answer_box: { type: 'organic_result', ...entry(9), ...answer_box } }),
    );
    return [organic[0]?.isFeaturedSnippet, organic[0]?.description, unread];
  };
  const steps = ['Boil the water.', ' ', 'Rinse the pot.'];
  const rows = [
    ['Tea', 'Minutes'],
    ['Green', '2'],
  ];
  const table = 'Steeping Tea Minutes Green 2';
  assert.deepEqual(boxed({ snippet: 'Steps', list: steps }), [true, 'Steps Boil the water. Rinse the pot.', []]);
  assert.deepEqual(boxed({ list: steps }), [true, 'Boil the water. Rinse the pot.', []]);
  assert.deepEqual(boxed({ snippet: 'Steeping', contents: { table: rows } }), [true, table, []]);
  assert.deepEqual(boxed({ snippet: 'Steeping', table: rows }), [true, table, []]);
  assert.deepEqual(boxed({ answer: 'Two minutes' }), [true, 'Two minutes', []]);
  assert.deepEqual(boxed({ answer: 'Two minutes', snippet: 'It takes two minutes.' }), [true, 'It takes two minutes.', []]);
  assert.deepEqual(boxed({}), [true, null, []]);
  assert.deepEqual(boxed({ snippet: 'Steps', list: [{ step: 'Boil.' }] }), [true, 'Steps', ['organic.description']]);
  const [header = [], ...content] = rows;
  const box = item(1, { type: 'featured_snippet', description: 'Steeping', table: { table_header: header, table_content: content } });
  assert.equal(found(readDataforseo, dataforseo('green tea', [box, item(2)])).organic[0]?.description, table);
  const listed = found(readSerpapi, serpapi('green tea', { organic_results: [entry(1, { snippet: 'Steps', list: steps })] }));
  assert.equal(listed.organic[0]?.description, 'Steps', 'no box');
});
