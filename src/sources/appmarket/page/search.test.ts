import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../../../test/appmarket/recorded-pages.ts';
import { readCategory, readReviews, readSearch } from './parse.ts';

const card = (handle: string, place: number, surface = 'search') =>
  `<div data-controller="app-card" data-app-card-handle-value="${handle}" data-app-card-name-value="${handle}" data-app-card-app-link-value="https://apps.shopify.com/${handle}?surface_type=${surface}" data-app-card-intra-position-value="${place}"><a href="/${handle}">${handle}</a></div>`;
const search = (body: string, page = 1) =>
  readSearch(answerOf(`<main><turbo-frame id="search_page">${body}</turbo-frame></main>`, { url: 'https://apps.shopify.com/search' }), {
    keyword: 'k',
    page,
  });
const countOf = (body: string, page = 1) => {
  const outcome = search(body, page);
  return outcome.tag === 'found' ? outcome.resource.totalCount : outcome.tag;
};

test('the total is the number that the page states, not a number in the keyword', () => {
  assert.equal(countOf(`<h1>1,234 results for “top 5 apps”</h1>${card('a', 1)}`), 1234);
  assert.equal(countOf(`<h1>Results for “top 5 apps”</h1><div id="app-count"><span>56 apps</span></div>${card('a', 1)}`), 56);
  assert.equal(countOf(`<h1>1 result for “a”</h1>${card('a', 1)}`), 1);
  assert.equal(countOf(`<div>42 results for a</div>${card('a', 1)}`), 42);
  assert.equal(countOf(`<div>42 results and more</div>${card('a', 1)}`), null);
  assert.equal(countOf(`<h1>Results for “top 5 apps”</h1>${card('a', 1)}`), null);
});

test('an empty list is found only if the page says that nothing was found', () => {
  assert.equal(countOf('<h1>0 results for “zz”</h1>'), 0);
  assert.equal(countOf('<h2>No results for “zz”</h2>'), 0);
  assert.equal(countOf('<h1>Search</h1>'), 'changed');
  assert.equal(countOf('<h2>We are having trouble loading your results</h2><p>Try a different keyword.</p>'), 'changed');
  assert.equal(countOf('<h1>312 results for “a”</h1>'), 'changed');
  assert.equal(countOf('<h1>12 results for “a”</h1>', 2), 12);
});

test('whether there are results is stated of the keyword, also past the last page and where the page states no number', () => {
  const says = (body: string, page = 1) => {
    const outcome = search(body, page);
    return outcome.tag === 'found'
      ? { total: outcome.resource.totalCount, has: outcome.resource.hasResults, pages: outcome.resource.pagination.totalPages }
      : outcome.tag;
  };
  assert.deepEqual(says('<h1>83 results for “a”</h1>', 9), { total: 83, has: true, pages: null });
  assert.deepEqual(says(`<h1>83 results for “a”</h1>${card('a', 1)}`), { total: 83, has: true, pages: null });
  assert.deepEqual(says(`<h1>1 result for “a”</h1>${card('a', 1)}`), { total: 1, has: true, pages: 1 });
  assert.deepEqual(says(`<h1>0 results for “a”</h1>${card('a', 1)}`), { total: null, has: true, pages: 1 });
  assert.deepEqual(says('<h1>0 results for “zz”</h1>'), { total: 0, has: false, pages: 1 });
  assert.deepEqual(says(`<h1>Results</h1>${card('a', 1)}`), { total: null, has: true, pages: 1 });
});

test('apps that are offered in place of results, and ads, are no results', () => {
  const read = (list: string) => {
    const outcome = search(`<h1>0 results for “zz”</h1>${list}`);
    assert.ok(outcome.tag === 'found', outcome.tag);
    const { totalCount, hasResults, apps } = outcome.resource;
    return [totalCount, hasResults, apps.map(({ handle }) => handle), outcome.unread ?? []];
  };
  for (const list of [
    card('a', 1, 'search_suggestion'),
    card('a', 1, 'recommended'),
    `<h2>You might like</h2>${card('a', 1)}`,
    `<p>Popular apps</p>${card('a', 1)}`,
  ])
    assert.deepEqual(read(list), [0, false, [], []], list);
  assert.deepEqual(read(card('a', 1, 'search_ad')), [0, false, ['a'], []]);
  assert.deepEqual(read(`${card('a', 1)}<h2>You might like</h2>${card('b', 2)}`), [null, true, ['a'], ['totalCount']]);
});

test('a link that the marketplace does not write gives no address', () => {
  const shown = (link: string) => {
    const outcome = search(
      `<h1>1 result for “a”</h1><div data-controller="app-card" data-app-card-handle-value="acme" data-app-card-name-value="Acme" data-app-card-app-link-value="${link}" data-app-card-intra-position-value="1"><a href="/acme">Acme</a></div>`,
    );
    return outcome.tag === 'found' ? [outcome.resource.apps[0]?.url, outcome.unread ?? []] : outcome.tag;
  };
  assert.deepEqual(shown('https://apps.shopify.com/acme?surface_type=search'), ['https://apps.shopify.com/acme', []]);
  assert.deepEqual(shown('/acme?surface_type=search'), ['https://apps.shopify.com/acme', []]);
  for (const damaged of [
    'https=//apps.shopify.com/acme?surface_type=search',
    'https://apps.shopify.com/https=//acme?surface_type=search',
    'acme',
  ])
    assert.deepEqual(shown(damaged), [null, ['apps.url']], damaged);
});

test('a list in a lazy frame is changed; other lazy frames are ignored', () => {
  const lazy = '<turbo-frame id="x" src="/x"></turbo-frame>';
  const reviews = (before: string, inside: string) =>
    readReviews(answerOf(`<body>${before}<main><section id="arp-reviews"><h1>App</h1>${inside}</section></main>`), { handle: 'a', page: 1 })
      .tag;
  assert.equal(reviews('', lazy), 'changed');
  assert.equal(reviews(lazy, ''), 'changed', 'nothing says that there are no reviews');
  const none =
    '<script type="application/ld+json">{"@type":"SoftwareApplication","name":"App","aggregateRating":{"ratingCount":0}}</script>';
  assert.equal(reviews(lazy, none), 'found');
  const category = (before: string, list: string) =>
    readCategory(
      answerOf(
        `<link rel="canonical" href="https://apps.shopify.com/categories/c/all">${before}<main><ol><li itemprop="itemListElement"><span itemprop="name">C</span></li></ol><div id="app-count">30 apps</div>${list}</main>`,
      ),
      { handle: 'c', page: 1 },
    ).tag;
  assert.equal(category('', lazy), 'changed');
  assert.equal(category(lazy, `<turbo-frame id="app_grid">${card('a', 1, 'category')}</turbo-frame>`), 'found');
});
