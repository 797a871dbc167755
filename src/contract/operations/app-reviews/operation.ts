import type { Static } from 'typebox';
import { sortIn } from '../../parameters/parameter.ts';
import { list, orNull, record } from '../../schema.ts';
import { ofApp, Pagination, page } from '../appmarket.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, hours } from '../define.ts';

export const AppReviewPage = record({
  reviews: list(
    record({
      appUrl: orNull.url('Address of the app.'),
      appName: orNull.text('Name of the app.'),
      reviewer: orNull.text('Name of the reviewing shop.'),
      reviewCreatedDate: orNull.day('Day of the review, of its last edit where edited.'),
      reviewerLocation: orNull.text('Country of the reviewer.'),
      reviewerLatestUsedDate: orNull.text('How long the reviewer used the app, as printed.'),
      reviewContent: orNull.text('Text; "" for a review of stars alone.'),
      reviewId: orNull.text('Id of the review.'),
      rating: orNull.count('Stars, 1 to 5.'),
    }),
    'Reviews of this page.',
  ),
  summary: list(record({ label: orNull.text('Stars.'), count: orNull.count('Number of reviews.') }), 'Number of reviews by stars.'),
  pagination: Pagination,
});
export type AppReviewPage = Static<typeof AppReviewPage>;

const REVIEW_SORTS = ['relevance', 'newest'] as const;
export const sortBy = (name: 'sort' | 'sort_by') => sortIn(name, REVIEW_SORTS, 'Order of the reviews.', 'newest');

/** What both operations with reviews share. */
export const reviews = {
  pages: 'page',
  area: AREAS.appmarket,
  resource: { AppReviewPage },
  parts: { Pagination },
  rows: { entries: 'reviews' },
  watch: {
    lists: { reviews: { key: ['reviewId'], feed: 'reviewCreatedDate' }, summary: { key: ['label'] } },
    fields: ['reviews.reviewId', 'reviews.reviewContent', 'reviews.rating'],
    never: ['pagination'],
    series: ['summary.count'],
    more: 'pagination.hasNextPage',
  },
  freshForMs: () => hours(6),
} as const;

export const appReviews = defineOperation({
  id: 'app-reviews',
  method: 'reviews',
  path: '/v1/appmarket/apps/{handle}/reviews',
  summary: 'One page of reviews of an app, ordered by `sort`',
  parameters: [ofApp, page, sortBy('sort')],
  ...reviews,
});
