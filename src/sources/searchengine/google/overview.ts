import type { AiOverview } from '../../../contract/operations/searchengine.ts';
import { type AnyNode, attribute, type Element } from '../../html.ts';
import { closest, find, findAll, has, parentOf, within } from '../dom/page.ts';
import { isOverlay, linesOf, titleOf } from '../dom/text.ts';
import { isEngineLine } from '../engine-lines.ts';
import { references } from '../result.ts';
import { targetOf } from './link.ts';
import type { GooglePage } from './organic.ts';

export interface Overview {
  readonly value: AiOverview;
  readonly frame: Element;
  readonly order: number;
}

/** The generated answer; null if the page has none, or only an empty frame. */
export function readOverview(page: GooglePage): Overview | null {
  const isQuestion = (e: Element): boolean => has(e, 'data-initq') || e.attribs.jsname === 'yEVEwb';
  for (const frame of page.all('overview')) {
    if (closest(frame, isQuestion)) continue;
    // the outermost frame counts: lists of references are beside the text
    const widest = closest(frame, (e) => has(e, 'data-mcpr')) ?? frame;
    const value = readFrame(widest, page);
    if (value) return { value, frame: widest, order: page.order(frame) };
  }
  return null;
}

function readFrame(frame: Element, page: GooglePage): AiOverview | null {
  const body = find(frame, (e) => e.attribs['data-container-id'] === 'main-col') ?? frame;
  const cards = cardsOf(frame);
  const cited = new Set(cards.map((card) => card.frame));
  const before = labelOf(frame);
  const skip = (e: Element): boolean =>
    isOverlay(e) || cited.has(e) || isBesides(e) || e.attribs['data-container-id'] === 'rhs-col' || isPill(e) || isNotice(e);
  const above = aboveLabel(body, before);
  const isLeftOut = (e: Element): boolean => above.has(e) || skip(e);
  const text = linesOf(body, isLeftOut)
    .map((line) => line.text)
    .filter((line) => !isEngineLine(line))
    .join('\n');
  if (text === '') return null;
  if (page.undisplayed.some((part) => within(part.parent, body) && !closest(part.parent, isLeftOut) && isAnswer(part.text, cards))) {
    page.unread.note('aiOverview.text');
  }
  return { text, references: page.unread.of('aiOverview.references', references(cards), () => find(frame, isCitation)) };
}

/** A labelled link to a page outside, or the mark of a cited page. */
const isCitation = (e: Element): boolean => has(e, 'data-src-id') || (e.name === 'a' && has(e, 'aria-label') && outsideOf(e) !== null);
function outsideOf(link: Element): string | null {
  const target = targetOf(attribute(link, 'href'));
  return target.kind === 'outside' && !/^https?:\/\/support\.google\.com\//.test(target.url) ? target.url : null;
}

/** Whether a text that the page does not display could be a part of the answer: it is no notice of the engine and no list of cited pages. */
function isAnswer(undisplayed: string, cards: readonly Card[]): boolean {
  const text = undisplayed.replace(/\s+/g, ' ').trim();
  return /\p{L}/u.test(text) && !isEngineLine(text) && !cards.some((card) => text.startsWith(card.title));
}

/** The label of the overview and what stands above it: notices for other cases, hidden unless they apply. */
function aboveLabel(body: Element, label: Element | null): ReadonlySet<AnyNode> {
  const above = new Set<AnyNode>(label ? [label] : []);
  for (let at = label; at && at !== body; at = parentOf(at)) {
    const siblings = parentOf(at)?.children ?? [];
    for (const sibling of siblings.slice(0, siblings.indexOf(at))) above.add(sibling);
  }
  return above;
}

/** Elements around the answer that are not part of it: messages, the feedback row, help pages and other search modes. */
const isBesides = (e: Element): boolean =>
  e.name === 'g-snackbar' ||
  e.attribs['data-subtree'] === 'dfa' ||
  (e.name === 'a' && /^https?:\/\/support\.google\.com\/|[?&]udm=50(&|$)/.test(e.attribs.href ?? ''));

/** The button after a sentence that opens its sources. */
const isPill = (e: Element): boolean => e.name === 'span' && hasPillButton(e);
const hasPillButton = (e: Element): boolean =>
  find(e, (c) => c.name === 'button' && (has(c, 'data-icl-uuid') || has(c, 'data-amic'))) !== null;
/** The footer of a code block, beside its copy button. */
const isNotice = (e: Element): boolean =>
  e.name === 'div' &&
  has(e, 'data-animation-atomic') &&
  find(e, (c) => c.name === 'pre') === null &&
  find(e, (c) => c.name === 'button') !== null;

/** The label of the block, in the page's language: its first heading, or the last one with the same text if it is repeated. */
function labelOf(frame: Element): Element | null {
  const isLabel = (e: Element): boolean =>
    e.name === 'h1' || e.name === 'h2' || (e.attribs.role === 'heading' && /^[12]?$/.test(e.attribs['aria-level'] ?? ''));
  const labels = findAll(frame, isLabel);
  const words = labels[0] && titleOf(labels[0]);
  return labels.findLast((e) => titleOf(e) === words) ?? null;
}

interface Card {
  readonly frame: Element;
  readonly url: string;
  readonly title: string;
}
/**
 * Cards of cited pages: a list item with one labelled link. The label begins with a line of the card and ends with a phrase in the page's
 * language.
 */
function cardsOf(frame: Element): Card[] {
  const cards: Card[] = [];
  const marked = findAll(frame, (e) => has(e, 'data-src-id'));
  const frames = marked.length ? marked : findAll(frame, (e) => e.name === 'li');
  for (const card of frames) {
    const links = findAll(card, (e) => e.name === 'a' && has(e, 'aria-label') && has(e, 'href'));
    const [link] = links;
    const label = link && attribute(link, 'aria-label')?.normalize('NFC').replace(/\s+/g, ' ').trim();
    if (!link || !label || links.length > 1) continue;
    const url = outsideOf(link);
    if (!url) continue;
    const line = linesOf(card, () => false)
      .map((l) => l.text)
      .filter((text) => label.startsWith(text))
      .sort((a, b) => b.length - a.length)[0];
    if (!line && !marked.length) continue;
    if (!marked.length && hasPillButton(card)) continue;
    cards.push({ frame: card, url, title: line ?? withoutTail(label) });
  }
  return cards;
}
/** "Title. Opens in new tab." without the last sentence. */
const withoutTail = (label: string): string => /^(.+?)\.\s[^.]+\.?$/s.exec(label)?.[1] ?? label;
