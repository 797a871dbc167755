import type { Input } from '../../contract/operations/index.ts';
import type { AiOverview, Feature, OrganicEntry, PaidEntry, SearchResult } from '../../contract/operations/searchengine.ts';
import type { Answer } from '../../upstream/answer.ts';
import type { Element } from '../html/element.ts';
import { changed, failureOfStatus, found, type NotFound, type Outcome } from '../outcome.ts';
import { parseUrl } from '../web-address.ts';
import { addressOf } from './address.ts';

export type SerpInput = Input<'serp'>;

export const ENGINE_NAMES = { engine_a: 'google', engine_b: 'bing' } as const;
/** The interface language of engine A: ISO 639-1 except for languages that it splits by script or country. */
export function engineLanguage({ language, location }: SerpInput): string {
  if (language === 'zh') return ['TW', 'HK', 'MO'].includes(location) ? 'zh-TW' : 'zh-CN';
  if (language === 'pt') return location === 'BR' ? 'pt-BR' : 'pt-PT';
  return language === 'nb' || language === 'nn' ? 'no' : language;
}
export type EntryFields = Omit<OrganicEntry, 'rank' | 'absoluteRank'>;

/** What a source read of a page; what it does not state is left out. Lists may contain duplicates. */
type Findings = Partial<Pick<SearchResult, 'totalResults' | 'features' | 'organic' | 'paid' | 'aiOverview' | 'relatedSearches'>>;
/** `checkedAt`: epoch ms at which the source retrieved the page. */
export const searchResult = (input: SerpInput, checkedAt: number, read: Findings): SearchResult => ({
  keyword: input.keyword,
  searchEngine: input.engine,
  location: input.location,
  language: input.language,
  device: input.device,
  totalResults: read.totalResults ?? null,
  checkedAt: new Date(checkedAt).toISOString(),
  features: [...new Set(read.features)],
  organic: read.organic ?? [],
  paid: read.paid ?? [],
  aiOverview: read.aiOverview ?? null,
  relatedSearches: [...new Set(read.relatedSearches)],
});
export const nothingFound = (input: SerpInput, checkedAt: number): SearchResult => searchResult(input, checkedAt, { totalResults: 0 });
export const ranked = (entries: readonly EntryFields[]): OrganicEntry[] =>
  entries.map((entry, i) => ({ rank: i + 1, absoluteRank: i + 1, ...entry }));

/** Cited pages, each once, in order of first mention. A page without URL or title is omitted: the contract does not allow null there. */
export function references(
  cited: Iterable<{ url: string | null | undefined; title: string | null | undefined }>,
): AiOverview['references'] {
  const byUrl = new Map<string, AiOverview['references'][number]>();
  for (const { url, title } of cited) {
    const address = addressOf(url);
    if (address && title && !byUrl.has(address.url)) byUrl.set(address.url, { ...address, title });
  }
  return [...byUrl.values()];
}

export interface PageRead {
  readonly result: SearchResult;
  readonly elements: number;
  /** URL of the next page according to the engine; null if it names none. */
  readonly next: string | null;
}

/** What stands on a page: an entry, an ad, the generated answer, or another block. */
export interface Placed {
  /** `featured_snippet` for the entry of an answer box. */
  readonly feature: Feature;
  /** Place in the document: ranks follow it. */
  readonly order: number;
  readonly element: Element;
  /** null if the address is hidden: the entry keeps its place among the elements. */
  readonly entry?: EntryFields | null;
  readonly ad?: Omit<PaidEntry, 'rank'>;
  readonly overview?: AiOverview;
}

export function pageRead(
  answer: Answer,
  input: SerpInput,
  placed: readonly Placed[],
  rest: { readonly totalResults: number | null; readonly relatedSearches: string[]; readonly next: string | null },
  unread: readonly string[],
): Outcome<PageRead> {
  const inOrder = placed.toSorted((a, b) => a.order - b.order);
  let rank = 0;
  const result = searchResult(input, answer.at, {
    totalResults: rest.totalResults,
    features: inOrder.flatMap(({ feature, entry }): Feature[] =>
      entry !== undefined && feature === 'featured_snippet' ? [feature, 'organic'] : [feature],
    ),
    organic: inOrder.flatMap(({ entry }, i) => (entry ? [{ rank: ++rank, absoluteRank: i + 1, ...entry }] : [])),
    paid: inOrder.flatMap(({ ad }) => ad ?? []).map((ad, i) => ({ rank: i + 1, ...ad })),
    aiOverview: placed.find(({ overview }) => overview)?.overview ?? null,
    relatedSearches: rest.relatedSearches,
  });
  return found({ result, elements: placed.length, next: rest.next }, undefined, unread);
}
/** The resource alone; without entries nothing was delivered. */
export const resultOf = (read: Outcome<PageRead>): Outcome<SearchResult> =>
  read.tag === 'found' ? found(read.resource.result, read.resource.result.organic.length === 0 ? 0 : undefined, read.unread) : read;

export function failureOfPage(answer: Answer): NotFound | null {
  const { status, headers } = answer;
  if (status < 300) return null;
  const detail = `HTTP ${status} ${headers.location?.slice(0, 200) ?? ''}`.trim();
  const gone = 'The search engine answered without a result page.';
  return status < 400 ? changed(gone, detail) : failureOfStatus(answer, { who: 'The search engine', gone, detail });
}

/** The engine's own link to the next page: the smallest offset beyond that of this page. Its tokens are kept: some pages require them. */
export function nextPage(links: readonly Element[], here: string, home: string, offset: { name: string; first: number }): string | null {
  const offsetOf = (url: URL | null): number => Number(url?.searchParams.get(offset.name) ?? offset.first);
  const at = offsetOf(parseUrl(here, home));
  let next: URL | null = null;
  for (const link of links) {
    const url = parseUrl(link.attribs.href, home);
    const start = offsetOf(url);
    if (url?.pathname !== '/search' || url.searchParams.has('tbm') || url.searchParams.has('udm')) continue;
    if (Number.isSafeInteger(start) && start > at && (next === null || start < offsetOf(next))) next = url;
  }
  return next?.href ?? null;
}

/** Related searches by the query of their URL, because the text of a link may lack spaces; each once, without the keyword itself. */
export function relatedSearches(links: readonly Element[], home: string, keyword: string): { words: string[]; first: Element | null } {
  const words = new Map<string, string>();
  let first: Element | null = null;
  for (const link of links) {
    const query = parseUrl(link.attribs.href, home)?.searchParams.get('q')?.normalize('NFC').trim();
    const key = query?.toLowerCase();
    if (!query || !key || key === keyword.trim().toLowerCase()) continue;
    first ??= link;
    if (!words.has(key)) words.set(key, query);
  }
  return { words: [...words.values()], first };
}

/** An image of stars, which has the rating as its label. */
export const isStars = ({ attribs }: Element): boolean => attribs.role === 'img' && /\p{Nd}/u.test(attribs['aria-label'] ?? '');
