import { lazily, lazyReader } from '../../lazily.ts';

/**
 * The public video page. Where it carries no video (an empty shell, a challenge, a new form) the page made for embedding is asked, which
 * knows less. "Removed, or not for you" (status 10204) goes to oEmbed: embedded there, it is blocked for us; not there, it is gone.
 */
export const shortVideoPage = lazily({
  id: 'shortvideo/page',
  operations: ['short-video'],
  needs: ['SIGHTLINE_SHORTVIDEO_PAGE'],
  knowsAbsence: true,
  readers: {
    'shortvideo/page': lazyReader('short-video', async () => (await import('./parse.ts')).readVideoPage),
  },
  about: "TikTok's public video page, as far as its robots.txt allows",
  load: async () => (await import('./connector.ts')).open,
});
