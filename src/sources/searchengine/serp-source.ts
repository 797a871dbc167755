import { lazily, lazyReader, type Ports, type Source } from '../source.ts';
import { dailyCapOf } from '../source-budget.ts';
import type { Browser } from './page/browser.ts';
import { isCountryOf, servesRegion } from './regions.ts';

/** A source of search results; `as`: its name in `SIGHTLINE_SERP_SOURCES`. No results are `found` with an empty list, never `absent`. */
const serpSource = (as: string, source: Omit<Parameters<typeof lazily<'serp'>>[0], 'operations' | 'listed' | 'knowsAbsence'>): Source =>
  lazily<'serp'>({
    operations: ['serp'],
    listed: { setting: 'SIGHTLINE_SERP_SOURCES', as },
    knowsAbsence: false,
    partOf: (_, input) => input.engine,
    ...source,
  });

/** Live results of both engines in one call. Its answer is complete: with fewer than `depth` results, the engine has no more. */
export const dataforseo = serpSource('dataforseo', {
  id: 'DataForSEO',
  needs: ['DATAFORSEO_LOGIN', 'DATAFORSEO_PASSWORD'],
  dailyCap: (s) => dailyCapOf(s, 'dataforseo', 'dataforseo', 0.002),
  serves: (_, input) => servesRegion('dataforseo', input),
  readers: { 'serp/dataforseo': lazyReader('serp', async () => (await import('./dataforseo/parse.ts')).readDataforseo) },
  about:
    'live results of both engines by DataForSEO (paid: $0.002 for ten results, $0.0015 for each further ten, $0.002 for the AI overview)',
  load: async () => (await import('./dataforseo/connector.ts')).openDataforseo,
});

export const serpapi = serpSource('serpapi', {
  id: 'SerpApi',
  needs: ['SERPAPI_KEY'],
  dailyCap: (s) => dailyCapOf(s, 'serpapi', 'serpapi'),
  serves: (_, input) => servesRegion('serpapi', input),
  readers: { 'serp/serpapi': lazyReader('serp', async () => (await import('./serpapi/parse.ts')).readSerpapi) },
  about: 'results of both engines by SerpApi (paid: a search for each ten results, one more where the AI overview stands apart)',
  load: async () => (await import('./serpapi/connector.ts')).open,
});

/** Result pages loaded in the operator's browser. Tests replace `browserOf`. */
export const browserSource = (browserOf?: (ports: Ports) => Browser) =>
  serpSource('browser', {
    id: 'serp/browser',
    needs: ['SIGHTLINE_BROWSER_URL'],
    // a desktop browser does not claim to be a phone
    serves: (_, input) => input.device === 'desktop',
    limitedByPart: true,
    readers: {
      'serp/google-page': lazyReader('serp', async () => (await import('./google/parse.ts')).readGooglePage),
      'serp/bing-page': lazyReader('serp', async () => (await import('./bing/parse.ts')).readBingPage),
    },
    about:
      "result pages of both engines in the operator's own browser (desktop), one page in eight seconds; robots.txt bars them: the setting is the operator's word",
    async load() {
      const { openBrowser } = await import('./page/connector.ts');
      return (ports) => openBrowser(ports, browserOf?.(ports));
    },
  });
export const serpBrowser = browserSource();

export const searxng = serpSource('searxng', {
  id: 'SearXNG',
  needs: ['SEARXNG_URL'],
  // the instance always requests as a desktop client, and of engine A it takes a language without restricting the documents to a country
  serves: (_, input) => input.device === 'desktop' && (input.engine === 'engine_b' || isCountryOf(input)),
  readers: { 'serp/searxng': lazyReader('serp', async () => (await import('./searxng/parse.ts')).readSearxng) },
  about: "the operator's own SearXNG instance (desktop; no ads, no sections, no ratings, no totals)",
  load: async () => (await import('./searxng/connector.ts')).open,
});
