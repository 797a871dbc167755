/** An absolute http(s) URL, or a reference from the root of `base`: the platforms write no other, and joining one would make up a path. */
export function parseUrl(text: string | null | undefined, base?: string): URL | null {
  if (!text || (base && !/^(?:https?:|[/?#])/i.test(text))) return null;
  const url = URL.parse(text, base);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null;
}

/** Most addresses: the URL standard accepts any text after such a host, and leaves it as written. An A-label may be invalid. */
const PLAIN_HOST = /^https?:\/\/((?:(?!xn--)[a-z\d-]+\.)+[a-z]+)(?=[/?#]|$)/;
/** Host of an absolute http(s) URL as the URL standard parses it; null for other text. */
export const hostOf = (text: string | null | undefined): string | null =>
  PLAIN_HOST.exec(text ?? '')?.[1] ?? parseUrl(text)?.hostname ?? null;

const TRACKING = /^(?:utm_[^=]*|gclid|gad_source|srsltid|msclkid|fbclid)$/i;
/** A URL without tracking parameters, otherwise unchanged. `own`: names of further ones, those of the platform on its own addresses. */
export function withoutTracking(url: string, own?: RegExp): string {
  if (!url.includes('?')) return url;
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const pairs = query?.split('&') ?? [];
  const remaining = pairs.filter((pair) => {
    const [name = ''] = pair.split('=', 1);
    return !TRACKING.test(name) && !own?.test(name);
  });
  if (remaining.length === pairs.length) return url;
  return `${path}${remaining.length ? `?${remaining.join('&')}` : ''}${fragment}`;
}

/** Characters that RFC 3986 allows everywhere in a URL. */
const PLAIN_URI = /^[\w!$&'()*+,\-./:;=?@~]+$/;
/** The URL with every character that RFC 3986 does not allow percent-encoded; the rest stays as written. */
export function asUri(url: string): string {
  if (PLAIN_URI.test(url)) return url;
  const ascii = /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
  const [address = '', ...fragment] = ascii.split('#');
  return (fragment.length ? `${address}#${fragment.join('%23')}` : address)
    .replace(/["<>\\^`{|}[\]]/g, encodeURIComponent)
    .replace(/%(?![\da-f]{2})/gi, '%25');
}
