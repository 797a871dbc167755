import type { Feature } from '../../../contract/operations/searchengine.ts';
import { childrenOf, closest, type Element, find, findAll, has, hasClass, type Test, within } from '../../html/element.ts';
import { isOverlay, type Line, linesOf, textOf } from '../../html/text.ts';
import { parseUrl } from '../../web-address.ts';
import { isEngineLine } from '../engine-lines.ts';
import { type Placed, references, relatedSearches } from '../result.ts';
import type { BingAnchor } from './anchors.ts';
import type { BingPage } from './entries.ts';
import { HOME, resultTarget } from './link.ts';

const AREA = /^b_(results|context|topw|pole)$/;
const isInside = (pattern: RegExp) => (e: Element) => closest(e, ({ attribs }) => pattern.test(attribs.id ?? '')) !== null;
/** A link to another vertical counts only inside an answer: the navigation contains the same links. */
const isSignal: Test = (e) =>
  e.name !== 'a' || (!closest(e, (a) => /^(nav|header|footer)$/.test(a.name)) && !isInside(/^b_(header|footer)$/)(e));

/** Anchors of the blocks. The first one that a block has decides, so that their order matters. */
const SIGNALS: readonly (readonly [anchor: BingAnchor, feature: Feature, test?: Test])[] = [
  ['generated', 'ai_overview'],
  ['question', 'people_also_ask'],
  ['entity', 'knowledge_panel', isInside(/^b_(context|pole)$/)],
  ['pole', 'knowledge_panel'],
  ['local', 'local_pack'],
  ['shopping', 'shopping', isSignal],
  ['video', 'video', isSignal],
  ['image', 'image', isSignal],
  ['news', 'news', isSignal],
  ['snippet', 'featured_snippet', (e) => closest(e, (a) => hasClass(a, 'b_top')) !== null],
  ['answer', 'other'],
];

/** Features of the blocks other than entries; each answer is one block. */
export function readSections(page: BingPage, entries: readonly Element[], overview: Element | null): Placed[] {
  const byBlock = new Map<Element, Placed>();
  const titleIn = (block: Element): Element | undefined => page.all('heading').find((heading) => within(heading, block));
  const signalsOf = (anchor: BingAnchor): readonly Element[] => {
    if (anchor === 'answer')
      return page
        .all(anchor)
        .filter((e) => textOf(e))
        .map((e) => titleIn(e) ?? e);
    if (anchor !== 'pole') return page.all(anchor);
    return page.all(anchor).flatMap((pole) => childrenOf(pole).flatMap((child) => (textOf(child) ? (titleIn(child) ?? pole) : [])));
  };
  for (const [anchor, feature, test] of SIGNALS)
    for (const signal of signalsOf(anchor)) {
      const block = test?.(signal) === false ? null : closest(signal, (e) => AREA.test(e.parent?.attribs.id ?? ''));
      if (!block || byBlock.has(block) || ['b_hide', 'b_pag', 'b_msg'].some((name) => hasClass(block, name))) continue;
      if (entries.includes(block) || (overview && within(block, overview))) continue;
      byBlock.set(block, { feature, order: signal.from, element: block });
    }
  return [...byBlock.values()];
}

export function readRelated(page: BingPage, keyword: string): string[] {
  // the list below the results has its own `form` parameter, whatever its class is
  const isMarked: Test = (link) => /[?&]form=(QSRE|R5FD)\d*(&|$)/i.test(link.attribs.href ?? '');
  const isSearch: Test = (link) => {
    const url = parseUrl(link.attribs.href, HOME);
    return url !== null && /(^|\.)bing\.com$/.test(url.hostname) && url.pathname === '/search';
  };
  const links = page
    .all('relatedLink')
    .filter(
      (link) =>
        isSearch(link) &&
        !closest(link, (e) => e.attribs.role === 'button' || e.name === 'nav') &&
        (isMarked(link) || page.all('related').some((list) => within(link, list))),
    );
  return relatedSearches(links, HOME, keyword).words;
}

/** Characters from which a hidden line is a sentence of an answer and no label. */
const SENTENCE = 40;
const isBesides: Test = (e) => isOverlay(e) || e.name === 'sup' || /fdbk|_ttip/.test(e.attribs.class ?? '');

/** The generated answer above the list. Only a block with readable text counts. */
export function readOverview(page: BingPage): Placed[] {
  // the answer within the list takes precedence: the one above it is surrounded by a conversation
  const signals = Map.groupBy(page.all('generated'), (e) => closest(e, (a) => a.attribs.id === 'b_results') !== null);
  for (const signal of [...(signals.get(true) ?? []), ...(signals.get(false) ?? [])]) {
    const block = closest(signal, (e) => /^b_(topw|results|pole)$/.test(e.parent?.attribs.id ?? '')) ?? signal;
    if (closest(block, (e) => e.attribs.id === 'b_context')) continue;
    const text = linesOf(block, (e) => isBesides(e) || hasClass(e, 'b_hide'))
      .map((line) => line.text)
      .filter((line) => !isEngineLine(line))
      .join('\n');
    if (text === '') continue;
    const isDropped = (line: Line): boolean =>
      !line.linked && line.text.length >= SENTENCE && !isEngineLine(line.text) && !text.includes(line.text);
    if (linesOf(block, isBesides).some(isDropped)) page.unread.note('aiOverview.text');
    const cited = findAll(block, (e) => e.name === 'a' && has(e, 'href') && !/^\d+$/.test(textOf(e) ?? '')).map((a) => ({
      url: resultTarget(a.attribs.href),
      title: textOf(find(a, (e) => /^h\d$/.test(e.name))),
    }));
    return [{ feature: 'ai_overview', order: signal.from, element: block, overview: { text, references: references(cited) } }];
  }
  return [];
}
