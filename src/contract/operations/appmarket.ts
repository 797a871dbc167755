import type { Static } from 'typebox';
import { appHandle, handleIn } from '../parameters/app-handle.ts';
import { inPath, required, withDefault } from '../parameters/parameter.ts';
import { integerOf, oneOfTexts, textOf } from '../parameters/value-types.ts';
import { flag, list, nullable, oneOf, orNull, record, text, words } from '../schema.ts';
import { defineArea, defineOperation } from './define.ts';
import { hours } from './freshness.ts';

export const REVIEW_SORTS = ['relevance', 'newest'] as const;
export const CATEGORY_LEVELS = ['topic', 'secondary', 'tertiary'] as const;

export const Pagination = record(
  {
    hasNextPage: flag('A next page exists.'),
    totalPages: orNull.count('The largest page that the page names; without labels 1 on the first page, null on later ones.'),
    currentPage: orNull.count('This page.'),
  },
  'Where this page stands.',
);

export const AppProfile = record({
  name: orNull.text('Name of the app.'),
  description: orNull.text('Description as shown.'),
  handle: text('Handle of the app.'),
  rating: orNull.text('Rating as shown.'),
  reviewCount: orNull.count('Number of reviews as stated.'),
  developer: record({
    name: orNull.text('Name of the developer.'),
    address: orNull.text('Postal address.'),
    url: orNull.url("Developer's page in the marketplace."),
    website: orNull.url("Developer's own site."),
  }),
  languages: words('Languages of the app.'),
  categories: list(
    record({ name: orNull.text('Name.'), url: orNull.url('Address.'), handle: orNull.text('Handle.') }),
    'Categories of the app.',
  ),
  worksWith: words('What the app works with.'),
  pricing: orNull.text('Price line as shown.'),
  pricings: list(
    record({
      name: orNull.text('Name of the plan.'),
      price: orNull.text('Amount as shown, without its period.'),
      period: orNull.text('Period of the price.'),
      description: orNull.text('What else the plan says.'),
      features: words('Features of the plan.'),
    }),
    'Plans in the order shown.',
  ),
  launchedDate: orNull.day('Day of launch.'),
  builtForPlatform: nullable(oneOf(['TRUE', 'FALSE'], "Built to the marketplace operator's standard.")),
  logo: orNull.url('Logo.'),
});

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

export const AppKeywordRanking = record({
  keyword: text('The keyword asked for.'),
  totalCount: orNull.count('Number of apps as stated.'),
  apps: list(
    record({
      name: orNull.text('Name of the app.'),
      url: orNull.url('Address of the app.'),
      handle: orNull.text('Handle of the app.'),
      developer: orNull.text('Name of the developer.'),
      isSponsored: orNull.flag('An ad.'),
      isBuiltForPlatform: orNull.flag("Built to the marketplace operator's standard."),
      position: orNull.count('Organic: place over all pages; sponsored: place among the ads of its page.'),
      rating: orNull.amount('Rating.'),
    }),
    'Apps in the order shown.',
  ),
  pagination: Pagination,
  hasResults: flag('The keyword has results: true where `totalCount` is above 0, past the last page, too.'),
});

export const DeveloperProfile = record({
  name: orNull.text('Name of the developer.'),
  apps: list(
    record({
      name: orNull.text('Name of the app.'),
      url: orNull.url('Address of the app.'),
      handle: orNull.text('Handle of the app.'),
      pricing: orNull.text('Price line as shown.'),
      description: orNull.text('Tagline.'),
      iconUrl: orNull.url('Icon.'),
      rating: orNull.amount('Rating.'),
      reviewCount: orNull.count('Number of reviews.'),
    }),
    'All apps of the developer.',
  ),
});

export const CategoryDetail = record({
  name: orNull.text('Name of the category.'),
  description: orNull.text('Description of the category.'),
  appCount: orNull.count('Number of apps as stated; null for a topic.'),
  apps: list(
    record({
      name: orNull.text('Name of the app.'),
      url: orNull.url('Address of the app.'),
      handle: orNull.text('Handle of the app.'),
      isSponsored: orNull.flag('An ad.'),
      isBuiltForPlatform: orNull.flag("Built to the marketplace operator's standard."),
      position: orNull.count('Organic: place over all pages; sponsored: place among the ads of its page.'),
    }),
    'Apps of this page in the order shown.',
  ),
  pagination: Pagination,
  breadcrumbs: list(
    record({
      name: orNull.text('Name.'),
      url: orNull.url('Address.'),
      handle: orNull.text('Handle.'),
      parentHandle: orNull.text('Handle of the category above.'),
    }),
    'Path from the topic to this category.',
  ),
  subCategories: words('Handles of the categories below.'),
  level: nullable(oneOf(CATEGORY_LEVELS, 'Depth of the category.')),
});

