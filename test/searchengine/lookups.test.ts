import assert from 'node:assert/strict';
import { test } from 'node:test';
import Schema from 'typebox/schema';
import { SERP_BLOCK_PAGES } from '../../sandbox/searchengine/block-pages.ts';
import { KEYWORDS, serpOf } from '../../sandbox/searchengine/facts.ts';
import { googlePage } from '../../sandbox/searchengine/google.ts';
import { DEMO_DATAFORSEO, DEMO_SERPAPI_KEY, PROVIDER_FAULTS } from '../../sandbox/searchengine/providers.ts';
import { SEARXNG_ORIGIN } from '../../sandbox/searchengine/searxng.ts';
import { OPERATIONS } from '../../src/contract/operations/index.ts';
import { dataforseo } from '../../src/sources/searchengine/dataforseo/source.ts';
import { readGooglePage } from '../../src/sources/searchengine/google/parse.ts';
import type { Browser } from '../../src/sources/searchengine/page/browser.ts';
import { browserSource } from '../../src/sources/searchengine/page/source.ts';
import { searxng } from '../../src/sources/searchengine/searxng/source.ts';
import { serpapi } from '../../src/sources/searchengine/serpapi/source.ts';
import type { Ports, Source } from '../../src/sources/source.ts';
import { asked, expectedOf, type Input, lookup, type Says, sandboxPorts } from './fixture.ts';

const ALL = {
  DATAFORSEO_LOGIN: DEMO_DATAFORSEO.login,
  DATAFORSEO_PASSWORD: DEMO_DATAFORSEO.password,
  SERPAPI_KEY: DEMO_SERPAPI_KEY,
  SEARXNG_URL: SEARXNG_ORIGIN,
  SIGHTLINE_BROWSER_URL: 'http://127.0.0.1:9222',
};
/** A browser that loads pages from the simulated engines. */
const fakeBrowser = (ports: Ports): Browser => ({
  open: async () => ({
    visit: (url) =>
      ports.http.ask({
        url,
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140', cookie: 'MUID=1' },
        attempt: { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY },
      }),
    close: async () => undefined,
  }),
});
const browser = browserSource(fakeBrowser);

const fits = Schema.Compile(OPERATIONS.serp.resource);

