import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../outcome.ts';
import { readBingPage } from './bing/parse.ts';
import { readDataforseo } from './dataforseo/parse.ts';
import { readGooglePage } from './google/parse.ts';
import type { SerpInput } from './result.ts';
import { readSearxng } from './searxng/parse.ts';
import { readSerpapi } from './serpapi/parse.ts';

const input: SerpInput = { keyword: 'tea', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' };
const answerOf = (body: unknown) => ({
  status: 200,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  url: '',
  atMs: 0,
});
const unreadIn = (outcome: Outcome): readonly string[] => {
  assert.equal(outcome.tag, 'found', JSON.stringify(outcome));
  return (outcome.tag === 'found' && outcome.unread) || [];
};

// names and values: github.com/serpapi/public-roadmap/issues/2142 and 2143, answers of the provider that its developers quote
test('ratings of French answers are read under the names that the provider gives them, not from the stars that it adds', () => {
  const ratingIn = (top: unknown) => {
    const outcome = readSerpapi(
      answerOf({
        search_metadata: { status: 'Success' },
        search_parameters: { engine: 'google', hl: 'fr' },
        organic_results: [{ position: 1, link: 'https://the.example/', title: 'Thé', rich_snippet: { top } }],
      }),
      input,
    );
    return outcome.tag === 'found' ? { rating: outcome.resource.organic[0]?.rating, unread: outcome.unread ?? [] } : outcome.tag;
  };
  const votes = 'avis_les_avis_ne_sont_pas_validés_par_la_recherche_google';
  const shown = (note: string, count: string) => [`Note : ${note}`, `${count} avis Les avis ne sont pas validés par la recherche Google`];
  assert.deepEqual(ratingIn({ extensions: shown('4,3', '4 292'), detected_extensions: { rating: 4.5, note: 4.3, [votes]: 4292 } }), {
    rating: { value: 4.3, votesCount: 4292, max: 5 },
    unread: [],
  });
  assert.deepEqual(ratingIn({ extensions: shown('10/10', '1'), detected_extensions: { rating: 5.0, note: 10, [votes]: 1 } }), {
    rating: { value: 10, votesCount: 1, max: 10 },
    unread: [],
  });
  const want = { rating: { value: 4.5, votesCount: 1234, max: 5 }, unread: [] };
  assert.deepEqual(ratingIn({ detected_extensions: { note: 4.5, avis: 1234 } }), want);
  assert.deepEqual(ratingIn({ extensions: ['4,5 · 1,2 mil. hodnocení'], detected_extensions: { rating: 4.5 } }), {
    rating: { value: 4.5, votesCount: null, max: 5 },
    unread: ['organic.rating.votesCount'],
  });
  assert.deepEqual(ratingIn({ detected_extensions: { note: '4,5' } }), { rating: null, unread: ['organic.rating'] });
  assert.deepEqual(ratingIn({ detected_extensions: { avis: 12 }, extensions: ['12 avis', '5 min'] }), { rating: null, unread: [] });
});

test('an entry or an ad whose title or address is stated in another form is unread at every provider', () => {
  const good = { link: 'https://tea.example/', url: 'https://tea.example/', title: 'Tea', engines: ['google'], type: 'organic' };
  const searchapi = (bad: object, ads: object[] = []) =>
    readSerpapi(answerOf({ search_metadata: { status: 'Success' }, organic_results: [good, bad], ads }), input);
  const instance = (bad: object) => readSearxng(answerOf({ query: 'tea', results: [good, { ...bad, engines: ['google'] }] }), input);
  for (const read of [searchapi, instance]) {
    assert.deepEqual(unreadIn(read({ ...good, title: { text: 'Tea' } })), ['organic.title']);
    assert.deepEqual(unreadIn(read({ ...good, url: ['x'], link: ['x'] })), ['organic.url']);
    assert.deepEqual(unreadIn(read({ ...good, title: '', link: '', url: '' })), ['organic.url', 'organic.title']);
  }
  assert.deepEqual(unreadIn(searchapi(good, [{ link: 'https://ad.example/', title: ['Ad'] }])), ['paid.title']);
});

test('what an instance states about the results of another engine is not unread', () => {
  const results = [
    { url: 'https://tea.example/', title: 'Tea', content: 'About tea.', engines: ['google'] },
    { url: 'https://milk.example/', title: ['Milk'], content: { html: 'About milk.' }, engines: ['bing'] },
  ];
  assert.deepEqual(unreadIn(readSearxng(answerOf({ query: 'tea', results }), input)), []);
});

test('a task that a provider has only queued is limited with its time, and says nothing about other questions', () => {
  const task = (status_code: number) => ({ status_code: 20000, tasks: [{ status_code, status_message: 'Task In Queue.' }] });
  const searched = (status: string) => ({ search_metadata: { status } });
  const queued: readonly (readonly [typeof readDataforseo, unknown])[] = [
    ...[40601, 40602, 20100].map((code) => [readDataforseo, task(code)] as const),
    [readSerpapi, searched('Processing')],
    [readSerpapi, searched('Queued')],
  ];
  for (const [read, body] of queued)
    for (const [headers, wait] of [
      [{}, 60_000],
      [{ 'retry-after': '20' }, 20_000],
    ] as const) {
      const outcome = read({ ...answerOf(body), headers }, input);
      assert.ok(outcome.tag === 'limited', JSON.stringify(outcome));
      assert.deepEqual([outcome.retryAfterMs, outcome.counts], [wait, false]);
    }
  assert.equal(readSerpapi(answerOf(searched('Something new')), input).tag, 'changed');
});

test('fields of data providers in another form are unread, absent ones are not', () => {
  const dataforseo = (item: object) => ({
    status_code: 20000,
    tasks: [
      {
        status_code: 20000,
        path: ['v3', 'serp', 'google'],
        result: [
          {
            type: 'organic',
            se_results_count: 5,
            items: [{ type: 'organic', rank_group: 1, rank_absolute: 1, url: 'https://tea.example/', title: 'Tea', ...item }],
          },
        ],
      },
    ],
  });
  assert.deepEqual(unreadIn(readDataforseo(answerOf(dataforseo({ description: null })), input)), []);
  const other = { description: { text: 'Green' }, breadcrumb: ['tea.example'], rating: { value: '4.5' } };
  assert.deepEqual(unreadIn(readDataforseo(answerOf(dataforseo(other)), input)), [
    'organic.description',
    'organic.breadcrumb',
    'organic.rating',
  ]);

  const serpapi = (entry: object) => ({
    search_metadata: { status: 'Success' },
    search_parameters: { engine: 'google' },
    search_information: { total_results: 7 },
    organic_results: [{ position: 1, title: 'Tea', link: 'https://tea.example/', ...entry }],
  });
  assert.deepEqual(unreadIn(readSerpapi(answerOf(serpapi({})), input)), []);
  assert.deepEqual(unreadIn(readSerpapi(answerOf(serpapi({ snippet: ['Green'], source: { name: 'Tea' } })), input)), [
    'organic.description',
    'organic.websiteName',
  ]);

  const searxng = (entry: object) => ({
    query: 'tea',
    results: [{ url: 'https://tea.example/', title: 'Tea', engine: 'google', engines: ['google'], ...entry }],
  });
  assert.deepEqual(unreadIn(readSearxng(answerOf(searxng({})), input)), []);
  assert.deepEqual(unreadIn(readSearxng(answerOf(searxng({ content: 7 })), input)), ['organic.description']);
});

const googlePage = (entry: string): string =>
  `<!doctype html><html><body><div id="center_col"><div id="rso">${entry}<div><a href="https://b.example/"><h3>B</h3><cite>https://b.example</cite></a><div>The second entry of the list, in a few words.</div></div></div></div></body></html>`;

test('parts of an entry of a result page that lost their text are unread; parts that are not there are absent', () => {
  const read = (entry: string) => unreadIn(readGooglePage(answerOf(googlePage(entry)), input));
  const link = '<a href="https://a.example/"><h3>A</h3><cite>https://a.example</cite></a>';
  assert.deepEqual(read(`<div>${link}<div>The first entry of the list, in a few words.</div></div>`), []);
  assert.deepEqual(read(`<div>${link}</div>`), []);
  assert.deepEqual(read(`<div>${link}<div class="x"></div></div>`), ['organic.description']);
  assert.deepEqual(read('<div><a href="https://a.example/"><h3></h3><cite>https://a.example</cite></a></div>'), ['organic.title']);
});

test('the same of engine B', () => {
  const page = (entry: string): string =>
    `<!doctype html><html><body><div id="b_tween"><span class="sb_count">5 results</span></div><ol id="b_results">${entry}</ol></body></html>`;
  const read = (html: string) => unreadIn(readBingPage(answerOf(html), { ...input, engine: 'engine_b' }));
  const head = '<h2><a href="https://a.example/">A</a></h2><cite>https://a.example</cite>';
  const whole = page(`<li class="b_algo">${head}<p>The first entry of the list, in a few words.</p></li>`);
  assert.deepEqual(read(whole), []);
  assert.deepEqual(read(whole.replace(/<p>.*<\/p>/, '<p></p>')), ['organic.description']);
  assert.deepEqual(read(whole.replace('sb_count', 'other').replace('5 results', 'some 5 pages')), ['totalResults']);
});
