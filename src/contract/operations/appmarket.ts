import type { Static } from 'typebox';
import { flag, list, nullable, oneOf, orNull, record, text, words } from '../schema.ts';

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

const APP = {
  name: orNull.text('Name of the app.'),
  url: orNull.url('Address of the app.'),
  handle: orNull.text('Handle of the app.'),
};
const PLACE = {
  isSponsored: orNull.flag('An ad.'),
  isBuiltForPlatform: orNull.flag("Built to the marketplace operator's standard."),
  position: orNull.count('Organic: place over all pages; sponsored: place among the ads of its page.'),
};

export const AppKeywordRanking = record({
  keyword: text('The keyword asked for.'),
  totalCount: orNull.count('Number of apps as stated.'),
  apps: list(
    record({
      ...APP,
      developer: orNull.text('Name of the developer.'),
      ...PLACE,
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
      ...APP,
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
  apps: list(record({ ...APP, ...PLACE }), 'Apps of this page in the order shown.'),
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