async function holds(source: Source, input: Input, says: Says = {}): Promise<void> {
  const { ports } = sandboxPorts(ALL);
  const outcome = await lookup(source, ports, input);
  assert.equal(outcome.tag, 'found', JSON.stringify(outcome).slice(0, 300));
  if (outcome.tag !== 'found') return;
  const { checkedAt, ...got } = outcome.resource;
  assert.match(checkedAt, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  assert.ok(fits.Check(outcome.resource), 'the resource fits the contract');
  const expected = expectedOf(input, says);
  assert.deepEqual(got, expected);
  assert.equal(outcome.delivered, expected.organic.length);
}

for (const keyword of ['running shoes', 'price of depth', 'Größe 50% + "wide" & more', KEYWORDS.few]) {
  for (const depth of [3, 10, 25, 200]) {
    for (const engine of ['engine_a', 'engine_b'] as const) {
      const input = asked(keyword, { depth, engine });
      test(`DataForSEO returns the results of ${engine} for ${keyword}, depth ${depth}`, () => holds(dataforseo, input));
      test(`the operator's browser returns the same for ${engine}, ${keyword}, depth ${depth}`, () => holds(browser, input));
    }
  }
}
test("the answer box is the first organic entry, on the page and in the provider's JSON", async () => {
  await holds(browser, asked(KEYWORDS.snippet));
  const { ports } = sandboxPorts(ALL);
  for (const source of [dataforseo, serpapi]) {
    const outcome = await lookup(source, ports, asked(KEYWORDS.snippet));
    assert.ok(outcome.tag === 'found');
    assert.deepEqual(
      [outcome.resource.organic[0]?.isFeaturedSnippet, outcome.resource.organic[0]?.rank, outcome.resource.organic[1]?.rank],
      [true, 1, 2],
    );
    assert.ok(outcome.resource.features.includes('featured_snippet'));
  }
});
test('phones and pages without scripts have the same ranking', () => {
  const input = asked('running shoes');
  const fact = serpOf(input.keyword, 'a');
  for (const layout of ['mobile', 'plain'] as const) {
    const body = Buffer.from(googlePage(fact, 0, layout));
    const outcome = readGooglePage({ status: 200, headers: {}, body, url: 'https://www.google.com/search?q=x', atMs: 0 }, input);
    assert.ok(outcome.tag === 'found', layout);
    const expected = expectedOf(input).organic;
    assert.deepEqual(
      outcome.resource.organic.map((o) => [o.rank, o.url, o.title]),
      expected.map((o) => [o.rank, o.url, o.title]),
    );
    assert.deepEqual(
      outcome.resource.paid.map((a) => a.title),
      expectedOf(input).paid.map((a) => a.title),
    );
    assert.equal(outcome.resource.totalResults, null);
  }
});
for (const depth of [10, 25, 200]) {
  for (const engine of ['engine_a', 'engine_b'] as const) {
    test(`SerpApi returns all fields except absolute ranks (${engine}, depth ${depth})`, async () => {
      const input = asked('running shoes', { depth, engine });
      const { ports, requests } = sandboxPorts(ALL);
      const outcome = await lookup(serpapi, ports, input);
      assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
      const expected = expectedOf(input);
      assert.deepEqual(
        outcome.resource.organic,
        expected.organic.map((o) => ({ ...o, absoluteRank: o.rank })),
      );
      assert.deepEqual(outcome.resource.paid, expected.paid);
      assert.deepEqual(outcome.resource.aiOverview, expected.aiOverview);
      assert.deepEqual(outcome.resource.relatedSearches, expected.relatedSearches);
      assert.deepEqual(new Set(outcome.resource.features), new Set(expected.features));
      // the overview of engine A requires one more request
      assert.equal(requests.length, Math.ceil(expected.organic.length / 10) + (engine === 'engine_a' ? 1 : 0));
    });
  }
}
test('SearXNG returns URLs, titles, snippets and suggestions of the requested engine only', async () => {
  const input = asked('running shoes', { depth: 25 });
  const { ports, requests } = sandboxPorts(ALL);
  const outcome = await lookup(searxng, ports, input);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  const { organic, ...rest } = outcome.resource;
  assert.deepEqual(
    organic,
    expectedOf(input).organic.map((o) => ({ ...o, absoluteRank: o.rank, breadcrumb: null, websiteName: null, rating: null })),
  );
  assert.deepEqual([rest.paid, rest.aiOverview, rest.totalResults, rest.features], [[], null, null, ['organic']]);
  assert.deepEqual(rest.relatedSearches, expectedOf(input).relatedSearches);
  assert.ok(requests.every((r) => r.named && new URL(r.url).searchParams.get('engines') === 'google'));
});

test('no results are an empty answer if the engine itself states them, and a block if the notice is no evidence', async () => {
  const { ports } = sandboxPorts(ALL);
  for (const source of [dataforseo, browser, serpapi]) {
    const outcome = await lookup(source, ports, asked(KEYWORDS.nothing));
    assert.ok(outcome.tag === 'found', source.id);
    assert.deepEqual(
      [outcome.resource.organic, outcome.resource.totalResults, outcome.resource.features, outcome.delivered],
      [[], 0, [], 0],
    );
  }
  for (const source of [dataforseo, serpapi, browser]) {
    const outcome = await lookup(source, ports, asked(KEYWORDS.nothing, { engine: 'engine_b' }));
    assert.equal(outcome.tag, 'blocked', source.id);
    assert.match(outcome.tag === 'blocked' ? outcome.what : '', /cannot be told apart/);
  }
  assert.equal((await lookup(searxng, ports, asked(KEYWORDS.nothing))).tag, 'changed', 'an empty list without a reason is no statement');
});

test('block pages have their outcomes: captcha, consent, shell, challenge, limit, outage', async () => {
  const { ports } = sandboxPorts(ALL);
  const tagOf = async (source: Source, keyword: string, engine: Input['engine']) =>
    (await lookup(source, ports, asked(keyword, { engine }))).tag;
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.captcha, 'engine_a'), 'blocked');
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.consent, 'engine_a'), 'blocked');
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.shell, 'engine_a'), 'blocked');
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.tooMany, 'engine_a'), 'limited');
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.failing, 'engine_a'), 'unreachable');
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.challenge, 'engine_b'), 'blocked');
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.disguised, 'engine_b'), 'blocked');
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.tooMany, 'engine_b'), 'limited');
  assert.equal(await tagOf(browser, SERP_BLOCK_PAGES.failing, 'engine_b'), 'unreachable');
  for (const keyword of Object.values(SERP_BLOCK_PAGES)) assert.notEqual(await tagOf(dataforseo, keyword, 'engine_a'), 'found');
  assert.equal(await tagOf(searxng, SERP_BLOCK_PAGES.captcha, 'engine_a'), 'blocked');
  assert.equal(await tagOf(searxng, SERP_BLOCK_PAGES.failing, 'engine_a'), 'timeout');
});
test('a failed page fails the whole lookup; no truncated ranking is returned', async () => {
  const { ports } = sandboxPorts(ALL);
  for (const [source, engine] of [
    [browser, 'engine_a'],
    [browser, 'engine_b'],
    [serpapi, 'engine_a'],
    [searxng, 'engine_a'],
  ] as const) {
    assert.equal((await lookup(source, ports, asked(SERP_BLOCK_PAGES.secondPage, { engine }))).tag, 'found');
    assert.notEqual(
      (await lookup(source, ports, asked(SERP_BLOCK_PAGES.secondPage, { engine, depth: 20 }))).tag,
      'found',
      `${source.id} ${engine}`,
    );
  }
});
test('without time for another page the whole lookup times out', async () => {
  const { ports } = sandboxPorts(ALL);
  for (const source of [serpapi, searxng, browser])
    assert.equal((await lookup(source, ports, asked('running shoes', { depth: 20 }), 1_000)).tag, 'timeout', source.id);
});
test('page one returned as page two is a block, not the end of the list', async () => {
  const { ports } = sandboxPorts(ALL);
  const forgetful = browserSource((own) => ({
    open: async (language) => {
      const tab = await fakeBrowser(own).open(language);
      return 'tag' in tab ? tab : { ...tab, visit: (url, timeoutMs) => tab.visit(url.replace(/([?&])first=\d+/, '$1'), timeoutMs) };
    },
  }));
  assert.equal((await lookup(forgetful, ports, asked('running shoes', { engine: 'engine_b', depth: 20 }))).tag, 'blocked');
});

