import type { SearchResult } from '../../../contract/operations/serp/operation.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { unlessCutPage } from '../../cut-answers.ts';
import { type Element, find, findAll, has, hasClass, type Test, within } from '../../html/element.ts';
import { hasEndTag, pageSource } from '../../html/markup.ts';
import { indexPage, type Page } from '../../html/page.ts';
import { isAside, isBlank, isOverlay, linesOf, longestLine, textOf } from '../../html/text.ts';
import { blocked, changed, type NotFound, type Outcome, tooComplex, unreachable } from '../../outcome.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { addressOf, isBreadcrumb, looksLikeAddress } from '../address.ts';
import { aboutAnotherSearch, searchesIn } from '../keyword.ts';
import { HOMES } from '../links.ts';
import { noteVotes, type Rating, readRating, readTotal } from '../numbers.ts';
import { isStars, nextPage } from '../page-links.ts';
import {
  evidence,
  failureOfPage,
  findingsOf,
  type ListedEntry,
  nothingFound,
  type PageRead,
  type Placed,
  pageRead,
  resultOf,
  type SerpInput,
} from '../result.ts';
import { saysNothingFound } from '../words.ts';
import { embeddedTargets, titleKey } from './embedded.ts';
import { PLAN, plainSpots, renderedSpots, type Spot } from './organic.ts';
import { readOverview } from './overview.ts';
import { readAds, readRelated, readSections } from './sections.ts';

const NOTHING_FOUND = evidence('google nothing found');

/** Parses a page of engine A, rendered (desktop, phone) or served without scripts. Ranks count within this page. */
export const readGooglePage = (answer: Answer, input: SerpInput): Outcome<SearchResult> => resultOf(openGooglePage(answer, input));

/** The same with the number of elements and the URL of the next page, which are needed to join pages. */
export function openGooglePage(answer: Answer, input: SerpInput): Outcome<PageRead> {
  const page = indexPage(pageSource(answer), PLAN, true);
  if (page === null) return tooComplex();
  const { unread } = page;
  const column = page.first('column');
  const main = column ?? page.first('main') ?? page.first('body');
  const spots = answer.status >= 300 || !main ? [] : column ? renderedSpots(page, column) : plainSpots(page, main);
  const failure = spots.length === 0 ? classify(answer, page) : null;
  if (failure) return unlessCutPage(failure, answer);
  if (spots.length > 0 && !hasEndTag(page.source.bytes) && !page.first('foot'))
    return unreachable('The result page broke off before its end.', 'no end tag');

  const other = aboutAnotherSearch(searchesIn(page.all('searchBox')), input.keyword);
  if (other) return other;
  const ads = readAds(page);
  const overview = readOverview(page);
  const taken = [...ads, ...overview].map(({ element }) => element);
  const sections = readSections(page, column, spots, taken);
  const related = readRelated(page, spots, input.keyword);
  // the notice that nothing was found is no section
  if (spots.length === 0) {
    const shown = findingsOf([...ads, ...overview, ...sections.filter(({ feature }) => feature !== 'other')]);
    return nothingFound(NOTHING_FOUND, input, answer.atMs, { ...shown, relatedSearches: related.words }, unread);
  }
  let sealed: ReadonlyMap<string, string> | undefined;
  const embedded = (): ReadonlyMap<string, string> => (sealed ??= embeddedTargets(page.source.bytes.toString()));
  const entries = spots.map((spot): Placed => {
    const entry = readEntry(spot, embedded, unread);
    return { feature: spot.featured ? 'featured_snippet' : 'organic', order: spot.heading.from, element: spot.heading, entry };
  });
  const others: Placed[] = related.first ? [{ feature: 'other', order: related.first.from, element: related.first }] : [];
  const brought = page.all('continuation').filter((list) => spots.some(({ heading }) => within(heading, list))).length;
  const rest = {
    totalResults: unread.of('totalResults', readTotal(statsLine(page)), () => page.first('stats')),
    relatedSearches: related.words,
    next: nextPage(page.all('searchLink'), answer.url, HOMES.engine_a, { name: 'start', first: 0, brought: brought * 10 }),
  };
  return pageRead(input, answer.atMs, { ...findingsOf([...ads, ...overview, ...sections, ...others, ...entries]), ...rest }, unread);
}

