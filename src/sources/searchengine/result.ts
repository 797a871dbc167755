import type { Input } from '../../contract/operations/index.ts';
import type { AiOverview, Feature, OrganicEntry, PaidEntry, SearchResult } from '../../contract/operations/searchengine.ts';
import { found, type Outcome } from '../outcome.ts';
import { cleanUrl, domainOf } from './address.ts';

export type SerpInput = Input<'serp'>;

/** What a reader finds on a page; the question's own words are added from the input. */
export interface Findings {
  readonly totalResults: number | null;
  /** Epoch ms, when the source saw the page. */
  readonly checkedAt: number;
  /** In order of appearance; may repeat. */
  readonly features: readonly Feature[];
  readonly organic: readonly OrganicEntry[];
  readonly paid: readonly PaidEntry[];
  readonly aiOverview: AiOverview | null;
  readonly relatedSearches: readonly string[];
}

export const searchResult = (input: SerpInput, found: Findings): SearchResult => ({
  keyword: input.keyword,
  searchEngine: input.engine,
  location: input.location,
  language: input.language,
  device: input.device,
  totalResults: found.totalResults,
  checkedAt: new Date(found.checkedAt).toISOString(),
  features: [...new Set(found.features)],
  organic: [...found.organic],
  paid: [...found.paid],
  aiOverview: found.aiOverview,
  relatedSearches: [...new Set(found.relatedSearches)],
});

/** What an engine answers where it says itself that nothing was found. */
export const nothingFound = (input: SerpInput, checkedAt: number): SearchResult =>
  searchResult(input, { totalResults: 0, checkedAt, features: [], organic: [], paid: [], aiOverview: null, relatedSearches: [] });

/** Cited pages, each once, in order of first mention. One without address or title is left out: the contract forbids null there. */
export function references(
  cited: Iterable<{ url: string | null | undefined; title: string | null | undefined }>,
): AiOverview['references'] {
  const byUrl = new Map<string, { domain: string; url: string; title: string }>();
  for (const { url: raw, title } of cited) {
    const url = cleanUrl(raw);
    const domain = url && domainOf(url);
    if (url && domain && title && !byUrl.has(url)) byUrl.set(url, { domain, url, title });
  }
  return [...byUrl.values()];
}

/** One page, with what joining it to others needs. */
export interface PageRead {
  readonly result: SearchResult;
  /** How many elements the page has, entries and blocks. */
  readonly elements: number;
  /** Where the engine says that its list goes on; null where it names no further page. */
  readonly next: string | null;
}
export const resultOf = (read: Outcome<PageRead>): Outcome<SearchResult> =>
  read.tag === 'found' ? found(read.resource.result, read.resource.result.organic.length === 0 ? 0 : undefined) : read;
