import { defineArea } from './define.ts';

/** The groups of operations: OAuth scopes, and tags of the OpenAPI description. */
export const AREAS = {
  searchengine: defineArea({
    id: 'searchengine',
    scope: 'Google and Bing results',
    about: 'Rankings and features of search result pages.',
  }),
  shortvideo: defineArea({ id: 'shortvideo', scope: 'TikTok videos', about: 'Short videos by their URL.' }),
  microblog: defineArea({ id: 'microblog', scope: 'X posts', about: 'Microblog posts by their URL.' }),
  forum: defineArea({
    id: 'forum',
    scope: 'Reddit',
    about: 'Communities, search and comments of the discussion platform.',
  }),
  appmarket: defineArea({
    id: 'appmarket',
    scope: 'Shopify App Store',
    about: 'Apps, reviews, rankings, developers and categories of the app marketplace.',
  }),
  traffic: defineArea({ id: 'traffic', scope: 'Website traffic', about: 'Visit and engagement estimates of domains.' }),
  registration: defineArea({ id: 'registration', scope: 'Domain registration', about: 'Registration of domains.' }),
} as const;
