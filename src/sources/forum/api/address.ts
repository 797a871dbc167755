/** URLs as the contract requires: absolute, valid (RFC 3986), without tracking parameters. */
export const SITE = 'https://www.reddit.com';

const CLEAN =
  /^https?:\/\/(?:[\w.-]+|\[[0-9a-f:.]+\])(:\d+)?(\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)?(\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;
const TRACKS = /^(utm_\w+|gclid|gad_source|srsltid|msclkid|fbclid)$/i;
const OWN_TRACKS = /^(share_id|rdt|ref|ref_source)$/i;
const OWN_HOST = /^https?:\/\/([a-z]+\.)?(reddit\.com|redd\.it)(\/|$)/i;
const FORBIDDEN = /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;

/** A valid absolute http(s) URI; a path is resolved against the platform's site. Null if the text is neither. */
export function addressOf(text: string | null): string | null {
  if (!text) return null;
  const whole = text.startsWith('/') && !text.startsWith('//') ? SITE + text : text;
  const uri = CLEAN.test(whole) ? whole : encoded(whole);
  return uri?.includes('?') ? withoutTracking(uri) : uri;
}

/** Percent-encodes spaces, non-ASCII letters and brackets of a pasted URL. */
function encoded(text: string): string | null {
  if (!/^(https?:)?\/\//i.test(text)) return null;
  const url = URL.parse(text, SITE);
  if (!url) return null;
  const [path, query, fragment] = [url.pathname, url.search.slice(1), url.hash.slice(1)].map((part) =>
    part.replace(FORBIDDEN, encodeURIComponent),
  );
  const uri = `${url.origin}${path}${query ? `?${query}` : ''}${fragment ? `#${fragment}` : ''}`;
  return CLEAN.test(uri) ? uri : null;
}

/** Removes tracking parameters only. */
function withoutTracking(uri: string): string {
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/.exec(uri) ?? [];
  if (!before) return uri;
  const own = OWN_HOST.test(before);
  const pairs = query.split('&');
  const others = pairs.filter((pair) => {
    const name = pair.split('=', 1)[0] ?? '';
    return !TRACKS.test(name) && !(own && OWN_TRACKS.test(name));
  });
  if (others.length === pairs.length) return uri;
  return `${before}${others.length ? `?${others.join('&')}` : ''}${fragment}`;
}

const PLAIN_PATH = /^\/[\w/~.-]+$/;
let known = { path: '', address: null as string | null };

/**
 * The permalink of a path, on the platform's main host. The comments of a discussion share all but the last segment, so the shared part
 * is cached.
 */
export function permalinkOf(path: string | null): string | null {
  if (!path?.startsWith('/') || path.startsWith('//')) return addressOf(path);
  const end = path.lastIndexOf('/', path.length - 2) + 1;
  const last = path.slice(end);
  if (!PLAIN_PATH.test(`/${last}`)) return addressOf(path.split('?', 1)[0] ?? null);
  const before = path.slice(0, end);
  if (known.path !== before) known = { path: before, address: PLAIN_PATH.test(before) ? SITE + before : addressOf(before) };
  return known.address === null ? null : known.address + last;
}
