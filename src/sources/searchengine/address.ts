import { asUri, hostOf, parseUrl, withoutTracking } from '../web-address.ts';
import { type Engine, HOMES, isEngineHost, isServiceHost, linkTarget } from './links.ts';

/** Click parameters of the engines, removed from the engines' own URLs only. */
const CLICK: readonly (readonly [host: RegExp, names: RegExp])[] = [
  [/(^|\.)google\.[a-z]{2,3}(\.[a-z]{2})?$/i, /^(ved|usg|sa|ei|sca_esv|sxsrf)$/i],
  [/(^|\.)bing\.com$/i, /^(form|cvid)$/i],
];

declare const READ: unique symbol;
/** Made by this module alone: what an entry, an ad or a cited page has as its address has gone through the one step below. */
interface Site {
  readonly domain: string;
  readonly url: string;
  readonly [READ]: true;
}
/** `destination`: stated by a link. `root`: of the site as shown, because the link is sealed; two entries with one root may be two pages. */
export type SiteAddress = Site & { readonly kind: 'destination' | 'root' };
/** `hidden`: neither the links nor what is shown beside them say where the entry leads. */
export type Address = SiteAddress | { readonly kind: 'hidden' };
/** `click`: the engine's click address of an ad that states no destination. */
export type AdAddress = Site & { readonly kind: SiteAddress['kind'] | 'click' };

const ENGINES = ['engine_a', 'engine_b'] as const;
const HIDDEN: Address = { kind: 'hidden' };

interface Stated {
  readonly engine: Engine;
  /** Best first; a link may begin at the root of the engine's host. */
  readonly links: readonly (string | null | undefined)[];
  /** Lines that may show the site: an address line, a host. */
  readonly shown?: readonly (string | null | undefined)[];
}

/** The address of an entry or of a cited page: the destination that a link holds, else the root of the site as shown, else hidden. */
export function addressOf({ engine, links, shown = [] }: Stated): Address {
  // most links lead to somebody else: what is shown is looked at where they do not
  const foreignShown = (): string | undefined =>
    shown.flatMap((line) => shownRoot(line) ?? []).find((root) => ENGINES.every((one) => !isServiceHost(hostOf(root) ?? '', one)));
  // a bare host may have been taken from the link
  const isOwnShown = (): boolean => shown.some((line) => !BARE_HOST.test(line?.trim() ?? '') && shownRoot(line) !== null);
  for (const link of links) {
    const target = linkTarget(link, engine);
    const url = target.kind === 'control' ? target.page : target.kind === 'sealed' ? null : target.url;
    const host = hostOf(url);
    if (!url || host === null) continue;
    // a page of the engine's own host is an entry only where nothing says that it is somebody else's
    if (isServiceHost(host, engine) && foreignShown() !== undefined) continue;
    if (isEngineHost(host, engine) && !isOwnShown() && !isPlainPage(url)) continue;
    const site = siteOf('destination', url);
    if (site) return site;
  }
  const foreign = foreignShown();
  return (foreign && siteOf('root', foreign)) || HIDDEN;
}

/** The address of an ad: its destination, the site that it names, else its click address. */
export function adAddressOf({ engine, links, shown = [] }: Stated): AdAddress | null {
  const address = addressOf({ engine, links, shown });
  if (address.kind !== 'hidden') return address;
  const click = links.map((link) => parseUrl(link, HOMES[engine])).find((url) => url !== null);
  return click ? siteOf('click', click.href) : null;
}

const BARE_HOST = /^[\p{L}\p{M}\p{N}.-]+$/u;
/** Without a query and without a token in its path: the engine's own pages need none, its redirects do. */
const isPlainPage = (url: string): boolean => !cleanUrl(url)?.includes('?') && !TOKEN.test(url.replace(/^https?:\/\/[^/]*/i, ''));
const TOKEN = /\/(?=[^/]*\d)(?=[^/]*[A-Z])[\w.=~-]{8,}/;

function siteOf<const Kind extends AdAddress['kind']>(kind: Kind, text: string): (Site & { readonly kind: Kind }) | null {
  // a click address keeps the parameters without which it leads nowhere
  const url = kind === 'click' ? asUri(text) : cleanUrl(text);
  const domain = url && hostOf(url);
  // a name of one label is what is left of a path of the engine ("http://search/?q=…"): no site has it
  return domain?.includes('.') ? ({ kind, domain, url } as Site & { readonly kind: Kind }) : null;
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

const HOST = '(?:[\\p{L}\\p{M}\\p{N}_-]+\\.)+(?:xn--[a-z\\d-]+|[\\p{L}\\p{M}]{2,})';
/** Between the host and its path, in the engines' ways of writing it. */
const SEPARATOR = '[›»>‹«/→❯⟩＞﹥|?#…]|\\.\\.\\.';
/** Before the day of the page, or a remark on it. */
const REMARK = '\\s[·∙•⋅–—-]\\s';
/** Marks of the direction of text, and the file's type before the address. */
const MARKS = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|^\s*\[\p{Lu}{2,4}\]/gu;
const SHOWN = new RegExp(`^(?:(https?://)(${HOST})(?=$|\\s|:|${SEPARATOR})|(${HOST})(?=\\s*(?:${SEPARATOR}|$)|${REMARK}|:\\d))`, 'iu');
const ADDRESS = new RegExp(`^(?:https?://|(?:${HOST}|\\d{1,3}(?:\\.\\d{1,3}){3})(?:\\s*[›‹/]|:\\d|$))`, 'iu');
/** Text in the form of a URL: "https://host › path", "host.tld/path"; a number ("4.3") is none. */
export const looksLikeAddress = (text: string): boolean => ADDRESS.test(text.replace(MARKS, '').trim());

/** The line above or below a title: an address, or the path with the name of the site in place of its host ("Shop › teas › green"). */
export const isBreadcrumb = (text: string): boolean => looksLikeAddress(text) || /^\p{L}[^›‹]{0,60}\s[›‹]\s\S/u.test(text);

/** Whether a line shows the site of somebody else than the engine: what stands there is a result, whatever its link is. */
export function showsForeign(line: string | null | undefined, engine: Engine): boolean {
  const root = line && looksLikeAddress(line) ? shownRoot(line) : null;
  return root !== null && !isServiceHost(hostOf(root) ?? '', engine);
}
/** The root of the site that a line shows: its path is abbreviated ("https://host › a"). The last label of a host has letters alone. */
export function shownRoot(line: string | null | undefined): string | null {
  const [, scheme = 'https://', written, bare] = SHOWN.exec(line?.replace(MARKS, '').trim() ?? '') ?? [];
  const host = written ?? bare;
  return host ? cleanUrl(`${scheme}${host}`.toLowerCase()) : null;
}
