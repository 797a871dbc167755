import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_DATAFORSEO, DEMO_SERPAPI_KEY } from '../../sandbox/searchengine/providers.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { readDataforseo } from '../../src/sources/searchengine/dataforseo/parse.ts';
import { dataforseo } from '../../src/sources/searchengine/dataforseo/source.ts';
import { readSerpapi } from '../../src/sources/searchengine/serpapi/parse.ts';
import { serpapi } from '../../src/sources/searchengine/serpapi/source.ts';
import type { Ports } from '../../src/sources/source.ts';
import { asked, type Input, lookup, sandboxPorts } from './fixture.ts';

const ALL = { DATAFORSEO_LOGIN: DEMO_DATAFORSEO.login, DATAFORSEO_PASSWORD: DEMO_DATAFORSEO.password, SERPAPI_KEY: DEMO_SERPAPI_KEY };
const answerOf = (body: unknown) => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)), url: '', atMs: 0 });

const serpapiPage = (more: object, engine = 'google') => ({
  search_metadata: { status: 'Success' },
  search_parameters: { engine },
  ...more,
});
const dataforseoPage = (items: readonly object[], engine = 'google') => ({
  status_code: 20000,
  tasks: [{ status_code: 20000, path: ['v3', 'serp', engine], result: [{ type: 'organic', items }] }],
});
const entry = (name: string, position: number) => ({ position, title: `About ${name}`, link: `https://${name}.example/guide` });
const item = (name: string, rank: number, more: object = {}) => ({
  type: 'organic',
  rank_group: rank,
  rank_absolute: rank,
  title: `About ${name}`,
  url: `https://${name}.example/guide`,
  ...more,
});
const found = <R>(outcome: Outcome<R>) => {
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome;
};
const readS = (more: object, input: Input = asked('x'), engine = 'google') => readSerpapi(answerOf(serpapiPage(more, engine)), input);
const readD = (items: readonly object[], input: Input = asked('x'), engine = 'google') =>
  readDataforseo(answerOf(dataforseoPage(items, engine)), input);
const ranksOf = (outcome: Outcome<import('../../src/contract/operations/serp/operation.ts').SearchResult>) =>
  found(outcome).resource.organic.map(({ rank, domain, isFeaturedSnippet }) => `${rank} ${domain}${isFeaturedSnippet ? ' *' : ''}`);

/** Ports whose provider gives the bodies by what the address contains; the first fits. */
function answering(exchanges: readonly (readonly [contains: string, status: number, body: object, headers?: Record<string, string>])[]) {
  const { ports, requests } = sandboxPorts(ALL);
  const http: Ports['http'] = {
    async ask(request) {
      requests.push(request);
      const [, status, body, headers = {}] = exchanges.find(([contains]) => request.url.includes(contains)) ?? assert.fail(request.url);
      return {
        tag: 'answer',
        answer: { status, headers, body: Buffer.from(JSON.stringify(body)), url: request.url, atMs: ports.clock.now() },
      };
    },
  };
  return { ports: { ...ports, http }, requests };
}

test('an answer box that the source lists again right below it is one entry; further down its page is another one', () => {
  const box = { answer_box: { type: 'organic_result', title: 'About hill', link: 'https://hill.example/guide', snippet: 'The answer.' } };
  const below = [entry('hill', 1), entry('lake', 2), entry('moor', 3)];
  const outcome = found(readS({ ...box, organic_results: below.map((e) => ({ ...e, source: 'Site', snippet: 'About it.' })) }));
  assert.deepEqual(ranksOf(outcome), ['1 hill.example *', '2 lake.example', '3 moor.example']);
  const [first] = outcome.resource.organic;
  assert.deepEqual([first?.description, first?.websiteName], ['The answer.', 'Site'], 'what the box lacks is read from the list');
  assert.deepEqual(ranksOf(readS({ ...box, organic_results: [entry('lake', 1), entry('hill', 2)] })), [
    '1 hill.example *',
    '2 lake.example',
    '3 hill.example',
  ]);
  const sealedBox = { ...box.answer_box, link: 'https://www.google.com/goto?url=CAES', displayed_link: 'https://hill.example › guide' };
  for (const [answer_box, url] of [
    [{ ...box.answer_box, link: 'http://hill.example/guide/#:~:text=answer' }, 'http://hill.example/guide/'],
    [sealedBox, 'https://hill.example/guide'],
  ] as const) {
    const { organic } = found(readS({ answer_box, organic_results: below })).resource;
    assert.deepEqual([organic.length, organic[0]?.url, organic[0]?.isFeaturedSnippet], [3, url, true], answer_box.link);
  }
  const boxItem = item('hill', 1, { type: 'featured_snippet' });
  assert.deepEqual(ranksOf(readD([boxItem, item('hill', 1, { rank_absolute: 2 }), item('lake', 2, { rank_absolute: 3 })])), [
    '1 hill.example *',
    '2 lake.example',
  ]);
  assert.deepEqual(ranksOf(readD([boxItem, item('lake', 1, { rank_absolute: 2 }), item('hill', 2, { rank_absolute: 3 })])), [
    '1 hill.example *',
    '2 lake.example',
    '3 hill.example',
  ]);
});

