import { isText } from 'domhandler';
import type { Feature } from '../../../contract/operations/searchengine.ts';
import { attribute, type Element } from '../../html.ts';
import { closest, find, has, parentOf, within } from '../dom/page.ts';
import { textOf } from '../dom/text.ts';
import type { GoogleAnchor } from './anchors.ts';
import type { GooglePage, Spot } from './organic.ts';
import { isNewsHeading, isVideoHeading } from './words.ts';

/** A block of the page that is not an entry. */
export interface Section {
  readonly feature: Feature;
  readonly block: Element;
  readonly order: number;
}

const NAVIGATION = (e: Element): boolean =>
  e.attribs.role === 'navigation' ||
  e.name === 'footer' ||
  e.name === 'header' ||
  e.name === 'g-sticky-content' ||
  /^(hdtb|top_nav|appbar|searchform|gb|bfoot|sfooter|fbar|before-appbar)$/.test(e.attribs.id ?? '');
const FRAMES = new Set([
  'rso',
  'search',
  'res',
  'center_col',
  'rcnt',
  'cnt',
  'main',
  'taw',
  'tvcap',
  'tads',
  'botstuff',
  'bres',
  'rhs',
  'gsr',
  'atvcap',
  'Odp5De',
  'topstuff',
]);

/** The blocks of the page by type, recognised by URLs, roles and data attributes that are the same in every language. */
export function readSections(page: GooglePage, column: Element | null, spots: readonly Spot[], taken: readonly Element[]): Section[] {
  const mixed = new Set<Element>();
  for (const one of [...spots.map((s) => s.heading), ...taken]) for (let e: Element | null = one; e; e = parentOf(e)) mixed.add(e);
  const entries = new Set(spots.map((s) => s.container));
  const byBlock = new Map<Element, Section>();
  /** All ancestors of the blocks in `byBlock`. */
  const around = new Set<Element>();
  const add = (feature: Feature, signal: Element): void => {
    if (closest(signal, (e) => NAVIGATION(e) || entries.has(e) || e.attribs.role === 'dialog' || has(e, 'data-mcpr'))) return;
    const block = blockOf(signal, mixed);
    if (byBlock.has(block)) return;
    byBlock.set(block, { feature, block, order: page.order(signal) });
    for (let e = parentOf(block); e && !around.has(e); e = parentOf(e)) around.add(e);
  };
  const all = (name: GoogleAnchor, test: (e: Element) => boolean = () => true): Element[] => page.all(name).filter(test);
  const inColumn = (e: Element): boolean => column !== null && within(e, column);
  const aside = (e: Element): boolean => closest(e, (a) => a.attribs.id === 'rhs' || a.attribs.id === 'rhscol') !== null;
  const question = (e: Element): boolean => closest(e, (a) => has(a, 'data-initq')) !== null;
  const wide = (e: Element): boolean =>
    inColumn(e) || closest(e, (a) => /^(Odp5De|taw|tads|atvcap|extrares|imagebox_bigimages|iur)$/.test(a.attribs.id ?? '')) !== null;

  for (const e of all('question', (q) => question(q) && hasText(q))) add('people_also_ask', e);
  for (const e of all(
    'peopleAlsoAskOld',
    (q) => hasText(q) && closest(q, (a) => a.attribs.id === 'botstuff') === null && (inColumn(q) || column === null),
  ))
    add('people_also_ask', e);
  for (const e of all('panel', (p) => isPanel(p) && (aside(p) || (inColumn(p) && isTitle(p))) && !question(p))) add('knowledge_panel', e);
  for (const e of all('shopping', (s) => wide(s) && !aside(s))) add('shopping', e);
  for (const e of all('local', (l) => isPlace(l) && !aside(l) && !question(l))) add('local_pack', e);
  for (const e of all('news', wide)) add('news', e);
  for (const e of all('video', wide)) add('video', e);
  for (const e of all('image', (i) => wide(i) && isImageLink(i) && !question(i))) add('image', e);
  for (const e of several(
    page.all('videoLink').filter((v) => inColumn(v) && !question(v) && closest(v, (a) => has(a, 'data-attrid')) === null),
    mixed,
  ))
    add('video', e);
  for (const e of all('heading', (h) => (column === null || wide(h)) && !aside(h))) {
    const words = textOf(e);
    if (words && isNewsHeading(words)) add('news', e);
    else if (words && isVideoHeading(words)) add('video', e);
  }
  for (const e of all('heading', (h) => inColumn(h) && !question(h) && closest(h, (a) => a.name === 'block-component') === null)) {
    const block = blockOf(e, mixed);
    if (block !== e && !mixed.has(block) && !around.has(block) && !closest(block, (a) => byBlock.has(a))) add('other', e);
  }
  const excluded = new Set(taken);
  return [...byBlock.values()].filter((s) => !closest(s.block, (a) => excluded.has(a))).sort((a, b) => a.order - b.order);
}

/** The largest element around a signal that contains no entry. */
function blockOf(signal: Element, mixed: ReadonlySet<Element>): Element {
  let block = signal;
  for (let at = parentOf(signal); at && !mixed.has(at) && !FRAMES.has(at.attribs.id ?? '') && at.name !== 'body'; at = parentOf(at))
    block = at;
  return block;
}
/** The first of two or more signals in one block: a single film is an entry, several are a block. */
function several(signals: readonly Element[], mixed: ReadonlySet<Element>): Element[] {
  const counts = new Map<Element, { first: Element; hrefs: Set<string> }>();
  for (const signal of signals) {
    const block = blockOf(signal, mixed);
    const known = counts.get(block) ?? { first: signal, hrefs: new Set<string>() };
    known.hrefs.add((attribute(signal, 'href') ?? '').replace(/[&#?]t=.*$/, ''));
    counts.set(block, known);
  }
  return [...counts.values()].filter((c) => c.hrefs.size > 1).map((c) => c.first);
}
const isPanel = (e: Element): boolean => !/^(wa:|okra\/|secondary image)/.test(e.attribs['data-attrid'] ?? '') && hasText(e);
const isTitle = (e: Element): boolean =>
  /^(title|subtitle|kc:\/.*:(title|description)|description)$/.test(e.attribs['data-attrid'] ?? '') ||
  e.attribs.id === 'kp-wp-tab-overview';
const isPlace = (e: Element): boolean =>
  has(e, 'data-lat')
    ? has(e, 'data-lng')
    : !has(e, 'data-cid') || /^\d{10,}$/.test(e.attribs['data-cid'] ?? '') || /ludocid=/.test(e.attribs.href ?? '');
const isImageLink = (e: Element): boolean => e.name !== 'a' || /[?&](tbm=isch|udm=2)(&|$)/.test(e.attribs.href ?? '');
/** Whether the element contains readable text: an empty frame is not a block. */
const hasText = (e: Element): boolean => find(e, (c) => c.children.some((n) => isText(n) && n.data.trim() !== '')) !== null;
