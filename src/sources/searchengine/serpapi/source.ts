import { lazyReader } from '../../source.ts';
import { dailyCapOf } from '../../source-budget.ts';
import { servesRegion } from '../regions.ts';
import { serpSource } from '../serp-source.ts';

export const serpapi = serpSource('serpapi', {
  id: 'SerpApi',
  needs: ['SERPAPI_KEY'],
  dailyCap: (s) => dailyCapOf(s, 'serpapi', 'serpapi', { mostRequests: 2 }),
  serves: (_, input) => servesRegion('serpapi', input),
  readers: { 'serp/serpapi': lazyReader('serp', async () => (await import('./parse.ts')).readSerpapi) },
  about: 'results of both engines by SerpApi (paid: a search for each ten results, one more where the AI overview stands apart)',
  load: async () => (await import('./connector.ts')).open,
});
