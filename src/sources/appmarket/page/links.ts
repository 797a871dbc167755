/** The marketplace's own address, without a slash at its end. */
export const ORIGIN = 'https://apps.shopify.com';
const TRACKING = /^(?:utm_.*|gclid|gad_source|srsltid|msclkid|fbclid)$/i;

/** An http(s) address, absolute; null where it is none. */
export function address(href: string | null): URL | null {
  const text = href?.trim();
  if (!text || !URL.canParse(text, ORIGIN)) return null;
  const url = new URL(text, ORIGIN);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** Nothing in it that a URL parser would change. */
const PLAIN = /^https:\/\/[a-z0-9.-]+\/[\w./=~-]*$/;

/** An address as we hand it out: on the marketplace itself without its query (all of it is tracking), elsewhere without tracking. */
export function cleanUrl(href: string | null): string | null {
  const own = href?.startsWith(`${ORIGIN}/`) ? href.replace(/[?#].*$/s, '') : href;
  // most addresses of a page: parsing each costs as much as reading its card
  if (own && PLAIN.test(own) && !own.includes('/.') && !own.endsWith('/')) return own;
  const url = address(href);
  if (!url) return null;
  if (url.origin === ORIGIN) return `${ORIGIN}${url.pathname.replace(/\/$/, '')}`;
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** The parts of a path on the marketplace; null for any other address. */
export function pathOf(href: string | null): string[] | null {
  const url = address(href);
  return url && url.origin === ORIGIN ? url.pathname.split('/').filter(Boolean) : null;
}

/** Pages of the marketplace that stand where an app's handle would. */
const NO_HANDLES = new Set([
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
  return first === '' || NO_HANDLES.has(first) ? null : first;
};
/** `/categories/x`, `/categories/x/all` → `x`; null for any other address. */
export const categoryHandleIn = (href: string | null): string | null => {
  const [first, handle, all, more] = pathOf(href) ?? [];
  return first === 'categories' && handle && (all === undefined || all === 'all') && more === undefined ? handle : null;
};
export const appUrl = (handle: string): string => `${ORIGIN}/${handle}`;
export const categoryUrl = (handle: string): string => `${ORIGIN}/categories/${handle}`;
/** A parameter of an address's query, undecoded; null where it is not there. */
export const parameterOf = (href: string | null, name: string): string | null =>
  new RegExp(`[?&]${name}=([^&#]*)`).exec(href ?? '')?.[1] ?? null;
/** Whether a query names the parameter (`name` or `name[]`). */
export const hasParameter = (href: string, name: string): boolean => {
  const query = address(href)?.searchParams;
  return query !== undefined && (query.has(name) || query.has(`${name}[]`));
};
