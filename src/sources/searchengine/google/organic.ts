import { closest, countAround, type Element, find, has, type Test, within } from '../../html/element.ts';
import { type Page, planOf, selectorsIn } from '../../html/page.ts';
import { isAside, isBlank, textOf, titleOf } from '../../html/text.ts';
import { looksLikeAddress, showsForeign } from '../address.ts';
import { linkTarget, type Target } from '../links.ts';

export const ANCHORS = selectorsIn(new URL('./layout.tsv', import.meta.url));
export const PLAN = planOf(ANCHORS);

export interface Spot {
  readonly heading: Element;
  readonly link: Element;
  readonly container: Element;
  /** Null where the page has the entry and not its title. */
  readonly title: string | null;
  readonly target: Target;
  readonly featured: boolean;
  /** The title belongs to the source of an answer box. */
  readonly boxed: boolean;
}
type Candidate = Omit<Spot, 'container' | 'featured'>;

const isLink: Test = (e) => e.name === 'a' && has(e, 'href');
const isTitle: Test = (e) => e.name === 'h3';
const isTable: Test = (e) => e.name === 'table';
const isFramed = ({ link }: Candidate): boolean => closest(link, (e) => has(e, 'data-snc') || has(e, 'data-snf')) !== null;
/** The card of an app, which phone pages show instead of an entry's frame. */
const isApp = ({ link }: Candidate): boolean => has(link, 'data-app') || has(link, 'data-packageid');

/** A whole address line, as a result has it: a scheme, "www." or a path; the host alone may be the name of a site on a card. */
const ADDRESS_LINE = /^(?:https?:\/\/|www\.)|\s[›‹]\s/;
/** A title of another layout is an entry, too, where its link has the address line of a result. The host on the card of a discussion is a label. */
const hasAddressLine = ({ link, heading }: Candidate): boolean => {
  const isLabel: Test = (e) => closest(e, (a) => a.attribs['aria-hidden'] === 'true' && within(a, link)) !== null;
  const isLine: Test = (e) =>
    !within(e, heading) && !find(e, (child) => child.name !== 'span') && isAddressLine(textOf(e) ?? '') && !isLabel(e);
  return find(link, isLine) !== null;
};
const isAddressLine = (text: string): boolean => looksLikeAddress(text) && ADDRESS_LINE.test(text);

/** Layouts of a rendered page. The first one of which the page has a `mark` decides which titles of the column are entries. */
const RENDERED: readonly { mark: (c: Candidate, featured: Candidate | null) => boolean; isEntry: (c: Candidate) => boolean }[] = [
  // computers: the title is an h3
  { mark: (c, featured) => isTitle(c.heading) && c !== featured && !c.boxed, isEntry: (c) => isTitle(c.heading) },
  // phones and cards: a heading of level 3 within the frame of an entry
  { mark: isFramed, isEntry: (c) => isFramed(c) || isApp(c) },
  // phones without such frames
  { mark: () => true, isEntry: () => true },
];
/** Layouts of a page served without scripts: where the title of a wrapped link is. The first one that any link has is that of the page. */
const PLAIN: readonly ((link: Element) => Element | null)[] = [
  (link) => find(link, isTitle),
  (link) => (closest(link, isTable) ? null : closest(link, isTitle)),
  // the oldest phones: the first element of the link, followed by an address or a site name
  (link) => {
    const first = link.children.find((child) => typeof child === 'object') ?? null;
    return first && first.name !== 'img' && link.parent?.name === 'div' ? first : null;
  },
];

/** Whether an element is below the results; further results that the page loaded itself are among them. */
export const isBelow = (page: Page, e: Element): boolean => page.isIn('bottom', e) && !page.isIn('continuation', e);
const isForeign = (page: Page, e: Element): boolean => page.isIn('foreign', e) || isBelow(page, e);

