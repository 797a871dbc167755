import type { AiOverview } from '../../../contract/operations/serp/operation.ts';
import { closest, type Element, find, findAll, has, type Test, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { isOverlay, linesOf, textOf, titleOf } from '../../html/text.ts';
import { addressOf, looksLikeAddress } from '../address.ts';
import { linkTarget } from '../links.ts';
import { type Cited, type Placed, references } from '../result.ts';
import { isEngineLine, isPendingLine } from '../words.ts';

export function readOverview(page: Page): Placed[] {
  let announced = false;
  for (const frame of page.all('overview')) {
    if (page.isIn('unfolded', frame)) continue;
    // the outermost frame counts: lists of references are beside the text
    const widest = closest(frame, (e) => has(e, 'data-mcpr')) ?? frame;
    const overview = readFrame(widest, page);
    announced ||= overview === 'announced';
    if (overview !== null && overview !== 'announced') return [{ feature: 'ai_overview', order: frame.from, element: widest, overview }];
  }
  if (announced) page.unread.note('aiOverview');
  return [];
}

/** `announced`: a frame with nothing but headings ("Searching") or offers ("Generate?"), whose answer had not come. */
function readFrame(frame: Element, page: Page): AiOverview | 'announced' | null {
  const body = find(frame, (e) => e.attribs['data-container-id'] === 'main-col') ?? frame;
  const labelled = cardsOf(frame);
  const cards = [...labelled, ...untitledCards(frame, labelled)];
  const cited = new Set(cards.map((card) => card.frame));
  const label = labelOf(frame);
  // above the label stand notices for other cases, hidden unless they apply
  const isAbove: Test = (e) => e === label || (label !== null && within(label, body) && e.end <= label.from);
  const isLeftOut: Test = (e) => isAbove(e) || isOverlay(e) || cited.has(e) || isBesides(e);
  const linesWithout = (isOut: Test): string[] =>
    linesOf(body, isOut)
      .map((line) => line.text)
      .filter((line) => !isEngineLine(line));
  const lines = linesWithout(isLeftOut);
  if (lines.length === 0) return null;
  if (linesWithout((e) => isLeftOut(e) || isLabel(e)).every(isPendingLine)) return 'announced';
  const text = lines.join('\n');
  const isDropped = page.undisplayed.some(
    ({ parent, text: of }) => within(parent, body) && !closest(parent, isLeftOut) && isAnswer(of, cards),
  );
  if (isDropped) page.unread.note('aiOverview.text');
  const listed = references([...cards, ...unopened(frame, cards, page)], page.unread);
  return { text, references: page.unread.of('aiOverview.references', listed, () => find(frame, isCitation)) };
}

/** A labelled link to a page outside, the mark of a cited page, or the button after a sentence that opens its sources. */
const isCitation = (e: Element): boolean => ['data-src-id', 'data-icl-uuid', 'data-uuids'].some((name) => has(e, name)) || isCitedLink(e);
/** A labelled link to a page outside, sealed or not. */
const isCitedLink = (e: Element): boolean => e.name === 'a' && has(e, 'aria-label') && has(e, 'href') && leadsOutside(e.attribs.href);
function leadsOutside(href: string | undefined): boolean {
  const target = linkTarget(href, 'engine_a');
  return target.kind === 'sealed' || (target.kind === 'page' && !/^https?:\/\/support\.google\.com\//.test(target.url));
}

/** Whether a text that the page does not display could be a part of the answer: it is no notice of the engine and no list of cited pages. */
function isAnswer(undisplayed: string, cards: readonly Card[]): boolean {
  const text = undisplayed.replace(/\s+/g, ' ').trim();
  return /\p{L}/u.test(text) && !isEngineLine(text) && !cards.some(({ title }) => title !== null && text.startsWith(title));
}

/** The disclaimer, in any language: one line with the link to what the engine says of its answers. */
const isDisclaimer: Test = (e) =>
  e.children.some(
    (child) => typeof child === 'object' && /^https?:\/\/support\.google\.com\/websearch\?(?:[^#]*&)?p=ai/.test(child.attribs.href ?? ''),
  ) && linesOf(e).length === 1;
const isBesides: Test = (e) =>
  e.name === 'g-snackbar' ||
  isDisclaimer(e) ||
  e.attribs['data-subtree'] === 'dfa' ||
  e.attribs['data-container-id'] === 'rhs-col' ||
  // help pages and other search modes
  (e.name === 'a' && /[?&]udm=50(&|$)/.test(e.attribs.href ?? '')) ||
  (e.name === 'a' && /^https?:\/\/support\.google\.com\//.test(e.attribs.href ?? '') && !isInSentence(e)) ||
  // the footer of a code block, beside its copy button
  (e.name === 'div' &&
    has(e, 'data-animation-atomic') &&
    !find(e, (c) => c.name === 'pre') &&
    find(e, (c) => c.name === 'button') !== null);
const hasPillButton: Test = (e) => find(e, (c) => c.name === 'button' && (has(c, 'data-icl-uuid') || has(c, 'data-amic'))) !== null;

const isLabel: Test = (e) =>
  e.name === 'h1' || e.name === 'h2' || (e.attribs.role === 'heading' && /^[12]?$/.test(e.attribs['aria-level'] ?? ''));
/** The label of the block, in the page's language: its first heading, or the last one with the same text if it is repeated. */
function labelOf(frame: Element): Element | null {
  const labels = findAll(frame, isLabel);
  const words = labels[0] && titleOf(labels[0]);
  return labels.findLast((e) => titleOf(e) === words) ?? null;
}

interface Card extends Cited {
  readonly frame: Element;
  readonly title: string | null;
  /** What follows the title in the label of the link: "Opens in new tab." */
  readonly tail?: string;
}
/** A word of the answer that is a link, with text before or after it. */
const isInSentence: Test = (e) =>
  textOf(e, () => false) !== null && e.parent?.children.some((child) => typeof child === 'string' && child.trim() !== '') === true;

/** Cited pages: frames with one labelled link, whose label begins with a line of the card and ends with a phrase in the page's language. */
function cardsOf(frame: Element): Card[] {
  const links = findAll(frame, (e) => isCitedLink(e) && !isInSentence(e));
  const linksIn = (e: Element): number => links.filter((link) => within(link, e)).length;
  return links.flatMap((link) => {
    const label = link.attribs['aria-label']?.normalize('NFC').replace(/\s+/g, ' ').trim();
    const marked = closest(link, (e) => has(e, 'data-src-id') && within(e, frame));
    const listed = closest(link, (e) => e.name === 'li' && !hasPillButton(e) && within(e, frame));
    const titleIn = (e: Element): string | null => {
      const lines = linesOf(e, () => false).flatMap(({ text }) => (label?.startsWith(text) ? text : []));
      return lines.sort((a, b) => b.length - a.length)[0] ?? null;
    };
    const card = marked ?? (listed && titleIn(listed) !== null ? listed : unlistedCard(link, frame, linksIn, titleIn));
    if (!card || !label || linksIn(card) > 1 || findAll(card, (e) => e.name === 'a' && has(e, 'aria-label') && has(e, 'href')).length > 1)
      return [];
    const title = titleIn(card) ?? (marked ? withoutTail(label) : null);
    const shown = linesOf(card, () => false).flatMap(({ text }) => (text !== title && looksLikeAddress(text) ? text : []));
    if (title === null) return [];
    return [
      {
        frame: card,
        title,
        tail: label.slice(title.length),
        address: addressOf({ engine: 'engine_a', links: [link.attribs.href], shown }),
      },
    ];
  });
}
/** The cited pages in the list that "Show all" opens: a link there is labelled as those of the cards are. One without a title counts if no other brings it. */
function unopened(frame: Element, cards: readonly Card[], page: Page): Cited[] {
  const links = page.undisplayed.flatMap(({ parent, links: inside }) => (within(parent, frame) ? inside : []));
  const tails = [...new Set(cards.flatMap(({ tail }) => tail ?? []))].sort((a, b) => b.length - a.length);
  const listed = links.flatMap(({ href, 'aria-label': label }): Cited[] => {
    const words = label?.normalize('NFC').replace(/\s+/g, ' ').trim();
    const tail = tails.find((end) => words?.endsWith(end));
    const title = words && tail !== undefined ? words.slice(0, words.length - tail.length) : null;
    return leadsOutside(href) ? [{ title, address: addressOf({ engine: 'engine_a', links: [href] }) }] : [];
  });
  const brought = new Set([...cards, ...listed].flatMap(({ address, title }) => (address.kind === 'hidden' || !title ? [] : address.url)));
  return listed.filter(({ address, title }) => title !== null || address.kind === 'hidden' || !brought.has(address.url));
}
/** Cards that do not say which of their lines is the title: marked frames, and frames of several lines that one link covers. */
function untitledCards(frame: Element, known: readonly Card[]): Card[] {
  const isKnown: Test = (e) => known.some((card) => within(e, card.frame) || within(card.frame, e));
  const links = findAll(frame, (e) => e.name === 'a' && has(e, 'href') && leadsOutside(e.attribs.href));
  const covered = links.flatMap((link) => {
    const isAround = linesOf(link, () => false).length > 1;
    if (!isAround && textOf(link, () => false) !== null) return [];
    const listed = closest(link, (e) => e.name === 'li' && within(e, frame) && e !== frame);
    const card = listed ?? (isAround ? link : link.parent);
    return card && card !== frame && !hasPillButton(card) && links.filter((other) => within(other, card)).length === 1 ? card : [];
  });
  const marked = findAll(frame, (e) => has(e, 'data-src-id'));
  return [...new Set([...marked, ...covered])].flatMap((card): Card[] =>
    isKnown(card) || linesOf(card, () => false).length < 2 ? [] : [{ frame: card, title: null, address: { kind: 'hidden' } }],
  );
}
/** A card that is no list item: beside others of its kind the largest frame around its link alone, else the smallest one with its title. */
function unlistedCard(
  link: Element,
  frame: Element,
  linksIn: (e: Element) => number,
  titleIn: (e: Element) => string | null,
): Element | null {
  let smallest: Element | null = null;
  let largest: Element = link;
  for (let e: Element | null = link; e && e !== frame; e = e.parent) {
    if (linksIn(e) > 1) return smallest && largest;
    if (hasPillButton(e)) return smallest;
    if (titleIn(e) !== null) smallest ??= e;
    largest = e;
  }
  return smallest;
}
/** "Title. Opens in new tab." without the last sentence. */
const withoutTail = (label: string): string => /^(.+?)\.\s[^.]+\.?$/s.exec(label)?.[1] ?? label;
