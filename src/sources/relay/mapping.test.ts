import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import type { Input } from '../../contract/operations/index.ts';
import { readSettings, SettingError } from '../../settings.ts';
import type { HttpRequest } from '../../upstream/ports.ts';
import type { Outcome } from '../outcome.ts';
import type { Ports } from '../source.ts';
import { parseRelays } from './config.ts';
import { demandExpressions, relaySource } from './connector.ts';
import { requestOf } from './request.ts';

const INPUT = { keyword: 'hiking & boots', location: 'DE', language: 'de', device: 'desktop', depth: 10, engine: 'engine_a' } as const;
const relay = (fields: Record<string, unknown> = {}) => ({
  name: 'provider',
  operation: 'serp',
  method: 'POST',
  url: 'https://api.provider.example/search?gl={location.lower}',
  body: { url: 'https://engine.example/?q={keyword.encoded}&gl={location}' },
  map: [
    '{ "keyword": $input.keyword, "searchEngine": $input.engine, "location": $input.location, "language": $input.language,',
    '  "device": $input.device, "organic": [$map([rows], function($row, $i) {( $site := $address($row.link, $row.shown);',
    '    $site ? { "rank": $i + 1, "absoluteRank": $i + 1, "url": $site.url, "domain": $site.domain, "title": $row.title, "isFeaturedSnippet": $row.box = true } )})] }',
  ],
  ...fields,
});
const read = (fields: Record<string, unknown>) => parseRelays(JSON.stringify({ relays: [relay(fields)] }), {});

async function ask(
  fields: Record<string, unknown>,
  body: unknown,
  status = 200,
): Promise<{ outcome: Outcome; request: HttpRequest | undefined }> {
  const [one] = read(fields);
  assert.ok(one);
  let request: HttpRequest | undefined;
  const answer = { status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)), url: '', atMs: 0 };
  const ports = {
    settings: readSettings({}),
    clock: createManualClock(),
    log: () => {},
    http: {
      ask: async (asked: HttpRequest) => {
        request = asked;
        return { tag: 'answer', answer };
      },
    },
  } as unknown as Ports;
  const outcome = await relaySource(one).open(ports).serp?.(INPUT, { signal: new AbortController().signal, deadlineMs: 0 });
  assert.ok(outcome);
  return { outcome, request };
}
const row = (link: string, more: object = {}) => ({ link, title: 'Boots', ...more });

test('an input goes in small letters, and percent-encoded into a URL within the body', async () => {
  const { request } = await ask({}, { rows: [row('https://shop.example/')] });
  assert.equal(request?.url, 'https://api.provider.example/search?gl=de');
  assert.equal(request?.body, '{"url":"https://engine.example/?q=hiking%20%26%20boots&gl=DE"}');
  assert.throws(() => read({ url: 'https://api.provider.example/{location.upper}/' }), SettingError);
  assert.throws(() => read({ url: 'https://api.provider.example/{country.lower}/' }), /holds \{country\.lower\}/);
});

test('an address is read by the rule of all sources: destination, no tracking parameters, hidden is unread and keeps its place', async () => {
  const rows = [
    row('https://www.google.com/url?q=https%3A%2F%2Fshop.example%2Fboots%3Fgclid%3D1&sa=U'),
    row('https://www.google.com/goto?url=sealed'),
    row('https://review.example/boots'),
  ];
  const { outcome } = await ask({}, { rows });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  const { organic } = outcome.resource as { organic: { rank: number; url: string; domain: string }[] };
  assert.deepEqual(
    organic.map(({ rank, url, domain }) => [rank, url, domain]),
    [
      [1, 'https://shop.example/boots', 'shop.example'],
      [3, 'https://review.example/boots', 'review.example'],
    ],
  );
  assert.deepEqual(outcome.unread, ['organic.url']);
});

