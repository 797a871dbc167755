import { type Element, find, findAll, has, hasClass, type Test, within } from '../../html/element.ts';
import { isAside, isBlank, isOverlay, linesOf, longestLine, textOf } from '../../html/text.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { domainOf, looksLikeAddress } from '../address.ts';
import { type Rating, readRating } from '../numbers.ts';
import { type EntryFields, isStars } from '../result.ts';
import { shownRoot, titleKey } from './link.ts';
import type { Spot } from './organic.ts';

/** Fields of an entry; null if its URL is unknown (a sealed link without script data). */
export function readEntry(spot: Spot, embedded: () => ReadonlyMap<string, string>, unread: UnreadFields): EntryFields | null {
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
function citeOf({ link, heading, container }: Spot): Element | null {
  const isCite: Test = (e) => (e.name === 'cite' || (e.attribs.role === 'text' && has(e, 'class'))) && !within(e, heading);
  // pages without scripts: an element of the link whose only text is an address
  const isAddress: Test = (e) => !within(e, heading) && !find(e, (c) => c.name !== 'span') && looksLikeAddress(textOf(e) ?? '');
  return find(link, isCite) ?? find(container, (e) => e.name === 'cite') ?? find(link, isAddress);
}

function websiteName({ link, heading }: Spot, cite: Element | null): string | null {
  if (within(link, heading)) return null;
  const lines = linesOf(link, (e) => e === heading || e === cite || isAside(e) || e.name === 'cite').map(({ text }) => text);
  // site names in the form of an address ("swfz.io") come before the address line
  return lines.find((text) => !looksLikeAddress(text) || text.includes(' ')) ?? (cite ? lines[0] : null) ?? null;
}

/** The snippet: the element that the page marks, else the longest text beside the head of the entry. */
function descriptionOf({ link, container, featured }: Spot, cite: Element | null): string | null {
  const answer = featured
    ? textOf(
        find(container, (e) => e.attribs['data-attrid']?.startsWith('wa:/') === true),
        isOverlay,
      )
    : null;
  if (answer) return answer;
  for (const marked of findAll(container, (e) => /^[12]$/.test(e.attribs['data-sncf'] ?? '') || hasClass(e, 'st'))) {
    const text = textOf(marked);
    if (text !== null) return text;
  }
  const best = besides(link, container)
    .filter((part) => !(cite && within(cite, part)) && part.attribs.role !== 'heading')
    .reduce((longest, part) => longestLine(part, isNoSnippet, longest.length) ?? longest, '');
  return best.length >= 12 ? best : null;
}
const isNoSnippet: Test = (e) =>
  isAside(e) || e.name === 'cite' || e.attribs.role === 'heading' || (e.name === 'a' && has(e, 'aria-label')) || e.attribs.role === 'list';

/** An element beside the head of the entry that lost its text. */
const descriptionPlace = ({ container, link, heading }: Spot): Element | null =>
  find(container, (e) => (e.name === 'div' || e.name === 'span') && isBlank(e) && !within(e, link) && !within(e, heading));
/** A part of the entry's link, beside its title, that lost its text. */
const blankIn = ({ link, heading }: Spot, tag: string): Element | null =>
  find(link, (e) => e.name === tag && has(e, 'class') && !has(e, 'role') && !has(e, 'aria-label') && isBlank(e) && !within(e, heading));

/** The siblings of the elements on the path from `from` up to `top`, nearest first. */
function besides(from: Element, top: Element): Element[] {
  const parts: Element[] = [];
  for (let at = from; at !== top && at.parent; at = at.parent)
    for (const child of at.parent.children) if (typeof child === 'object' && child !== at) parts.push(child);
  return parts;
}

/** A rating is recognised by its image of stars; the figures are parsed from the text beside it. */
function ratingOf({ container, heading }: Spot, unread: UnreadFields): Rating | null {
  for (const stars of findAll(container, (e) => isStars(e) && !within(e, heading))) {
    for (let at = stars.parent, climbed = 0; at && at !== container && climbed < 4; at = at.parent, climbed++) {
      const rating = readRating(textOf(at, (e) => e.name === 'a') ?? '');
      if (rating) return rating;
    }
    unread.note('organic.rating');
  }
  return null;
}
