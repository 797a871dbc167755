import type { AiOverview } from '../../../contract/operations/searchengine.ts';
import { type AnyNode, attribute, type Element } from '../../html.ts';
import { closest, find, findAll, has, parentOf } from '../dom/page.ts';
import { isAside, linesOf, titleOf } from '../dom/text.ts';
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
    const value = readFrame(widest);
    if (value) return { value, frame: widest, order: page.order(frame) };
  }
  return null;
}

function readFrame(frame: Element): AiOverview | null {
  const body = find(frame, (e) => e.attribs['data-container-id'] === 'main-col') ?? frame;
  const cards = cardsOf(frame);
  const cited = new Set(cards.map((card) => card.frame));
  const before = labelOf(frame);
  const skip = (e: Element): boolean =>
    isAside(e) || cited.has(e) || isControl(e) || e.attribs['data-container-id'] === 'rhs-col' || isPill(e) || isNotice(e);
  const text = linesAfter(body, before, skip)
    .filter((line) => !isEngineLine(line))
    .join('\n');
  return text === '' ? null : { text, references: references(cards) };
}

/** The lines below the label of the overview: the text above it consists of notices for other cases, hidden unless they apply. */
function linesAfter(body: Element, label: Element | null, skip: (e: Element) => boolean): string[] {
  const above = new Set<AnyNode>(label ? [label] : []);
  for (let at = label; at && at !== body; at = parentOf(at)) {
    const siblings = parentOf(at)?.children ?? [];
    for (const sibling of siblings.slice(0, siblings.indexOf(at))) above.add(sibling);
  }
  return linesOf(body, (e) => above.has(e) || skip(e)).map((line) => line.text);
}

/** Elements around the answer that are not part of it: dialogs, messages, the feedback row, help pages and other search modes. */
const isControl = (e: Element): boolean =>
  e.attribs.role === 'dialog' ||
  e.attribs.role === 'alert' ||
  e.attribs.role === 'tooltip' ||
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
    const links = findAll(
      card,
      (e) => e.name === 'a' && has(e, 'aria-label') && has(e, 'href') && !closest(e, (a) => a.attribs['aria-hidden'] === 'true'),
    );
    const [link] = links;
    const label = link && attribute(link, 'aria-label')?.normalize('NFC').replace(/\s+/g, ' ').trim();
    if (!link || !label || links.length > 1) continue;
    const target = targetOf(attribute(link, 'href'));
    if (target.kind !== 'outside' || /^https?:\/\/support\.google\.com\//.test(target.url)) continue;
    const line = linesOf(card, () => false)
      .map((l) => l.text)
      .filter((text) => label.startsWith(text))
      .sort((a, b) => b.length - a.length)[0];
    if (!line && !marked.length) continue;
    if (!marked.length && hasPillButton(card)) continue;
    cards.push({ frame: card, url: target.url, title: line ?? withoutTail(label) });
  }
  return cards;
}
/** "Title. Opens in new tab." without the last sentence. */
const withoutTail = (label: string): string => /^(.+?)\.\s[^.]+\.?$/s.exec(label)?.[1] ?? label;
