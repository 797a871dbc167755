import type { SearchResult } from '../../../contract/operations/searchengine.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { childrenOf, closest, type Element, find } from '../../html/element.ts';
import { indexPage } from '../../html/page.ts';
import { pageSource } from '../../html/source.ts';
import { isBlank, textOf } from '../../html/text.ts';
import { blocked, changed, type NotFound, type Outcome, tooComplex, unreachable } from '../../outcome.ts';
import { readTotal } from '../numbers.ts';
import { failureOfPage, nextPage, type PageRead, pageRead, resultOf, type SerpInput } from '../result.ts';
import { PLAN } from './anchors.ts';
import { type BingPage, readAds, readOrganic } from './entries.ts';
import { HOME } from './link.ts';

import { readOverview, readRelated, readSections } from './sections.ts';

/** Parses a result page of engine B as served to a browser or a plain client. Ranks count within this page. */
export const readBingPage = (answer: Answer, input: SerpInput): Outcome<SearchResult> => resultOf(openBingPage(answer, input));

/** The same with the number of elements and the URL of the next page, which are needed to join pages. */
export function openBingPage(answer: Answer, input: SerpInput): Outcome<PageRead> {
  const page = indexPage(pageSource(answer), PLAN, true);
  if (page === null) return tooComplex();
  const column = page.first('column');
  const items = column && answer.status < 300 ? readOrganic(page, column) : [];
  if (!column || items.length === 0) return classify(answer, page, column);
  if (!page.source.bytes.includes('</html>') && !page.first('foot')) return unreachable('The result page is truncated.', 'no end tag');

  const ads = readAds(page, column);
  const overview = readOverview(page);
  const taken = [...items, ...ads].map(({ element }) => childAround(element, column) ?? element);
  const sections = readSections(page, taken, overview[0]?.element ?? null);
  const rest = {
    totalResults: totalOf(page),
    relatedSearches: readRelated(page, input.keyword),
    next: nextPage(page.all('pageLink'), answer.url, HOME, { name: 'first', first: 1 }),
  };
  return pageRead(answer, input, [...ads, ...overview, ...sections, ...items], rest, page.unread.paths);
}

/** Of a page without entries. Crawlers get "no results" for ordinary queries, so that notice is no evidence. */
function classify(answer: Answer, page: BingPage, column: Element | null): NotFound {
  if (page.first('challenge')) return blocked('The search engine asks to solve a challenge.', 'challenge page');
  const failure = failureOfPage(answer);
  if (failure) return failure;
  if (page.first('nothing') || (column && isNoticeOnly(page, column)))
    return blocked(
      'The search engine says that nothing was found, in the same words in which it turns crawlers away; the two cannot be told apart.',
      'disguised block or no results',
    );
  return changed('The result page has an unknown shape.');
}
/** The notice without its class: the list contains one item with a first-level heading and nothing else. */
function isNoticeOnly(page: BingPage, column: Element): boolean {
  const [item, ...others] = childrenOf(column).filter((child) => textOf(child) !== null);
  return item !== undefined && others.length === 0 && page.all('heading').some((h) => h.name === 'h1' && childAround(h, column) === item);
}
const childAround = (element: Element, column: Element): Element | null => closest(element, (e) => e.parent === column);

function totalOf(page: BingPage): number | null {
  const counts = [...page.all('count'), ...page.all('countPlace')];
  for (const count of counts) {
    const total = readTotal(textOf(count));
    if (total !== null) return total;
  }
  const inToolbar = page
    .all('toolbar')
    .flatMap(childrenOf)
    .filter((e) => e.attribs.id !== 'b_tween_searchTools');
  const isPlace = (e: Element): boolean => isBlank(e) || /\p{Nd}/u.test(textOf(e) ?? '') || find(e, isBlank) !== null;
  return page.unread.of('totalResults', null, () => [...counts, ...inToolbar].some(isPlace));
}
