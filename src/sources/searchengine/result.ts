import type { Input } from '../../contract/operations/index.ts';
import type { AiOverview, Feature, OrganicEntry, PaidEntry, SearchResult } from '../../contract/operations/searchengine.ts';
import { found, type Outcome } from '../outcome.ts';
import { cleanUrl, domainOf } from './address.ts';

export type SerpInput = Input<'serp'>;

/** The parsed content of a page; the request's fields are added from the input. */
export interface Findings {
  readonly totalResults: number | null;
  /** Epoch ms at which the source retrieved the page. */
  readonly checkedAt: number;
  /** In order of appearance; may contain duplicates. */
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

/** The resource if the engine itself states that there are no results. */
export const nothingFound = (input: SerpInput, checkedAt: number): SearchResult =>
  searchResult(input, { totalResults: 0, checkedAt, features: [], organic: [], paid: [], aiOverview: null, relatedSearches: [] });

/** Cited pages, each once, in order of first mention. A page without URL or title is omitted: the contract does not allow null there. */
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

/** One page with the data needed to join it to others. */
export interface PageRead {
  readonly result: SearchResult;
  /** Number of elements on the page, entries and blocks. */
  readonly elements: number;
  /** URL of the next page according to the engine; null if it names none. */
  readonly next: string | null;
}
export const resultOf = (read: Outcome<PageRead>): Outcome<SearchResult> =>
  read.tag === 'found' ? found(read.resource.result, read.resource.result.organic.length === 0 ? 0 : undefined, read.unread) : read;
