import { lazily, lazyReader } from '../source.ts';

/** Without a video on the page the embed page is asked; whether status 10204 means removed or blocked, oEmbed decides. */
export const shortVideoPage = lazily({
  id: 'shortvideo/page',
  operations: ['short-video'],
  readers: { 'shortvideo/page': lazyReader('short-video', async () => (await import('./page/parse.ts')).readVideoPage) },
  about: "TikTok's public video page, as far as its robots.txt allows",
  terms: "TikTok's terms forbid automated scripts that collect information, whatever its robots.txt allows.",
  load: async () => (await import('./links.ts')).openPage,
});

export const shortVideoOembed = lazily({
  id: 'shortvideo/oembed',
  operations: ['short-video'],
  // it also answers "not found" for videos whose embedding is disabled
  knowsAbsence: false,
  readers: { 'shortvideo/oembed': lazyReader('short-video', async () => (await import('./oembed/parse.ts')).readVideoOembed) },
  about: "TikTok's oEmbed endpoint, keyless: caption, author and cover, no counts",
  sunset: {
    date: null,
    what: 'TikTok says since 2026-10-23 that embedded videos, which this endpoint describes, will be deprecated soon, and names no day.',
    instead: 'the public page of the video, or a relay to a data provider that is licensed for this platform',
    reference: 'https://developers.tiktok.com/docs/zh-Hans/embed-videos',
  },
  load: async () => (await import('./links.ts')).openOembed,
});
