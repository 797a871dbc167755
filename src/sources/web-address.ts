/** An absolute http(s) URL, or a reference from the root of `base`: the platforms write no other, and joining one would make up a path. */
export function parseUrl(text: string | null | undefined, base?: string): URL | null {
  if (!text || (base && !/^(?:https?:|[/?#])/i.test(text))) return null;
  const url = URL.parse(text, base);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null;
}

const TRACKING = /^(?:utm_[^=]*|gclid|gad_source|srsltid|msclkid|fbclid)$/i;
/** A URL without tracking parameters, otherwise unchanged. `own`: names of further ones, those of the platform on its own addresses. */
export function withoutTracking(url: string, own?: RegExp): string {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const remaining = query?.split('&').filter((pair) => {
    const name = pair.split('=', 1)[0] ?? '';
    return !TRACKING.test(name) && !own?.test(name);
  });
  return `${path}${remaining?.length ? `?${remaining.join('&')}` : ''}${fragment}`;
}

/** The URL with every character that RFC 3986 does not allow percent-encoded; the rest stays as written. */
export function asUri(url: string): string {
  const ascii = /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
  const [address = '', ...fragment] = ascii.split('#');
  return (fragment.length ? `${address}#${fragment.join('%23')}` : address)
    .replace(/["<>\\^`{|}[\]]/g, encodeURIComponent)
    .replace(/%(?![\da-f]{2})/gi, '%25');
}
