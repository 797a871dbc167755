import type { Feature } from '../../../contract/operations/searchengine.ts';
import { attribute, type Element } from '../../html.ts';
import { parseUrl } from '../address.ts';
import { closest, hasClass, parentOf, within } from '../dom/page.ts';
import { textOf } from '../dom/text.ts';
import type { BingAnchor } from './anchors.ts';
import type { BingPage } from './entries.ts';

export interface Section {
  readonly feature: Feature;
  readonly block: Element;
  readonly order: number;
}
const AREAS = new Set(['b_results', 'b_context', 'b_topw', 'b_pole']);

/** Features of the blocks other than entries; each answer is one block. */
export function readSections(page: BingPage, entries: readonly Element[], overview: Element | null): Section[] {
  const byBlock = new Map<Element, Section>();
  const blockOf = (e: Element): Element | null => closest(e, (a) => AREAS.has(parentOf(a)?.attribs.id ?? ''));
  const add = (feature: Feature, signal: Element, force = false): void => {
    const block = blockOf(signal);
    if (!block || hasClass(block, 'b_hide') || hasClass(block, 'b_pag') || hasClass(block, 'b_msg')) return;
    if (entries.includes(block) || (overview && (block === overview || within(block, overview)))) return;
    if (!byBlock.has(block) || force) byBlock.set(block, { feature, block, order: byBlock.get(block)?.order ?? page.order(signal) });
  };
  const all = (name: BingAnchor, feature: Feature): void => {
    for (const e of page.all(name)) add(feature, e);
  };
  all('generated', 'ai_overview');
  all('question', 'people_also_ask');
  for (const e of page.all('entity')) if (closest(e, (a) => /^b_(context|pole)$/.test(a.attribs.id ?? ''))) add('knowledge_panel', e);
  for (const e of page.all('pole'))
    for (const child of e.children)
      if (child.type === 'tag' && textOf(child as Element))
        add('knowledge_panel', page.all('heading').find((h) => within(h, child as Element)) ?? e);
  all('local', 'local_pack');
  for (const [name, feature] of [
    ['shopping', 'shopping'],
    ['video', 'video'],
    ['image', 'image'],
    ['news', 'news'],
  ] as const) {
    for (const e of page.all(name)) if (isSignal(e)) add(feature, e);
  }
  for (const e of page.all('snippet')) if (hasClass(e, 'b_top') || closest(e, (a) => hasClass(a, 'b_top'))) add('featured_snippet', e);
  for (const e of page.all('answer')) if (textOf(e)) add('other', page.all('heading').find((h) => within(h, e)) ?? e);
  return [...byBlock.values()].sort((a, b) => a.order - b.order);
}
/** A link to another vertical counts only inside an answer: the navigation contains the same links. */
const isSignal = (e: Element): boolean =>
  e.name !== 'a' ||
  closest(e, (a) => a.name === 'nav' || a.name === 'header' || a.name === 'footer' || /^b_(header|footer)$/.test(a.attribs.id ?? '')) ===
    null;

/** Related searches: the query of the link's URL, or the link text if the URL has none. */
export function readRelated(page: BingPage, keyword: string): { words: string[]; first: Element | null } {
  const words: string[] = [];
  let first: Element | null = null;
  const links = page
    .all('relatedLink')
    .filter(
      (a) => !closest(a, (e) => e.attribs.role === 'button' || e.name === 'nav') && (isMarked(a) || closest(a, (e) => isRelated(page, e))),
    );
  for (const link of links) {
    const query = queryOf(attribute(link, 'href')) ?? null;
    if (!query || query.toLowerCase() === keyword.trim().toLowerCase()) continue;
    first ??= link;
    if (!words.some((w) => w.toLowerCase() === query.toLowerCase())) words.push(query);
  }
  return { words, first };
}
const isRelated = (page: BingPage, e: Element): boolean => page.all('related').includes(e);
/** The `form` parameter of the links in the list below the results, independent of the list's class. */
const isMarked = (link: Element): boolean => /[?&]form=(QSRE|R5FD)\d*(&|$)/i.test(link.attribs.href ?? '');
const queryOf = (href: string | null): string | null => {
  const url = parseUrl(href, 'https://www.bing.com');
  if (!url || !/(^|\.)bing\.com$/.test(url.hostname) || url.pathname !== '/search') return null;
  return url.searchParams.get('q')?.normalize('NFC').trim() || null;
};
