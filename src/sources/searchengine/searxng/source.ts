import { lazily, lazyReader } from '../../lazily.ts';

/** The operator's own instance, with a single engine per request. It returns only URLs, titles, snippets and suggestions. */
export const searxng = lazily({
  id: 'SearXNG',
  operations: ['serp'],
  listed: { setting: 'SIGHTLINE_SERP_SOURCES', as: 'searxng' },
  needs: ['SEARXNG_URL'],
  knowsAbsence: false,
  // the instance always requests as a desktop client
  serves: (_, input) => input.device === 'desktop',
  partOf: (_, input) => input.engine,
  readers: {
    'serp/searxng': lazyReader('serp', async () => (await import('./parse.ts')).readSearxng),
  },
  about: "the operator's own SearXNG instance (desktop; no ads, no sections, no ratings, no totals)",
  load: async () => (await import('./connector.ts')).open,
});
