/** Tracking parameters. */
const TRACKING = /^(utm_[^=]*|gclid|gad_source|srsltid|msclkid|fbclid)$/i;
/** Click parameters of the engines, removed from the engines' own URLs only. */
const CLICK: readonly (readonly [host: RegExp, names: RegExp])[] = [
  [/(^|\.)google\.[a-z]{2,3}(\.[a-z]{2})?$/i, /^(ved|usg|sa|ei|sca_esv|sxsrf)$/i],
  [/(^|\.)bing\.com$/i, /^(form|cvid)$/i],
];

/** An absolute URL, or a reference from the root of `base`: the engines write no other, and joining one would make up a path. */
export function parseUrl(text: string | null | undefined, base?: string): URL | null {
  if (!text || (base && !/^(?:https?:|[/?#])/i.test(text))) return null;
  const url = URL.parse(text, base);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null;
}

/** Host of an absolute http(s) URL, lower case, unchanged otherwise; null for other text. */
export const domainOf = (url: string): string | null => SIMPLE.exec(url)?.[1] ?? parseUrl(url)?.hostname ?? null;

export interface Address {
  readonly url: string;
  /** Host of the URL, lower case, unchanged otherwise. */
  readonly domain: string;
}
/** ASCII without query or fragment: needs no normalisation. */
const SIMPLE = /^https?:\/\/((?!xn--)[a-z\d-]+(?:\.(?!xn--)[a-z\d-]+)*\.[a-z]{2,24})(?:\/[\w\-.~/]*)?$/;

/** A normalised URL with its host; null for text that is not an absolute http(s) URL. */
export function addressOf(text: string | null | undefined): Address | null {
  const simple = text ? SIMPLE.exec(text) : null;
  if (simple?.[1] && text) return { url: text, domain: simple[1] };
  const url = cleanUrl(text);
  const domain = url && parseUrl(url)?.hostname;
  return url && domain ? { url, domain } : null;
}

/**
 * An absolute http(s) URL without tracking parameters and text fragment, otherwise unchanged; null for text that is not an absolute
 * http(s) URL.
 */
export function cleanUrl(text: string | null | undefined): string | null {
  const trimmed = text?.trim();
  const url = parseUrl(trimmed);
  if (!url || !trimmed) return null;
  const [rest = '', fragment] = split(trimmed, '#');
  const [path = '', query] = split(rest, '?');
  const clicks = CLICK.find(([host]) => host.test(url.hostname))?.[1];
  const remaining = query?.split('&').filter((pair) => {
    const name = pair.split('=', 1)[0] ?? '';
    return !TRACKING.test(name) && !clicks?.test(name);
  });
  const tail = fragment === undefined ? '' : fragment.replace(/:~:.*$/s, '');
  return asUri(`${path}${query !== undefined && remaining?.length ? `?${remaining.join('&')}` : ''}${tail ? `#${tail}` : ''}`, url);
}

const PLAIN = /^[\w\-.~:/?#@!$&'()*+,;=%]+$/;
/** RFC 3986: disallowed characters are percent-encoded, an internationalised host becomes A-labels; the rest is unchanged. */
function asUri(text: string, url: URL): string {
  if (PLAIN.test(text) && !/%(?![\da-f]{2})/i.test(text)) return text;
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)[^/?#]*(.*)$/is.exec(text) ?? [];
  const written = rest
    .replace(/%(?![\da-f]{2})/gi, '%25')
    .replace(/[^\w\-.~:/?#@!$&'()*+,;=%]/gu, (char) =>
      encodeURIComponent(char.isWellFormed() ? char : '\ufffd').replace(
        /[[\]^|`{}"<>\\]/g,
        (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    );
  return `${scheme.toLowerCase()}${url.username ? `${url.username}${url.password ? `:${url.password}` : ''}@` : ''}${url.host}${written}`;
}
const split = (text: string, mark: string): [string, string | undefined] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};

/** Text in the form of a URL: "https://host › path", "host.tld/path". */
export const looksLikeAddress = (text: string): boolean => /^(https?:\/\/|[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(\s*[›/]|:\d|$))/iu.test(text);
