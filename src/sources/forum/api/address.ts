/** Addresses as the contract wants them: absolute, valid URIs (RFC 3986), without what only tracks. */
export const SITE = 'https://www.reddit.com';

const CLEAN =
  /^https?:\/\/(?:[\w.-]+|\[[0-9a-f:.]+\])(:\d+)?(\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)?(\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;
const TRACKS = /^(utm_\w+|gclid|gad_source|srsltid|msclkid|fbclid)$/i;
const OWN_TRACKS = /^(share_id|rdt|ref|ref_source)$/i;
const OWN_HOST = /^https?:\/\/([a-z]+\.)?(reddit\.com|redd\.it)(\/|$)/i;
const FORBIDDEN = /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;

/** An absolute http(s) address as a valid URI; a path belongs to the platform's own site. Null where there is none. */
export function addressOf(text: string | null): string | null {
  if (!text) return null;
  const whole = text.startsWith('/') && !text.startsWith('//') ? SITE + text : text;
  const uri = CLEAN.test(whole) ? whole : repaired(whole);
  return uri?.includes('?') ? withoutTracking(uri) : uri;
}

/** What people paste may hold blanks, letters beyond ASCII, brackets: the same address, escaped. */
function repaired(text: string): string | null {
  if (!/^(https?:)?\/\//i.test(text)) return null;
  const url = URL.parse(text, SITE);
  if (!url) return null;
  const [path, query, fragment] = [url.pathname, url.search.slice(1), url.hash.slice(1)].map((part) =>
    part.replace(FORBIDDEN, encodeURIComponent),
  );
  const uri = `${url.origin}${path}${query ? `?${query}` : ''}${fragment ? `#${fragment}` : ''}`;
  return CLEAN.test(uri) ? uri : null;
}

/** Only the parameters that track go; the rest stays byte for byte. */
function withoutTracking(uri: string): string {
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/.exec(uri) ?? [];
  if (!before) return uri;
  const own = OWN_HOST.test(before);
  const pairs = query.split('&');
  const kept = pairs.filter((pair) => {
    const name = pair.split('=', 1)[0] ?? '';
    return !TRACKS.test(name) && !(own && OWN_TRACKS.test(name));
  });
  if (kept.length === pairs.length) return uri;
  return `${before}${kept.length ? `?${kept.join('&')}` : ''}${fragment}`;
}

const PLAIN_PATH = /^\/[\w/~.-]+$/;
let known = { path: '', address: null as string | null };

/**
 * A permalink: the path alone counts, the answer's host may be any of the platform's. The comments of a discussion share all but the last
 * step of theirs, so the address of that part is kept.
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
