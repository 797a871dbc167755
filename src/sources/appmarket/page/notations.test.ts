import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApp, readCategory, readDeveloper, readReviews, readSearch } from './parse.ts';

const answerOf = (html: string, url = 'https://apps.shopify.com/acme') => ({
  status: 200,
  headers: {},
  body: Buffer.from(html),
  url,
  atMs: 0,
});
const card = (numbers: string, surface = 'search', price = '<span>Free</span>') =>
  `<div data-controller="app-card" data-app-card-handle-value="${surface || 'a'}" data-app-card-name-value="A" data-app-card-app-link-value="https://apps.shopify.com/a?surface_type=${surface}"><div><div><a href="https://apps.shopify.com/a">A</a></div><div>${numbers}${price}</div><div>Tagline</div></div></div>`;
const inGerman =
  '<span>4,9<span> von 5 Sternen</span></span><span aria-hidden="true">(3.352)</span><span>3352 Bewertungen insgesamt</span><span>•</span>';
const inPersian = '<span>۴٫۹<span> از ۵</span></span><span aria-hidden="true">(۳٬۳۵۲)</span>';
const search = (html: string, keyword = 'seo', page = 1) =>
  readSearch(answerOf(html, `https://apps.shopify.com/search?q=${keyword}`), { keyword, page });
const frame = (headline: string, cards = card(''), pager = '') =>
  `<turbo-frame id="search_page"><h1>${headline}</h1>${cards}${pager}</turbo-frame>`;

test('a rating and a count in the notation of another language are unread, also in a frame, which states no language', () => {
  for (const numbers of [inGerman, inPersian]) {
    const ranking = search(frame('1 app', card(numbers)));
    assert.ok(ranking.tag === 'found');
    assert.deepEqual([ranking.resource.apps[0]?.rating, ranking.unread], [null, ['apps.rating']]);
    const page = `<head><link rel="canonical" href="https://apps.shopify.com/partners/acme"></head><main><h1>Acme</h1>${card(numbers, 'partners')}</main>`;
    const developer = readDeveloper(answerOf(page), { handle: 'acme' });
    assert.ok(developer.tag === 'found');
    assert.deepEqual(developer.unread, ['apps.rating', 'apps.reviewCount']);
    assert.equal(developer.resource.apps[0]?.pricing, 'Free');
  }
  const zero = search(frame('1 app', card('<span aria-hidden="true">(0)</span>')));
  assert.deepEqual(zero.tag === 'found' && [zero.resource.apps[0]?.rating, zero.unread], [null, undefined], 'no reviews yet');
  const none = search(frame('1 app', card('<span>(Beta)</span>')));
  assert.deepEqual(none.tag === 'found' && none.unread, undefined, 'an app without a rating');
});

test('a headline with a number in unknown words leaves the count unread; the keyword is no count', () => {
  const countOf = (headline: string, keyword?: string) => {
    const ranking = search(frame(headline), keyword);
    const unread = ranking.tag === 'found' ? (ranking.unread ?? []).filter((path) => path !== 'pagination') : [];
    return ranking.tag === 'found' ? [ranking.resource.totalCount, unread] : ranking.tag;
  };
  assert.deepEqual(countOf('312 results for “seo”'), [312, []]);
  for (const headline of ['312 Ergebnisse für „seo“', '1.234 résultats pour « seo »', '「seo」の検索結果 312件', '٣١٢ نتيجة'])
    assert.deepEqual(countOf(headline), [null, ['totalCount']], headline);
  assert.deepEqual(countOf('Results for “seo 2024”', 'seo 2024'), [null, []]);
  assert.deepEqual(countOf('Results for 3D viewer', '3d viewer'), [null, []]);
});

