import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceOf } from '../../html/markup.ts';
import { indexPage } from '../../html/page.ts';
import { rawText } from '../../html/text.ts';
import { splitPrice } from './app.ts';
import { paginationOf } from './cards.ts';
import { dayIn, fold, foldedText, lines, numberIn, PLAN } from './elements.ts';
import { labelled } from './labels.ts';

const opened = (html: string) => indexPage(sourceOf(Buffer.from(html)), PLAN, false) ?? assert.fail('the page is beyond the limits');

test('a price is split into amount and period, both as shown', () => {
  const cases: [string, string | null, string | null][] = [
    ['$19/month', '$19', 'month'],
    ['$9.99 / month', '$9.99', 'month'],
    ['$1,188/year', '$1,188', 'year'],
    ['$10/30 days', '$10', '30 days'],
    ['From $4.99/month', 'From $4.99', 'month'],
    ['$99 one time charge', '$99', 'one time charge'],
    ['$239 one-time', '$239', 'one-time'],
    ['$1,239.50 (one-time)', '$1,239.50', 'one-time'],
    ['€ 49 one-time payment', '€ 49', 'one-time payment'],
    ['US$ 12 per month', 'US$ 12', 'month'],
    ['29 EUR monthly', '29 EUR', 'monthly'],
    ['$10 every 30 days', '$10', '30 days'],
    ['$99 a year', '$99', 'year'],
    ['$239 one\u2011time', '$239', 'one\u2011time'],
    ['$239 one-off', '$239', 'one-off'],
    ['$239/one-time', '$239', 'one-time'],
    ['$239 / one time charge', '$239', 'one time charge'],
    ['$239 – one-time setup fee', '$239', 'one-time setup fee'],
    ['$239one-time', '$239', 'one-time'],
    ['$239 for lifetime', '$239', 'lifetime'],
    ['Starting at $239 once', 'Starting at $239', 'once'],
    ['$19 monthly or $190 yearly', '$19', 'monthly'],
    ['$239 one-time. 14-day free trial', '$239', 'one-time'],
    ['$10/month or $100/year', '$10', 'month'],
    ['$29.99/month. 14-day free trial', '$29.99', 'month'],
    ['$20 / month + $0.10 per order', '$20', 'month'],
    ['$0.05/order', '$0.05', 'order'],
    ['$10 per month, billed annually', '$10', 'month'],
    ['£12/every 30 days', '£12', '30 days'],
    ['$19/month*', '$19', 'month'],
    ['Free plan available', 'Free plan available', null],
    ['$5 per order', '$5 per order', null],
    ['7-day free trial', '7-day free trial', null],
    ['Free to install', 'Free to install', null],
    ['Free', 'Free', null],
    [' ', null, null],
  ];
  for (const [label, price, period] of cases) assert.deepEqual(splitPrice(label), { price, period }, label);
});

test('a date is parsed from words; an impossible date is null', () => {
  assert.equal(dayIn('July 1, 2024'), '2024-07-01');
  assert.equal(dayIn('Edited October 2, 2026'), '2026-10-02');
  assert.equal(dayIn('September 20, 2012 · Changelog'), '2012-09-20');
  assert.equal(dayIn('February 29, 2024'), '2024-02-29');
  for (const none of ['February 30, 2024', 'Smarch 1, 2024', '3 days ago', '', null]) assert.equal(dayIn(none), null);
});

test('rounded numbers are null', () => {
  const WHOLE = /^(.*)$/;
  assert.equal(numberIn('3,352', WHOLE), 3352);
  assert.equal(numberIn('0', WHOLE), 0);
  assert.equal(numberIn('about 3,352 apps', /about (\S+)/), 3352);
  for (const rounded of ['2.9K', '1,23', '-1', '', null, undefined, '1e3']) assert.equal(numberIn(rounded, WHOLE), null);
});

test('white space is collapsed, with or without line breaks, in NFC', () => {
  assert.equal(fold('  Cafe\u0301 \n Zoë\u00a0'), 'Café Zoë');
  assert.equal(fold(' \n '), null);
  assert.equal(lines(' a  b \r\n c\n\n\n\nd '), 'a b\nc\n\nd');
});

test('a <br> is one line break, whatever line feeds the source has around it', () => {
  for (const html of ['a<br>b', 'a\n<br>b', 'a<br />\nb', 'a \n  <br>\n b']) {
    const page = opened(`<p>${html}</p>`);
    const [p] = page.all('p');
    assert.ok(p);
    assert.equal(lines(rawText(p)), 'a\nb', html);
  }
});

test('the value of a label is found when the label is inside boxes', () => {
  for (const html of [
    '<p>Launched</p><p>x</p>',
    '<div><div> <p>Launched</p> </div></div><p>x</p>',
    '<p>Other</p><i>y</i><p>\nLaunched\n</p>\n<p>x</p>',
  ]) {
    const page = opened(`<section id="adp-developer">${html}</section>`);
    assert.equal(foldedText(labelled(page, 'Launched', ['p'], page.first('maker')).value), 'x', html);
  }
});

test('the pagination is read from the labels', () => {
  const page = opened(`<div data-pagination-controls><a aria-label="Go to Page 1">1</a><a aria-label="Current Page, Page 2">2</a>
    <span aria-label="Go to Page ">…</span><a rel="next" aria-label="Go to Page 3">3</a><a aria-label="Go to Page 1,052">1052</a></div>`);
  assert.deepEqual(paginationOf(page, 9), { hasNextPage: true, totalPages: 1052, currentPage: 2 });
  const controls = (labels: readonly string[]) =>
    opened(`<nav data-pagination-controls>${labels.map((label) => `<a aria-label="${label}">x</a>`).join('')}</nav>`);
  const noNext = paginationOf(controls(['Current Page, Page 1', 'Go to Page 5']), 1);
  assert.deepEqual(noNext, { hasNextPage: true, totalPages: 5, currentPage: 1 }, 'a page behind this one is a next page');
  const inPart = controls(['Current Page, Page 1', 'Seite 2']);
  assert.deepEqual(paginationOf(inPart, 1, { before: 0, shown: 10, stated: 515 }), { hasNextPage: true, totalPages: null, currentPage: 1 });
  assert.deepEqual(inPart.unread.paths, ['pagination']);
  assert.deepEqual(paginationOf(opened(''), 9), { hasNextPage: false, totalPages: null, currentPage: 9 });
  assert.deepEqual(paginationOf(opened(''), 1), { hasNextPage: false, totalPages: 1, currentPage: 1 });
  for (const [asked, before, shown, stated, isCut] of [
    [1, 0, 10, 515, true],
    [3, 20, 10, 515, true],
    [1, 0, 10, 10, false],
    [52, 510, 5, 515, false],
    [60, 590, 0, 515, false],
    [1, 0, 10, null, false],
  ] as const) {
    const without = opened('');
    const pagination = paginationOf(without, asked, { before, shown, stated });
    assert.deepEqual(
      [pagination.hasNextPage, [...without.unread.paths]],
      [isCut, isCut ? ['pagination'] : []],
      `page ${asked} of ${stated}`,
    );
  }
});