export type Pagination = Static<typeof Pagination>;
export type AppProfile = Static<typeof AppProfile>;
export type AppReviewPage = Static<typeof AppReviewPage>;
export type AppKeywordRanking = Static<typeof AppKeywordRanking>;
export type DeveloperProfile = Static<typeof DeveloperProfile>;
export type CategoryDetail = Static<typeof CategoryDetail>;

const area = defineArea({
  id: 'appmarket',
  scope: 'The app marketplace',
  about: 'Apps, reviews, rankings, developers and categories of the app marketplace.',
});
const freshForMs = () => hours(6);
const ofApp = inPath({ name: 'handle', description: 'Handle of the app.', example: 'acme-reviews', type: appHandle });
const page = withDefault({ name: 'page', default: 1, description: 'Page number, from 1.', example: 1, type: integerOf(1, 100_000) });
const sortBy = <const Name extends string>(name: Name) =>
  withDefault({
    name,
    field: 'sort',
    default: 'relevance',
    description: 'Order of the reviews.',
    example: 'newest',
    type: oneOfTexts(REVIEW_SORTS),
  });

export const app = defineOperation({
  number: 7,
  id: 'app',
  area,
  path: '/v1/appmarket/apps/{handle}',
  summary: 'Profile of one app',
  parameters: [ofApp],
  resourceName: 'AppProfile',
  resource: AppProfile,
  rows: { entries: 'pricings' },
  freshForMs,
});

const reviews = { resourceName: 'AppReviewPage', resource: AppReviewPage, rows: { entries: 'reviews' }, freshForMs };

export const appReviews = defineOperation({
  number: 8,
  id: 'app-reviews',
  area,
  path: '/v1/appmarket/apps/{handle}/reviews',
  summary: 'One page of reviews of an app, ordered by `sort`',
  parameters: [ofApp, page, sortBy('sort')],
  ...reviews,
});

export const appstoreReviews = defineOperation({
  number: 9,
  id: 'appstore-reviews',
  area,
  path: '/v1/appmarket/appstore/app/{handle}/reviews',
  summary: 'One page of reviews of an app under its app store path, ordered by `sort_by`',
  parameters: [ofApp, page, sortBy('sort_by')],
  ...reviews,
});

export const appKeywords = defineOperation({
  number: 10,
  id: 'app-keywords',
  area,
  path: '/v1/appmarket/apps/keywords',
  summary: 'One page of the apps ranked for a keyword',
  parameters: [
    required({ name: 'keyword', description: 'Search terms, 1 to 200 characters.', example: 'product reviews', type: textOf(200) }),
    page,
  ],
  resourceName: 'AppKeywordRanking',
  resource: AppKeywordRanking,
  rows: { entries: 'apps' },
  freshForMs,
});

export const appDeveloper = defineOperation({
  number: 11,
  id: 'app-developer',
  area,
  path: '/v1/appmarket/apps/developers/{handle}',
  summary: 'A developer with all apps',
  parameters: [inPath({ name: 'handle', description: 'Handle of the developer.', example: 'acme-widgets', type: handleIn('partners') })],
  resourceName: 'DeveloperProfile',
  resource: DeveloperProfile,
  rows: { entries: 'apps' },
  freshForMs,
});

export const appstoreCategory = defineOperation({
  number: 12,
  id: 'appstore-category',
  area,
  path: '/v1/appmarket/appstore/category/{handle}',
  summary: 'A category with one page of its apps',
  parameters: [
    inPath({
      name: 'handle',
      description: 'Handle of the category.',
      example: 'marketing-and-conversion-social-trust-product-reviews',
      type: handleIn('categories'),
    }),
    page,
  ],
  resourceName: 'CategoryDetail',
  resource: CategoryDetail,
  rows: { entries: 'apps' },
  freshForMs,
});
