import { parseUrl, withoutTracking } from '../../web-address.ts';

export const ORIGIN = 'https://apps.shopify.com';

const OWN_PATH = /^(?:\/(?:[\w.~:@+,'()!*&-]|%[\da-f]{2})+)*\/?$/i;

/** The absolute http(s) URL of a link; null for any other link, and for a path that the marketplace does not write. */
export function address(href: string | null | undefined): URL | null {
  const url = parseUrl(href?.trim(), ORIGIN);
  return url?.origin === ORIGIN && !OWN_PATH.test(url.pathname) ? null : url;
}

const PLAIN = /^https:\/\/[a-z0-9.-]+\/(?:[\w.~-]+\/)*[\w.~-]*$/;

/** The URL without tracking. On the marketplace the whole query is for tracking only; elsewhere known tracking parameters are removed. */
export function cleanUrl(href: string | null | undefined): string | null {
  const own = href?.startsWith(`${ORIGIN}/`) ? href.replace(/[?#].*$/s, '') : href;
  // most links of a page: parsing one takes as long as parsing its card
  if (own && PLAIN.test(own) && !own.includes('/.') && !own.endsWith('/')) return own;
  const url = address(href);
  if (!url) return null;
  return url.origin === ORIGIN ? `${ORIGIN}${url.pathname.replace(/\/$/, '')}` : withoutTracking(url.href);
}

export function pathOf(href: string | null | undefined): string[] | null {
  const url = address(href);
  return url && url.origin === ORIGIN ? url.pathname.split('/').filter(Boolean) : null;
}

const RESERVED = /^(?:|categories|partners|stories|collections|search|reviews|sitemap|login|built-in-features|compare|browse)$/;
export const appHandleIn = (href: string | null | undefined): string | null => {
  const [first = ''] = pathOf(href) ?? [];
  return RESERVED.test(first) ? null : first;
};
/** `/categories/x`, `/categories/x/all` → `x`; null for any other URL. */
export const categoryHandleIn = (href: string | null | undefined): string | null => {
  const [first, handle, all, more] = pathOf(href) ?? [];
  return first === 'categories' && handle && (all === undefined || all === 'all') && more === undefined ? handle : null;
};
export const appUrl = (handle: string): string => `${ORIGIN}/${handle}`;
export const categoryUrl = (handle: string): string => `${ORIGIN}/categories/${handle}`;
export const parameterOf = (href: string | null | undefined, name: string): string | null =>
  new RegExp(`[?&]${name}=([^&#]*)`).exec(href ?? '')?.[1] ?? null;
export const hasParameter = (href: string | null | undefined, name: string): boolean => {
  const query = address(href)?.searchParams;
  return query !== undefined && (query.has(name) || query.has(`${name}[]`));
};
