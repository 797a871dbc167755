import { parseUrl } from '../../web-address.ts';
import { cleanUrl } from '../address.ts';

export const HOME = 'https://www.bing.com';
const isEngine = (url: URL): boolean => /(^|\.)bing\.com$/.test(url.hostname);

/** `u` of a click URL: base64url of a URL that may be percent-encoded once more; on results with a two-character prefix. */
function unwrap(value: string | null, marked: boolean): string | null {
  if (!value) return null;
  const text = marked ? value.replace(/^a\d/, '') : value;
  const decoded = new TextDecoder().decode(Buffer.from(text.replace(/-/g, '+').replace(/_/g, '/'), 'base64'));
  if (/^https?:\/\//.test(decoded)) return decoded;
  if (!/^https?%3a/i.test(decoded)) return null;
  try {
    return decodeURIComponent(decoded);
  } catch {
    return null; // an invalid escape: the click URL is kept
  }
}

/** Target of a result's link, decoded from `ck/a`; null for links to the engine's own searches. */
export function resultTarget(href: string | null | undefined): string | null {
  const url = parseUrl(href, HOME);
  if (!url || !href) return null;
  if (!isEngine(url)) return cleanUrl(url.href === href || /^https?:/.test(href) ? href : url.href);
  if (url.pathname.startsWith('/ck/')) {
    const value = url.searchParams.get('u');
    const target = unwrap(value, true);
    if (target) return resultTarget(target);
    // with an unknown prefix the click URL is kept; a path of the engine is not a result
    return value && /^a\dL/.test(value) ? null : cleanUrl(href);
  }
  return /^\/(search|images|videos|news|maps|shop|copilotsearch|chat|aclick|aclk|ck|th|rewards|account)?(\/|$)/.test(url.pathname)
    ? null
    : cleanUrl(href);
}

/** One of the engine's own pages, wrapped or not: an entry only if the page shows its address. Null for searches and click URLs. */
export function ownTarget(href: string | null | undefined): string | null {
  const url = parseUrl(href);
  if (!url || !isEngine(url)) return null;
  if (url.pathname.startsWith('/ck/')) return ownTarget(unwrap(url.searchParams.get('u'), true));
  return /^\/(search|aclick|aclk)\/?$/.test(url.pathname) || url.searchParams.has('q') ? null : cleanUrl(href);
}

export function adTarget(href: string | null | undefined): string | null {
  const url = parseUrl(href, HOME);
  if (!url) return null;
  if (!isEngine(url)) return cleanUrl(href);
  return cleanUrl(unwrap(url.searchParams.get('u'), false)) ?? cleanUrl(unwrap(url.searchParams.get('u'), true)) ?? url.href;
}
