import { parseUrl } from '../../web-address.ts';
import { cleanUrl } from '../address.ts';

export const HOME = 'https://www.google.com';
const ENGINE = /^(www\.|maps\.)?google\.[a-z]{2,3}(\.[a-z]{2})?$/;
/** URLs on the engine's host that redirect or forward and are never result pages. */
const FORWARD = /^\/(search|url|goto|imgres|aclk|httpservice|sorry)\/?$|^\/(httpservice|sorry)\//;
/** The engine's own pages that its result pages also link to for navigation: the URL alone does not distinguish a result from a control. */
const NAVIGATION = /^\/(maps|preferences|setprefs|advanced_search|webhp|travel|flights|shopping|intl\/[^/]+\/about\/products)?(\/|$)/;

/** `own`: the engine's own page, a result only if the page shows its address. `sealed`: an encrypted redirect. */
export type Target = { kind: 'outside' | 'own'; url: string } | { kind: 'sealed' } | { kind: 'inside' };
const inside: Target = { kind: 'inside' };
const leads = (kind: 'outside' | 'own', url: string | null): Target => (url ? { kind, url } : inside);
const outside = (url: string | null): Target => leads('outside', url);

/** Unwraps `/url?q=`, the AMP viewer and translations; separates navigation links from results on the engine's own host. */
export function targetOf(href: string | null | undefined): Target {
  const url = parseUrl(href, HOME);
  if (!url || !href) return inside;
  const absolute = /^https?:/.test(href);
  if (ENGINE.test(url.hostname)) {
    const forward = url.searchParams.get('q') ?? url.searchParams.get('url');
    if (url.pathname === '/url') return outside(cleanUrl(forward?.startsWith('http') ? forward : url.searchParams.get('url')));
    if (url.pathname === '/goto') return { kind: 'sealed' };
    const amp = /^\/amp\/(s\/)?(.+)$/.exec(url.pathname);
    if (amp?.[2]) return outside(cleanUrl(`http${amp[1] ? 's' : ''}://${amp[2]}${url.search}`));
    if (!absolute || FORWARD.test(url.pathname)) return inside;
    return leads(NAVIGATION.test(url.pathname) ? 'own' : 'outside', cleanUrl(href));
  }
  if (/^translate\.google\./.test(url.hostname) && url.searchParams.has('u')) return outside(cleanUrl(url.searchParams.get('u')));
  if (/^webcache\.googleusercontent\.com$/.test(url.hostname)) return inside;
  if (!absolute) return inside;
  return leads(/^(accounts|policies|consent|translate)\.google\./.test(url.hostname) ? 'own' : 'outside', cleanUrl(href));
}

/** Destination of an ad: the stated URL, else the site that the ad names, else the click URL. */
export function adTarget(href: string | null | undefined, named: string | null | undefined): string | null {
  const url = parseUrl(href, HOME);
  const isClick = url === null || ENGINE.test(url.hostname) || /(^|\.)(doubleclick\.net|googleadservices\.com)$/.test(url.hostname);
  if (!isClick && href && /^https?:/.test(href)) return cleanUrl(href);
  const stated = [url?.searchParams.get('adurl'), ...(named?.split(',') ?? [])];
  return stated.map(cleanUrl).find((site) => site !== null) ?? url?.href ?? null;
}

/** The root of the site that a breadcrumb line names: its path is abbreviated ("https://host › a"). */
export function shownRoot(breadcrumb: string | null): string | null {
  const host = /^(https?:\/\/)?([\p{L}\p{N}.-]+\.[\p{L}\p{N}-]+)(?=$|[\s/›:])/iu.exec(breadcrumb ?? '');
  return host?.[2] ? cleanUrl(`${host[1] ?? 'https://'}${host[2].toLowerCase()}`) : null;
}

/** URLs by title, from the script data of pages with sealed links: `["<url>","<title>","<snippet>"`. */
export function embeddedTargets(source: string): ReadonlyMap<string, string> {
  const byTitle = new Map<string, string>();
  const plain = source.replace(/\\x22/g, '"').replace(/\\\//g, '/');
  for (const match of plain.matchAll(/\["(https?:[^"\s]{4,2000})","((?:[^"\\]|\\.){1,300})"/g)) {
    const url = cleanUrl(plainText(match[1] ?? ''));
    const title = titleKey(plainText(match[2] ?? ''));
    if (url && title && !byTitle.has(title)) byTitle.set(title, url);
  }
  return byTitle;
}
const plainText = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, u, x) => String.fromCharCode(Number.parseInt(u ?? x, 16)))
    .replace(/\\(.)/g, '$1');
export const titleKey = (title: string): string => title.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
