import { lazily, lazyReader } from '../../source.ts';

export const microblogOembed = lazily({
  id: 'microblog/oembed',
  operations: ['microblog-post'],
  readers: { 'microblog/oembed': lazyReader('microblog-post', async () => (await import('../embeds.ts')).readMicroblogOembed) },
  about: "X's oEmbed endpoint, keyless: text, author and hashtags, no counts or media",
  load: async () => (await import('./connector.ts')).open,
});