test('a pager in unknown words says by its links whether there is a next page, and never that there is one page', () => {
  const pager = (...pages: readonly number[]) =>
    `<nav data-pagination-controls>${pages.map((n) => `<a aria-label="Zu Seite ${n}" href="/search?page=${n}&amp;q=seo">${n}</a>`).join('')}</nav>`;
  const paginationOf = (links: string, page: number) => {
    const ranking = search(frame('25 apps', card(''), links), 'seo', page);
    return ranking.tag === 'found' ? [ranking.resource.pagination, ranking.unread ?? []] : ranking.tag;
  };
  const unread = ['pagination.totalPages'];
  assert.deepEqual(paginationOf(pager(2), 1), [{ hasNextPage: true, totalPages: null, currentPage: 1 }, unread]);
  assert.deepEqual(paginationOf(pager(1), 2), [{ hasNextPage: false, totalPages: null, currentPage: 2 }, unread]);
  const list = `<head><link rel="canonical" href="https://apps.shopify.com/partners/acme"></head><main><h1>Acme</h1>${card('', 'partners')}${pager(2)}</main>`;
  const developer = readDeveloper(answerOf(list), { handle: 'acme' });
  assert.ok(developer.tag === 'found' && developer.unread?.includes('apps'));
});

test('an app page without any label that is known is in another language, whatever it says of its language', () => {
  const page = (labels: readonly string[]) =>
    `<html><head></head><body><main><section id="adp-hero"><h1>Acme</h1><dl>${labels.map((label) => `<div><dt>${label}</dt><dd>x</dd></div>`).join('')}</dl></section></main></body></html>`;
  assert.equal(readApp(answerOf(page(['Preise', 'Bewertung', 'Entwickler'])), { handle: 'acme' }).tag, 'changed');
  assert.equal(readApp(answerOf(page(['価格', '評価', '開発者'])), { handle: 'acme' }).tag, 'changed');
  for (const labels of [[], ['Pricing'], ['Developer', 'Popular with stores like yours']])
    assert.equal(readApp(answerOf(page(labels)), { handle: 'acme' }).tag, 'found', labels.join());
});

