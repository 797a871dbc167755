import type { Settings } from '../../../settings.ts';
import { lazily, lazyReader } from '../../lazily.ts';

/** One cap for both sources, because they use one account of the provider. */
const dailyCap = (s: Settings) => ({
  key: 'dataforseo',
  maxRequests: s.SIGHTLINE_DATAFORSEO_DAILY_REQUESTS,
  maxUsd: s.SIGHTLINE_DATAFORSEO_DAILY_USD,
});

/** Live results of both engines in one call. Its answer is complete: with fewer than `depth` results, the engine has no more. */
export const dataforseo = lazily({
  id: 'DataForSEO',
  operations: ['serp'],
  listed: { setting: 'SIGHTLINE_SERP_SOURCES', as: 'dataforseo' },
  needs: ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'],
  // no results are `found` with an empty list, never `absent`
  knowsAbsence: false,
  dailyCap,
  partOf: (_, input) => input.engine,
  readers: {
    'serp/dataforseo': lazyReader('serp', async () => (await import('./parse.ts')).readDataforseo),
  },
  about:
    'live results of both engines by DataForSEO (paid: $0.002 for ten results, $0.0015 for each further ten, $0.002 for the AI overview)',
  load: async () => (await import('./connector.ts')).openDataforseo,
});

/** Result pages fetched live by the provider and parsed by the page parsers. */
export const dataforseoHtml = lazily({
  id: 'DataForSEO/html',
  operations: ['serp'],
  listed: { setting: 'SIGHTLINE_SERP_SOURCES', as: 'dataforseo-html' },
  needs: ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'],
  knowsAbsence: false,
  dailyCap,
  partOf: (_, input) => `html ${input.engine}`,
  about: 'result pages of both engines fetched live by DataForSEO, read here (paid; list it in SIGHTLINE_SERP_SOURCES to use it)',
  load: async () => (await import('./connector.ts')).openDataforseoHtml,
});
