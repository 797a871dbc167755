import { attribute, type Element } from '../../html.ts';
import { looksLikeAddress } from '../address.ts';
import { closest, find, has, type Page, parentOf, within } from '../dom/page.ts';
import { isAside, isBlank, textOf, titleOf } from '../dom/text.ts';
import type { GoogleAnchor } from './anchors.ts';
import { targetOf } from './link.ts';

export type GooglePage = Page<GoogleAnchor>;

/** An organic entry before its fields are parsed. */
export interface Spot {
  readonly heading: Element;
  readonly link: Element;
  /** The element that contains the whole entry. */
  readonly container: Element;
  readonly title: string;
  readonly target: { readonly kind: 'outside'; readonly url: string } | { readonly kind: 'sealed' };
  readonly featured: boolean;
  readonly order: number;
}
type Candidate = Omit<Spot, 'container' | 'featured'>;
interface Pair {
  readonly link: Element;
  readonly heading: Element;
}

/**
 * Blocks whose headings are not organic results: questions, ads, carousels, product and overview frames, facts of panels and of
 * accordions.
 */
const isForeign = (e: Element): boolean =>
  has(e, 'data-text-ad') ||
  has(e, 'data-initq') ||
  has(e, 'data-mcpr') ||
  e.attribs['data-attrid']?.startsWith('wa:/') === false ||
  e.attribs.role === 'dialog' ||
  e.attribs.role === 'navigation' ||
  e.name === 'g-scrolling-carousel' ||
  e.name === 'g-section-with-header' ||
  e.name === 'g-inner-card' ||
  e.name === 'product-viewer-group' ||
  e.name === 'g-accordion-expander' ||
  e.attribs.id === 'botstuff' ||
  e.attribs.id === 'rhs' ||
  e.attribs.id === 'm-x-content' ||
  e.attribs.id === 'tads' ||
  e.attribs.id === 'bottomads' ||
  e.attribs.jsname === 'yEVEwb' ||
  / related-question-pair /.test(` ${e.attribs.class ?? ''} `);

/** Possible containers of an answer box: a frame of its own, in the column or above it. */
const isBox = (e: Element): boolean => e.name === 'block-component' || e.attribs.id === 'Odp5De';

/** A link with its title if it leads to a page that the engine lists; null for navigation links. */
function candidateOf(page: GooglePage, heading: Element, link: Element): Candidate | null {
  const to = targetOf(attribute(link, 'href'));
  if (to.kind === 'inside') return null;
  if (to.kind === 'own' && !showsAddress(link, heading, to.url)) {
    // the address line may be there without its text
    if (find(link, (e) => isBlank(e) && (e.name === 'cite' || e.attribs.role === 'text'))) page.unread.note('organic.breadcrumb');
    return null;
  }
  const target: Spot['target'] = to.kind === 'sealed' ? { kind: 'sealed' } : { kind: 'outside', url: to.url };
  const title = titleOf(heading);
  if (title === null) page.unread.note('organic.title');
  return title === null ? null : { heading, link, title, target, order: page.order(heading) };
}
/** Whether the head of the entry shows the host of its link, as the address line of a result does. */
function showsAddress(link: Element, heading: Element, url: string): boolean {
  const host = new URL(url).hostname.replace(/^www\./, '');
  const isNamed = (text: string | null): boolean => text?.toLowerCase().includes(host) === true;
  if (!within(link, heading)) return isNamed(textOf(link, (e) => e === heading || isAside(e)));
  const head = parentOf(heading);
  return head !== null && isNamed(textOf(find(head, (e) => e.name === 'cite')));
}
/** Whether the title belongs to the source of an answer box. */
const isBoxed = (c: Candidate): boolean => within(c.link, c.heading) && closest(c.heading, isBox) !== null;
const isLink = (e: Element): boolean => e.name === 'a' && has(e, 'href');

/** The organic entries of a rendered page, by structure: a title in a link to another site, in the results column. */
export function renderedSpots(page: GooglePage, column: Element): Spot[] {
  const candidates: Candidate[] = [];
  const titledInside: Candidate[] = [];
  const isAnswer = accordionAnswers(page, column);
  for (const heading of page.all('heading3')) {
    if (closest(heading, (e) => isForeign(e) || isAnswer(e))) continue;
    const inColumn = within(heading, column);
    // only the answer box is above the column
    if (!inColumn && !closest(heading, isBox)) continue;
    const around = closest(heading, isLink);
    if (!around && heading.name !== 'h3') continue;
    const link = around ?? find(heading, isLink);
    const candidate = link && candidateOf(page, heading, link);
    if (!candidate) continue;
    // a link in a title is the source of an answer box, an entry of another layout, or a sitelink below an entry
    if (around || closest(heading, isBox)) candidates.push(candidate);
    else titledInside.push(candidate);
  }
  candidates.push(...entriesAmong(titledInside, page, candidates.length === 0));
  const featured = featuredAmong(page, candidates, column, isAnswer);
  const titled = candidates.filter((c) => c.heading.name === 'h3' && c !== featured && !isBoxed(c));
  // phones and cards have no h3: the title is a heading of level 3, within the frame of an entry on pages that have such frames
  const framed = candidates.some((c) => closest(c.link, isFrame));
  const chosen = titled.length
    ? candidates.filter((c) => c === featured || (c.heading.name === 'h3' && (within(c.heading, column) || c === featured)))
    : candidates.filter((c) => c === featured || (within(c.heading, column) && (!framed || closest(c.link, isFrame) || isApp(c.link))));
  return withContainers(once(chosen, featured), featured, column);
}
/** The entries among titles that contain links: those with an address line, or all of them if the page has no other titles. */
function entriesAmong(titled: readonly Candidate[], page: GooglePage, alone: boolean): Candidate[] {
  if (titled.length === 0) return [];
  const counts = countAround(page.all('heading3'));
  return titled.filter(({ heading }) => {
    if (closest(heading, (e) => e.name === 'table')) return false;
    if (alone) return true;
    let frame = heading;
    for (let at = parentOf(heading); at && counts.get(at) === 1; at = parentOf(at)) frame = at;
    return looksLikeAddress(textOf(find(frame, (e) => e.name === 'cite')) ?? '');
  });
}
const isFrame = (e: Element): boolean => has(e, 'data-snc') || has(e, 'data-snf');
/** The card of an app, which phone pages show instead of an entry's frame. */
const isApp = (link: Element): boolean => has(link, 'data-app') || has(link, 'data-packageid');

