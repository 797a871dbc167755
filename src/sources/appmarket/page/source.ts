import { lazily, lazyReader } from '../../lazily.ts';

/** The public pages of the marketplace. */
export const appmarketPage = lazily({
  id: 'appmarket/page',
  operations: ['app', 'app-reviews', 'appstore-reviews', 'app-developer', 'appstore-category'],
  needs: [],
  knowsAbsence: true,
  readers: {
    'appmarket/app': lazyReader('app', async () => (await import('./parse.ts')).readApp),
    'appmarket/reviews': lazyReader('app-reviews', async () => (await import('./parse.ts')).readReviews),
    'appmarket/developer': lazyReader('app-developer', async () => (await import('./parse.ts')).readDeveloper),
    'appmarket/category': lazyReader('appstore-category', async () => (await import('./parse.ts')).readCategory),
  },
  about: 'public pages of the app marketplace: one request per SIGHTLINE_APPMARKET_PACE_MS, robots.txt obeyed',
  terms: "Shopify's terms of 2026-08-01 forbid automated access; the robots.txt of the App Store allows these pages.",
  load: async () => (await import('./connector.ts')).openAppmarketPage,
});

/** Keyword search, which robots.txt disallows for all agents: disabled by default. */
export const appmarketSearch = lazily({
  id: 'appmarket/page',
  operations: ['app-keywords'],
  needs: ['SIGHTLINE_APPMARKET_SEARCH'],
  knowsAbsence: true,
  readers: {
    'appmarket/search': lazyReader('app-keywords', async () => (await import('./parse.ts')).readSearch),
  },
  about: 'keyword search of the app marketplace; its robots.txt disallows it, so it is off by default',
  load: async () => (await import('./connector.ts')).openAppmarketSearch,
});