export function renderedSpots(page: Page, column: Element): Spot[] {
  const lists = [column, ...page.all('continuation')];
  const isListed: Test = (e) => lists.some((list) => within(e, list));
  const isAnswer = accordionAnswers(page, lists);
  const isExcluded: Test = (e) => isForeign(page, e) || closest(e, isAnswer) !== null;
  // only the answer box is above the column
  const headings = page.all('heading3').filter((h) => !isExcluded(h) && (isListed(h) || page.isIn('box', h)));
  const titles = headings.flatMap((heading) => {
    const link = closest(heading, isLink) ?? (isTitle(heading) ? find(heading, isLink) : null);
    return (link && candidateOf(page, heading, link)) ?? [];
  });
  // a link in a title is the source of an answer box, an entry of another layout, or a sitelink below an entry
  const isLinked = (c: Candidate): boolean => within(c.heading, c.link) || c.boxed;
  const linked = titles.filter(isLinked);
  const others = titles.filter((c) => !isLinked(c));
  const candidates = [...linked, ...entriesAmong(others, page, linked.length === 0)];
  const featured = featuredAmong(page, candidates, lists, isExcluded);
  const isFound = ({ mark }: (typeof RENDERED)[number]): boolean => candidates.some((c) => mark(c, featured));
  // where the page frames its entries, titles outside of the frames are those of cards
  const framed = page.all('entryFrame').filter((frame) => isListed(frame) && !isExcluded(frame));
  const layout = RENDERED.find((one) => isFound(one) && (framed.length === 0 || one !== RENDERED.at(-1)));
  const chosen = candidates.filter((c) => c === featured || (isListed(c.heading) && (layout?.isEntry(c) || hasAddressLine(c))));
  return withContainers([...chosen, ...framed.flatMap((frame) => untitledIn(frame, chosen))], featured, lists);
}
/** An entry whose title has markup that is not known: the frame holds a link with an address line, and no title. */
function untitledIn(frame: Element, chosen: readonly Candidate[]): Candidate[] {
  if (!has(frame, 'data-snc') || chosen.some(({ heading }) => within(heading, frame))) return [];
  const isLine: Test = (e) => (e.name === 'cite' || e.attribs.role === 'text') && looksLikeAddress(textOf(e) ?? '');
  const link = find(frame, (e) => isLink(e) && find(e, isLine) !== null);
  const target = linkTarget(link?.attribs.href, 'engine_a');
  if (!link || (target.kind !== 'page' && target.kind !== 'sealed')) return [];
  return [{ heading: link, link, title: null, target, boxed: false }];
}
export function plainSpots(page: Page, main: Element): Spot[] {
  const links = page
    .all('wrapped')
    .filter((link) => within(link, main) && !isForeign(page, link) && !closest(link, (e) => e.name === 'footer'));
  const titleOfLink = PLAIN.find((titleIn) => links.some(titleIn));
  const candidates = links.flatMap((link) => {
    const heading = titleOfLink?.(link);
    return (heading && candidateOf(page, heading, link)) ?? [];
  });
  return withContainers(candidates, null, [main]);
}

/** A link with its title if it leads to a page that the engine lists; null for navigation links. */
function candidateOf(page: Page, heading: Element, link: Element): Candidate | null {
  const target = linkTarget(link.attribs.href, 'engine_a');
  const isForeign = !within(link, heading) && showsForeign(textOf(citeIn(link)), 'engine_a');
  if (target.kind === 'control' && !isForeign) return null;
  if (target.kind === 'own' && !isForeign && !showsAddress(link, heading, target.url)) {
    // the address line may be there without its text
    if (find(link, (e) => isBlank(e) && (e.name === 'cite' || e.attribs.role === 'text'))) page.unread.note('organic.breadcrumb');
    return null;
  }
  const title = titleOf(heading);
  return { heading, link, title, target, boxed: within(link, heading) && page.isIn('box', heading) };
}
/** Whether the head of the entry shows the host of its link, as the address line of a result does. */
function showsAddress(link: Element, heading: Element, url: string): boolean {
  const host = new URL(url).hostname.replace(/^www\./, '');
  const isNamed = (text: string | null): boolean => text?.toLowerCase().includes(host) === true;
  if (!within(link, heading)) return isNamed(textOf(link, (e) => e === heading || isAside(e)));
  return heading.parent !== null && isNamed(textOf(citeIn(heading.parent)));
}
const citeIn = (element: Element): Element | null => find(element, (e) => e.name === 'cite');

