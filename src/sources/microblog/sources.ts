import { lazily, lazyReader } from '../source.ts';
import { dailyCapOf } from '../source-budget.ts';

export const microblogApi = lazily({
  id: 'microblog/api',
  operations: ['microblog-post'],
  needs: ['X_BEARER_TOKEN'],
  dailyCap: (s) => dailyCapOf(s, 'x', 'microblog/api'),
  readers: { 'microblog/api': lazyReader('microblog-post', async () => (await import('./api/parse.ts')).readMicroblogApi) },
  about: "X API v2 with the operator's own token; each post read is billed by the platform",
  load: async () => (await import('./lookup.ts')).openApi,
});

export const microblogSyndication = lazily({
  id: 'microblog/syndication',
  operations: ['microblog-post'],
  readers: { 'microblog/syndication': lazyReader('microblog-post', async () => (await import('./embeds.ts')).readSyndication) },
  about: "X's endpoint for embedded posts, keyless, as far as its robots.txt allows: no views, reposts, quotes or bookmarks",
  terms: "X's terms forbid crawling and scraping without prior written consent, whatever its robots.txt allows.",
  load: async () => (await import('./lookup.ts')).openSyndication,
});

export const microblogOembed = lazily({
  id: 'microblog/oembed',
  operations: ['microblog-post'],
  readers: { 'microblog/oembed': lazyReader('microblog-post', async () => (await import('./embeds.ts')).readMicroblogOembed) },
  about: "X's oEmbed endpoint, keyless: text, author and hashtags, no counts or media",
  load: async () => (await import('./lookup.ts')).openOembed,
});
