import { lazily, lazyReader } from '../../lazily.ts';

/** The discussion platform's API with the operator's own application (Reddit Data API, application-only OAuth). */
export const forumApi = lazily({
  id: 'forum/api',
  operations: ['forum-community', 'forum-search', 'forum-comments'],
  needs: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'],
  knowsAbsence: true,
  // a discussion that is too large for its ceiling says nothing about listings
  partOf: (operation) => operation,
  readers: {
    'forum/listing': lazyReader('forum-community', async () => (await import('./parse.ts')).readListing),
    'forum/search': lazyReader('forum-search', async () => (await import('./parse.ts')).readSearch),
    'forum/thread': lazyReader('forum-comments', async () => (await import('./parse.ts')).readThread),
  },
  about: "Reddit's Data API with the operator's own application; 1 request a page, comments 1 per hundred",
  load: async () => (await import('./connector.ts')).open,
});
