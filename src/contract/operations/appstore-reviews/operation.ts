import { reviews, sortBy } from '../app-reviews/operation.ts';
import { ofApp, page } from '../appmarket.ts';
import { defineOperation } from '../define.ts';

export const appstoreReviews = defineOperation({
  id: 'appstore-reviews',
  method: 'appstoreReviews',
  path: '/v1/appmarket/appstore/app/{handle}/reviews',
  summary: 'One page of reviews of an app under its app store path, ordered by `sort_by`',
  parameters: [ofApp, page, sortBy('sort_by')],
  ...reviews,
});
