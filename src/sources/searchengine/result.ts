import type { Input } from '../../contract/operations/index.ts';
import type { AiOverview, Feature, OrganicEntry, PaidEntry, SearchResult } from '../../contract/operations/serp/operation.ts';
import type { Answer } from '../../upstream/answer.ts';
import { type Evidence, evidenceIn } from '../evidence.ts';
import type { Element } from '../html/element.ts';
import { blocked, changed, failureOfStatus, found, type NotFound, type Outcome } from '../outcome.ts';
import type { UnreadFields } from '../unread-fields.ts';
import type { AdAddress, Address } from './address.ts';

export const evidence = evidenceIn(new URL('./evidence.tsv', import.meta.url));

export type SerpInput = Input<'serp'>;

export const ENGINE_NAMES = { engine_a: 'google', engine_b: 'bing' } as const;
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

/** What a source states of an entry. One whose address is hidden, or whose title is missing, is left out of the answer and keeps its place. */
export interface ListedEntry extends Omit<OrganicEntry, 'rank' | 'absoluteRank' | 'domain' | 'url' | 'title'> {
  readonly address: Address;
  readonly title: string | null;
  /** The link as stated: entries with one link and one title are one. */
  readonly link: string | null;
  /** As the source states them, counted from 1; the place in the list by default. */
  readonly statedRank?: number | null;
  readonly absoluteRank?: number | null;
}
/** `rank`: counts the ads that were left out, too. */
export type ListedAd = Omit<PaidEntry, 'domain' | 'url'> & { readonly address: AdAddress };
export interface Cited {
  readonly address: Address;
  readonly title: string | null | undefined;
}

/** One result page: its ranks count within the page. */
export interface PageRead {
  readonly result: SearchResult;
  /** Places of organic entries, and of all elements, those of entries that were left out included. */
  readonly places: number;
  readonly elements: number;
  /** Ranks of the entries of which the root of the site alone is known: it does not identify a page. */
  readonly roots: readonly number[];
  /** URL of the next page according to the engine; null if it names none. */
  readonly next: string | null;
}

/** Cited pages, each once, in order of first mention. One with a hidden address or without a title makes `references` unread. */
export function references(cited: Iterable<Cited>, unread: UnreadFields): AiOverview['references'] {
  const byUrl = new Map<string, AiOverview['references'][number]>();
  for (const { address, title } of cited) {
    if (address.kind === 'hidden' || !title) unread.note('aiOverview.references');
    else {
      const key = address.kind === 'root' ? `${address.url} ${title}` : pageKey(address.url);
      if (!byUrl.has(key)) byUrl.set(key, { domain: address.domain, url: address.url, title });
    }
  }
  return [...byUrl.values()];
}

/**
 * Ranks of the entries of a page. One that is left out keeps its place; one that is listed twice, or again right below its box, has one; an ad
 * that is listed once more among the entries has none.
 */
export function placesOf(
  { listed, ads = [] }: Pick<PageFindings, 'listed' | 'ads'>,
  unread: UnreadFields,
): Pick<PageRead, 'places' | 'roots'> & { organic: OrganicEntry[] } {
  const organic: OrganicEntry[] = [];
  const roots: number[] = [];
  const seen = new Set<string>();
  const advertised = new Set(
    ads.flatMap(({ address, title, description }) => description && `${pageKey(address.url)} ${title} ${description}`),
  );
  let [rank, absolute, repeated] = [0, 0, 0];
  for (let i = 0; i < listed.length; i++) {
    let entry = listed[i] as ListedEntry; // within the list
    let again = 0;
    for (let next = listed[i + 1]; next && isAgain(entry, next); next = listed[++i + 1]) {
      seen.add(`${entryKey(next)} ${next.title}`);
      entry = mergedBox(entry, next);
      again++;
    }
    const { address, title, link: _, statedRank, absoluteRank, ...texts } = entry;
    const key = entryKey(entry);
    const named = `${key} ${title}`;
    const isSeen = seen.has(named) || (advertised.size > 0 && advertised.has(`${named} ${texts.description}`));
    if (key !== null && !entry.isFeaturedSnippet && isSeen) {
      repeated++;
      continue;
    }
    if (!entry.isFeaturedSnippet) seen.add(named);
    rank = Math.max(rank + 1, (statedRank ?? 0) - repeated);
    absolute = Math.max(absolute + 1, absoluteRank ?? rank);
    repeated += again;
    if (address.kind === 'hidden') unread.note('organic.url');
    if (title === null) unread.note('organic.title');
    if (address.kind === 'hidden' || title === null) continue;
    if (address.kind === 'root') roots.push(rank);
    organic.push({ rank, absoluteRank: absolute, domain: address.domain, url: address.url, title, ...texts });
  }
  return { organic, places: rank, roots };
}
const entryKey = ({ address, link }: ListedEntry): string | null => (address.kind === 'destination' ? pageKey(address.url) : link);
/** The box with what its page states alone: the link of a box may be sealed, that of its page not. */
const mergedBox = (box: ListedEntry, page: ListedEntry): ListedEntry => ({
  ...box,
  ...Object.fromEntries(TEXTS.map((name) => [name, box[name] ?? page[name]])),
  address: page.address.kind === 'destination' && box.address.kind === 'root' ? page.address : box.address,
});
const TEXTS = ['title', 'description', 'breadcrumb', 'websiteName', 'rating'] as const;
/** Whether an entry is the page of the answer box right above it; of two sealed links the title decides. */
const isAgain = (box: ListedEntry, { address, title }: ListedEntry): boolean =>
  box.isFeaturedSnippet &&
  box.address.kind !== 'hidden' &&
  address.kind !== 'hidden' &&
  (address.kind === 'root' || box.address.kind === 'root'
    ? address.domain === box.address.domain && title === box.title
    : pageKey(address.url) === pageKey(box.address.url));