test('counts by stars that are not all read leave the summary unread, and their sum proves no end of the list', () => {
  const row = (stars: number, label: string) => `<a href="/acme/reviews?ratings%5B%5D=${stars}" aria-label="${label}">7</a>`;
  const facts = (ratingCount: number) =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'SoftwareApplication', name: 'Acme', aggregateRating: { ratingValue: 4.8, ratingCount } })}</script>`;
  const read = (rows: string, more = '', page = 2) => {
    const outcome = readReviews(answerOf(`<main>${more}<section id="arp-reviews"><h1>Acme</h1>${rows}</section></main>`), {
      handle: 'acme',
      page,
    });
    return outcome.tag === 'found' ? [outcome.resource.summary.length, outcome.unread ?? []] : outcome.tag;
  };
  const known = row(5, '7 total reviews');
  assert.deepEqual(read(known), [1, []]);
  assert.equal(read(known + row(4, '26 Bewertungen insgesamt')), 'changed', 'a row in other words');
  assert.equal(read(known, facts(53)), 'changed', 'a row is missing');
  assert.deepEqual(read(known, facts(7)), [1, []]);
  assert.deepEqual(read(known, facts(53), 9), [1, ['summary']]);
});

test('of two texts beside a reviewer neither is taken for the country', () => {
  const placeOf = (beside: string) => {
    const about = `<div><div title="Shop">Shop</div>${beside}</div>`;
    const block = `<div data-merchant-review data-review-content-id="1"><div><div aria-label="5 out of 5 stars"></div><div>June 10, 2024</div></div><div data-truncate-content-copy><p>Good</p></div>${about}</div>`;
    const outcome = readReviews(answerOf(`<main><section id="arp-reviews"><h1>Acme</h1>${block}</section></main>`), {
      handle: 'acme',
      page: 1,
    });
    assert.ok(outcome.tag === 'found', outcome.tag);
    return [outcome.resource.reviews[0]?.reviewerLocation, outcome.unread ?? []];
  };
  const tenure = '<div>2 years using the app</div>';
  assert.deepEqual(placeOf(`<div>Canada</div>${tenure}`), ['Canada', []]);
  assert.deepEqual(placeOf(`<div>Canada</div>${tenure}<div>Canada</div>`), ['Canada', []]);
  assert.deepEqual(placeOf(`<div>Verified merchant</div><div>Canada</div>${tenure}`), [null, ['reviews.reviewerLocation']]);
});

test('a category whose count is in another notation has an unread count', () => {
  const page = (count: string) =>
    `<html><head><link rel="canonical" href="https://apps.shopify.com/categories/seo/all"></head><body><main><h1>SEO apps</h1><div id="app-count">${count}</div>${card('', 'category')}</main></body></html>`;
  const read = (count: string) => {
    const outcome = readCategory(answerOf(page(count), 'https://apps.shopify.com/categories/seo/all'), { handle: 'seo', page: 1 });
    return outcome.tag === 'found' ? [outcome.resource.appCount, outcome.unread ?? []] : outcome.tag;
  };
  assert.deepEqual(read('1 app'), [1, []]);
  assert.deepEqual(read('1.098 Apps'), [null, ['appCount']]);
});

test('a text that is no list of names of languages is unread, and the names beside it are kept', () => {
  const languagesOf = (list: string) => {
    const page = `<main><section id="adp-hero"><h1>Acme</h1></section><section id="adp-details-section"><div><p>Languages</p><p>${list}</p></div></section></main>`;
    const outcome = readApp(answerOf(page), { handle: 'acme' });
    return outcome.tag === 'found' ? [outcome.resource.languages, outcome.unread ?? []] : outcome.tag;
  };
  assert.deepEqual(languagesOf('English and Norwegian (Bokmål)'), [['English', 'Norwegian (Bokmål)'], []]);
  assert.deepEqual(languagesOf('English, French, and 12 more'), [['English', 'French'], ['languages']]);
  for (const list of ['20 languages', 'English · French', 'English; French', 'English / French', 'English & French'])
    assert.deepEqual(languagesOf(list), [[], ['languages']], list);
});

test('structured data without reviews never decides over reviews that the page shows', () => {
  const facts = (ratingCount: number) =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'SoftwareApplication', name: 'Acme', aggregateRating: { ratingValue: 0, ratingCount } })}</script>`;
  const page = (count: string) =>
    `${facts(0)}<main><section id="adp-hero"><h1>Acme</h1><dl><dt>Rating</dt><dd><span>4.8</span><a id="reviews-link">(${count})</a></dd></dl></section></main>`;
  const ratingOf = (count: string) => {
    const outcome = readApp(answerOf(page(count)), { handle: 'acme' });
    return outcome.tag === 'found' ? [outcome.resource.rating, outcome.resource.reviewCount] : outcome.tag;
  };
  assert.deepEqual(ratingOf('53'), ['4.8', 53]);
  assert.deepEqual(ratingOf('0'), [null, 0]);
});

test('a page whose headline states reviews is no end of the list, whatever its structured data states', () => {
  const facts =
    '<script type="application/ld+json">{"@type":"SoftwareApplication","name":"Acme","aggregateRating":{"ratingCount":0}}</script>';
  const read = (headline: string) =>
    readReviews(answerOf(`<main>${facts}<section id="arp-reviews"><h1>Acme</h1><h2>${headline}</h2></section></main>`), {
      handle: 'acme',
      page: 1,
    }).tag;
  assert.deepEqual([read('Reviews'), read('<span>Reviews</span> <span>(0)</span>')], ['found', 'found']);
  assert.equal(read('<span>Reviews</span> <span>(3,352)</span>'), 'changed');
});

test('cards of another list are no apps of a developer who has none', () => {
  const read = (said: string, surface: string) => {
    const page = `<head><link rel="canonical" href="https://apps.shopify.com/partners/acme"></head><main><h1>Acme</h1>${said}${card('', surface)}</main>`;
    const outcome = readDeveloper(answerOf(page), { handle: 'acme' });
    return outcome.tag === 'found' ? outcome.resource.apps.length : outcome.tag;
  };
  for (const surface of ['home', 'search', 'category_ad', 'app_details']) {
    assert.equal(read('<p>0 apps</p>', surface), 0, surface);
    assert.equal(read('', surface), 'changed', surface);
  }
  for (const surface of ['partners', 'partner_page', '']) assert.equal(read('<p>1 app</p>', surface), 1, surface);
});