/** Recognises the parts that expand below a question or a topic: their answers quote pages and are not entries. */
function accordionAnswers(page: GooglePage, column: Element): (e: Element) => boolean {
  const ids = new Set(page.all('unfolding').map((e) => attribute(e, 'aria-controls')));
  for (let e: Element | null = column; e; e = parentOf(e)) ids.delete(e.attribs.id ?? null);
  // a panel that contains the whole list is a tab, not an answer
  const unfolds = (id: string | undefined): boolean => id !== undefined && ids.has(id) && !id.startsWith('kp-wp-tab');
  return (e) => unfolds(e.attribs.id);
}

/** The entries of a page served without scripts: wrapped links, titled by an h3, or by the first text of the link if no link has an h3. */
export function plainSpots(page: GooglePage, main: Element): Spot[] {
  const links = page.all('wrapped').filter((link) => within(link, main) && !closest(link, (e) => e.name === 'footer' || isForeign(e)));
  const titled = (headingOf: (link: Element) => Element | null): Pair[] =>
    links.flatMap((link) => {
      const heading = headingOf(link);
      return heading ? [{ link, heading }] : [];
    });
  const [pairs = []] = [
    titled((link) => find(link, isTitle)),
    titled((link) => (closest(link, (e) => e.name === 'table') ? null : closest(link, isTitle))),
    titled(bareTitle),
  ].filter((found) => found.length > 0);
  const candidates = pairs.flatMap(({ link, heading }) => candidateOf(page, heading, link) ?? []);
  return withContainers(once(candidates, null), null, main);
}
/** Pages for the oldest phones have no headings: the title is the first element of the link, followed by an address or a site name. */
function bareTitle(link: Element): Element | null {
  const [first = null] = link.children.filter((c): c is Element => c.type === 'tag');
  return first && first.name !== 'img' && parentOf(link)?.name === 'div' ? first : null;
}
const isTitle = (e: Element): boolean => e.name === 'h3';

/** The same URL with the same title is one entry; the answer box is a separate entry. */
function once(candidates: readonly Candidate[], featured: Candidate | null): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter((c) => {
    if (c === featured) return true;
    const key = `${c.target.kind === 'outside' ? c.target.url : (attribute(c.link, 'href') ?? '')} ${c.title}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The answer box is the block that contains a "web answer" and one entry; it may be above the column. */
function featuredAmong(
  page: GooglePage,
  candidates: readonly Candidate[],
  column: Element,
  isAnswer: (e: Element) => boolean,
): Candidate | null {
  for (const box of page.all('answerBox')) {
    if (closest(box, (e) => isForeign(e) || isAnswer(e))) continue;
    for (let at: Element | null = box, climbed = 0; at && at !== column && climbed < 16; at = parentOf(at), climbed++) {
      const frame: Element = at;
      const inside = candidates.filter((c) => within(c.heading, frame));
      if (inside.length > 1) break;
      if (inside[0]) return inside[0];
    }
  }
  return candidates.find((c) => !within(c.heading, column) || isBoxed(c)) ?? null;
}

/** The frame of an entry: the one that the page marks, else the largest element that contains only this entry. */
function withContainers(chosen: readonly Candidate[], featured: Candidate | null, column: Element): Spot[] {
  const counts = countAround(chosen.map((c) => c.heading));
  const spots = chosen.map((c) => {
    const frame = closest(c.link, (e) => has(e, 'data-snc'));
    let container = frame && counts.get(frame) === 1 ? frame : c.link;
    if (container === c.link) {
      for (let e = parentOf(c.link); e && e !== column && counts.get(e) === 1; e = parentOf(e)) {
        if (e.name === 'body' || e.attribs.id === 'center_col' || e.attribs.id === 'rcnt') break;
        container = e;
      }
    }
    return { ...c, container, featured: c === featured };
  });
  return spots.sort((a, b) => a.order - b.order);
}
/** The number of the given elements that each of their ancestors contains, themselves included. */
function countAround(elements: readonly Element[]): ReadonlyMap<Element, number> {
  const counts = new Map<Element, number>();
  for (const element of elements) for (let e: Element | null = element; e; e = parentOf(e)) counts.set(e, (counts.get(e) ?? 0) + 1);
  return counts;
}
