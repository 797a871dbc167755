import type { OrganicEntry } from '../../contract/operations/searchengine.ts';
import { asUri, hostOf, withoutTracking } from '../web-address.ts';

/** Click parameters of the engines, removed from the engines' own URLs only. */
const CLICK: readonly (readonly [host: RegExp, names: RegExp])[] = [
  [/(^|\.)google\.[a-z]{2,3}(\.[a-z]{2})?$/i, /^(ved|usg|sa|ei|sca_esv|sxsrf)$/i],
  [/(^|\.)bing\.com$/i, /^(form|cvid)$/i],
];

/** A normalised URL with its host; null for text that is not an absolute http(s) URL. */
export function addressOf(text: string | null | undefined): Pick<OrganicEntry, 'domain' | 'url'> | null {
  const url = cleanUrl(text);
  const domain = url && hostOf(url);
  return domain ? { domain, url } : null;
}

/** Without tracking parameters and text fragment; null for text that is no absolute http(s) URL. */
export function cleanUrl(text: string | null | undefined): string | null {
  const trimmed = text?.trim();
  const host = hostOf(trimmed);
  if (!host || !trimmed) return null;
  const clicks = CLICK.find(([engine]) => engine.test(host))?.[1];
  const url = withoutTracking(trimmed, clicks);
  // from the beginning, once: a text of many # is not searched from each of them
  return asUri(url.includes('#') ? url.replace(/^([^#]*#.*?):~:.*$/s, '$1').replace(/#$/, '') : url);
}

/** Text in the form of a URL: "https://host › path", "host.tld/path". */
export const looksLikeAddress = (text: string): boolean => /^(https?:\/\/|[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(\s*[›/]|:\d|$))/iu.test(text);
