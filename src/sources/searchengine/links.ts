import { parseUrl } from '../web-address.ts';

/**
 * What a link of a result page is. `page`: a destination. `own`: a page of the engine's own host that its pages also link to for navigation,
 * a result only where its address is shown. `sealed`: a redirect of an engine that does not say where it leads. `control`: a search, another
 * vertical, no web address.
 */
export type Target = { kind: 'page' | 'own'; url: string } | { kind: 'sealed' } | { kind: 'control' };
export type Engine = 'engine_a' | 'engine_b';

export const HOMES = { engine_a: 'https://www.google.com', engine_b: 'https://www.bing.com' } as const;
const HOSTS = {
  engine_a: /^((www|maps|images|encrypted|m)\.)?google\.[a-z]{2,3}(\.[a-z]{2})?$/,
  engine_b: /(^|\.)bing\.com$/,
} as const;
export const isEngineHost = (host: string, engine: Engine): boolean => HOSTS[engine].test(host);

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
export function targetOf(href: string | null | undefined, engine: Engine): Target {
  let link = href?.trim();
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const url = parseUrl(link, HOMES[engine]);
    if (!url || !link) return redirects > 0 ? SEALED : CONTROL;
    const inside = redirectOf(url);
    if (inside === undefined) return ofPage(url, link, engine);
    if (inside === null) return SEALED;
    // the path of a redirect that leads back into the engine
    if (inside.startsWith('/')) return CONTROL;
    link = inside;
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
    if (!isAbsolute) return CONTROL;
    if (!isEngineHost(url.hostname, engine)) return page;
    if (CONTROLS_A.test(url.pathname)) return CONTROL;
    return NAVIGATION_A.test(url.pathname) ? own : page;
  }
  if (!isEngineHost(url.hostname, engine)) return page;
  if (/^\/search\/?$/.test(url.pathname) || url.searchParams.has('q') || !isAbsolute) return CONTROL;
  return NAVIGATION_B.test(url.pathname) ? own : page;
}

/** The address inside a redirect of either engine; null where it holds none that can be read, undefined where the URL is no redirect. */
function redirectOf(url: URL): string | null | undefined {
  const { hostname, pathname, searchParams } = url;
  const first = (...names: readonly string[]): string | null =>
    names.map((name) => searchParams.get(name)).find((value) => value !== null && /^https?:\/\//i.test(value)) ?? null;
  if (hostname.endsWith('.translate.goog')) return translatedOf(url);
  if (hostname.endsWith('.cdn.ampproject.org')) return viewedOf(/^\/[a-z]\/(s\/)?(.+)$/.exec(pathname), url);
  if (/^translate\.(google\.|googleusercontent\.com$)/.test(hostname) && searchParams.has('u')) return first('u');
  if (/(^|\.)(googleadservices\.com|doubleclick\.net)$/.test(hostname)) return first('adurl', 'url');
  if (isEngineHost(hostname, 'engine_a')) {
    if (/^\/(url|goto|interstitial)\/?$/.test(pathname)) return first('q', 'url', 'adurl');
    if (/^\/(pagead\/)?aclk\/?$/.test(pathname)) return first('adurl', 'url');
    if (/^\/amp\/./.test(pathname)) return viewedOf(/^\/amp\/(s\/)?(.+)$/.exec(pathname), url);
  }
  if (isEngineHost(hostname, 'engine_b')) {
    if (/^\/ck\//.test(pathname)) return decodedOf(searchParams.get('u'), true);
    if (/^\/(aclick|aclk)\/?$/.test(pathname)) return decodedOf(searchParams.get('u'), false) ?? decodedOf(searchParams.get('u'), true);
    if (/^\/(alink\/link|news\/apiclick\.aspx|newtabredir)\/?$/.test(pathname)) return first('url');
  }
  return undefined;
}

/** The path of an AMP viewer: the address without its scheme, after `s/` where it is https. */
const viewedOf = (path: RegExpExecArray | null, { search }: URL): string | null =>
  path?.[2] && /^[^/]+\.[^/]+/.test(path[2]) ? `http${path[1] ? 's' : ''}://${path[2]}${search}` : null;

/** Engine B: base64url of an address that may be percent-encoded once more; on results behind a mark of two characters. */
function decodedOf(value: string | null, marked: boolean): string | null {
  if (!value) return null;
  const text = marked ? value.replace(/^a\d/, '') : value;
  const decoded = new TextDecoder().decode(Buffer.from(text.replace(/-/g, '+').replace(/_/g, '/'), 'base64'));
  if (/^https?:\/\//.test(decoded)) return decoded;
  if (marked && /^\/[!-~]*$/.test(decoded)) return decoded;
  if (!/^https?%3a/i.test(decoded)) return null;
  try {
    return decodeURIComponent(decoded);
  } catch {
    return null; // an invalid escape: the address cannot be read
  }
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
