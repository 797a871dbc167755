import { lazily, lazyReader } from '../../lazily.ts';

/** Both engines through SerpApi, one search per page; a second call for the AI overview if the provider returns only its token. */
export const serpapi = lazily({
  id: 'SerpApi',
  operations: ['serp'],
  listed: { setting: 'SIGHTLINE_SERP_SOURCES', as: 'serpapi' },
  needs: ['SERPAPI_KEY'],
  knowsAbsence: false,
  dailyCap: (s) => ({
    key: 'serpapi',
    maxRequests: s.SIGHTLINE_SERPAPI_DAILY_REQUESTS,
    maxUsd: s.SIGHTLINE_SERPAPI_DAILY_USD,
  }),
  partOf: (_, input) => input.engine,
  readers: {
    'serp/serpapi': lazyReader('serp', async () => (await import('./parse.ts')).readSerpapi),
  },
  about: 'results of both engines by SerpApi (paid: a search for each ten results, one more where the AI overview stands apart)',
  load: async () => (await import('./connector.ts')).open,
});
