import type { SearchResult } from '../../../contract/operations/searchengine.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { indexPage } from '../../html/page.ts';
import { pageSource } from '../../html/source.ts';
import { textOf } from '../../html/text.ts';
import { blocked, changed, found, type NotFound, type Outcome, tooComplex, unreachable } from '../../outcome.ts';
import { readTotal } from '../numbers.ts';
import { failureOfPage, nextPage, nothingFound, type PageRead, type Placed, pageRead, resultOf, type SerpInput } from '../result.ts';
import { PLAN } from './anchors.ts';
import { readEntry } from './entry.ts';
import { embeddedTargets, HOME } from './link.ts';
import { type GooglePage, plainSpots, renderedSpots } from './organic.ts';
import { readOverview } from './overview.ts';
import { readAds, readRelated, readSections } from './sections.ts';
import { saysNothingFound } from './words.ts';

/**
 * Parses a result page of engine A as rendered by a browser (desktop, phone) or as served without scripts. Ranks count within this page.
 */
export const readGooglePage = (answer: Answer, input: SerpInput): Outcome<SearchResult> => resultOf(openGooglePage(answer, input));

/** The same with the number of elements and the URL of the next page, which are needed to join pages. */
export function openGooglePage(answer: Answer, input: SerpInput): Outcome<PageRead> {
  const page = indexPage(pageSource(answer), PLAN, true);
  if (page === null) return tooComplex();
  const { unread } = page;
  const column = page.first('column');
  const main = column ?? page.first('main') ?? page.first('body');
  const spots = answer.status >= 300 || !main ? [] : column ? renderedSpots(page, column) : plainSpots(page, main);
  if (spots.length === 0) return classify(answer, page) ?? found({ result: nothingFound(input, answer.at), elements: 0, next: null });
  if (!page.source.bytes.includes('</html>') && !page.first('foot'))
    return unreachable('The result page broke off before its end.', 'no end tag');

  const ads = readAds(page);
  const overview = readOverview(page);
  const taken = [...ads, ...overview].map(({ element }) => element);
  const sections = readSections(page, column, spots, taken);
  const related = readRelated(page, spots, input.keyword);
  let sealed: ReadonlyMap<string, string> | undefined;
  const embedded = (): ReadonlyMap<string, string> => (sealed ??= embeddedTargets(page.source.bytes.toString()));
  const entries = spots.map((spot): Placed => {
    const entry = readEntry(spot, embedded, unread);
    return { feature: spot.featured ? 'featured_snippet' : 'organic', order: spot.heading.from, element: spot.heading, entry };
  });
  if (entries.every(({ entry }) => !entry))
    return changed('The result page hides the addresses of its results.', 'sealed links without embedded data');
  const others: Placed[] = related.first ? [{ feature: 'other', order: related.first.from, element: related.first }] : [];
  const rest = {
    totalResults: unread.of('totalResults', readTotal(statsLine(page)), () => page.first('stats')),
    relatedSearches: related.words,
    next: nextPage(page.all('searchLink'), answer.url, HOME, { name: 'start', first: 0 }),
  };
  return pageRead(answer, input, [...ads, ...overview, ...sections, ...others, ...entries], rest, unread.paths);
}

/** The outcome of a page without entries: a block page, an unknown format, or null where the engine says that there are no results. */
export function classify(answer: Answer, page: GooglePage): NotFound | null {
  const source = page.source.bytes.toString();
  const hasColumn = page.first('column') !== null;
  if (page.first('captcha')) return blocked('The search engine asks to solve a challenge.', 'captcha');
  if (source.length < 2048 && /\/sorry\/(index\?|image)/.test(source))
    return blocked('The search engine asks to solve a challenge.', 'forward to the captcha');
  if (page.first('consent') && !hasColumn && !isEmpty(page))
    return blocked('The search engine asks for consent to its conditions first.', 'consent page');
  if (/our systems have detected unusual traffic/i.test(source) && !hasColumn)
    return blocked('The search engine asks to solve a challenge.', 'unusual traffic notice');
  const failure = failureOfPage(answer);
  if (failure) return failure;
  if (isEmpty(page)) return null;
  if (/\/httpservice\/retry\/enablejs/.test(source) && !hasColumn)
    return blocked('The search engine shows its page to browsers with scripts only.', 'script shell');
  return changed('The result page has a shape that we do not know.');
}

/** The engine's own notice in its dedicated element, or a stated count of zero. */
function isEmpty(page: GooglePage): boolean {
  if (readTotal(statsLine(page)) === 0) return true;
  const isNotice = (text: string | null, below: number): boolean => text !== null && text.length < below && saysNothingFound(text);
  if (page.all('emptyNotice').some((place) => isNotice(textOf(place), 2000))) return true;
  // pages without scripts have no ids for it: there the notice is nearly all of the main element's text
  return !page.first('column') && isNotice(textOf(page.first('main')), 2500);
}

/** The line that states the number of results; newer pages contain it in a script only. Null if the page states none. */
export function statsLine(page: GooglePage): string | null {
  for (const stats of page.all('stats')) {
    const text = textOf(stats, (e) => e.name === 'nobr');
    if (text) return text;
  }
  const { bytes } = page.source;
  const at = bytes.indexOf('result-stats\\');
  return at < 0 ? null : (/^result-stats\\(?:x22|")\\?(?:x3e|>)([^<\\]{1,120})/.exec(bytes.toString('utf8', at, at + 200))?.[1] ?? null);
}
