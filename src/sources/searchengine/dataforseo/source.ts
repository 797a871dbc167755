import { lazyReader } from '../../source.ts';
import { dailyCapOf } from '../../source-budget.ts';
import { servesRegion } from '../regions.ts';
import { serpSource } from '../serp-source.ts';

/** Live results of both engines in one call. Its answer is complete: with fewer than `depth` results, the engine has no more. */
export const dataforseo = serpSource('dataforseo', {
  id: 'DataForSEO',
  needs: ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'],
  dailyCap: (s) => dailyCapOf(s, 'dataforseo', 'dataforseo', { usdEach: 0.002, mostRequests: 2 }),
  serves: (_, input) => servesRegion('dataforseo', input),
  readers: { 'serp/dataforseo': lazyReader('serp', async () => (await import('./parse.ts')).readDataforseo) },
  about:
    'live results of both engines by DataForSEO (paid: $0.002 for ten results, $0.0015 for each further ten, $0.002 for the AI overview)',
  load: async () => (await import('./connector.ts')).openDataforseo,
});
