import { lazyReader } from '../../source.ts';
import { isCountryOf } from '../regions.ts';
import { serpSource } from '../serp-source.ts';

export const searxng = serpSource('searxng', {
  id: 'SearXNG',
  needs: ['SEARXNG_URL'],
  // the instance always requests as a desktop client, and of engine A it takes a language without restricting the documents to a country
  serves: (_, input) => input.device === 'desktop' && (input.engine === 'engine_b' || isCountryOf(input)),
  readers: { 'serp/searxng': lazyReader('serp', async () => (await import('./parse.ts')).readSearxng) },
  about: "the operator's own SearXNG instance (desktop; no ads, no sections, no ratings, no totals)",
  load: async () => (await import('./connector.ts')).open,
});
