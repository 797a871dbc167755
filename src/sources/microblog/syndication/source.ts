import { lazily, lazyReader } from '../../lazily.ts';

/** The endpoint for embedded posts; no key needed. */
export const microblogSyndication = lazily({
  id: 'microblog/syndication',
  operations: ['microblog-post'],
  needs: ['SIGHTLINE_MICROBLOG_SYNDICATION'],
  knowsAbsence: true,
  readers: {
    'microblog/syndication': lazyReader('microblog-post', async () => (await import('./parse.ts')).readSyndication),
  },
  about: "X's endpoint for embedded posts, keyless, as far as its robots.txt allows: no views, reposts, quotes or bookmarks",
  load: async () => (await import('./connector.ts')).open,
});