/** The outcome of a page without entries: a block page, an unknown format, or null where the engine says that there are no results. */
export function classify(answer: Answer, page: Page): NotFound | null {
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
function isEmpty(page: Page): boolean {
  const stated = readTotal(statsLine(page));
  // "No results found for "x y". Results for x y:": the notice is above results that are not known here
  if ((stated ?? 0) > 0 || textOf(page.first('column')) !== null) return false;
  if (stated === 0) return true;
  const isNotice = (text: string | null, below: number): boolean => text !== null && text.length < below && saysNothingFound(text);
  if (page.all('emptyNotice').some((place) => isNotice(textOf(place), 2000))) return true;
  // pages without scripts have no ids for it: there the notice is nearly all of the main element's text
  return !page.first('column') && isNotice(textOf(page.first('main')), 2500);
}

const HIDDEN_STATS = /^result-stats(?:\\x22|\\?")\\?(?:x3e|>)([^<\\]{1,120})/;
/**
 * The line that states the number of results; newer pages contain it in a script only, or in an element that their script shows. Null if the
 * page states none.
 */
export function statsLine(page: Page): string | null {
  for (const stats of page.all('stats')) {
    const text = textOf(stats, (e) => e.name === 'nobr');
    if (text) return text;
  }
  const { bytes } = page.source;
  const starts = ['result-stats\\', 'result-stats">'].map((mark) => bytes.indexOf(mark)).filter((start) => start >= 0);
  const lines = starts.map((start) => HIDDEN_STATS.exec(bytes.toString('utf8', start, start + 200))?.[1]?.trim());
  return lines.find((line) => line) ?? null;
}

export function readEntry(spot: Spot, embedded: () => ReadonlyMap<string, string>, unread: UnreadFields): ListedEntry {
  const cite = citeOf(spot);
  const shown = cite && textOf(cite);
  const breadcrumb = shown && isBreadcrumb(shown) ? shown : null;
  const link = spot.link.attribs.href ?? null;
  const links = [link, spot.target.kind === 'sealed' && spot.title !== null ? embedded().get(titleKey(spot.title)) : null];
  return {
    address: addressOf({ engine: 'engine_a', links, shown: [shown] }),
    link,
    title: spot.title,
    description: unread.of('organic.description', descriptionOf(spot, cite), () => descriptionPlace(spot)),
    breadcrumb: unread.of('organic.breadcrumb', breadcrumb, () =>
      cite ? shown === null : (blankIn(spot, 'div') ?? blankIn(spot, 'span')),
    ),
    websiteName: unread.of('organic.websiteName', websiteName(spot, cite), () => blankIn(spot, 'span')),
    isFeaturedSnippet: spot.featured,
    rating: ratingOf(spot, unread),
  };
}

/** The line below the site name: an address, or the text that forums and films have in its place. */
function citeOf({ link, heading, container }: Spot): Element | null {
  const isCite: Test = (e) => (e.name === 'cite' || (e.attribs.role === 'text' && has(e, 'class'))) && !within(e, heading);
  // pages without scripts: an element of the link whose only text is an address
  const isAddress: Test = (e) => !within(e, heading) && !find(e, (c) => c.name !== 'span') && isBreadcrumb(textOf(e) ?? '');
  return find(link, isCite) ?? find(container, (e) => e.name === 'cite') ?? find(link, isAddress);
}

function websiteName({ link, heading }: Spot, cite: Element | null): string | null {
  if (within(link, heading)) return null;
  // "Web results" is a heading for screen readers, within the link on phones
  const isOther: Test = (e) => e === heading || e === cite || isAside(e) || e.name === 'cite' || /^h[1-6]$/.test(e.name);
  const lines = linesOf(link, isOther).flatMap(({ text }) => (/\p{L}/u.test(text) ? text : []));
  // site names in the form of an address ("swfz.io") come before the address line
  return lines.find((text) => !looksLikeAddress(text) || text.includes(' ')) ?? (cite ? lines[0] : null) ?? null;
}

/** The snippet: the element that the page marks, else the longest text beside the head of the entry. */
function descriptionOf({ link, container, featured }: Spot, cite: Element | null): string | null {
  const box = featured ? find(container, (e) => e.attribs['data-attrid']?.startsWith('wa:/') === true) : null;
  const list = featured && !box ? find(container, (e) => /^(ul|ol|table)$/.test(e.name) && !within(e, link)) : null;
  // "More items…" below a list is a link
  const answer = textOf(box, isOverlay) ?? textOf(list?.parent ?? null, (e) => isOverlay(e) || e.name === 'a');
  if (answer) return answer;
  for (const marked of findAll(container, (e) => /^[12]$/.test(e.attribs['data-sncf'] ?? '') || hasClass(e, 'st'))) {
    const text = textOf(marked);
    if (text !== null) return text;
  }
  const best = besides(link, container)
    .filter((part) => !(cite && within(cite, part)) && part.attribs.role !== 'heading')
    .reduce((longest, part) => longestLine(part, isNoSnippet, longest.length) ?? longest, '');
  return best.length >= 12 ? best : null;
}
const isNoSnippet: Test = (e) =>
  isAside(e) || e.name === 'cite' || e.attribs.role === 'heading' || (e.name === 'a' && has(e, 'aria-label')) || e.attribs.role === 'list';

/** An element beside the head of the entry that lost its text. */
const descriptionPlace = ({ container, link, heading }: Spot): Element | null =>
  find(container, (e) => (e.name === 'div' || e.name === 'span') && isBlank(e) && !within(e, link) && !within(e, heading));
/** A part of the entry's link, beside its title, that lost its text. */
const blankIn = ({ link, heading }: Spot, tag: string): Element | null =>
  find(link, (e) => e.name === tag && has(e, 'class') && !has(e, 'role') && !has(e, 'aria-label') && isBlank(e) && !within(e, heading));

function besides(from: Element, top: Element): Element[] {
  const parts: Element[] = [];
  for (let ancestor = from; ancestor !== top && ancestor.parent; ancestor = ancestor.parent)
    for (const child of ancestor.parent.children) if (typeof child === 'object' && child !== ancestor) parts.push(child);
  return parts;
}

/** A rating is recognised by its image of stars; the figures are parsed from the text beside it. */
function ratingOf({ container, heading }: Spot, unread: UnreadFields): Rating | null {
  for (const stars of findAll(container, (e) => isStars(e) && !within(e, heading))) {
    for (
      let ancestor = stars.parent, climbed = 0;
      ancestor && ancestor !== container && climbed < 4;
      ancestor = ancestor.parent, climbed++
    ) {
      const line = textOf(ancestor, (e) => e.name === 'a') ?? '';
      const rating = readRating(line);
      noteVotes(rating, [line], unread);
      if (rating) return rating;
    }
    unread.note('organic.rating');
  }
  return null;
}
