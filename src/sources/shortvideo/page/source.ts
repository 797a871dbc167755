import { lazily, lazyReader } from '../../lazily.ts';

/**
 * The public video page. If it contains no video (an empty shell, a challenge, an unknown format), the embed page is fetched, which has fewer
 * fields. Status 10204 (removed, or not shown to this client) is decided by oEmbed: blocked if oEmbed has the video, else absent.
 */
export const shortVideoPage = lazily({
  id: 'shortvideo/page',
  operations: ['short-video'],
  needs: [],
  knowsAbsence: true,
  readers: {
    'shortvideo/page': lazyReader('short-video', async () => (await import('./parse.ts')).readVideoPage),
  },
  about: "TikTok's public video page, as far as its robots.txt allows",
  terms: "TikTok's terms forbid automated scripts that collect information, whatever its robots.txt allows.",
  load: async () => (await import('./connector.ts')).open,
});
