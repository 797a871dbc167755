import { lazily, lazyReader } from '../../source.ts';

const parsers = () => import('./parse.ts');
const load = async () => (await import('./connector.ts')).open;

export const appmarketPage = lazily({
  id: 'appmarket/page',
  operations: ['app', 'app-reviews', 'appstore-reviews', 'app-developer', 'appstore-category'],
  readers: {
    'appmarket/app': lazyReader('app', async () => (await parsers()).readApp),
    'appmarket/reviews': lazyReader('app-reviews', async () => (await parsers()).readReviews),
    'appmarket/developer': lazyReader('app-developer', async () => (await parsers()).readDeveloper),
    'appmarket/category': lazyReader('appstore-category', async () => (await parsers()).readCategory),
  },
  about: 'public pages of the app marketplace: one request per SIGHTLINE_APPMARKET_PACE_MS, robots.txt obeyed',
  terms: "Shopify's terms of 2026-08-01 forbid automated access; the robots.txt of the App Store allows these pages.",
  load,
});

export const appmarketSearch = lazily({
  id: 'appmarket/page',
  operations: ['app-keywords'],
  needs: ['SIGHTLINE_APPMARKET_SEARCH'],
  readers: { 'appmarket/search': lazyReader('app-keywords', async () => (await parsers()).readSearch) },
  about: 'keyword search of the app marketplace; its robots.txt disallows it, so it is off by default',
  offBecause: 'The robots.txt of the App Store excludes its search.',
  load,
});
