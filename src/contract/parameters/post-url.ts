import { bad, good, type Read } from './parameter.ts';
import { plainUrl } from './video-url.ts';

/** What an address of the microblog names: a post by its id, or a short link that must be followed first. */
export type PostAddress = { kind: 'post'; id: string; handle: string | null } | { kind: 'short'; url: string };

const ONION = 'twitter3e4tixl4xyajtrzo62zg5vztmjuricljdp2c5kshju4avyoid.onion';
const SITES: ReadonlySet<string> = new Set(
  ['x.com', 'twitter.com', ONION].flatMap((host) => ['', 'www.', 'mobile.', 'm.'].map((prefix) => `${prefix}${host}`)),
);
const EMBEDS: ReadonlySet<string> = new Set(['platform.twitter.com', 'platform.x.com']);
const PUBLISHERS: ReadonlySet<string> = new Set(['publish.twitter.com', 'publish.x.com']);
const SHORTENER = 't.co';

const ID = '([1-9]\\d{0,19})';
const OF_AUTHOR = new RegExp(`^/(\\w{1,20})/status(?:es)?/${ID}(?:/[\\w/-]*)?$`);
const BARE = new RegExp(`^/(?:i/(?:web/)?status|statuses)/${ID}(?:/[\\w/-]*)?$`);
const INTENT = /^\/intent\/(?:like|favorite|retweet|repost)\/?$/;

/** Hosts that may stand in a chain of short links. */
export const isPostHost = (host: string): boolean => host.toLowerCase() === SHORTENER || SITES.has(host.toLowerCase());

const post = (id: string | null | undefined, handle: string | null = null): PostAddress | null =>
  id && new RegExp(`^${ID}$`).test(id) ? { kind: 'post', id, handle } : null;

/** Reads every address shape of one post that the platform hands out; null for profiles, lists, spaces, articles and all else. */
export function postAddressOf(text: string): PostAddress | null {
  const url = plainUrl(text);
  if (!url) return null;
  if (SITES.has(url.hostname)) {
    const path = url.hash.startsWith('#!/') && url.pathname === '/' ? url.hash.slice(2).replace(/\?.*$/, '') : url.pathname;
    const bare = BARE.exec(path)?.[1];
    if (bare) return post(bare);
    const own = OF_AUTHOR.exec(path);
    if (own) return post(own[2], own[1] === 'i' ? null : (own[1] ?? null));
    return INTENT.test(path) ? post(url.searchParams.get('tweet_id')) : null;
  }
  if (EMBEDS.has(url.hostname)) return /^\/embed\/Tweet\.html$/i.test(url.pathname) ? post(url.searchParams.get('id')) : null;
  if (PUBLISHERS.has(url.hostname)) {
    const inner = url.searchParams.get('url') ?? url.searchParams.get('query');
    return inner && SITES.has(plainUrl(inner)?.hostname ?? '') ? postAddressOf(inner) : null;
  }
  const code = url.hostname === SHORTENER ? /^\/([A-Za-z0-9]{4,16})\/?$/.exec(url.pathname)?.[1] : undefined;
  return code ? { kind: 'short', url: `https://${SHORTENER}/${code}` } : null;
}

/** The id in an address of a post; null for short links and everything else. */
export function postIdOf(text: string): string | null {
  const address = postAddressOf(text);
  return address?.kind === 'post' ? address.id : null;
}

/** The one form in which a post is asked for; the platform goes by the id alone. */
export const postUrl = (id: string, handle: string | null): string => `https://x.com/${handle ?? 'i'}/status/${id}`;

/** Every URL shape of a post that the platform itself hands out, in its one form. */
export function readPostUrl(given: string): Read<string> {
  const address = postAddressOf(given);
  if (!address)
    return bad('must be the URL of one post as the platform hands it out, such as https://x.com/name/status/1800000000000000001');
  return good(address.kind === 'short' ? address.url : postUrl(address.id, address.handle));
}
