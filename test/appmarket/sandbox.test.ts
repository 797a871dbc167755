// In the gate alone: it asks the simulated platforms for everything they have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPS, DEVELOPERS } from '../../sandbox/appmarket/apps.ts';
import { CATEGORIES } from '../../sandbox/appmarket/categories.ts';
import { truth } from '../../sandbox/appmarket/expected.ts';
import { appmarket, LAZY_KEYWORD } from '../../sandbox/appmarket/host.ts';
import type { SandboxHost, SandboxRequest } from '../../sandbox/host.ts';
import { OPERATIONS } from '../../src/contract/operations/index.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { market } from './simulated-source.ts';

const resourceOf = (outcome: Outcome): unknown => (outcome.tag === 'found' ? outcome.resource : outcome);

test('every app gives the expected profile', async () => {
  const { lookup } = market(appmarket);
  for (const { handle } of APPS) assert.deepEqual(resourceOf(await lookup('app', { handle })), truth.app(handle), handle);
});

test('reviews: both sort orders, edited ones, no replies, ratings without text, pages after the last', async () => {
  const { lookup } = market(appmarket);
  for (const handle of ['acme-reviews', 'brand-new-app', 'free-forever', ...APPS.slice(20, 60).map((app) => app.handle)]) {
    for (const sort of ['relevance', 'newest'] as const) {
      for (const page of [1, 2, 99]) {
        const input = { handle, page, sort };
        assert.deepEqual(resourceOf(await lookup('app-reviews', input)), truth.reviews(handle, page, sort), `${handle} ${sort} ${page}`);
      }
    }
  }
  const input = { handle: 'acme-reviews', page: 1, sort: 'newest' as const };
  assert.deepEqual(await lookup('appstore-reviews', input), await lookup('app-reviews', input));
});

test('a developer has the apps of all pages', async () => {
  const { lookup, paths } = market(appmarket);
  for (const { handle } of DEVELOPERS)
    assert.deepEqual(resourceOf(await lookup('app-developer', { handle })), truth.developer(handle), handle);
  assert.ok(paths().includes('/partners/acme-widgets?page=2'));
});

test('topics, intermediate categories and every page of leaf categories give the expected resource', async () => {
  const { lookup } = market(appmarket);
  for (const { handle } of CATEGORIES) {
    for (const page of [1, 2, 50]) {
      const want = truth.category(handle, page);
      const got = await lookup('appstore-category', { handle, page });
      assert.deepEqual(resourceOf(got), want, `${handle} ${page}`);
    }
  }
});

test('ads and apps are ranked separately, built-in features omitted, lazy frames loaded', async () => {
  const { lookup, asked } = market(appmarket);
  for (const keyword of ['product reviews', 'acme', 'seo', 'zzqxv', LAZY_KEYWORD, 'reviews']) {
    for (const page of [1, 2, 9]) {
      const got = await lookup('app-keywords', { keyword, page });
      assert.deepEqual(resourceOf(got), truth.search(keyword, page), `${keyword} ${page}`);
    }
  }
  assert.ok(asked.some(({ headers }) => headers?.['turbo-frame'] === 'search_page'));
});

test('every example of the OpenAPI description gives a non-empty resource', async () => {
  const { lookup } = market(appmarket);
  const example = (id: keyof typeof OPERATIONS, field: string) => String(OPERATIONS[id].parameters.find((p) => p.field === field)?.example);
  const handle = example('app', 'handle');
  assert.equal((await lookup('app', { handle })).tag, 'found');
  const reviews = await lookup('app-reviews', { handle, page: 1, sort: 'newest' });
  assert.ok(reviews.tag === 'found' && reviews.resource.reviews.length === 10);
  const ranking = await lookup('app-keywords', { keyword: example('app-keywords', 'keyword'), page: 1 });
  assert.ok(ranking.tag === 'found' && ranking.resource.apps.length > 20);
  const developer = await lookup('app-developer', { handle: example('app-developer', 'handle') });
  assert.ok(developer.tag === 'found' && developer.resource.apps.length > 20);
  const category = await lookup('appstore-category', { handle: example('appstore-category', 'handle'), page: 1 });
  assert.ok(category.tag === 'found' && category.resource.apps.length > 20);
});

