/** Markup around a value takes nothing away, and a number that is rounded is no count. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFrame } from './connector.ts';
import { readApp, readDeveloper, readReviews } from './parse.ts';

const answerOf = (html: string, url: string) => ({
  status: 200,
  headers: {},
  body: Buffer.from(`<!doctype html><html><body><main>${html}</main></body></html>`),
  url: `https://apps.shopify.com${url}`,
  atMs: 0,
});

const NAME = '<a href="/one?surface_type=partners">One</a>';
const COUNT = '<span>(53)</span><span>53 total reviews</span>';
const PRICE = '<span>Free plan</span>';
const ROW = `<div><span>4.9<span> out of 5 stars</span></span>${COUNT}<span>•</span>${PRICE}</div>`;
const TAGLINE = '<div>Sends paperwork.</div>';
const card = (name: string, row = ROW, tagline = TAGLINE) => {
  const html = `<h1>Acme</h1><p>1 app</p><div data-controller="app-card" data-app-card-handle-value="one" data-app-card-name-value="One">
    <figure><img src="https://cdn.example/a.png"></figure><div><div class="name">${name}</div>${row}${tagline}</div></div>`;
  const outcome = readDeveloper(answerOf(html, '/partners/acme'), { handle: 'acme' });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  const { pricing, description, rating, reviewCount } = outcome.resource.apps[0] ?? assert.fail();
  return { values: [pricing, description, rating, reviewCount], unread: outcome.unread ?? [] };
};
test("an element around the parts of a developer's card loses none of its values", () => {
  const plain = { values: ['Free plan', 'Sends paperwork.', 4.9, 53], unread: [] };
  for (const around of [(text: string) => text, (text: string) => `<div>${text}</div>`, (text: string) => `<span>${text}</span>`]) {
    assert.deepEqual(card(around(NAME)), plain);
    assert.deepEqual(card(`<font><font>${around(NAME)}</font></font>`), plain);
    assert.deepEqual(card(NAME, around(ROW)), plain);
    assert.deepEqual(card(NAME, ROW.replace(PRICE, around(PRICE))), plain);
    assert.deepEqual(card(NAME, ROW, around(TAGLINE)), plain);
  }
  assert.deepEqual(card(NAME, ROW, '<div><p>Sends</p> paperwork.</div>'), {
    values: ['Free plan', null, 4.9, 53],
    unread: ['apps.description'],
  });
});
test('a rounded number of reviews is unread, never a count', () => {
  for (const count of ['<span>(1.2K)</span>', '<span>12K total reviews</span>', '<span>(1.2K)</span><span>1.2K total reviews</span>']) {
    const { values, unread } = card(NAME, ROW.replace(COUNT, count));
    assert.deepEqual([values, unread], [['Free plan', 'Sends paperwork.', 4.9, null], ['apps.reviewCount']], count);
    const unrated = card(NAME, `<div>${count}${PRICE}</div>`);
    assert.deepEqual([unrated.values[3], unrated.unread], [null, ['apps.rating', 'apps.reviewCount']], count);
  }
});

const PLACE = 'United Kingdom';
const TENURE = 'Over 2 years using the app';
const TEXT = 'Set up in a minute.<br>\n Never looked back.';
const review = (place: string, tenure: string, text: string) => {
  const html = `<section id="arp-reviews"><h1>Acme</h1><h2>Reviews (1)</h2><div data-merchant-review data-review-content-id="1">
    <div><div aria-label="5 out of 5 stars" role="img"></div><div>June 10, 2024</div>
    <div data-truncate-content-copy><p>${text}</p></div></div><div><div title="Shop">Shop</div><div>${place}</div><div>${tenure}</div></div></div></section>`;
  const outcome = readReviews(answerOf(html, '/acme/reviews'), { handle: 'acme', page: 1 });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  const { reviewerLocation, reviewerLatestUsedDate, reviewContent } = outcome.resource.reviews[0] ?? assert.fail();
  return { values: [reviewerLocation, reviewerLatestUsedDate, reviewContent], unread: outcome.unread ?? [] };
};
test('an element around the values of a review loses none of them', () => {
  const plain = { values: [PLACE, TENURE, 'Set up in a minute.\nNever looked back.'], unread: [] };
  for (const [open, close] of [
    ['', ''],
    ['<span>', '</span>'],
    ['<span><b>', '</b></span>'],
    ['<font><font>', '</font></font>'],
    ['<div>', '</div>'],
  ]) {
    assert.deepEqual(review(`${open}${PLACE}${close}`, TENURE, TEXT), plain, open);
    assert.deepEqual(review(PLACE, `${open}${TENURE}${close}`, TEXT), plain, open);
    if (open === '<div>') continue; // it ends a paragraph
    assert.deepEqual(review(PLACE, TENURE, `${open}${TEXT}${close}`), plain, open);
    assert.deepEqual(review(PLACE, TENURE, TEXT.replace('\n Never', `${open}\n Never`).replace('back.', `back.${close}`)), plain, open);
  }
});

const PLAN = `<section id="adp-hero"><h1>Acme</h1></section><section id="adp-pricing"><div class="app-details-pricing-plan-card">
  <p data-test-id="name">Pro</p><h3 class="app-details-pricing-format-group">$9</h3><ul data-test-id="features">ITEMS</ul></div>AFTER</section>`;
const plan = (items: string, after = '') => {
  const outcome = readApp(answerOf(PLAN.replace('ITEMS', items).replace('AFTER', after), '/acme'), { handle: 'acme' });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome.resource.pricings[0] ?? assert.fail();
};
test('each item of a list is one, whatever stands in it, and also where it is not closed', () => {
  for (const items of [
    '<li>One</li><li>Two</li>',
    '<li>One<li><li>Two<li>',
    '<li><div>One</div></li><li><div>Two</div></li>',
    '<li><div>One</div><li><li><div>Two</div><li>',
    '<li><div>One<li><li><div>Two<li>',
  ])
    assert.deepEqual(plan(items).features, ['One', 'Two'], items);
});
test('a line about a trial is read in a wrapper, too', () => {
  assert.equal(plan('', '<p>14-day free trial</p>').description, '14-day free trial');
  assert.equal(plan('', '<div><p>14-day free trial</p></div>').description, '14-day free trial');
});

test('the tag of a frame ends behind its attributes, whatever they hold', () => {
  const frame = (attributes: string) => `<p>a</p><turbo-frame ${attributes}>old</turbo-frame ><p>b</p>`;
  for (const attributes of ['src="/x"', 'data-note="a > b" src="/x"', "src='/x' data-note='</turbo-frame>'", 'SRC=/x'])
    assert.equal(withFrame(frame(attributes), null, 'new'), '<p>a</p>new<p>b</p>', attributes);
  for (const html of [
    frame('data-src="/x"'),
    frame('title=" src="'),
    '<turbo-frame src="/x">',
    '<turbo-frame src="/x',
    '<turbo-framed src="/x"></turbo-frame>',
  ])
    assert.equal(withFrame(html, null, 'new'), html);
});
test('the content goes into the frame that was fetched, wherever another one names an address', () => {
  const other = '<turbo-frame id="news" src="/news">old</turbo-frame>';
  const list = '<turbo-frame id="list" src="/list">old</turbo-frame>';
  assert.equal(withFrame(`<header>${other}</header><main>${list}</main>`, 'list', 'new'), `<header>${other}</header><main>new</main>`);
  assert.equal(withFrame(`<main>${list}</main>${other}`, 'list', 'new'), `<main>new</main>${other}`);
  assert.equal(withFrame(`<header>${other}</header>`, 'list', 'new'), `<header>${other}</header>`);
});