test("an error of the operator's account is refused; only the log contains the reason", async () => {
  for (const source of [dataforseo, serpapi]) {
    const wrong = sandboxPorts({ ...ALL, DATAFORSEO_PASSWORD: 'wrong', SERPAPI_KEY: 'wrong' });
    const outcome = await lookup(source, wrong.ports, asked('running shoes'));
    assert.equal(outcome.tag, 'refused');
    const { ports } = sandboxPorts(ALL);
    const broke = await lookup(source, ports, asked(PROVIDER_FAULTS.broke));
    assert.equal(broke.tag, 'refused');
    assert.ok(broke.tag === 'refused' && broke.detail && !/google|bing/i.test(broke.what));
    const waits = await lookup(source, ports, asked(PROVIDER_FAULTS.queued));
    // a queued task says nothing about other lookups
    assert.deepEqual(waits.tag === 'limited' && [waits.retryAfterMs, waits.counts], [60_000, false]);
  }
});
test('the daily cap of a paid source stops its searches, and the log names the settings', async () => {
  const byCount = sandboxPorts({ ...ALL, SIGHTLINE_DAILY_CAPS: JSON.stringify({ dataforseo: { requests: 1 }, serpapi: { requests: 2 } }) });
  for (const source of [dataforseo, serpapi]) {
    assert.equal((await lookup(source, byCount.ports, asked('running shoes', { engine: 'engine_b' }))).tag, 'found');
  }
  const again = await lookup(dataforseo, byCount.ports, asked('running shoes', { engine: 'engine_b' }));
  assert.ok(again.tag === 'limited' && /SIGHTLINE_DAILY_CAPS, dataforseo/.test(again.detail ?? ''));
  assert.ok(byCount.logged.some((line) => line.includes('SIGHTLINE_DAILY_CAPS, dataforseo')));
  const byMoney = sandboxPorts({ ...ALL, SIGHTLINE_DAILY_CAPS: JSON.stringify({ dataforseo: { usd: 0.005 } }) });
  assert.equal((await lookup(dataforseo, byMoney.ports, asked('price of depth', { depth: 200 }))).tag, 'refused', 'dearer than the cap');
  assert.equal((await lookup(dataforseo, byMoney.ports, asked('running shoes'))).tag, 'found');
  assert.equal((await lookup(dataforseo, byMoney.ports, asked('running shoes'))).tag, 'limited');
  await byMoney.clock.advance(86_400_000);
  assert.equal((await lookup(dataforseo, byMoney.ports, asked('running shoes'))).tag, 'found', 'it opens again');
  assert.ok(byMoney.logged.some((line) => line.startsWith('info upstream cost') && line.includes('"usd":0.004')));
});
test('the request contains the exact input', async () => {
  const { ports, requests } = sandboxPorts(ALL);
  await lookup(dataforseo, ports, asked('50% off + more', { location: 'GB', language: 'zh', device: 'mobile', depth: 25 }));
  const [task] = JSON.parse(requests[0]?.body ?? '[]');
  assert.deepEqual(
    [task.keyword, task.location_code, task.language_code, task.device, task.depth, task.load_async_ai_overview],
    ['50%25 off %2B more', 2826, 'zh-CN', 'mobile', 25, true],
  );
  assert.ok(!requests.some((r) => r.url.includes('demo-secret')));
});
test('each source accepts only the devices that it supports', () => {
  for (const source of [browser, searxng])
    assert.equal(source.serves?.('serp', asked('x', { engine: 'engine_b', device: 'mobile' })), false);
});