test('missing, renamed, removed, withdrawn, rate-limited and old pages have the right outcome', async () => {
  const tagOf = async (handle: string) => (await market(appmarket).lookup('app', { handle })).tag;
  assert.equal(await tagOf('no-such-app'), 'absent');
  assert.equal(await tagOf('gone-app'), 'absent');
  assert.equal(await tagOf('withdrawn-app'), 'absent');
  assert.equal(await tagOf('busy-app'), 'limited');
  assert.equal(await tagOf('broken-app'), 'unreachable');
  assert.equal(await tagOf('old-layout'), 'changed');
  assert.equal(await tagOf('empty-shell'), 'changed');
  const renamed = await market(appmarket).lookup('app', { handle: 'renamed-app' });
  assert.deepEqual(resourceOf(renamed), truth.app('acme-reviews'));
  assert.equal((await market(appmarket).lookup('app-developer', { handle: 'nobody' })).tag, 'absent');
  assert.equal((await market(appmarket).lookup('appstore-category', { handle: 'nothing', page: 1 })).tag, 'absent');
  assert.equal((await market(appmarket).lookup('app-reviews', { handle: 'nothing', page: 1, sort: 'newest' })).tag, 'absent');
});

test('after a block page no request is sent for 15 minutes', async () => {
  for (const handle of ['walled-app', 'quietly-walled-app']) {
    const { lookup, clock, paths, rests } = market(appmarket);
    assert.equal((await lookup('app', { handle })).tag, 'blocked');
    assert.deepEqual(rests, [900_000]);
    const before = paths().length;
    assert.equal((await lookup('app', { handle: 'acme-reviews' })).tag, 'blocked');
    assert.equal((await lookup('app-keywords', { keyword: 'seo', page: 1 })).tag, 'blocked');
    assert.equal(paths().length, before);
    await clock.advance(900_000);
    assert.equal((await lookup('app', { handle: 'acme-reviews' })).tag, 'found');
  }
});

test('after a 429 no request is sent for the time of Retry-After', async () => {
  const { lookup, clock, rests } = market(appmarket);
  const busy = await lookup('app', { handle: 'busy-app' });
  assert.ok(busy.tag === 'limited' && busy.retryAfterMs === 120_000);
  assert.deepEqual(rests, [120_000]);
  await clock.advance(60_000);
  const next = await lookup('app', { handle: 'acme-reviews' });
  assert.ok(next.tag === 'limited' && next.retryAfterMs === 60_000);
});

test('robots.txt is fetched first and obeyed; keyword search ignores it when the operator enables it', async () => {
  const barring: SandboxHost = {
    ...appmarket,
    answer: (request) =>
      request.url.pathname === '/robots.txt'
        ? { status: 200, body: 'User-agent: Sightline\nDisallow: /partners/\nDisallow: *q=*' }
        : appmarket.answer(request),
  };
  const { lookup, paths } = market(barring);
  assert.equal((await lookup('app', { handle: 'acme-reviews' })).tag, 'found');
  assert.deepEqual(paths(), ['/robots.txt', '/acme-reviews']);
  assert.equal((await lookup('app-developer', { handle: 'acme-widgets' })).tag, 'blocked');
  assert.ok(!paths().some((path) => path.startsWith('/partners')));
  assert.equal((await lookup('app-keywords', { keyword: 'seo', page: 1 })).tag, 'found');
});

test('robots.txt is not fetched for an exempt origin', async () => {
  const barring: SandboxHost = {
    ...appmarket,
    answer: (request) =>
      request.url.pathname === '/robots.txt' ? { status: 200, body: 'User-agent: *\nDisallow: /' } : appmarket.answer(request),
  };
  assert.equal((await market(barring).lookup('app', { handle: 'acme-reviews' })).tag, 'blocked');
  const exempt = market(barring, { SIGHTLINE_ROBOTS_EXEMPT: 'apps.shopify.com' });
  assert.equal((await exempt.lookup('app', { handle: 'acme-reviews' })).tag, 'found');
  assert.deepEqual(exempt.paths(), ['/acme-reviews']);
});

test('a block page in place of robots.txt is blocked', async () => {
  const walled: SandboxHost = {
    ...appmarket,
    answer: (request) =>
      appmarket.answer(request.url.pathname === '/robots.txt' ? { ...request, url: new URL('/walled-app', request.url) } : request),
  };
  const { lookup, paths } = market(walled);
  assert.equal((await lookup('app', { handle: 'acme-reviews' })).tag, 'blocked');
  assert.deepEqual(paths(), ['/robots.txt']);
});