test('what is shown in place of an address is no breadcrumb, and nothing unread', async () => {
  const map = [
    '{ "keyword": $input.keyword, "searchEngine": $input.engine, "location": $input.location, "language": $input.language,',
    '  "device": $input.device, "organic": [$map([rows], function($row, $i) {( $site := $address($row.link, $row.shown); { "rank": $i + 1,',
    '    "absoluteRank": $i + 1, "url": $site.url, "domain": $site.domain, "breadcrumb": $site.breadcrumb, "title": $row.title, "isFeaturedSnippet": false } )})] }',
  ];
  const asked = async (...lines: (string | undefined)[]) => {
    const { outcome } = await ask({ map }, { rows: lines.map((shown, i) => row(`https://shop.example/${i}`, { shown })) });
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    const { organic } = outcome.resource as { organic: { breadcrumb: string | null }[] };
    return [organic.map(({ breadcrumb }) => breadcrumb), (outcome.unread ?? []).includes('organic.breadcrumb')];
  };
  assert.deepEqual(await asked('shop.example › boots', '8.2K+ followers', undefined), [['shop.example › boots', null, null], false]);
});

test('an empty list is an answer only where the provider says that nothing was found; an answer box is no list', async () => {
  const fields = { nothingWhen: 'state = "none"' };
  for (const [body, tag, evidence] of [
    [{ rows: [], state: 'none' }, 'found', 'nothing of the provider'],
    [{ rows: [], state: 'blocked' }, 'changed', undefined],
    [{}, 'changed', undefined],
    [{ rows: [row('https://box.example/', { box: true })] }, 'changed', undefined],
    [{ rows: [row('https://shop.example/')] }, 'found', undefined],
  ] as const) {
    const { outcome } = await ask(fields, body);
    assert.equal(outcome.tag, tag, JSON.stringify(body));
    assert.equal('evidence' in outcome ? outcome.evidence : undefined, evidence);
  }
  assert.equal((await ask({}, { rows: [] })).outcome.tag, 'found');
});

test('a failure has the meaning that the file gives it, by status and by what the answer says', async () => {
  const failures = [
    { status: 418, means: 'allowance' },
    { status: 403, means: 'limited' },
    { when: 'error.code = 7', means: 'blocked' },
    { when: ['error.code', '= 8'], means: 'credentials' },
    { when: 'error', means: 'failed' },
  ];
  for (const [status, body, tag] of [
    [418, {}, 'refused'],
    [403, {}, 'limited'],
    [200, { error: { code: 7 } }, 'blocked'],
    [200, { error: { code: 8 }, rows: [row('https://shop.example/')] }, 'refused'],
    [500, {}, 'unreachable'],
    [200, { error: true, rows: [row('https://shop.example/')] }, 'unreachable'],
  ] as const)
    assert.equal((await ask({ failures }, body, status)).outcome.tag, tag, `${status} ${JSON.stringify(body)}`);
  assert.equal((await ask({ failures }, { rows: [row('https://shop.example/')] })).outcome.tag, 'found');
});

test('"does not exist" is what the expression says of an answer of status 200, 404 or 410, and of no other', async () => {
  const fields = { absentWhen: 'error.code = "gone"', failures: [{ status: 402, means: 'allowance' }] };
  const gone = { error: { code: 'gone' } };
  for (const [status, body, tag] of [
    [200, gone, 'absent'],
    [404, gone, 'absent'],
    [410, gone, 'absent'],
    [404, { error: { code: 'route' } }, 'changed'],
    [404, { rows: [row('https://shop.example/')] }, 'changed'],
    [404, 'no page', 'changed'],
    [402, gone, 'refused'],
    [403, gone, 'refused'],
    [500, gone, 'unreachable'],
  ] as const)
    assert.equal((await ask(fields, body, status)).outcome.tag, tag, `${status} ${JSON.stringify(body)}`);
  assert.equal((await ask({}, gone, 404)).outcome.tag, 'changed', 'without an expression nothing is said');
});

test('a parameter of the query whose input is not given is left out; the cursor of the first page is empty', () => {
  const url = 'https://api.provider.example/{community}?a={after}&q={query}&b={after}&next={next}';
  const [one] = read({ operation: 'forum-search', method: 'GET', body: null, next: 'next', url });
  assert.ok(one);
  const urlOf = (input: object, cursor?: string) => requestOf(one, input as Input, cursor)?.url;
  assert.equal(urlOf({ query: 'a&b' }), 'https://api.provider.example/?q=a%26b&next=');
  assert.equal(urlOf({ query: 'a', after: 't3_1', community: 'acme' }, '2'), 'https://api.provider.example/acme?a=t3_1&q=a&b=t3_1&next=2');
});

