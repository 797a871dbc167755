import type { AiOverview } from '../../../contract/operations/searchengine.ts';
import { closest, type Element, find, findAll, has, type Test, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { isOverlay, linesOf, titleOf } from '../../html/text.ts';
import { type Placed, references } from '../result.ts';
import { isEngineLine } from '../words.ts';
import { targetOf } from './link.ts';

export function readOverview(page: Page): Placed[] {
  for (const frame of page.all('overview')) {
    if (page.isIn('unfolded', frame)) continue;
    // the outermost frame counts: lists of references are beside the text
    const widest = closest(frame, (e) => has(e, 'data-mcpr')) ?? frame;
    const overview = readFrame(widest, page);
    if (overview) return [{ feature: 'ai_overview', order: frame.from, element: widest, overview }];
  }
  return [];
}

function readFrame(frame: Element, page: Page): AiOverview | null {
  const body = find(frame, (e) => e.attribs['data-container-id'] === 'main-col') ?? frame;
  const cards = cardsOf(frame);
  const cited = new Set(cards.map((card) => card.frame));
  const label = labelOf(frame);
  // above the label stand notices for other cases, hidden unless they apply
  const isAbove: Test = (e) => e === label || (label !== null && within(label, body) && e.end <= label.from);
  const isLeftOut: Test = (e) => isAbove(e) || isOverlay(e) || cited.has(e) || isBesides(e);
  const text = linesOf(body, isLeftOut)
    .map((line) => line.text)
    .filter((line) => !isEngineLine(line))
    .join('\n');
  if (text === '') return null;
  const isDropped = page.undisplayed.some(
    ({ parent, text: of }) => within(parent, body) && !closest(parent, isLeftOut) && isAnswer(of, cards),
  );
  if (isDropped) page.unread.note('aiOverview.text');
  return { text, references: page.unread.of('aiOverview.references', references(cards), () => find(frame, isCitation)) };
}

/** A labelled link to a page outside, or the mark of a cited page. */
const isCitation = (e: Element): boolean => has(e, 'data-src-id') || (e.name === 'a' && has(e, 'aria-label') && outsideOf(e) !== null);
function outsideOf(link: Element): string | null {
  const target = targetOf(link.attribs.href);
  return target.kind === 'outside' && !/^https?:\/\/support\.google\.com\//.test(target.url) ? target.url : null;
}

/** Whether a text that the page does not display could be a part of the answer: it is no notice of the engine and no list of cited pages. */
function isAnswer(undisplayed: string, cards: ReturnType<typeof cardsOf>): boolean {
  const text = undisplayed.replace(/\s+/g, ' ').trim();
  return /\p{L}/u.test(text) && !isEngineLine(text) && !cards.some((card) => text.startsWith(card.title));
}

const isBesides: Test = (e) =>
  e.name === 'g-snackbar' ||
  e.attribs['data-subtree'] === 'dfa' ||
  e.attribs['data-container-id'] === 'rhs-col' ||
  // help pages and other search modes
  (e.name === 'a' && /^https?:\/\/support\.google\.com\/|[?&]udm=50(&|$)/.test(e.attribs.href ?? '')) ||
  // the button after a sentence that opens its sources
  (e.name === 'span' && hasPillButton(e)) ||
  // the footer of a code block, beside its copy button
  (e.name === 'div' &&
    has(e, 'data-animation-atomic') &&
    !find(e, (c) => c.name === 'pre') &&
    find(e, (c) => c.name === 'button') !== null);
const hasPillButton: Test = (e) => find(e, (c) => c.name === 'button' && (has(c, 'data-icl-uuid') || has(c, 'data-amic'))) !== null;

/** The label of the block, in the page's language: its first heading, or the last one with the same text if it is repeated. */
function labelOf(frame: Element): Element | null {
  const isLabel = (e: Element): boolean =>
    e.name === 'h1' || e.name === 'h2' || (e.attribs.role === 'heading' && /^[12]?$/.test(e.attribs['aria-level'] ?? ''));
  const labels = findAll(frame, isLabel);
  const words = labels[0] && titleOf(labels[0]);
  return labels.findLast((e) => titleOf(e) === words) ?? null;
}

/** Cited pages: list items with one link, whose label begins with a line of the card and ends with a phrase in the page's language. */
function cardsOf(frame: Element) {
  const marked = findAll(frame, (e) => has(e, 'data-src-id'));
  const cards = marked.length ? marked : findAll(frame, (e) => e.name === 'li' && !hasPillButton(e));
  return cards.flatMap((card) => {
    const [link, ...others] = findAll(card, (e) => e.name === 'a' && has(e, 'aria-label') && has(e, 'href'));
    const label = link?.attribs['aria-label']?.normalize('NFC').replace(/\s+/g, ' ').trim();
    const url = link && others.length === 0 ? outsideOf(link) : null;
    if (!url || !label) return [];
    const lines = linesOf(card, () => false).flatMap(({ text }) => (label.startsWith(text) ? text : []));
    const title = lines.sort((a, b) => b.length - a.length)[0] ?? (marked.length ? withoutTail(label) : null);
    return title === null ? [] : [{ frame: card, url, title }];
  });
}
/** "Title. Opens in new tab." without the last sentence. */
const withoutTail = (label: string): string => /^(.+?)\.\s[^.]+\.?$/s.exec(label)?.[1] ?? label;
