import { type AppFacts, appOf, appsOfDeveloper, developerOf, reviewCountOf } from './apps.ts';
import { below, categoryOf, pathTo } from './categories.ts';
import { ORIGIN } from './layout.ts';
import { categoryList, type ListFacts, searchList } from './lists.ts';
import { reviewPageOf } from './reviews.ts';

/** The expected results of lookups, built from the facts and not from the pages. */
export const truth = {
  app(handle: string) {
    const app = appOf(handle);
    if (!app) return null;
    const { developer } = app;
    return {
      name: app.name,
      description: app.description,
      handle,
      rating: app.rating,
      developer: {
        name: developer.name,
        address: developer.address,
        url: `${ORIGIN}/partners/${developer.handle}`,
        website: developer.website,
      },
      languages: app.languages,
      categories: app.categories.map((c) => ({ name: c.name, url: `${ORIGIN}/categories/${c.handle}`, handle: c.handle })),
      worksWith: app.worksWith,
      pricing: app.priceLine,
      pricings: app.plans.map(({ name, price, period, charges, yearly, trial, features }) => ({
        name,
        price,
        period,
        description: [charges, yearly, trial].filter((line) => line !== null).join('\n') || null,
        features,
      })),
      launchedDate: app.launched,
      builtForPlatform: app.hasBadge ? 'TRUE' : 'FALSE',
      logo: app.logo,
      reviewCount: reviewCountOf(app),
    };
  },
  reviews(handle: string, page: number, sort: string) {
    const app = appOf(handle);
    if (!app) return null;
    const pages = Math.max(1, Math.ceil(reviewCountOf(app) / 10));
    return {
      reviews: reviewPageOf(app, page, sort).map((review) => ({
        appUrl: `${ORIGIN}/${handle}`,
        appName: app.name,
        reviewer: review.reviewer,
        reviewCreatedDate: review.day,
        reviewerLocation: review.country,
        reviewerLatestUsedDate: review.tenure,
        reviewContent: review.paragraphs.join('\n\n'),
        reviewId: review.id,
        rating: review.stars,
      })),
      summary: app.stars.map((count, i) => ({ label: String(5 - i), count })),
      // past the end of the list the page has no label with a page number
      pagination: { hasNextPage: page < pages, totalPages: page > pages ? null : pages, currentPage: page },
    };
  },
  search(keyword: string, page: number) {
    const list = searchList(keyword, page);
    const apps = ranked(list).map(({ app, ...place }) => ({
      ...named(app),
      ...place,
      isBuiltForPlatform: app.hasBadge,
      developer: null,
      rating: app.rating === null ? null : Number(app.rating),
    }));
    return { keyword, totalCount: list.total, apps, pagination: paginationOf(list, page), hasResults: list.total > 0 };
  },
  developer(handle: string) {
    const developer = developerOf(handle);
    if (!developer) return null;
    const apps = appsOfDeveloper(handle).map((app) => ({
      ...named(app),
      pricing: app.cardPrice,
      description: app.tagline,
      iconUrl: app.logo,
      rating: app.rating === null ? null : Number(app.rating),
      reviewCount: app.rating === null ? null : reviewCountOf(app),
    }));
    return { name: developer.name, apps };
  },
  category(handle: string, page: number) {
    const category = categoryOf(handle);
    if (!category) return null;
    const isLeaf = category.level === 'tertiary';
    const list = isLeaf ? categoryList(category, page) : null;
    return {
      name: category.name,
      description: category.sentence,
      appCount: list ? list.total : null,
      apps: list ? ranked(list).map(({ app, ...place }) => ({ ...named(app), ...place, isBuiltForPlatform: app.hasBadge })) : [],
      pagination: list ? paginationOf(list, page) : { hasNextPage: false, totalPages: page > 1 ? null : 1, currentPage: page },
      breadcrumbs: pathTo(category).map((c) => ({
        name: c.name,
        url: `${ORIGIN}/categories/${c.handle}`,
        handle: c.handle,
        parentHandle: c.parent,
      })),
      subCategories: below(handle).map((c) => c.handle),
      level: category.level,
    };
  },
};

const named = (app: AppFacts) => ({ name: app.name, url: `${ORIGIN}/${app.handle}`, handle: app.handle });
const ranked = (list: ListFacts) => [
  ...list.ads.map((app, i) => ({ app, isSponsored: true, position: i + 1 })),
  ...list.apps.map((app, i) => ({ app, isSponsored: false, position: list.from + i })),
];
const paginationOf = (list: ListFacts, page: number) => ({
  hasNextPage: page < list.pages,
  totalPages: page > list.pages ? null : list.pages,
  currentPage: page,
});
