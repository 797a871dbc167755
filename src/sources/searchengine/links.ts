import { parseUrl } from '../web-address.ts';

/**
 * What a link of a result page is. `page`: a destination. `own`: a page of the engine's own host that its pages also link to for navigation,
 * a result only where its address is shown. `sealed`: a redirect of an engine that does not say where it leads. `control`: a search, another
 * vertical, no web address. An image of a vertical names its `page`.
 */
export type Target = { kind: 'page' | 'own'; url: string } | { kind: 'sealed' } | { kind: 'control'; page?: string };
export type Engine = 'engine_a' | 'engine_b';

export const HOMES = { engine_a: 'https://www.google.com', engine_b: 'https://www.bing.com' } as const;
const HOSTS = {
  engine_a: /^((www|maps|images|encrypted|m|news|ipv[46]|adservice|notifications)\.)?google\.[a-z]{2,3}(\.[a-z]{2})?$/,
  engine_b: /(^|\.)bing\.com$/,
} as const;
const withoutDot = (host: string): string => host.replace(/\.$/, '');
export const isEngineHost = (host: string, engine: Engine): boolean => HOSTS[engine].test(withoutDot(host));
/** Every host of the engine, those of its other services included: their pages are results like any other where nothing else is shown. */
const SERVICES = { engine_a: /(^|\.)google\.[a-z]{2,3}(\.[a-z]{2})?$/, engine_b: HOSTS.engine_b } as const;
export const isServiceHost = (host: string, engine: Engine): boolean => SERVICES[engine].test(withoutDot(host));

const SEALED: Target = { kind: 'sealed' };
const CONTROL: Target = { kind: 'control' };

/** Paths of engine A that are never results, and those that lead to the text searches, verticals and pages that its results also link to. */
const CONTROLS_A = /^\/(search|imgres|httpservice|sorry)\/?$|^\/(httpservice|sorry)\//;
const NAVIGATION_A = /^\/(maps|preferences|setprefs|advanced_search|webhp|travel|flights|shopping|intl\/[^/]+\/about\/products)?(\/|$)/;
const OWN_HOSTS_A = /^(accounts|policies|consent|translate)\.google\./;
const NAVIGATION_B = /^\/(search|images|videos|news|maps|shop|copilotsearch|chat|th|rewards|account)?(\/|$)/;

/** Redirects may lead to redirects; a longer chain is none. */
const MOST_REDIRECTS = 4;

/** The target of a link on a page of the engine: redirects, viewers and translations of both engines are unwrapped. */
export function linkTarget(href: string | null | undefined, engine: Engine): Target {
  let link = href?.trim();
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const url = parseUrl(link, HOMES[engine]);
    if (!url || !link) return redirects > 0 ? SEALED : CONTROL;
    const inside = redirectOf(url);
    if (inside === undefined) return ofPage(url, link, engine);
    if (inside === null) return SEALED;
    const next = inside.startsWith('/') ? URL.parse(inside, url.href) : null;
    // the path of a redirect that leads back into the engine
    if (next && !inside.startsWith('//') && redirectOf(next) === undefined) return CONTROL;
    link = next?.href ?? inside;
  }
  return SEALED;
}

function ofPage(url: URL, link: string, engine: Engine): Target {
  const isAbsolute = /^(https?:)?\/\//i.test(link);
  const page: Target = { kind: 'page', url: /^https?:/i.test(link) ? link : url.href };
  const own: Target = { ...page, kind: 'own' };
  if (/^webcache\.googleusercontent\.com$/.test(url.hostname)) return CONTROL;
  if (engine === 'engine_a') {
    if (OWN_HOSTS_A.test(url.hostname)) return own;
    if (!isAbsolute) return controlOf(url);
    if (!isEngineHost(url.hostname, engine)) return page;
    if (CONTROLS_A.test(url.pathname)) return controlOf(url);
    return NAVIGATION_A.test(url.pathname) ? own : page;
  }
  if (!isEngineHost(url.hostname, engine)) return page;
  if (/^\/search\/?$/.test(url.pathname) || url.searchParams.has('q') || !isAbsolute) return CONTROL;
  return NAVIGATION_B.test(url.pathname) ? own : page;
}

/** A result of the image search names the page that holds the image. */
function controlOf({ pathname, searchParams }: URL): Target {
  const page = /^\/imgres\/?$/.test(pathname) ? addressIn(searchParams.get('imgrefurl')) : null;
  return page === null ? CONTROL : { kind: 'control', page };
}

/** Short links of engine A: only the engine knows where they lead. */
const SHORT = /^(goo\.gl|(.+\.)?app\.goo\.gl|g\.co|c\.gle|share\.google|search\.app)$/;
/** Addresses inside other parameters of the platforms' viewers, by host: translations, advertising. */
const VIEWERS: readonly (readonly [host: RegExp, names: readonly string[]])[] = [
  [/^translate\.(google\.|googleusercontent\.com$)/, ['u']],
  [/(^|\.)(translatetheweb\.com|microsofttranslator\.com)$/, ['a']],
  [/(^|\.)(googleadservices\.com|doubleclick\.net|dartsearch\.net)$/, ['adurl', 'ds_dest_url', 'url']],
];
/** Hosts of AMP caches (amp.dev/documentation/guides-and-tutorials/learn/amp-caches-and-cors/amp-cache-urls). */
const AMP_CACHE = /(^|\.)(cdn\.ampproject\.org|bing-amp\.com|amp\.cloudflare\.com)$/;

