import { attribute, type Element } from '../../../outside/html.ts';
import { closest, find, has, type Page, parentOf, within } from '../dom/page.ts';
import { titleOf } from '../dom/text.ts';
import type { GoogleAnchor } from './anchors.ts';
import { type Target, targetOf } from './link.ts';

export type GooglePage = Page<GoogleAnchor>;

/** An organic entry as it stands on the page, before its fields are read. */
export interface Spot {
  readonly heading: Element;
  readonly link: Element;
  /** All that belongs to the entry. */
  readonly container: Element;
  readonly title: string;
  readonly target: Extract<Target, { kind: 'outside' | 'sealed' }>;
  readonly featured: boolean;
  readonly order: number;
}
type Candidate = Omit<Spot, 'container' | 'featured'>;

/** Blocks whose headings are no web results: questions, ads, carousels, product and overview frames. */
const isForeign = (e: Element): boolean =>
  has(e, 'data-text-ad') ||
  has(e, 'data-initq') ||
  has(e, 'data-mcpr') ||
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

/** Where an answer box may stand: a frame of its own, in the column or above it. */
const isBox = (e: Element): boolean => e.name === 'block-component' || e.attribs.id === 'Odp5De';

function candidateOf(page: GooglePage, heading: Element): Candidate | null {
  const around = closest(heading, (e) => e.name === 'a' && has(e, 'href'));
  // the link within the title: answer boxes on phones; elsewhere that is a site's own sections below its entry
  const inner = heading.name === 'h3' && closest(heading, isBox) ? find(heading, (e) => e.name === 'a' && has(e, 'href')) : null;
  const link = around ?? inner;
  if (!link) return null;
  const target = targetOf(attribute(link, 'href'));
  if (target.kind === 'inside') return null;
  const title = titleOf(heading);
  return title === null ? null : { heading, link, title, target, order: page.order(heading) };
}

/** The organic entries of a rendered page, by structure: a title in a link that leads outside, in the results column. */
export function renderedSpots(page: GooglePage, column: Element): Spot[] {
  const candidates: Candidate[] = [];
  for (const heading of page.all('heading3')) {
    if (closest(heading, isForeign)) continue;
    const inColumn = within(heading, column);
    // above the column stands only the answer box
    if (!inColumn && !closest(heading, isBox)) continue;
    const candidate = candidateOf(page, heading);
    if (candidate) candidates.push(candidate);
  }
  const featured = featuredAmong(page, candidates, column);
  const titled = candidates.filter((c) => c.heading.name === 'h3' && c !== featured);
  // phones and cards have no h3: there a heading of level 3 is the title, within an entry's frame where the page has such frames
  const framed = candidates.some((c) => closest(c.link, isFrame));
  const chosen = titled.length
    ? candidates.filter((c) => c === featured || (c.heading.name === 'h3' && (within(c.heading, column) || c === featured)))
    : candidates.filter((c) => c === featured || (within(c.heading, column) && (!framed || closest(c.link, isFrame))));
  return withContainers(once(chosen, featured), featured, column);
}
const isFrame = (e: Element): boolean => has(e, 'data-snc') || has(e, 'data-snf');

/** The entries of a page served without scripts: wrapped links, titled by an h3, or by their first words where no link has one. */
export function plainSpots(page: GooglePage, main: Element): Spot[] {
  const links = page.all('wrapped').filter((link) => within(link, main) && !closest(link, (e) => e.name === 'footer' || isForeign(e)));
  const withHeading = links.flatMap((link) => {
    const heading = find(link, (e) => e.name === 'h3');
    return heading ? [{ link, heading }] : [];
  });
  const pairs = withHeading.length ? withHeading : links.flatMap((link) => bareTitle(link));
  const candidates = pairs.flatMap(({ link, heading }) => {
    const target = targetOf(attribute(link, 'href'));
    const title = titleOf(heading);
    return target.kind === 'inside' || title === null ? [] : [{ heading, link, title, target, order: page.order(link) }];
  });
  return withContainers(once(candidates, null), null, main);
}
/** The oldest phones' pages have no headings at all: the link's first element is the title, and an address or a site's name follows it. */
function bareTitle(link: Element): { link: Element; heading: Element }[] {
  const parts = link.children.filter((c): c is Element => c.type === 'tag');
  const [first] = parts;
  return first && first.name !== 'img' && parentOf(link)?.name === 'div' ? [{ link, heading: first }] : [];
}

/** The same address under the same title is one entry; the answer box stands for itself. */
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

/** The answer box is the block that holds a "web answer" and one entry; it may stand above the column. */
function featuredAmong(page: GooglePage, candidates: readonly Candidate[], column: Element): Candidate | null {
  for (const box of page.all('answerBox')) {
    if (closest(box, isForeign)) continue;
    for (let at: Element | null = box, climbed = 0; at && at !== column && climbed < 16; at = parentOf(at), climbed++) {
      const frame: Element = at;
      const inside = candidates.filter((c) => within(c.heading, frame));
      if (inside.length > 1) break;
      if (inside[0]) return inside[0];
    }
  }
  return candidates.find((c) => !within(c.heading, column)) ?? null;
}

/** An entry's frame: the page's own where it marks one, else the largest element that holds this one entry alone. */
function withContainers(chosen: readonly Candidate[], featured: Candidate | null, column: Element): Spot[] {
  const counts = new Map<Element, number>();
  for (const c of chosen) for (let e: Element | null = c.heading; e; e = parentOf(e)) counts.set(e, (counts.get(e) ?? 0) + 1);
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
