import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReviews } from './parse.ts';

const block = (id: number, date = '<div>June 10, 2024</div>') =>
  `<div data-merchant-review data-review-content-id="${id}"><div><div aria-label="5 out of 5 stars"></div>${date}</div><div data-truncate-content-copy><p>Good</p></div><div><div title="Shop">Shop</div></div></div>`;
const stars = (count: number) => `<a href="/acme/reviews?ratings%5B%5D=5" aria-label="${count} total reviews">${count}</a>`;
const read = (list: string, page = 1) => {
  const html = `<main><section id="arp-reviews"><h1>Acme</h1>${list}</section></main>`;
  const answer = { status: 200, headers: {}, body: Buffer.from(html), url: 'https://apps.shopify.com/acme/reviews', atMs: 0 };
  return readReviews(answer, { handle: 'acme', page });
};
const idsOf = (list: string, page?: number) => {
  const outcome = read(list, page);
  return outcome.tag === 'found' ? outcome.resource.reviews.map(({ reviewId }) => reviewId) : outcome.tag;
};

test('reviews that the store archived are no part of the list, on no page of it', () => {
  const archived = `<button>Show archived reviews</button><div id="archived-reviews-container">${block(8)}${block(9)}</div>`;
  assert.deepEqual(idsOf(stars(1) + block(1) + archived), ['1']);
  assert.deepEqual(idsOf(stars(12) + archived, 3), [], 'a page past the last one');
  assert.deepEqual(idsOf(stars(0) + archived), []);
  assert.equal(idsOf(stars(12) + archived), 'changed', 'the list is missing');
});

test('that there are no reviews may be said in words, which no number and no review contradicts', () => {
  for (const words of ['No reviews yet', 'There are no reviews for this app yet.', 'This app hasn’t received any reviews yet.'])
    assert.deepEqual(idsOf(`<h2>${words}</h2>`), [], words);
  for (const list of ['', '<h2>No filter</h2>', '<p>No reviews match your filters</p>', `${stars(7)}<p>No reviews yet</p>`])
    assert.equal(idsOf(list), 'changed', list);
  assert.deepEqual(idsOf(`<p>No reviews yet</p>${block(1)}`), ['1']);
});

test('the day of a review is read in a span, too', () => {
  for (const date of ['<span>June 10, 2024</span>', '<div><span>Edited June 10, 2024</span></div>']) {
    const outcome = read(block(1, date));
    assert.deepEqual(outcome.tag === 'found' && [outcome.resource.reviews[0]?.reviewCreatedDate, outcome.unread], [
      '2024-06-10',
      undefined,
    ]);
  }
});