/** Without what one page may be written with and without. */
export const pageKey = (url: string): string => url.replace(/^http:/i, 'https:').replace(/\/?(#.*)?$/, '');

interface PageFindings extends Omit<Findings, 'organic' | 'paid'> {
  readonly listed: readonly ListedEntry[];
  readonly ads?: readonly ListedAd[];
  readonly next?: string | null;
  /** Where the source states all elements of the page; else its entries are all that is known. */
  readonly elements?: number;
}
/** A page as read; `changed` where none of its entries can be given. */
export function pageRead(input: SerpInput, checkedAt: number, page: PageFindings, unread: UnreadFields): Outcome<PageRead> {
  const { organic, places, roots } = placesOf(page, unread);
  if (places > 0 && organic.length === 0)
    return changed('The result page hides the addresses of its results.', `${places} entries: ${unread.paths.join(', ')}`);
  const paid = (page.ads ?? []).map(({ address: { domain, url }, ...ad }) => ({ ...ad, domain, url }));
  const result = searchResult(input, checkedAt, { ...page, organic, paid });
  return found({ result, places, elements: page.elements ?? places, roots, next: page.next ?? null }, undefined, unread.paths);
}

/**
 * A page of which the source says that the engine found nothing: 0 results, unless it shows something else. Engine B says so in the words in
 * which it turns crawlers away, so that the sentence proves nothing.
 */
export function nothingFound(
  proof: Evidence,
  input: SerpInput,
  checkedAt: number,
  page: Omit<PageFindings, 'listed'>,
  unread: UnreadFields,
): Outcome<PageRead> {
  const lists = [page.features, page.ads, page.relatedSearches].some((list) => list !== undefined && list.length > 0);
  // an overview that was announced, or a number of results, contradicts it, too
  const shown = lists || page.aiOverview || page.totalResults || unread.paths.includes('aiOverview');
  if (shown) return pageRead(input, checkedAt, { ...page, totalResults: null, listed: [] }, unread);
  if (input.engine === 'engine_b') return blocked(NOTHING_OR_BLOCKED, 'disguised block or no results');
  const read = pageRead(input, checkedAt, { totalResults: 0, listed: [] }, unread);
  return read.tag === 'found' ? { ...read, evidence: proof } : read;
}
export const NOTHING_OR_BLOCKED =
  'The search engine says that nothing was found, in the same words in which it turns crawlers away; the two cannot be told apart.';

/** What stands on a page: an entry, an ad, the generated answer, or another block. */
export interface Placed {
  /** `featured_snippet` for the entry of an answer box. */
  readonly feature: Feature;
  /** Place in the document: ranks follow it. */
  readonly order: number;
  readonly element: Element;
  readonly entry?: ListedEntry;
  /** Null if it is left out: it keeps its place. */
  readonly ad?: Omit<ListedAd, 'rank'> | null;
  readonly overview?: AiOverview;
}

/** What stands on a page, in reading order, as the findings of that page. */
export function findingsOf(placed: readonly Placed[]): PageFindings {
  const inOrder = placed.toSorted((a, b) => a.order - b.order);
  return {
    features: inOrder.flatMap(({ feature, entry }): Feature[] =>
      entry !== undefined && feature === 'featured_snippet' ? [feature, 'organic'] : [feature],
    ),
    listed: inOrder.flatMap(({ entry }, i) => (entry ? [{ ...entry, absoluteRank: i + 1 }] : [])),
    ads: inOrder.flatMap(({ ad }) => (ad === undefined ? [] : [ad])).flatMap((ad, i) => (ad ? [{ ...ad, rank: i + 1 }] : [])),
    aiOverview: placed.find(({ overview }) => overview)?.overview ?? null,
    elements: placed.length,
  };
}

/** The resource alone; without entries nothing was delivered. */
export function resultOf(read: Outcome<PageRead>): Outcome<SearchResult> {
  if (read.tag !== 'found') return read;
  const { resource, ...rest } = read;
  return { ...rest, resource: resource.result, ...(resource.places === 0 && { delivered: 0 }) };
}

export function failureOfPage(answer: Answer): NotFound | null {
  const { status, headers } = answer;
  if (status < 300) return null;
  const detail = `HTTP ${status} ${headers.location?.slice(0, 200) ?? ''}`.trim();
  const gone = 'The search engine answered without a result page.';
  return status < 400 ? changed(gone, detail) : failureOfStatus(answer, { who: 'The search engine', gone, detail });
}