test('a mistake in the failures stops the start with one line that says what is meant', async () => {
  for (const failures of [[{ means: 'gone', status: 410 }], [{ means: 'failed' }], [{ means: 'failed', status: 500, when: 'true' }], [7]])
    assert.throws(() => read({ failures }), /SIGHTLINE_RELAYS: \/relays\/0\/failures must be a list of \{"means": "credentials"/);
  await assert.rejects(
    demandExpressions(read({ failures: [{ means: 'failed', when: '(' }] })),
    /failures of relay\/provider is no JSONata/,
  );
  await assert.rejects(demandExpressions(read({ nothingWhen: '(' })), /nothingWhen of relay\/provider is no JSONata/);
});

test('sections that an answer holds and its mapping does not give are unread, not missing without a word', async () => {
  const rows = [row('https://shop.example/')];
  const unreadOf = async (body: object, map?: string) => {
    const { outcome } = await ask(map ? { map } : {}, body);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return [...(outcome.unread ?? [])].sort();
  };
  const ad = { title: 'Ad', link: 'https://ad.example/' };
  for (const name of ['ads', 'top_ads', 'bottomAds', 'paid', 'paidResults', 'sponsored'])
    assert.deepEqual(await unreadOf({ rows, [name]: [ad] }), ['features', 'paid'], name);
  for (const name of ['ai_overview', 'aiOverview'])
    for (const answer of [{ text_blocks: [{ snippet: 'Boots.' }] }, 'Boots.', true])
      assert.deepEqual(await unreadOf({ rows, [name]: answer }), ['aiOverview'], name);
  for (const name of ['top_stories', 'topStories', 'knowledgeGraph', 'featured_snippets', 'snack_pack', 'localResults', 'inline_videos'])
    assert.deepEqual(await unreadOf({ rows, [name]: [{ title: 'x' }] }), ['features'], name);
  assert.deepEqual(await unreadOf({ rows, related_searches: [{ query: 'boots' }] }), ['relatedSearches']);
  const mapOf = (more: string) =>
    `{ "keyword": $input.keyword, "searchEngine": $input.engine, "location": $input.location, "language": $input.language, "device": $input.device,
      "organic": [organic.{ "rank": 1, "absoluteRank": 1, "url": link, "domain": "shop.example", "title": title, "isFeaturedSnippet": false${more} }] }`;
  for (const rated of [{ rating: 4.5 }, { rating: '4.5' }, { rich_snippet: { top: { rating: { value: 4.5 } } } }])
    assert.deepEqual(
      await unreadOf({ organic: [row('https://shop.example/', rated)] }, mapOf('')),
      ['organic.rating'],
      JSON.stringify(rated),
    );
  for (const rating of [null, 0, '', {}])
    assert.deepEqual(await unreadOf({ organic: [row('https://shop.example/', { rating })] }, mapOf('')), []);
  const mapped = mapOf(', "rating": { "value": rating, "votesCount": null, "max": 5 }');
  assert.deepEqual(await unreadOf({ organic: [row('https://shop.example/', { rating: 4.5 })] }, mapped), []);
  for (const stated of [{ totalResults: 120 }, { search_information: { total_results: '1,200' } }, { general: { results_cnt: 7 } }])
    assert.deepEqual(await unreadOf({ rows, ...stated }), ['totalResults'], JSON.stringify(stated));
  const none = { total_results: 0, ads: [], ai_overview: null, top_stories: {}, related_searches: [], pagination: { next: 2 }, images: [] };
  assert.deepEqual(await unreadOf({ rows, ...none }), [], 'nothing is in them');
  assert.deepEqual(await unreadOf({ rows, data: { results: [{ content: { paid: [ad] } }] } }), ['features', 'paid'], 'below other names');
  assert.deepEqual(await unreadOf({ rows, results: [{ title: 'Boots', images: [ad] }] }), [], 'parts of an entry');
  assert.deepEqual(await unreadOf({ rows, knowledge: { images: [ad], ads: [ad] } }), ['features'], 'parts of a section are no sections');
  const whole = String(read({})[0] && relay().map.join(' ')).replace(
    /\}$/,
    ', "features": ["paid", "organic"], "paid": [$map(ads, function($ad) {{ "rank": 1, "url": $ad.link, "domain": "ad.example", "title": $ad.title }})] }',
  );
  assert.deepEqual(await unreadOf({ rows, ads: [ad] }, whole), []);
});
