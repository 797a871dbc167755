import { lazily, lazyReader } from '../../source.ts';

export const shortVideoOembed = lazily({
  id: 'shortvideo/oembed',
  operations: ['short-video'],
  // it also answers "not found" for videos whose embedding is disabled
  knowsAbsence: false,
  readers: { 'shortvideo/oembed': lazyReader('short-video', async () => (await import('./parse.ts')).readVideoOembed) },
  about: "TikTok's oEmbed endpoint, keyless: caption, author and cover, no counts",
  sunset: {
    date: null,
    what: 'TikTok says since 2026-10-23 that embedded videos, which this endpoint describes, will be deprecated soon, and names no day.',
    instead: 'the public page of the video, or a relay to a data provider that is licensed for this platform',
    reference: 'https://developers.tiktok.com/docs/zh-Hans/embed-videos',
  },
  load: async () => (await import('./connector.ts')).open,
});
