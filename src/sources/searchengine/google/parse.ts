import type { Feature, OrganicEntry, SearchResult } from '../../../contract/operations/searchengine.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { attribute, type Element } from '../../html.ts';
import { changed, found, type Outcome, tooComplex, unreachable } from '../../outcome.ts';
import { parseUrl } from '../address.ts';
import { indexPage, type Page } from '../dom/page.ts';
import { pageSource } from '../dom/source.ts';
import { readTotal } from '../numbers.ts';
import { nothingFound, type PageRead, resultOf, type SerpInput, searchResult } from '../result.ts';
import { readAds } from './ads.ts';
import { type GoogleAnchor, PLAN } from './anchors.ts';
import { classify } from './classify.ts';
import { readEntry } from './entry.ts';
import { embeddedTargets } from './link.ts';
import { plainSpots, renderedSpots, type Spot } from './organic.ts';
import { readOverview } from './overview.ts';
import { readRelated } from './related.ts';
import { readSections } from './sections.ts';
import { statsLine } from './stats.ts';

/**
 * Parses a result page of engine A as rendered by a browser (desktop, phone) or as served without scripts. Ranks count within this page.
 */
export const readGooglePage = (answer: Answer, input: SerpInput): Outcome<SearchResult> => resultOf(openGooglePage(answer, input));

/** The same with the number of elements and the URL of the next page, which are needed to join pages. */
export function openGooglePage(answer: Answer, input: SerpInput): Outcome<PageRead> {
  const page = indexPage<GoogleAnchor>(pageSource(answer), PLAN);
  return page === null ? tooComplex() : openIndexed(answer, input, page);
}

/** Parses a page whose anchors were found. */
export function openIndexed(answer: Answer, input: SerpInput, page: Page<GoogleAnchor>): Outcome<PageRead> {
  const [column = null] = page.all('column');
  const main = column ?? mainOf(page);
  const spots = answer.status >= 300 || !main ? [] : column ? renderedSpots(page, column) : plainSpots(page, main);
  if (spots.length === 0) {
    const kind = classify(answer, page);
    return kind.tag === 'nothing-found' ? found({ result: nothingFound(input, answer.at), elements: 0, next: null }) : kind;
  }
  if (!page.source.has('</html>') && page.all('foot').length === 0) {
    return unreachable('The result page broke off before its end.', 'no end tag');
  }
  return read(answer, input, page, spots);
}
const mainOf = (page: Page<GoogleAnchor>): Element | null => page.all('main')[0] ?? page.all('body')[0] ?? null;

const HOME = 'https://www.google.com';

interface Placed {
  readonly order: number;
  readonly feature: Feature;
  readonly spot?: Spot;
}

function read(answer: Answer, input: SerpInput, page: Page<GoogleAnchor>, spots: readonly Spot[]): Outcome<PageRead> {
  const ads = readAds(page);
  const overview = readOverview(page);
  const taken = [...ads.map((ad) => ad.heading), ...(overview ? [overview.frame] : [])];
  const sections = readSections(page, page.all('column')[0] ?? null, spots, taken);
  const related = readRelated(page, spots, input.keyword);
  const placed: Placed[] = [
    ...ads.map((ad) => ({ order: ad.order, feature: 'paid' as const })),
    ...(overview ? [{ order: overview.order, feature: 'ai_overview' as const }] : []),
    ...sections.map((s) => ({ order: s.order, feature: s.feature })),
    ...(related.first ? [{ order: page.order(related.first), feature: 'other' as const }] : []),
    ...spots.map((spot) => ({ order: spot.order, feature: 'organic' as const, spot })),
  ].sort((a, b) => a.order - b.order);

  let sealed: ReadonlyMap<string, string> | undefined;
  const embedded = (): ReadonlyMap<string, string> => (sealed ??= embeddedTargets(page.source.whole()));
  const organic: OrganicEntry[] = [];
  for (const [i, { spot }] of placed.entries()) {
    const entry = spot && readEntry(spot, embedded, page.unread);
    if (entry) organic.push({ rank: organic.length + 1, absoluteRank: i + 1, ...entry });
  }
  if (organic.length === 0) return changed('The result page hides the addresses of its results.', 'sealed links without embedded data');
  const result = searchResult(input, {
    totalResults: page.unread.of('totalResults', readTotal(statsLine(page)), () => page.all('stats')[0]),
    checkedAt: answer.at,
    features: placed.flatMap((p): Feature[] => (p.spot?.featured ? ['featured_snippet', 'organic'] : [p.feature])),
    organic,
    paid: ads.map((ad, i) => ({ rank: i + 1, ...ad.entry })),
    aiOverview: overview?.value ?? null,
    relatedSearches: related.words,
  });
  const { paths } = page.unread;
  return found({ result, elements: placed.length, next: nextPage(page, answer.url) }, undefined, paths);
}

/**
 * The engine's own link to the next page: the smallest `start` greater than the current one. Its tokens are kept: some pages require them.
 */
function nextPage(page: Page<GoogleAnchor>, here: string): string | null {
  const startOf = (address: string | null): number => Number(parseUrl(address, HOME)?.searchParams.get('start') ?? 0);
  const at = startOf(here);
  let next: string | null = null;
  for (const link of page.all('searchLink')) {
    const href = attribute(link, 'href');
    if (!href?.includes('start=')) continue;
    const url = parseUrl(href, HOME);
    const start = startOf(url?.href ?? null);
    if (!url || !Number.isSafeInteger(start) || start <= at || url.searchParams.has('tbm') || url.searchParams.has('udm')) continue;
    if (next === null || start < startOf(next)) next = url.href;
  }
  return next;
}
