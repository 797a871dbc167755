import { lazily, lazyReader } from '../../lazily.ts';

/** The minimal fallback: caption, author, cover and hashtags of an embeddable video. */
export const shortVideoOembed = lazily({
  id: 'shortvideo/oembed',
  operations: ['short-video'],
  needs: [],
  // it also answers "not found" for videos whose embedding is disabled
  knowsAbsence: false,
  readers: {
    'shortvideo/oembed': lazyReader('short-video', async () => (await import('./parse.ts')).readVideoOembed),
  },
  about: "TikTok's oEmbed endpoint, keyless: caption, author and cover, no counts",
  load: async () => (await import('./connector.ts')).open,
});
