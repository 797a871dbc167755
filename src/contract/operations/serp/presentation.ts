import { type Presentation, top } from '../presentation.ts';
import type { SearchResult } from './operation.ts';

export const presentation: Presentation<SearchResult> = {
  name: 'Google and Bing',
  icon: 'search',
  guidance: {
    title: 'Search result page',
    use: 'Use to see who ranks (organic) or advertises (paid) for a keyword, and which features the page shows. Not for reading web pages.',
    fresh: 'Up to 1 h old.',
    limits: '200 results. Blocked engines: UPSTREAM_BLOCKED, do not retry. null: not stated on the page.',
  },
  lines: ({ organic }) => top(organic.map(({ domain, title }) => `${domain}: ${title}`)),
};