test('features name the featured snippet wherever an entry is flagged as one', () => {
  const flagged = found(readD([item('hill', 1, { is_featured_snippet: true }), item('lake', 2)]));
  assert.deepEqual(flagged.resource.features, ['featured_snippet', 'organic']);
  assert.deepEqual(found(readD([item('hill', 1, { type: 'featured_snippet' })])).resource.features, ['featured_snippet', 'organic']);
});

test('"nothing found" beside sections of the page is no count of zero: the sections are the answer', () => {
  const empty = {
    search_information: { organic_results_state: 'Fully empty' },
    error: "Google hasn't returned any results for this query.",
  };
  for (const shown of [
    { related_questions: [{ question: 'Is it far?' }] },
    { ads: [{ title: 'Ad', link: 'https://ad.example/' }] },
    { ai_overview: { text_blocks: [{ snippet: 'Hills are high.' }] } },
    { answer_box: { type: 'calculator', result: '4' } },
    { related_searches: [{ query: 'x map' }] },
  ]) {
    const { resource, delivered } = found(readS({ ...empty, ...shown }));
    assert.deepEqual([resource.organic, resource.totalResults, delivered], [[], null, 0]);
    assert.ok(resource.features.length > 0 || resource.relatedSearches.length > 0, JSON.stringify(shown));
  }
  assert.equal(found(readS(empty)).resource.totalResults, 0);
  for (const contradicting of [{ ai_overview: { page_token: 'tok' } }, { ai_overview: { error: 'failed' } }])
    assert.equal(found(readS({ ...empty, ...contradicting })).resource.totalResults, null, 'an overview was announced');
  const counted = { search_information: { organic_results_state: 'Fully empty', total_results: 12 } };
  assert.equal(found(readS(counted)).resource.totalResults, null);
  assert.equal(readS(empty, asked('x', { engine: 'engine_b' }), 'bing').tag, 'blocked', 'of engine B it proves nothing');
  const none = { status_code: 20000, tasks: [{ status_code: 40102, status_message: 'No Search Results.' }] };
  assert.equal(readDataforseo(answerOf(none), asked('x', { engine: 'engine_b' })).tag, 'blocked');
});

test('a page of known other sections is an answer with an empty list; one that lacks its list alone is not', () => {
  const answers = [
    { type: 'answer_box' },
    { type: 'paid', title: 'Ad', url: 'https://ad.example/' },
    { type: 'ai_overview', markdown: 'Four.' },
  ];
  for (const [i] of answers.entries()) {
    const { resource, delivered } = found(readD(answers.slice(i, i + 1)));
    assert.deepEqual([resource.organic, resource.totalResults, delivered], [[], null, 0]);
  }
  for (const items of [
    [],
    [{ type: 'ai_overview', items: [] }],
    [{ type: 'related_searches', items: ['a'] }],
    [{ type: 'people_also_ask' }],
    [{ type: 'something_new' }],
  ])
    assert.equal(readD(items).tag, 'changed', JSON.stringify(items));
  assert.equal(readS({ answer_box: { type: 'calculator' } }).tag, 'changed', 'the provider does not say that there is no list');
});

test("engine B's generated answer is the overview, with the texts of its cited pages and films", () => {
  const copilot = {
    copilot_answer: { text_blocks: [{ snippet: 'Hills are high.' }], references: [{ title: 'On hills', link: 'https://hill.example/on' }] },
  };
  const read = found(readS({ ...copilot, organic_results: [entry('lake', 1)] }, asked('x', { engine: 'engine_b' }), 'bing'));
  assert.deepEqual(read.resource.aiOverview, {
    text: 'Hills are high.',
    references: [{ domain: 'hill.example', url: 'https://hill.example/on', title: 'On hills' }],
  });
  assert.deepEqual(read.resource.features, ['ai_overview', 'organic']);
  const elements = ['ai_overview_organic_element', 'ai_overview_video_element'].map((type) => ({
    type,
    title: type,
    snippet: `of ${type}`,
  }));
  const { aiOverview } = found(readD([{ type: 'ai_overview', items: elements }, item('lake', 1)])).resource;
  for (const { snippet } of elements) assert.ok(aiOverview?.text.includes(snippet));
});

