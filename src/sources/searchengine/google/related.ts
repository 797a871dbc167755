import { attribute, type Element } from '../../html.ts';
import { parseUrl } from '../address.ts';
import { closest, find, has, within } from '../dom/page.ts';
import type { GooglePage, Spot } from './organic.ts';

const PLACES = /^(botstuff|bres|brs)$/;
/** Search links that are not text searches: further pages, other verticals, and known entities (`stick`, `si`). */
const OTHER_SEARCH = /[?&](start|tbm|udm|tbs|stick|si|ludocid|ibp|uds|filter|nfpr)=/;

/** Related searches by the query of their URL: the text of a link may lack spaces. */
export function readRelated(page: GooglePage, spots: readonly Spot[], keyword: string): { words: string[]; first: Element | null } {
  const last = spots.at(-1)?.order ?? -1;
  const words: string[] = [];
  let first: Element | null = null;
  const asked = keyword.trim().toLowerCase();
  for (const link of page.all('searchLink')) {
    const href = attribute(link, 'href') ?? '';
    if (!isRelatedPlace(link, page.order(link) > last)) continue;
    if (OTHER_SEARCH.test(href.replace(/[?&](filter|nfpr)=[01](?=&|$)/g, ''))) continue;
    const query = parseUrl(href, 'https://www.google.com')?.searchParams.get('q')?.normalize('NFC').trim();
    if (!query || query.toLowerCase() === asked || spots.some((s) => within(link, s.container))) continue;
    if (!words.some((w) => w.toLowerCase() === query.toLowerCase())) words.push(query);
    first ??= link;
  }
  return { words, first };
}

function isRelatedPlace(link: Element, below: boolean): boolean {
  if (
    closest(
      link,
      (e) =>
        e.attribs.role === 'navigation' ||
        e.name === 'footer' ||
        e.name === 'g-scrolling-carousel' ||
        e.attribs.role === 'complementary' ||
        e.attribs.id === 'rhs' ||
        has(e, 'data-attrid') ||
        has(e, 'data-rentity') ||
        has(e, 'data-reltype') ||
        has(e, 'data-initq') ||
        e.attribs.role === 'button' ||
        has(e, 'data-text-ad'),
    )
  )
    return false;
  if (closest(link, (e) => PLACES.test(e.attribs.id ?? ''))) return true;
  // pages without scripts mark them with the search icon; on pages whose column is in a panel they follow the last entry
  if (find(link, (e) => e.name === 'accordion-entry-search-icon')) return true;
  return below && closest(link, (e) => e.attribs.id === 'kp-wp-tab-overview') !== null;
}