/** The address inside a redirect of either engine; null where it holds none that can be read, undefined where the URL is no redirect. */
function redirectOf(url: URL): string | null | undefined {
  const { pathname, searchParams } = url;
  const hostname = withoutDot(url.hostname);
  // a link that was escaped for HTML once more has `amp;` before its names
  const stated = (name: string): string | null => searchParams.get(name) ?? searchParams.get(`amp;${name}`);
  const first = (...names: readonly string[]): string | null =>
    names.map((name) => addressIn(stated(name))).find((address) => address !== null) ?? null;
  if (hostname.endsWith('.translate.goog')) return translatedOf(url);
  if (AMP_CACHE.test(hostname) && pathname !== '/') return viewedOf(/^\/[a-z]{1,3}\/(s\/)?(.+)$/.exec(pathname), url);
  if (SHORT.test(hostname) && pathname !== '/') return null;
  if (hostname === 'cc.bingj.com') return null;
  for (const [host, names] of VIEWERS)
    if (host.test(hostname) && (!hostname.startsWith('translate.') || searchParams.has('u'))) return first(...names);
  if (isServiceHost(hostname, 'engine_a')) {
    if (/^\/(url|goto|interstitial|scholar_url)(\/|$)/.test(pathname)) return first('q', 'url', 'u', 'adurl');
    if (/^\/(pagead\/)?aclk(\/|$)/.test(pathname)) return first('adurl', 'url');
    if (/^\/amp\/./.test(pathname)) return viewedOf(/^\/amp\/(s\/)?(.+)$/.exec(pathname), url);
    if (/^news\./.test(hostname) && /^\/(rss\/)?(articles|read)\/./.test(pathname)) return null;
  }
  if (isEngineHost(hostname, 'engine_b')) {
    if (/^\/ck\//i.test(pathname)) return decodedOf(stated('u'), true);
    if (/^\/(aclick|aclk)(\/|$)/i.test(pathname)) return decodedOf(stated('u'), false) ?? decodedOf(stated('u'), true) ?? first('r', 'url');
    if (/^\/(alink\/link|news\/apiclick\.aspx|newtabredir|cr)(\/|$)/i.test(pathname)) return first('url', 'r');
    if (/^\/amp\/./i.test(pathname)) return viewedOf(/^\/amp\/(s\/)?(.+)$/i.exec(pathname), url);
  }
  return undefined;
}

/** The address in a parameter: absolute, without its scheme, or percent-encoded once more. */
function addressIn(value: string | null): string | null {
  const text = value?.trim() ?? '';
  if (/^https?:\/\//i.test(text)) return text;
  if (/^https?%3a/i.test(text)) return decodedOnce(text);
  return /^(\/\/|www\.)[^/]+\.\p{L}/iu.test(text) ? `https://${text.replace(/^\/\//, '')}` : null;
}
function decodedOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // an invalid escape: the address cannot be read
  }
}

/** The path of an AMP viewer: the address without its scheme, after `s/` where it is https. Its own parameters are those of the viewer. */
function viewedOf(path: RegExpExecArray | null, { search }: URL): string | null {
  if (!path?.[2] || !/^[^/]+\.[^/]+/.test(path[2])) return null;
  const pairs = search.slice(1).split('&');
  const query = pairs.filter((pair) => pair !== '' && !/^(amp_(js_v|gsa|r|kit|tf)|usqp|aoh)=/.test(pair)).join('&');
  return `http${path[1] ? 's' : ''}://${path[2]}${query && `?${query}`}`;
}

/** Engine B: base64url of an address that may be percent-encoded once more; on results behind a mark of two characters. */
function decodedOf(value: string | null, marked: boolean): string | null {
  if (!value) return null;
  // a raw + was read as a blank
  const text = (marked ? value.replace(/^a\d/i, '') : value).replace(/ /g, '+');
  const decoded = new TextDecoder().decode(Buffer.from(text.replace(/-/g, '+').replace(/_/g, '/'), 'base64'));
  if (/^https?:\/\//.test(decoded)) return decoded;
  if (marked && /^\/[!-~]*$/.test(decoded)) return decoded;
  return /^https?%3a/i.test(decoded) ? decodedOnce(decoded) : null;
}

/** The page behind the translation proxy (developers.google.com/search/docs/appearance/ad-network-and-translation). */
function translatedOf(url: URL): string | null {
  const encodings = url.searchParams.get('_x_tr_enc')?.split(',') ?? [];
  let name = `${url.searchParams.get('_x_tr_hp') ?? ''}${url.hostname.slice(0, url.hostname.indexOf('.'))}`;
  if (encodings.includes('1') && name.startsWith('1-')) name = name.slice(2);
  const isIdn = encodings.includes('0') && name.startsWith('0-');
  if (isIdn) name = name.slice(2);
  const host = `${isIdn ? 'xn--' : ''}${name.replace(/\b-\b/g, '.').replace(/--/g, '-')}`;
  if (!/^[^.]+(\.[^.]+)+$/.test(host)) return null;
  const query = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('_x_tr_'))
    .join('&');
  return `http${url.searchParams.get('_x_tr_sch') === 'http' ? '' : 's'}://${host}${url.pathname}${query && `?${query}`}${url.hash}`;
}
