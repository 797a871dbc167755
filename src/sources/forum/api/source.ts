import { lazily, lazyReader } from '../../lazily.ts';

/** The API of the discussion platform with the operator's application (Reddit Data API, application-only OAuth). */
export const forumApi = lazily({
  id: 'forum/api',
  operations: ['forum-community', 'forum-search', 'forum-comments'],
  needs: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'],
  knowsAbsence: true,
  // a discussion above the request limit must not open the breaker for listings
  partOf: (operation) => operation,
  readers: {
    'forum/listing': lazyReader('forum-community', async () => (await import('./parse.ts')).readListing),
    'forum/search': lazyReader('forum-search', async () => (await import('./parse.ts')).readSearch),
    'forum/thread': lazyReader('forum-comments', async () => (await import('./parse.ts')).readThread),
  },
  about: "Reddit's Data API with the operator's application; 1 request per page, 1 per 100 comments",
  load: async () => (await import('./connector.ts')).open,
});
