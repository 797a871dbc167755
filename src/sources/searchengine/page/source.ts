import { lazily, lazyReader } from '../../lazily.ts';

/**
 * Engine B's result pages over plain HTTP with an honest User-Agent. robots.txt disallows them, so the source is off until the operator
 * enables it.
 */
export const serpPage = lazily({
  id: 'serp/page',
  operations: ['serp'],
  listed: { setting: 'SIGHTLINE_SERP_SOURCES', as: 'page' },
  needs: ['SIGHTLINE_SERP_PAGE'],
  knowsAbsence: false,
  // engine A requires scripts, and it serves the phone layout only to phones
  serves: (_, input) => input.engine === 'engine_b' && input.device === 'desktop',
  readers: {
    'serp/google-page': lazyReader('serp', async () => (await import('../google/parse.ts')).readGooglePage),
    'serp/bing-page': lazyReader('serp', async () => (await import('../bing/parse.ts')).readBingPage),
  },
  about: "engine B's result pages fetched plainly (no ads, few sections); its robots.txt bars them, so it is off by default",
  load: async () => (await import('./connector.ts')).open,
});
