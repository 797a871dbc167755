import { appHandle, handleIn } from '../parameters/app-handle.ts';
import { inPath, integerOf, required, sortIn, textOf, withDefault } from '../parameters/parameter.ts';
import { AppKeywordRanking, AppProfile, AppReviewPage, CategoryDetail, DeveloperProfile } from './appmarket.ts';
import { defineArea, defineOperation, hours } from './define.ts';

const REVIEW_SORTS = ['relevance', 'newest'] as const;
const area = defineArea({
  id: 'appmarket',
  scope: 'The app marketplace',
  about: 'Apps, reviews, rankings, developers and categories of the app marketplace.',
});
const freshForMs = () => hours(6);
const ofApp = inPath('handle', appHandle, 'Handle of the app.', 'acme-reviews');
const page = withDefault('page', integerOf(1, 100_000), 1, 'Page number, from 1.');
const sortBy = (name: 'sort' | 'sort_by') => sortIn(name, REVIEW_SORTS, 'Order of the reviews.', 'newest');

export const app = defineOperation({
  id: 'app',
  method: 'app',
  area,
  path: '/v1/appmarket/apps/{handle}',
  summary: 'Profile of one app',
  parameters: [ofApp],
  resource: { AppProfile },
  rows: { entries: 'pricings' },
  watch: {
    lists: { categories: { key: ['handle'] }, pricings: { key: ['name'] } },
    fields: [
      ...['name', 'description', 'developer', 'languages', 'categories.handle', 'worksWith', 'pricing', 'launchedDate'],
      ...['pricings.name', 'pricings.price', 'pricings.period', 'pricings.description', 'pricings.features', 'builtForPlatform'],
    ],
    never: [],
    series: ['rating', 'reviewCount'],
  },
  freshForMs,
});

const reviews = {
  pages: 'page',
  area,
  resource: { AppReviewPage },
  rows: { entries: 'reviews' },
  watch: {
    lists: { reviews: { key: ['reviewId'], feed: 'reviewCreatedDate' }, summary: { key: ['label'] } },
    fields: ['reviews.reviewId', 'reviews.reviewContent', 'reviews.rating'],
    never: ['pagination'],
    series: ['summary.count'],
    more: 'pagination.hasNextPage',
  },
  freshForMs,
} as const;

export const appReviews = defineOperation({
  id: 'app-reviews',
  method: 'reviews',
  path: '/v1/appmarket/apps/{handle}/reviews',
  summary: 'One page of reviews of an app, ordered by `sort`',
  parameters: [ofApp, page, sortBy('sort')],
  ...reviews,
});

export const appstoreReviews = defineOperation({
  id: 'appstore-reviews',
  method: 'appstoreReviews',
  path: '/v1/appmarket/appstore/app/{handle}/reviews',
  summary: 'One page of reviews of an app under its app store path, ordered by `sort_by`',
  parameters: [ofApp, page, sortBy('sort_by')],
  ...reviews,
});

export const appKeywords = defineOperation({
  id: 'app-keywords',
  method: 'keywords',
  pages: 'page',
  area,
  path: '/v1/appmarket/apps/keywords',
  summary: 'One page of the apps ranked for a keyword',
  parameters: [required('keyword', textOf(200), 'Search terms, 1 to 200 characters.', 'product reviews'), page],
  resource: { AppKeywordRanking },
  rows: { entries: 'apps' },
  watch: {
    lists: { apps: { key: ['handle', 'isSponsored'], rank: 'position' } },
    fields: ['apps.handle', 'apps.position', 'hasResults'],
    never: ['pagination'],
    series: ['totalCount', 'apps.position'],
    more: 'pagination.hasNextPage',
  },
  freshForMs,
});

export const appDeveloper = defineOperation({
  id: 'app-developer',
  method: 'developer',
  area,
  path: '/v1/appmarket/apps/developers/{handle}',
  summary: 'A developer with all apps',
  parameters: [inPath('handle', handleIn('partners'), 'Handle of the developer.', 'acme-widgets')],
  resource: { DeveloperProfile },
  rows: { entries: 'apps' },
  watch: {
    lists: { apps: { key: ['handle'] } },
    fields: ['name', 'apps.handle', 'apps.name', 'apps.pricing', 'apps.description'],
    never: [],
    series: ['apps.rating', 'apps.reviewCount'],
  },
  freshForMs,
});

export const appstoreCategory = defineOperation({
  id: 'appstore-category',
  method: 'category',
  pages: 'page',
  area,
  path: '/v1/appmarket/appstore/category/{handle}',
  summary: 'A category with one page of its apps',
  parameters: [
    inPath('handle', handleIn('categories'), 'Handle of the category.', 'marketing-and-conversion-social-trust-product-reviews'),
    page,
  ],
  resource: { CategoryDetail },
  rows: { entries: 'apps' },
  watch: {
    lists: { apps: { key: ['handle', 'isSponsored'], rank: 'position' }, breadcrumbs: { key: ['handle', 'url'] } },
    fields: ['name', 'description', 'apps.handle', 'apps.position', 'subCategories', 'level'],
    never: ['pagination'],
    series: ['appCount', 'apps.position'],
    more: 'pagination.hasNextPage',
  },
  freshForMs,
});