test('tables and comparisons are text of an overview; a block of which no line is read makes the text unread', () => {
  const overviewOf = (...text_blocks: object[]) => found(readS({ organic_results: [entry('lake', 1)], ai_overview: { text_blocks } }));
  const compared = { type: 'comparison', product_labels: ['Hill', 'Lake'], comparison: [{ feature: 'Depth', values: ['none', '40 m'] }] };
  const read = overviewOf({ snippet: 'High.' }, { type: 'table', detailed: [[{ text: 'a' }, { text: 'b' }]] }, compared);
  assert.equal(read.resource.aiOverview?.text, 'High.\na | b\n | Hill | Lake\nDepth | none | 40 m');
  assert.equal(read.unread, undefined);
  const partly = overviewOf({ snippet: 'High.' }, { type: 'new', steps: [{ words: 'Go up.' }] });
  assert.deepEqual([partly.resource.aiOverview?.text, partly.unread], ['High.', ['aiOverview.text']]);
});

test('an overview that is announced and not brought is unread, and the answer is fresh for ten minutes at most', async () => {
  const page = serpapiPage({ organic_results: [entry('hill', 1)], ai_overview: { page_token: 'tok' } });
  const success = { search_metadata: { status: 'Success' } };
  for (const [status, body, headers, freshMs] of [
    [200, { ...success, search_information: { ai_overview_state: 'Fully empty' } }, {}, 600_000],
    [200, { ...success, ai_overview: { text_blocks: [] } }, {}, 600_000],
    [200, { ...success, ai_overview: { error: 'not available' } }, {}, 600_000],
    [200, { search_metadata: { status: 'Error' }, error: 'failed' }, {}, 600_000],
    [500, {}, {}, 600_000],
    [429, { error: 'slow down' }, { 'retry-after': '1800' }, 1_800_000],
    [429, { error: 'slow down' }, { 'retry-after': '86400' }, 3_600_000],
  ] as const) {
    const { ports } = answering([
      ['google_ai_overview', status, body, headers],
      ['engine=google', 200, page],
    ]);
    const outcome = found(await lookup(serpapi, ports, asked('x')));
    assert.deepEqual([outcome.resource.aiOverview, outcome.resource.features], [null, ['organic']]);
    assert.deepEqual([outcome.unread, outcome.freshAtMostMs], [['aiOverview'], freshMs], JSON.stringify(body));
  }
  const announced = found(readD([{ type: 'ai_overview', asynchronous_ai_overview: true, items: null }, item('hill', 1)]));
  assert.deepEqual([announced.unread, announced.freshAtMostMs, announced.resource.features], [['aiOverview'], 600_000, ['organic']]);
  for (const more of [{ ai_overview: [] }, { ai_overview: 'failed' }, { search_information: { ai_overview_state: 'Fully empty' } }])
    assert.deepEqual(found(readS({ organic_results: [entry('hill', 1)], ...more })).unread, ['aiOverview'], JSON.stringify(more));
  const frame = serpapiPage({ organic_results: [entry('hill', 1)], ai_overview: { page_token: 'tok', text_blocks: [] } });
  const { ports } = answering([
    ['google_ai_overview', 200, { ...success, ai_overview: { text_blocks: [{ snippet: 'High.' }] } }],
    ['engine=google', 200, frame],
  ]);
  assert.equal(
    found(await lookup(serpapi, ports, asked('x'))).resource.aiOverview?.text,
    'High.',
    'an empty list beside a token is a frame',
  );
  const none = found(readS({ organic_results: [entry('hill', 1)] }));
  assert.deepEqual([none.unread, none.freshAtMostMs], [undefined, undefined]);
});

test('a lookup of depth 40 whose pages are sealed gives each entry its site or leaves it out as unread', async () => {
  const pages = Array.from({ length: 4 }, (_, page) =>
    serpapiPage({
      organic_results: Array.from({ length: 10 }, (_, i) => ({
        position: i + 1,
        title: `Guide ${page * 10 + i + 1}`,
        link: `https://www.google.com/goto?url=CAES${page}${i}`,
        // sites come again from page to page; one entry a page shows no address
        displayed_link: i === 4 ? '570+ comments' : `https://site${(i * 3 + page) % 12}.example › guide`,
      })),
      ...(page < 3 && { serpapi_pagination: { current: page + 1, next: 'https://serpapi.com/search.json' } }),
    }),
  );
  const { ports, requests } = answering([
    ...[1, 2, 3].map((page) => [`start=${page}0`, 200, pages[page] ?? {}] as const),
    ['engine=google', 200, pages[0] ?? {}],
  ]);
  const outcome = found(await lookup(serpapi, ports, asked('x', { depth: 40 })));
  const { organic } = outcome.resource;
  assert.equal(organic.length, 36);
  assert.ok(
    organic.every(({ domain }) => /^site\d+\.example$/.test(domain)),
    'no host of an engine is sold',
  );
  assert.deepEqual(
    organic.map(({ rank, title }) => `Guide ${rank}` === title),
    organic.map(() => true),
  );
  assert.deepEqual([outcome.delivered, outcome.unread, requests.length], [40, ['organic.url'], 4]);
});

