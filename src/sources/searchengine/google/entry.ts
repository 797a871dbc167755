import type { OrganicEntry } from '../../../contract/operations/searchengine.ts';
import type { Element } from '../../html.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { domainOf, looksLikeAddress } from '../address.ts';
import { find, findAll, has, hasClass, parentOf, within } from '../dom/page.ts';
import { isAside, isBlank, isOverlay, linesOf, textOf } from '../dom/text.ts';
import { type Rating, readRating } from '../numbers.ts';
import { shownRoot, titleKey } from './link.ts';
import type { Spot } from './organic.ts';

/** Fields of an entry; null if its URL is unknown (a sealed link without script data). */
export function readEntry(
  spot: Spot,
  embedded: () => ReadonlyMap<string, string>,
  unread: UnreadFields,
): Omit<OrganicEntry, 'rank' | 'absoluteRank'> | null {
  const cite = citeOf(spot);
  const shown = cite && textOf(cite);
  const breadcrumb = shown && looksLikeAddress(shown) ? shown : null;
  const url = spot.target.kind === 'outside' ? spot.target.url : (embedded().get(titleKey(spot.title)) ?? shownRoot(breadcrumb));
  const domain = url && domainOf(url);
  if (!url || !domain) return null;
  return {
    domain,
    url,
    title: spot.title,
    description: unread.of('organic.description', descriptionOf(spot, cite), () => descriptionPlace(spot)),
    breadcrumb: unread.of('organic.breadcrumb', breadcrumb, () =>
      cite ? shown === null : (blankIn(spot, 'div') ?? blankIn(spot, 'span')),
    ),
    websiteName: unread.of('organic.websiteName', websiteName(spot, cite), () => blankIn(spot, 'span')),
    isFeaturedSnippet: spot.featured,
    rating: ratingOf(spot, unread),
  };
}

/** The line below the site name: an address, or the text that forums and films have in its place. */
function citeOf(spot: Spot): Element | null {
  const isCite = (e: Element): boolean => e.name === 'cite' || (e.attribs.role === 'text' && has(e, 'class'));
  const near = find(spot.link, (e) => isCite(e) && !within(e, spot.heading)) ?? find(spot.container, (e) => e.name === 'cite');
  if (near) return near;
  // pages without scripts: an element of the link whose only text is an address
  return find(
    spot.link,
    (e) => !within(e, spot.heading) && !find(e, (c) => c.type === 'tag' && c.name !== 'span') && looksLikeAddress(textOf(e) ?? ''),
  );
}

function websiteName(spot: Spot, cite: Element | null): string | null {
  if (within(spot.link, spot.heading)) return null;
  const skip = (e: Element): boolean => e === spot.heading || e === cite || isAside(e) || e.name === 'cite';
  const name = linesOf(spot.link, skip).find((line) => !looksLikeAddress(line.text) || line.text.includes(' '))?.text ?? null;
  if (name !== null || !cite) return name;
  // site names in the form of an address ("swfz.io") come before the address line
  return linesOf(spot.link, skip)[0]?.text ?? null;
}

/** The snippet: the element that the page marks, else the longest text beside the head of the entry. */
function descriptionOf(spot: Spot, cite: Element | null): string | null {
  if (spot.featured) {
    const answer = find(spot.container, (e) => e.attribs['data-attrid']?.startsWith('wa:/') === true);
    const text = textOf(answer, isOverlay);
    if (text) return text;
  }
  const marked = findAll(spot.container, (e) => e.attribs['data-sncf'] === '1' || e.attribs['data-sncf'] === '2' || hasClass(e, 'st')).map(
    (e) => textOf(e),
  );
  const first = marked.find((text) => text !== null);
  if (first) return first;
  let best: string | null = null;
  for (const part of besides(spot.link, spot.container)) {
    if (part === cite || (cite && within(cite, part)) || part.attribs.role === 'heading') continue;
    const skip = (e: Element): boolean =>
      isAside(e) ||
      e.name === 'cite' ||
      e.attribs.role === 'heading' ||
      (e.name === 'a' && has(e, 'aria-label')) ||
      e.attribs.role === 'list';
    for (const line of linesOf(part, skip)) if (!line.linked && line.text.length > (best?.length ?? 0)) best = line.text;
  }
  return best !== null && best.length >= 12 ? best : null;
}
/** An element beside the head of the entry that lost its text. */
const descriptionPlace = ({ container, link, heading }: Spot): Element | null =>
  find(container, (e) => (e.name === 'div' || e.name === 'span') && isBlank(e) && !within(e, link) && !within(e, heading));
/** A part of the entry's link, beside its title, that lost its text. */
const blankIn = ({ link, heading }: Spot, tag: string): Element | null =>
  find(link, (e) => e.name === tag && has(e, 'class') && !has(e, 'role') && !has(e, 'aria-label') && isBlank(e) && !within(e, heading));

/** The siblings of the elements on the path from `from` up to `top`, nearest first. */
function besides(from: Element, top: Element): Element[] {
  const parts: Element[] = [];
  for (let at: Element = from; at !== top; ) {
    const above = parentOf(at);
    if (!above) break;
    for (const child of above.children) if (child.type === 'tag' && child !== at) parts.push(child as Element);
    at = above;
  }
  return parts;
}

const starsOf = ({ container, heading }: Spot): Element[] =>
  findAll(container, (e) => e.attribs.role === 'img' && /\p{Nd}/u.test(e.attribs['aria-label'] ?? '')).filter((e) => !within(e, heading));
/** A rating is recognised by its image of stars, which has a label; the figures are parsed from the text beside it. */
function ratingOf(spot: Spot, unread: UnreadFields): Rating | null {
  for (const stars of starsOf(spot)) {
    for (let at = parentOf(stars), climbed = 0; at && at !== spot.container && climbed < 4; at = parentOf(at), climbed++) {
      const text = textOf(at, (e) => e.name === 'a' || e.name === 'svg');
      const rating = text && /\p{Nd}/u.test(text) ? readRating(text) : null;
      if (rating) return rating;
    }
    unread.note('organic.rating');
  }
  return null;
}
