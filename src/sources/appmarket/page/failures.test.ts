import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../../../test/appmarket/recorded-pages.ts';
import { READERS } from '../../index.ts';
import { relevantParts } from './parse.ts';

const CHALLENGE = '<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script></body></html>';
const readApp = (await READERS['appmarket/app']?.load()) ?? assert.fail();
const tagOf = (body: string, status = 200, headers: Record<string, string> = {}) =>
  readApp(answerOf(body, { status, headers }), { handle: 'some-app' }).tag;
const OWN_404 = '<title>404 | Shopify App Store</title><main><h1>Sorry, we couldn’t find that page</h1></main>';

test('a challenge has precedence over the status', () => {
  for (const status of [200, 403, 404, 429, 503]) assert.equal(tagOf(CHALLENGE, status), 'blocked', String(status));
  assert.equal(tagOf('', 403, { 'cf-mitigated': 'challenge' }), 'blocked');
  assert.equal(tagOf('<html><body><span id="challenge-error-text">Enable JavaScript</span></body></html>', 404), 'blocked');
});
test('the text of a challenge page inside a review is not a challenge', () => {
  const page =
    '<title>Reviews: Just a moment | Store</title><p>window._cf_chl_opt Verifying your connection... id="challenge-form"</p><script>var a;</script>' +
    `<p>${'The app does what it says. '.repeat(10)}</p>`;
  assert.equal(tagOf(page), 'changed');
});
test('every status has its outcome, and none gives `found`', () => {
  const tags: [number, string][] = [
    [404, 'changed'],
    [410, 'changed'],
    [451, 'changed'],
    [401, 'blocked'],
    [403, 'blocked'],
    [429, 'limited'],
    [500, 'unreachable'],
    [503, 'unreachable'],
    [400, 'refused'],
    [414, 'refused'],
    [204, 'changed'],
    [200, 'changed'],
  ];
  for (const [status, tag] of tags) assert.equal(tagOf('<h1>x</h1>', status), tag, String(status));
});
test('a page that broke off, and one in another language, are not read in part', async () => {
  const app = '<section id="adp-hero"><h1>Acme</h1></section>';
  const page = (head: string, end: string) => `<!doctype html>\n<html${head}><head></head><body><main>${app}</main>${end}`;
  assert.equal(tagOf(page(' lang="en"', '</body></html>')), 'found');
  assert.equal(tagOf(page('', '</BODY></HTML>')), 'found');
  assert.equal(tagOf(`<main>${app}</main>`), 'found');
  assert.equal(tagOf(page('', '')), 'unreachable');
  assert.equal(tagOf(page(' data-lang="x" lang="en-US"', '</body></html>')), 'found');
  for (const language of ['de', 'pt-BR', 'ja']) assert.equal(tagOf(page(` lang="${language}"`, '</body></html>')), 'changed', language);
  const readSearch = (await READERS['appmarket/search']?.load()) ?? assert.fail();
  const frame = '<turbo-frame id="search_page"><h1>0 results for “tea”</h1>';
  const search = (body: string) => readSearch(answerOf(body), { keyword: 'tea', page: 1 }).tag;
  assert.deepEqual([search(`${frame}</turbo-frame>`), search(frame)], ['found', 'unreachable']);
});
test('a page of the marketplace says in several words, and notations of them, that something is missing', () => {
  const said = (words: string) => tagOf(`<title>Shopify App Store</title><main><h1>${words}</h1></main>`, 404);
  for (const words of [
    'Sorry, we couldn&rsquo;t find that page',
    'We can&#39;t find the page you’re looking for',
    'We can’t find this page',
    'This page cannot be found',
    'The page you were looking for doesn&#39;t exist',
    'The page you were looking for doesn&#x27;t exist',
  ])
    assert.equal(said(words), 'absent', words);
  const listing = (words: string) => tagOf(`<title>Acme | Shopify App Store</title><main><h1>Acme</h1><p>${words}</p></main>`, 410);
  assert.deepEqual(
    [listing('This app isn&rsquo;t currently available on the Shopify App Store.'), listing('This app is great.')],
    ['absent', 'changed'],
  );
  for (const words of ['We can&#39;t show this page', 'Oops!', 'Something went wrong']) assert.equal(said(words), 'changed', words);
});
test('a 404 is absent only with a page of the marketplace itself', () => {
  for (const status of [404, 410, 451]) assert.equal(tagOf(OWN_404, status), 'absent');
  const foreign = [
    '',
    'Not Found',
    '{"error":"not found"}',
    '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>',
    '<title>Log in | Shopify App Store</title><h1>Log in</h1><form><input type="password"></form>',
  ];
  for (const body of foreign) assert.equal(tagOf(body, 404), 'changed', body);
});
test('a 404 of the marketplace that says that something failed for now is not absent', () => {
  for (const words of ['This service is temporarily unavailable', 'Something went wrong, page not found', 'Service unavailable']) {
    assert.equal(tagOf(`<title>404 | Shopify App Store</title><main><h1>${words}</h1></main>`, 404), 'unreachable', words);
    assert.equal(tagOf(`<title>${words} | Shopify App Store</title><main><h1>Unavailable</h1></main>`, 404), 'unreachable', words);
  }
});
test('a banner of a temporary failure beside a 404 is not absent, and the words of an ordinary 404 and of dialogs around it are none', () => {
  const page = (around: string, within = '') =>
    `<html><head><title>404 | Shopify App Store</title></head><body>${around}<main><h1>Sorry, we couldn’t find that page</h1>${within}</main></body></html>`;
  for (const words of [
    'The Shopify App Store is temporarily unavailable.',
    'App listings are temporarily not available. Please check back soon.',
    'We’re experiencing a temporary outage.',
    'The store is down for maintenance.',
    'Service unavailable',
  ]) {
    const banner = `<div role="alert"><p>${words}</p></div>`;
    assert.deepEqual([tagOf(page(banner), 404), tagOf(page('', banner), 404)], ['unreachable', 'unreachable'], words);
  }
  for (const words of ['Something went wrong on our end.', 'Please try again later.', 'Try again in a few minutes.'])
    assert.equal(tagOf(page('', `<p>${words}</p>`), 404), 'unreachable', words);
  for (const [around, within] of [
    ['<div hidden><p>Sorry, something went wrong. Please try again later.</p></div>', ''],
    [
      '<script>var e = "temporarily unavailable";</script>',
      '<p>The page may have moved, or the app may have left the store. Try searching for another app, or go back to the front page.</p>',
    ],
    ['', '<p>Check the address, or go back to the front page.</p>'],
  ] as const)
    assert.equal(tagOf(page(around, within), 404), 'absent', around + within);
});
test('an app that is not on offer for now is not gone', () => {
  const page = (notice: string) => tagOf(`<main>${notice}<section id="adp-hero"><h1>Acme</h1></section></main>`);
  for (const words of [
    'This app is temporarily unavailable.',
    'This app is temporarily not available on the Shopify App Store.',
    'This app is unavailable at the moment.',
    'Sorry, this app isn’t available right now.',
  ])
    for (const notice of [`<section id="adp-banners"><p>${words}</p></section>`, `<p>${words}</p>`])
      assert.equal(page(notice), 'unreachable', notice);
});
test('a redirect to the front page is absent, one to the login is blocked, and one to another app says nothing', () => {
  const to = (location: string) => tagOf('', 301, { location });
  assert.equal(to('/'), 'absent');
  assert.equal(to('https://apps.shopify.com/other-app'), 'changed');
  assert.equal(to('/login?return_to=x'), 'blocked');
  assert.equal(to('https://elsewhere.example/'), 'changed');
});
test("the marketplace's notice that an app is not available outranks what is left of its page, and only its own notice does", () => {
  const rest = '<section id="adp-hero"><h1>Acme</h1></section><section id="adp-developer"><p>Acme Inc.</p></section>';
  const page = (notice: string, more = '') => tagOf(`<main>${notice}${rest}<section id="adp-details-section"></section>${more}</main>`);
  const sentence = 'This app is not currently available on the Shopify App Store.';
  for (const notice of [
    `<section id="adp-banners"><div><p>${sentence}</p></div></section>`,
    '<section id="adp-banners">This app is no longer available.</section>',
    `<div role="alert"><span>${sentence}</span></div>`,
    `<h2>${sentence}</h2>`,
    '<p>Sorry, this app is no longer available.</p>',
    '<p>This app is not currently available on the <a href="/">Shopify App Store</a>.</p>',
    `<p>${sentence} <a href="/help">Learn more</a></p>`,
    '<div><strong>This app isn’t available.</strong></div>',
    '<p>This app is not currently available<br>on the Shopify App Store.</p>',
    `<ul><li>${sentence}</li></ul>`,
    '<p>This app has been removed from the Shopify App Store.</p>',
    '<p>This app was removed from the Shopify App Store by its developer.</p>',
    '<p>This app is unavailable.</p>',
    '<section id="adp-banners"><p>This app was delisted.</p></section>',
    `<p>${sentence} If you have support questions, contact Acme Pty. Ltd. directly.</p>`,
    `<p>${sentence} If you have support questions, contact <a href="https://acme.example">Region Apps</a> directly.</p>`,
    `<div role="alert"><svg></svg><span>${sentence}<br>For support, contact the developer.</span></div>`,
    `<section id="adp-banners"><p>${sentence} If you have support questions, contact Your Store Now Ltd directly.</p></section>`,
    `<article>${sentence}</article>`,
    `<section id="adp-banners"><h2>App not available</h2><p>${sentence} It may have been removed by its developer.</p></section>`,
  ])
    assert.equal(page(notice), 'absent', notice);
  for (const [notice, more] of [
    ['<section id="adp-banners"></section>', `<section id="app-details"><p>${sentence}</p></section>`],
    ['<section id="adp-banners"><p>This app is not currently available in your country.</p></section>', ''],
    ['', `<section id="adp-reviews"><p>${sentence}</p></section>`],
    ['<section id="adp-banners"><p>This app is no longer supporting legacy plans.</p></section>', ''],
    ['<p>This app is not available in your region.</p>', ''],
    ['<section id="adp-banners"><p>This app is not available.</p><p>It is on offer in some countries.</p></section>', ''],
    ['<p>This app is no longer available for stores without a plan, says a merchant.</p>', ''],
    ['', `<section id="adp-pricing"><p>${sentence}</p></section>`],
    ['<p>This app is the best.</p>', ''],
    [`<template><p>${sentence}</p></template><div hidden><p>${sentence}</p></div>`, ''],
    [`<section id="adp-banners" style="display: none"><p>${sentence}</p></section>`, ''],
    [
      '<section id="adp-banners"><p>This app is not available in some countries. If you have questions, contact Acme directly.</p></section>',
      '',
    ],
    ...['new merchants', 'new customers', 'new stores', 'new installs', 'your store', 'your plan', 'merchants in some countries'].flatMap(
      (some) =>
        ['is not currently available for', 'is no longer available to', 'is currently unavailable for', 'was removed for'].map(
          (words) => [`<section id="adp-banners"><p>This app ${words} ${some}.</p></section>`, ''] as const,
        ),
    ),
  ] as const)
    assert.equal(page(notice, more), 'found', notice + more);
});
test('the notice on the page of reviews outranks the reviews, too, unless a merchant or the developer wrote it', async () => {
  const readReviews = (await READERS['appmarket/reviews']?.load()) ?? assert.fail();
  const sentence = 'This app is not currently available on the Shopify App Store.';
  const block = (text: string) =>
    `<div data-merchant-review data-review-content-id="1"><div><div aria-label="5 out of 5 stars"></div><div>June 10, 2024</div></div><div data-truncate-content-copy><p>${text}</p></div><div title="Shop"></div></div>`;
  const read = (notice: string, text: string) =>
    readReviews(answerOf(`<main>${notice}<section id="arp-reviews"><h1>Acme</h1>${block(text)}</section></main>`), {
      handle: 'acme',
      page: 1,
    }).tag;
  assert.deepEqual([read(`<p>${sentence}</p>`, 'Good'), read('', sentence)], ['absent', 'found']);
});
test('an unknown page with a captcha is blocked', () => {
  assert.equal(tagOf('<main><div class="x h-captcha"></div></main>'), 'blocked');
});
test('menu and footer are skipped only if they hold no data', () => {
  const page = (header: string, footer: string) =>
    `<html><head></head><body><header>${header}</header><main>m</main><footer>${footer}</footer></body></html>`;
  assert.ok(!relevantParts(page('menu', 'foot')).includes('foot'));
  assert.ok(relevantParts(page('menu', '<section id="adp-developer"></section>')).includes('adp-developer'));
  assert.ok(relevantParts(page('<script type="application/ld+json">{}</script>', '')).includes('ld+json'));
});
