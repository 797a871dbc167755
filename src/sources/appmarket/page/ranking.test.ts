import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Card, rank } from './cards.ts';

const card = (handle: string, place: number | null, more: Partial<Card> = {}): Card => ({
  element: { name: 'div', attribs: {}, parent: null, children: [], next: null, from: 1, end: 2 },
  name: handle,
  handle,
  url: null,
  iconUrl: null,
  surface: 'search',
  isSponsored: false,
  isBuiltIn: handle.startsWith('bif:'),
  place,
  isBuiltForPlatform: false,
  ...more,
});
const ad = (handle: string, place: number | null) => card(handle, place, { isSponsored: true });
const ranks = (cards: Card[], page = 1) => rank(cards, page).map((entry) => `${entry.card.handle} ${entry.position}`);

test('positions of organic apps count the organic apps of all pages', () => {
  assert.deepEqual(ranks([card('a', 1), card('b', 2)]), ['a 1', 'b 2']);
  assert.deepEqual(ranks([card('a', 25), card('b', 26)], 2), ['a 25', 'b 26']);
});
test('numbers that start from 1 on every page are continued', () => {
  assert.deepEqual(ranks([card('a', 1), card('b', 2)], 3), ['a 49', 'b 50']);
});
test('without numbers the cards are counted', () => {
  assert.deepEqual(ranks([card('a', null), card('b', null)], 2), ['a 25', 'b 26']);
});
test('positions stay right if a part of the page is missing', () => {
  assert.deepEqual(ranks([card('a', 7), card('b', 8)]), ['a 7', 'b 8']);
});
test('ads are numbered among the ads of their page, and repeated ads are listed each time', () => {
  assert.deepEqual(ranks([ad('x', 1), ad('y', 2), card('x', 25), ad('x', 3)], 2), ['x 1', 'y 2', 'x 25', 'x 3']);
});
test('an organic app is listed once', () => {
  assert.deepEqual(ranks([card('a', 1), card('b', 2), card('a', 1)]), ['a 1', 'b 2']);
});
test('built-in features are omitted and not counted, numbered or not', () => {
  assert.deepEqual(ranks([card('bif:forms', 0), card('a', 1), card('b', 2)]), ['a 1', 'b 2']);
  assert.deepEqual(ranks([card('bif:forms', 1), card('a', 2), card('b', 3)]), ['a 1', 'b 2']);
  assert.deepEqual(ranks([card('bif:forms', 1), card('a', 1), card('b', 2)]), ['a 1', 'b 2']);
});