test('cards of another list beside or in place of the ranking are no part of it', () => {
  const ranking = search(frame('1 result for “seo”', card('', 'search') + card('', 'home')));
  assert.deepEqual(ranking.tag === 'found' && [ranking.resource.totalCount, ranking.resource.apps.length], [1, 1]);
  const none = search(frame('No results for “seo”', card('', 'home')));
  assert.deepEqual(none.tag === 'found' && [none.resource.totalCount, none.resource.apps, none.unread], [0, [], undefined]);
  const url = 'https://apps.shopify.com/categories/seo/all';
  const list = `<html><head><link rel="canonical" href="${url}"></head><body><main><h1>SEO apps</h1><div id="app-count">1 app</div>${card('', 'category')}${card('', 'home')}</main></body></html>`;
  const category = readCategory(answerOf(list, url), { handle: 'seo', page: 1 });
  assert.deepEqual(category.tag === 'found' && category.resource.apps.length, 1);
});

test('an answer with another page than the one that was asked for is not the answer', () => {
  const pager = (current: number, last: number) =>
    `<nav data-pagination-controls><a aria-label="Current Page, Page ${current}">${current}</a><a aria-label="Go to Page ${last}" href="?page=${last}">${last}</a></nav>`;
  const tagOf = (asked: number, current: number) => search(frame('60 results for “seo”', card(''), pager(current, 3)), 'seo', asked).tag;
  assert.deepEqual([tagOf(1, 1), tagOf(2, 2), tagOf(14, 1), tagOf(2, 3)], ['found', 'found', 'changed', 'changed']);
  const block = '<div data-merchant-review data-review-content-id="1"></div>';
  const reviews = (page: number) =>
    readReviews(answerOf(`<main><section id="arp-reviews"><h1>Acme</h1>${block}${pager(2, 3)}</section></main>`), { handle: 'acme', page });
  assert.deepEqual([reviews(2).tag, reviews(9).tag], ['found', 'changed']);
});

test('a count of 0 beside apps, or beside a next page, is no count', () => {
  const next = '<nav data-pagination-controls><a aria-label="Go to Page 2" href="?page=2">2</a></nav>';
  assert.equal(search(frame('0 results for “seo”', '', next)).tag, 'changed');
  assert.equal(search(frame('0 results for “seo”', '')).tag, 'found');
  const url = 'https://apps.shopify.com/categories/seo/all';
  const list = `<html><head><link rel="canonical" href="${url}"></head><body><main><h1>SEO apps</h1><div id="app-count">0 apps</div>${card('', 'category')}</main></body></html>`;
  const category = readCategory(answerOf(list, url), { handle: 'seo', page: 1 });
  assert.deepEqual(category.tag === 'found' && [category.resource.appCount, category.unread], [null, ['appCount']]);
});

test('a page is read in its charset, and ends with its end tag in either case of letters', () => {
  const html = frame('1 app', card('', 'search').replace('Tagline', 'Käse'));
  const read = (body: Buffer, charset: string) =>
    readSearch(
      { ...answerOf('', 'https://apps.shopify.com/search?q=seo'), body, headers: { 'content-type': `text/html; charset=${charset}` } },
      { keyword: 'seo', page: 1 },
    );
  const whole = read(Buffer.from(html), 'utf-8');
  assert.equal(whole.tag, 'found');
  assert.deepEqual(read(Buffer.from(html.replaceAll('turbo-frame', 'TURBO-FRAME')), 'utf-8'), whole);
  const named = html.replace('name-value="A"', 'name-value="Ä"').replace('>A<', '>Ä<');
  const outcomes = [read(Buffer.from(named, 'latin1'), 'windows-1252'), read(Buffer.from(named, 'utf16le'), 'utf-16le')];
  for (const outcome of outcomes) assert.equal(outcome.tag === 'found' && outcome.resource.apps[0]?.name, 'Ä');
});
