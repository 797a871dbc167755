import type { Element } from '../html/element.ts';
import { parseUrl } from '../web-address.ts';

/**
 * The engine's own link to the next page: the smallest offset beyond that of this page. Its tokens stay: some pages require them. `brought`: by how
 * much this page goes on beyond its own offset, where it loaded further results itself.
 */
export function nextPage(
  links: readonly Element[],
  here: string,
  home: string,
  offset: { readonly name: string; readonly first: number; readonly brought?: number },
): string | null {
  const offsetOf = (url: URL | null): number => Number(url?.searchParams.get(offset.name) ?? offset.first);
  const current = offsetOf(parseUrl(here, home)) + (offset.brought ?? 0);
  let next: URL | null = null;
  for (const link of links) {
    const url = parseUrl(link.attribs.href, home);
    const start = offsetOf(url);
    if (url?.pathname !== '/search' || url.searchParams.has('tbm') || url.searchParams.has('udm')) continue;
    if (Number.isSafeInteger(start) && start > current && (next === null || start < offsetOf(next))) next = url;
  }
  return next?.href ?? null;
}

/** Related searches by the query of their URL, because the text of a link may lack spaces; each once, without the keyword itself. */
export function relatedSearches(links: readonly Element[], home: string, keyword: string): { words: string[]; first: Element | null } {
  const words = new Map<string, string>();
  let first: Element | null = null;
  for (const link of links) {
    const query = parseUrl(link.attribs.href, home)?.searchParams.get('q')?.normalize('NFC').trim();
    const key = query?.toLowerCase();
    if (!query || !key || key === keyword.trim().toLowerCase()) continue;
    first ??= link;
    if (!words.has(key)) words.set(key, query);
  }
  return { words: [...words.values()], first };
}

/** An image of stars, which has the rating as its label. */
export const isStars = ({ attribs }: Element): boolean => attribs.role === 'img' && /\p{Nd}/u.test(attribs['aria-label'] ?? '');