test('a missing link to the next page beside pages beyond this one goes on; the last page ends the list', async () => {
  const full = (from: number, more: object) =>
    serpapiPage({ organic_results: Array.from({ length: 10 }, (_, i) => entry(`s${from + i}`, i + 1)), ...more });
  const others = (current: number, pages: readonly number[]) => ({
    serpapi_pagination: { current, other_pages: Object.fromEntries(pages.map((page) => [page, 'https://serpapi.com/search.json'])) },
  });
  for (const [second, want, calls] of [
    [full(10, others(2, [1, 3, 4])), 30, 3],
    [full(10, others(2, [1])), 20, 2],
    [full(10, {}), 30, 3],
    [serpapiPage({ organic_results: [entry('s10', 1)] }), 11, 2],
  ] as const) {
    const { ports, requests } = answering([
      ['start=20', 200, full(20, others(3, [1, 2]))],
      ['start=10', 200, second],
      ['engine=google', 200, full(0, { serpapi_pagination: { current: 1, next: 'https://serpapi.com/search.json' } })],
    ]);
    const outcome = found(await lookup(serpapi, ports, asked('x', { depth: 40 })));
    assert.deepEqual([outcome.delivered, requests.length], [want, calls]);
  }
});

test('ratings: the text of the page decides on value and scale, and one of a store belongs to the shop', () => {
  const ratingOf = (rich_snippet: object) =>
    found(readS({ organic_results: [{ ...entry('hill', 1), rich_snippet }] })).resource.organic[0]?.rating;
  const top = (extensions: string[], detected_extensions: object) => ({ top: { extensions, detected_extensions } });
  assert.deepEqual(ratingOf(top(['4/4'], { rating: 5.0 })), { value: 4, votesCount: null, max: 4 });
  assert.deepEqual(ratingOf(top(['92%'], { rating: 4.6 })), { value: 92, votesCount: null, max: 100 });
  assert.deepEqual(ratingOf(top(['20% off', 'Rating: 4.6'], { rating: 4.6 })), { value: 4.6, votesCount: null, max: 5 });
  const unscaled = found(readS({ organic_results: [{ ...entry('hill', 1), rich_snippet: top(['8.5'], { rating: 8.5 }) }] }));
  assert.deepEqual(unscaled.unread, ['organic.rating'], 'a value without a known scale');
  const recipe = { extensions: ['Rating: 4.8', '408 votes', '50 mins'], detected_extensions: { rating: 4.8, votes: 408, mins: 50 } };
  assert.deepEqual(ratingOf({ bottom: recipe }), { value: 4.8, votesCount: 408, max: 5 });
  const shop = { extensions: ['$12.00', '4.1 store rating (2.1K)'], detected_extensions: { price: 12, rating: 4.1 } };
  assert.equal(ratingOf({ bottom: shop }), null);
});

test('the same search of a provider that has the whole list needs one request', async () => {
  const { ports, requests } = sandboxPorts(ALL);
  found(await lookup(dataforseo, ports, asked('running shoes', { depth: 40 })));
  assert.equal(requests.length, 1);
});

test('what stands beside a sealed link names the site; cited pages with hidden links are unread', () => {
  const goto = 'https://www.google.com/goto?url=CAESegHr';
  const beside = found(readD([item('hill', 1, { url: goto, domain: 'hill.example' }), item('lake', 2)])).resource.organic[0];
  assert.deepEqual([beside?.domain, beside?.url], ['hill.example', 'https://hill.example']);
  const redirect = { ...entry('hill', 1), link: goto, redirect_link: 'https://www.google.com/url?url=https://hill.example/guide' };
  assert.equal(found(readS({ organic_results: [redirect] })).resource.organic[0]?.url, 'https://hill.example/guide');
  const references = [
    { title: 'On hills', link: goto, source: 'Hill' },
    { title: 'On lakes', link: 'https://lake.example/on' },
  ];
  const cited = found(readS({ organic_results: [entry('moor', 1)], ai_overview: { text_blocks: [{ snippet: 'High.' }], references } }));
  assert.deepEqual(
    cited.resource.aiOverview?.references.map(({ domain }) => domain),
    ['lake.example'],
  );
  assert.deepEqual(cited.unread, ['aiOverview.references']);
  const ads = [{ title: 'Ad', link: 'https://www.google.com/aclk?sa=l', displayed_link: 'https://shop.example' }];
  assert.equal(found(readS({ organic_results: [entry('moor', 1)], ads })).resource.paid[0]?.domain, 'shop.example');
});
