/** The origin of the marketplace. */
export const ORIGIN = 'https://apps.shopify.com';
const TRACKING = /^(?:utm_.*|gclid|gad_source|srsltid|msclkid|fbclid)$/i;

/** Paths of the marketplace: handles, words and numbers. */
const OWN_PATH = /^(?:\/(?:[\w.~:@+,'()!*&-]|%[\da-f]{2})+)*\/?$/i;

/** The absolute http(s) URL of a link; null for any other link, and for a path that the marketplace does not write. */
export function address(href: string | null): URL | null {
  const text = href?.trim();
  // a reference is from the root: joining any other would make up a path
  if (!text || !/^(?:https?:|[/?#])/i.test(text) || !URL.canParse(text, ORIGIN)) return null;
  const url = new URL(text, ORIGIN);
  if (url.origin === ORIGIN && !OWN_PATH.test(url.pathname)) return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** A URL that a URL parser would leave unchanged. */
const PLAIN = /^https:\/\/[a-z0-9.-]+\/(?:[\w.~-]+\/)*[\w.~-]*$/;

/** The URL without tracking. On the marketplace the whole query is for tracking only; elsewhere known tracking parameters are removed. */
export function cleanUrl(href: string | null): string | null {
  const own = href?.startsWith(`${ORIGIN}/`) ? href.replace(/[?#].*$/s, '') : href;
  // most links of a page: parsing one takes as long as parsing its card
  if (own && PLAIN.test(own) && !own.includes('/.') && !own.endsWith('/')) return own;
  const url = address(href);
  if (!url) return null;
  if (url.origin === ORIGIN) return `${ORIGIN}${url.pathname.replace(/\/$/, '')}`;
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** The path segments of a marketplace URL; null for any other URL. */
export function pathOf(href: string | null): string[] | null {
  const url = address(href);
  return url && url.origin === ORIGIN ? url.pathname.split('/').filter(Boolean) : null;
}

/** First path segments that are not the handle of an app. */
const RESERVED_SEGMENTS = new Set([
  'categories',
  'partners',
  'stories',
  'collections',
  'search',
  'reviews',
  'sitemap',
  'login',
  'built-in-features',
  'compare',
  'browse',
]);
export const appHandleIn = (href: string | null): string | null => {
  const [first = ''] = pathOf(href) ?? [];
  return first === '' || RESERVED_SEGMENTS.has(first) ? null : first;
};
/** `/categories/x`, `/categories/x/all` → `x`; null for any other URL. */
export const categoryHandleIn = (href: string | null): string | null => {
  const [first, handle, all, more] = pathOf(href) ?? [];
  return first === 'categories' && handle && (all === undefined || all === 'all') && more === undefined ? handle : null;
};
export const appUrl = (handle: string): string => `${ORIGIN}/${handle}`;
export const categoryUrl = (handle: string): string => `${ORIGIN}/categories/${handle}`;
/** A query parameter, undecoded; null if absent. */
export const parameterOf = (href: string | null, name: string): string | null =>
  new RegExp(`[?&]${name}=([^&#]*)`).exec(href ?? '')?.[1] ?? null;
/** True if the query has the parameter (`name` or `name[]`). */
export const hasParameter = (href: string, name: string): boolean => {
  const query = address(href)?.searchParams;
  return query !== undefined && (query.has(name) || query.has(`${name}[]`));
};
