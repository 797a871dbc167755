import type { Feature, SearchResult } from '../../../contract/operations/serp/operation.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { unlessCutPage } from '../../cut-answers.ts';
import { childrenOf, closest, type Element, find, findAll, has, hasClass, type Test, within } from '../../html/element.ts';
import { hasEndTag, pageSource } from '../../html/markup.ts';
import { indexPage, type Page } from '../../html/page.ts';
import { isBlank, isOverlay, type Line, linesOf, textOf } from '../../html/text.ts';
import { blocked, changed, type NotFound, type Outcome, tooComplex, unreachable } from '../../outcome.ts';
import { parseUrl } from '../../web-address.ts';
import { addressOf } from '../address.ts';
import { aboutAnotherSearch, searchesIn } from '../keyword.ts';
import { HOMES, linkTarget } from '../links.ts';
import { readTotal } from '../numbers.ts';
import { nextPage, relatedSearches } from '../page-links.ts';
import {
  failureOfPage,
  findingsOf,
  NOTHING_OR_BLOCKED,
  type PageRead,
  type Placed,
  pageRead,
  references,
  resultOf,
  type SerpInput,
} from '../result.ts';
import { isEngineLine, isPendingLine } from '../words.ts';
import { PLAN, readAds, readOrganic } from './entries.ts';

/** Parses a result page of engine B as served to a browser or a plain client. Ranks count within this page. */
export const readBingPage = (answer: Answer, input: SerpInput): Outcome<SearchResult> => resultOf(openBingPage(answer, input));

/** The same with the number of elements and the URL of the next page, which are needed to join pages. */
export function openBingPage(answer: Answer, input: SerpInput): Outcome<PageRead> {
  const page = indexPage(pageSource(answer), PLAN, true);
  if (page === null) return tooComplex();
  const column = page.first('column');
  const items = column && answer.status < 300 ? readOrganic(page, column) : [];
  if (!column || items.length === 0) return unlessCutPage(classify(answer, page, column), answer);
  if (!hasEndTag(page.source.bytes) && !page.first('foot')) return unreachable('The result page is truncated.', 'no end tag');

  const other = aboutAnotherSearch(searchesIn(page.all('searchBox')), input.keyword);
  if (other) return other;
  const ads = readAds(page, column);
  const overview = readOverview(page);
  const taken = [...items, ...ads].map(({ element }) => childAround(element, column) ?? element);
  const sections = readSections(page, taken, overview[0]?.element ?? null);
  const rest = {
    totalResults: totalOf(page),
    relatedSearches: readRelated(page, input.keyword),
    next: nextPage(page.all('pageLink'), answer.url, HOMES.engine_b, { name: 'first', first: 1 }),
  };
  return pageRead(input, answer.atMs, { ...findingsOf([...ads, ...overview, ...sections, ...items]), ...rest }, page.unread);
}

/** Of a page without entries. Crawlers get "no results" for ordinary queries, so that notice is no evidence. */
function classify(answer: Answer, page: Page, column: Element | null): NotFound {
  if (page.first('challenge')) return blocked('The search engine asks to solve a challenge.', 'challenge page');
  const failure = failureOfPage(answer);
  if (failure) return failure;
  if (page.first('nothing') || (column && isNoticeOnly(page, column))) return blocked(NOTHING_OR_BLOCKED, 'disguised block or no results');
  return changed('The result page has an unknown shape.');
}
/** The notice without its class: the list contains one item with a first-level heading and nothing else. */
function isNoticeOnly(page: Page, column: Element): boolean {
  const [item, ...others] = childrenOf(column).filter((child) => textOf(child) !== null);
  return item !== undefined && others.length === 0 && page.all('heading').some((h) => h.name === 'h1' && childAround(h, column) === item);
}
const childAround = (element: Element, column: Element): Element | null => closest(element, (e) => e.parent === column);

function totalOf(page: Page): number | null {
  const counts = [...page.all('count'), ...page.all('countPlace')];
  const total = counts.map((count) => readTotal(textOf(count))).find((stated) => stated !== null);
  if (total !== undefined) return total;
  const parts = page.all('toolbar').flatMap(childrenOf);
  const inToolbar = parts.filter((e) => e.attribs.id !== 'b_tween_searchTools');
  const isPlace = (e: Element): boolean => isBlank(e) || /\p{Nd}/u.test(textOf(e) ?? '') || find(e, isBlank) !== null;
  return page.unread.of('totalResults', null, () => page.first('count') ?? [...counts, ...inToolbar].some(isPlace));
}

const AREA = /^b_(results|context|topw|pole)$/;
const isBlock: Test = (e) => AREA.test(e.parent?.attribs.id ?? '');
/** A link to another vertical counts only inside an answer: the navigation contains the same links. */
const isSignal = (page: Page, e: Element): boolean => e.name !== 'a' || !page.isIn('navigation', e);

