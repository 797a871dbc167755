import { lazily, lazyReader } from '../../source.ts';

/** Without a video on the page the embed page is asked; whether status 10204 means removed or blocked, oEmbed decides. */
export const shortVideoPage = lazily({
  id: 'shortvideo/page',
  operations: ['short-video'],
  readers: { 'shortvideo/page': lazyReader('short-video', async () => (await import('./parse.ts')).readVideoPage) },
  about: "TikTok's public video page, as far as its robots.txt allows",
  terms: "TikTok's terms forbid automated scripts that collect information, whatever its robots.txt allows.",
  load: async () => (await import('./connector.ts')).open,
});