/** The entries among titles that contain links: those with an address line, or all of them if the page has no other titles. */
function entriesAmong(titled: readonly Candidate[], page: Page, alone: boolean): Candidate[] {
  const counts = countAround(titled.length > 0 ? page.all('heading3') : []);
  return titled.filter(({ heading }) => {
    if (closest(heading, isTable)) return false;
    if (alone) return true;
    let frame = heading;
    for (let ancestor = heading.parent; ancestor && counts.get(ancestor) === 1; ancestor = ancestor.parent) frame = ancestor;
    return looksLikeAddress(textOf(citeIn(frame)) ?? '');
  });
}

/** Recognises the parts that expand below a related search or a topic: their answers quote pages and are not entries. */
function accordionAnswers(page: Page, lists: readonly Element[]): Test {
  const ids = new Set(page.all('unfolding').map((e) => e.attribs['aria-controls']));
  for (const list of lists) for (let e: Element | null = list; e; e = e.parent) ids.delete(e.attribs.id);
  // a panel that contains the whole list is a tab, not an answer
  return ({ attribs: { id } }) => id !== undefined && ids.has(id) && !id.startsWith('kp-wp-tab');
}

/** The answer box is the block that contains a "web answer" and one entry; it may be above the column. */
function featuredAmong(page: Page, candidates: readonly Candidate[], lists: readonly Element[], isExcluded: Test): Candidate | null {
  for (const box of page.all('answerBox')) {
    if (isExcluded(box)) continue;
    for (
      let ancestor: Element | null = box, climbed = 0;
      ancestor && !lists.includes(ancestor) && climbed < 16;
      ancestor = ancestor.parent, climbed++
    ) {
      const frame: Element = ancestor;
      const inside = candidates.filter((c) => within(c.heading, frame));
      if (inside.length > 1) break;
      if (inside[0]) return inside[0];
    }
  }
  const isBoxed = (c: Candidate): boolean =>
    c.boxed || !lists.some((list) => within(c.heading, list)) || isAloneIn(c, page.all('component'));
  const isAloneIn = (c: Candidate, frames: readonly Element[]): boolean =>
    frames.some((frame) => within(c.heading, frame) && candidates.every((other) => other === c || !within(other.heading, frame)));
  return candidates.find(isBoxed) ?? null;
}

/** Each entry with its frame: the one that the page marks, else the largest element that contains only this entry. */
function withContainers(chosen: readonly Candidate[], featured: Candidate | null, lists: readonly Element[]): Spot[] {
  const once = withoutRepeated(chosen, featured);
  const counts = countAround(once.map((c) => c.heading));
  const spots = once.map((c) => {
    const frame = closest(c.link, (e) => has(e, 'data-snc'));
    let container = frame && counts.get(frame) === 1 ? frame : c.link;
    if (container === c.link)
      for (let e = within(c.link, c.heading) ? c.heading : c.link.parent; e && !lists.includes(e) && counts.get(e) === 1; e = e.parent) {
        if (e.name === 'body' || e.attribs.id === 'center_col' || e.attribs.id === 'rcnt') break;
        container = e;
      }
    return { ...c, container, featured: c === featured };
  });
  return spots.sort((a, b) => a.heading.from - b.heading.from);
}
/** The same URL with the same title is one entry; the answer box is a separate entry. */
function withoutRepeated(candidates: readonly Candidate[], featured: Candidate | null): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter((c) => {
    if (c === featured) return true;
    const before = seen.size;
    return seen.add(`${'url' in c.target ? c.target.url : c.link.attribs.href} ${c.title}`).size > before;
  });
}
