import type { Feature, SearchResult } from '../../../contract/operations/searchengine.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { attribute, type Element } from '../../html.ts';
import {
  blocked,
  changed,
  found,
  limited,
  type NotFound,
  type Outcome,
  refused,
  retryAfterMs,
  tooComplex,
  unreachable,
} from '../../outcome.ts';
import { parseUrl } from '../address.ts';
import { find, indexPage } from '../dom/page.ts';
import { pageSource } from '../dom/source.ts';
import { isBlank, textOf } from '../dom/text.ts';
import { readTotal } from '../numbers.ts';
import { type PageRead, resultOf, type SerpInput, searchResult } from '../result.ts';
import { type BingAnchor, PLAN } from './anchors.ts';
import { type BingPage, type Organic, readAds, readOrganic } from './entries.ts';
import { readOverview } from './overview.ts';
import { readRelated, readSections } from './sections.ts';

/** Parses a result page of engine B as served to a browser or a plain client. Ranks count within this page. */
export const readBingPage = (answer: Answer, input: SerpInput): Outcome<SearchResult> => resultOf(openBingPage(answer, input));

/** The same with the number of elements and the URL of the next page, which are needed to join pages. */
export function openBingPage(answer: Answer, input: SerpInput): Outcome<PageRead> {
  const page = indexPage<BingAnchor>(pageSource(answer), PLAN);
  return page === null ? tooComplex() : openIndexed(answer, input, page);
}

/** Parses a page whose anchors were found. */
export function openIndexed(answer: Answer, input: SerpInput, page: BingPage): Outcome<PageRead> {
  const [column = null] = page.all('column');
  const organic = column && answer.status < 300 ? readOrganic(page, column) : [];
  if (!column || organic.length === 0) return classify(answer, page);
  if (!page.source.has('</html>') && page.all('foot').length === 0) {
    return unreachable('The result page is truncated.', 'no end tag');
  }
  return read(answer, input, page, column, organic);
}

/**
 * The outcome of a page without entries. The engine also shows "no results" to crawlers for ordinary queries, so that notice is no
 * evidence.
 */
function classify({ status, headers, at }: Answer, page: BingPage): NotFound {
  if (page.all('challenge').length > 0) return blocked('The search engine asks to solve a challenge.', 'challenge page');
  if (status === 429) return limited('The search engine asks to slow down.', retryAfterMs(headers, at));
  if (status >= 500) return unreachable(`The search engine answered ${status}.`);
  if (status === 401 || status === 403) return blocked(`The search engine refused the request with ${status}.`);
  if (status === 400 || status === 414) return refused(`The search engine did not accept the request (${status}).`);
  if (status >= 300) return changed(`The search engine answered ${status}.`, headers.location?.slice(0, 200));
  if (page.all('nothing').length > 0 || noticeOnly(page))
    return blocked(
      'The search engine says that nothing was found, in the same words in which it turns crawlers away; the two cannot be told apart.',
      'disguised block or no results',
    );
  return changed('The result page has an unknown shape.');
}
/** The notice without its class: the list contains one item with a first-level heading and nothing else. */
function noticeOnly(page: BingPage): boolean {
  const [column] = page.all('column');
  const items = (column?.children ?? []).filter((c): c is Element => c.type === 'tag' && textOf(c as Element) !== null);
  return (
    items.length === 1 && page.all('heading').some((h) => h.name === 'h1' && h.parent !== null && items[0] === topOf(h, column ?? null))
  );
}
const topOf = (element: Element, column: Element | null): Element | null => {
  let at: Element | null = element;
  while (at && at.parent !== column) at = at.parent?.type === 'tag' ? (at.parent as Element) : null;
  return at;
};

const HOME = 'https://www.bing.com';

interface Placed {
  readonly order: number;
  readonly feature: Feature;
  readonly spot?: Organic;
}

function read(answer: Answer, input: SerpInput, page: BingPage, column: Element, spots: readonly Organic[]): Outcome<PageRead> {
  const ads = readAds(page, column);
  const overview = readOverview(page);
  const related = readRelated(page, input.keyword);
  const sections = readSections(
    page,
    [...spots.map((s) => s.element), ...ads.map((a) => topOf(a.heading, column) ?? a.element)],
    overview?.block ?? null,
  );
  const placed: Placed[] = [
    ...ads.map((ad) => ({ order: ad.order, feature: 'paid' as const })),
    ...(overview ? [{ order: overview.order, feature: 'ai_overview' as const }] : []),
    ...sections.map((s) => ({ order: s.order, feature: s.feature })),
    ...spots.map((spot) => ({ order: spot.order, feature: 'organic' as const, spot })),
  ].sort((a, b) => a.order - b.order);
  let rank = 0;
  const organic = placed.flatMap(({ spot }, i) => (spot ? [{ rank: ++rank, absoluteRank: i + 1, ...spot.entry }] : []));
  const result = searchResult(input, {
    totalResults: totalOf(page),
    checkedAt: answer.at,
    features: placed.flatMap((p): Feature[] => (p.spot?.entry.isFeaturedSnippet ? ['featured_snippet', 'organic'] : [p.feature])),
    organic,
    paid: ads.map((ad, i) => ({ rank: i + 1, ...ad.entry })),
    aiOverview: overview?.value ?? null,
    relatedSearches: related.words,
  });
  const { paths } = page.unread;
  return found({ result, elements: placed.length, next: nextPage(page, answer.url) }, undefined, paths);
}

/** The engine's own link to the next page: the smallest `first` greater than the current one. */
function nextPage(page: BingPage, here: string): string | null {
  const firstOf = (address: string | null): number => Number(parseUrl(address, HOME)?.searchParams.get('first') ?? 1);
  const at = firstOf(here);
  let next: string | null = null;
  for (const link of page.all('pageLink')) {
    const url = parseUrl(attribute(link, 'href'), HOME);
    const first = firstOf(url?.href ?? null);
    if (url?.pathname === '/search' && first > at && (next === null || first < firstOf(next))) next = url.href;
  }
  return next;
}
function totalOf(page: BingPage): number | null {
  for (const e of [...page.all('count'), ...page.all('countPlace')]) {
    const total = readTotal(textOf(e));
    if (total !== null) return total;
  }
  const inToolbar = page.all('toolbar').flatMap((e) => e.children.filter((c): c is Element => c.type === 'tag'));
  const counts = inToolbar.filter((e) => e.attribs.id !== 'b_tween_searchTools');
  const places = [...page.all('count'), ...page.all('countPlace'), ...counts];
  return page.unread.of('totalResults', null, () => places.some((e) => isBlank(e) || /\p{Nd}/u.test(textOf(e) ?? '') || find(e, isBlank)));
}