/** Anchors of the blocks. The first one that a block has decides, so that their order matters. */
const SIGNALS: readonly (readonly [anchor: string, feature: Feature, test?: (page: Page, e: Element) => boolean])[] = [
  // a frame without a word announces an answer and does not show it
  ['generated', 'ai_overview', (_, e) => textOf(closest(e, isBlock) ?? e) !== null],
  ['question', 'people_also_ask'],
  ['entity', 'knowledge_panel', (page, e) => page.isIn('context', e) || page.isIn('pole', e)],
  ['pole', 'knowledge_panel'],
  ['local', 'local_pack'],
  ['shopping', 'shopping', isSignal],
  ['video', 'video', isSignal],
  ['image', 'image', isSignal],
  ['news', 'news', isSignal],
  ['snippet', 'featured_snippet', (page, e) => page.isIn('topmost', e)],
  ['answer', 'other'],
];

/** Features of the blocks other than entries; each answer is one block. */
export function readSections(page: Page, entries: readonly Element[], overview: Element | null): Placed[] {
  const byBlock = new Map<Element, Placed>();
  const titleIn = (block: Element): Element | undefined => page.all('heading').find((heading) => within(heading, block));
  const signalsOf = (anchor: string): readonly Element[] => {
    if (anchor === 'answer') return page.all(anchor).flatMap((e) => (textOf(e) ? (titleIn(e) ?? e) : []));
    if (anchor !== 'pole') return page.all(anchor);
    return page.all(anchor).flatMap((pole) => childrenOf(pole).flatMap((child) => (textOf(child) ? (titleIn(child) ?? pole) : [])));
  };
  for (const [anchor, feature, test] of SIGNALS)
    for (const signal of signalsOf(anchor)) {
      const block = test?.(page, signal) === false ? null : closest(signal, isBlock);
      if (!block || byBlock.has(block) || ['b_hide', 'b_pag', 'b_msg'].some((name) => hasClass(block, name))) continue;
      if (entries.includes(block) || (overview && within(block, overview))) continue;
      byBlock.set(block, { feature, order: signal.from, element: block });
    }
  return [...byBlock.values()];
}

export function readRelated(page: Page, keyword: string): string[] {
  // the list below the results has its own `form` parameter, whatever its class is
  const isMarked: Test = (link) => /[?&]form=(QSRE|R5FD)\d*(&|$)/i.test(link.attribs.href ?? '');
  const isSearch: Test = (link) => {
    const url = parseUrl(link.attribs.href, HOMES.engine_b);
    return url !== null && /(^|\.)bing\.com$/.test(url.hostname) && url.pathname === '/search';
  };
  const isControl: Test = (link) => closest(link, (e) => e.attribs.role === 'button' || e.name === 'nav') !== null;
  const isListed: Test = (link) => isMarked(link) || page.all('related').some((list) => within(link, list));
  const links = page.all('relatedLink').filter((link) => isSearch(link) && !isControl(link) && isListed(link));
  return relatedSearches(links, HOMES.engine_b, keyword).words;
}

/** Characters from which a hidden line is a sentence of an answer and no label. */
const SENTENCE = 40;
const isBesides: Test = (e) => isOverlay(e) || e.name === 'sup' || /fdbk|_ttip/.test(e.attribs.class ?? '');

/** The card or the number of a cited page, whether its link is sealed or not: a link outside that covers a title, or several lines. */
const isCard: Test = (e) => {
  if (e.name !== 'a' || !has(e, 'href') || linkTarget(e.attribs.href, 'engine_b').kind === 'control') return false;
  return /^\d+$/.test(textOf(e) ?? '') || find(e, (c) => /^h\d$/.test(c.name)) !== null || linesOf(e).length > 1;
};

export function readOverview(page: Page): Placed[] {
  let announced = false;
  // the answer within the list takes precedence: the one above it is surrounded by a conversation
  const signals = Map.groupBy(page.all('generated'), (e) => page.isIn('column', e));
  for (const signal of [...(signals.get(true) ?? []), ...(signals.get(false) ?? [])]) {
    const block = closest(signal, (e) => /^b_(topw|results|pole)$/.test(e.parent?.attribs.id ?? '')) ?? signal;
    if (page.isIn('context', block)) continue;
    const lines = linesOf(block, (e) => isBesides(e) || isCard(e) || hasClass(e, 'b_hide'))
      .map((line) => line.text)
      .filter((line) => !isEngineLine(line));
    const text = lines.every(isPendingLine) ? '' : lines.join('\n');
    announced ||= text === '' && !page.isIn('conversation', signal) && closest(signal, (e) => hasClass(e, 'b_hide')) === null;
    if (text === '') continue;
    const isDropped = (line: Line): boolean =>
      !line.linked && line.text.length >= SENTENCE && !isEngineLine(line.text) && !text.includes(line.text);
    if (linesOf(block, (e) => isBesides(e) || isCard(e)).some(isDropped)) page.unread.note('aiOverview.text');
    const cited = findAll(block, (e) => e.name === 'a' && has(e, 'href') && !/^\d+$/.test(textOf(e) ?? '')).flatMap((a) => {
      const title = textOf(find(a, (e) => /^h\d$/.test(e.name)));
      if ((title === null && !isCard(a)) || linkTarget(a.attribs.href, 'engine_b').kind === 'control') return [];
      const shown = [textOf(find(a, (e) => e.name === 'cite'))];
      return [{ title, address: addressOf({ engine: 'engine_b', links: [a.attribs.href], shown }) }];
    });
    return [{ feature: 'ai_overview', order: signal.from, element: block, overview: { text, references: references(cited, page.unread) } }];
  }
  if (announced) page.unread.note('aiOverview');
  return [];
}
