import { lazily, lazyReader } from '../../source.ts';

export const microblogSyndication = lazily({
  id: 'microblog/syndication',
  operations: ['microblog-post'],
  readers: { 'microblog/syndication': lazyReader('microblog-post', async () => (await import('../embeds.ts')).readSyndication) },
  about: "X's endpoint for embedded posts, keyless, as far as its robots.txt allows: no views, reposts, quotes or bookmarks",
  terms: "X's terms forbid crawling and scraping without prior written consent, whatever its robots.txt allows.",
  load: async () => (await import('./connector.ts')).open,
});