test('all requests share one cookie jar and one pace, and ask for English', async () => {
  const { lookup, asked } = market(appmarket);
  await lookup('app', { handle: 'acme-reviews' });
  await lookup('app-developer', { handle: 'cobalt-kettle' });
  const pages = asked.slice(1);
  assert.equal(pages[0]?.headers?.cookie, undefined);
  assert.equal(pages[1]?.headers?.cookie, '_shopify-app_store_session5=sandbox');
  for (const request of pages) assert.match(request.headers?.['accept-language'] ?? '', /^en-US/);
  for (const request of asked) assert.deepEqual(request.pace, { key: 'apps.shopify.com', everyMs: 2000, burst: 1 });
});

test('a list of apps that cannot be fetched completely in time is a timeout', async () => {
  const endless: SandboxHost = { ...appmarket, answer: (request) => endlessPage(request) };
  const late = await market(endless).lookup('app-developer', { handle: 'acme-widgets' }, 9_000);
  assert.equal(late.tag, 'timeout');
  const far = await market(endless).lookup('app-developer', { handle: 'acme-widgets' });
  assert.equal(far.tag, 'refused');
});

test('a list of apps that ends before the number that it states is unread, as far as it was read', async () => {
  const cut: SandboxHost = { ...appmarket, answer: (request) => firstPageOnly(request) };
  const outcome = await market(cut).lookup('app-developer', { handle: 'acme-widgets' });
  assert.ok(outcome.tag === 'found' && outcome.unread?.includes('apps'), outcome.tag);
  assert.equal(outcome.resource.apps.length, 24);
});

test('a page that redirects to the search says nothing of what was asked', async () => {
  const moved: SandboxHost = {
    ...appmarket,
    answer: (request) =>
      request.url.pathname === '/acme-reviews'
        ? { status: 302, headers: { location: '/search?q=acme-reviews' }, body: '' }
        : appmarket.answer(request),
  };
  const { lookup, paths } = market(moved);
  assert.equal((await lookup('app', { handle: 'acme-reviews' })).tag, 'changed');
  assert.deepEqual(paths(), ['/robots.txt', '/acme-reviews']);
});
/** Every page names a next one and holds new apps. */
async function endlessPage(request: SandboxRequest) {
  const page = Number(request.url.searchParams.get('page') ?? 1);
  const first = new URL(request.url);
  first.searchParams.delete('page');
  const made = await appmarket.answer({ ...request, url: first });
  const named = String(made.body).replaceAll('Current Page, Page 1"', `Current Page, Page ${page}"`);
  return { ...made, body: named.replaceAll('data-app-card-handle-value="', `data-app-card-handle-value="p${page}-`) };
}
/** The list ends before the announced number is reached. */
async function firstPageOnly(request: SandboxRequest) {
  const made = await appmarket.answer(request);
  return { ...made, body: String(made.body).replace(/<div data-pagination-controls[\s\S]*?<\/div>/g, '') };
}

/** Pages of apps with a developer whose name is not understood. */
async function withoutDeveloper(request: SandboxRequest) {
  const made = await appmarket.answer(request);
  return { ...made, body: String(made.body).replaceAll('/partners/', '/makers/').replaceAll('"brand"', '"maker"') };
}

test('developers of ranked apps are fetched only if enabled, all or none', async () => {
  const input = { keyword: 'email marketing', page: 1 };
  const on = { SIGHTLINE_APPMARKET_SEARCH_DEVELOPERS: '1' };
  const plain = market(appmarket);
  await plain.lookup('app-keywords', input);
  assert.equal(plain.asked.length, 1);
  const { lookup } = market(appmarket, on);
  const named = await lookup('app-keywords', input);
  assert.ok(named.tag === 'found');
  for (const app of named.resource.apps) assert.equal(app.developer, truth.app(app.handle ?? '')?.developer.name);
  const nameless: SandboxHost = { ...appmarket, answer: (request) => withoutDeveloper(request) };
  const unnamed = await market(nameless, on).lookup('app-keywords', input);
  assert.ok(unnamed.tag === 'found' && unnamed.unread?.includes('apps.developer'));
  const hasty = market(appmarket, on);
  assert.equal((await hasty.lookup('app-keywords', input, 7_000)).tag, 'timeout');
  const asked = hasty.asked.length;
  assert.equal((await hasty.lookup('app-keywords', input)).tag, 'found');
  // what the first try learnt is not asked again
  assert.ok(hasty.asked.length - asked < named.resource.apps.length);
});
