import { lazily, lazyReader } from '../../source.ts';

export const forumApi = lazily({
  id: 'forum/api',
  operations: ['forum-community', 'forum-search', 'forum-comments'],
  needs: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'],
  // a discussion above the request limit must not open the breaker for listings
  partOf: (operation) => operation,
  readers: {
    'forum/listing': lazyReader('forum-community', async () => (await import('./parse.ts')).readListing),
    'forum/search': lazyReader('forum-search', async () => (await import('./parse.ts')).readSearch),
    'forum/thread': lazyReader('forum-comments', async () => (await import('./parse.ts')).readThread),
  },
  about: "Reddit's Data API with the operator's application; 1 request per page, 1 per 100 comments",
  sunset: {
    date: '2027-03-01',
    what: 'Reddit closes all remaining public API access in March 2027; new applications ended on 2026-10-31, RSS on 2026-11-13, unregistered applications end on 2027-01-12.',
    instead: 'a relay to a data provider that is licensed for this platform',
    reference: 'https://support.reddithelp.com/hc/en-us/articles/16160319875092-Reddit-Data-API-Wiki',
  },
  load: async () => (await import('./connector.ts')).open,
});
