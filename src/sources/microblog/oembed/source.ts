import { lazily, lazyReader } from '../../lazily.ts';

/** The documented oEmbed endpoint, without a key: text and author only. */
export const microblogOembed = lazily({
  id: 'microblog/oembed',
  operations: ['microblog-post'],
  needs: [],
  knowsAbsence: true,
  readers: {
    'microblog/oembed': lazyReader('microblog-post', async () => (await import('./parse.ts')).readMicroblogOembed),
  },
  about: "X's oEmbed endpoint, keyless: text, author and hashtags, no counts or media",
  load: async () => (await import('./connector.ts')).open,
});
