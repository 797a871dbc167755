import { lazily } from '../../lazily.ts';

/** The marketplace's public pages. */
export const appmarketPage = lazily({
  id: 'appmarket/page',
  operations: ['app', 'app-reviews', 'appstore-reviews', 'app-developer', 'appstore-category'],
  needs: [],
  knowsAbsence: true,
  about: 'public pages of the app marketplace, politely: one request per SIGHTLINE_APPMARKET_PACE_MS, robots.txt obeyed',
  load: async () => (await import('./connector.ts')).openAppmarketPage,
});

/** Keyword search, which robots.txt bars for ordinary agents: off until the operator switches it on. */
export const appmarketSearch = lazily({
  id: 'appmarket/page',
  operations: ['app-keywords'],
  needs: ['SIGHTLINE_APPMARKET_SEARCH'],
  knowsAbsence: true,
  about: 'keyword search of the app marketplace; its robots.txt bars it for ordinary agents, so it is off by default',
  load: async () => (await import('./connector.ts')).openAppmarketSearch,
});
