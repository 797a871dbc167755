import { type Address, addressReaders, plainUrl, thing } from './address.ts';
import { anyCase, readAfter, textLike } from './parameter.ts';

const ONION = 'twitter3e4tixl4xyajtrzo62zg5vztmjuricljdp2c5kshju4avyoid.onion';
const SITES: ReadonlySet<string> = new Set(
  ['x.com', 'twitter.com', ONION].flatMap((host) => ['', 'www.', 'mobile.', 'm.'].map((prefix) => `${prefix}${host}`)),
);
const EMBEDS: ReadonlySet<string> = new Set(['platform.twitter.com', 'platform.x.com']);
const PUBLISHERS: ReadonlySet<string> = new Set(['publish.twitter.com', 'publish.x.com']);
const SHORTENER = 't.co';

const ID = '([1-9]\\d{0,19})';
const OF_AUTHOR = new RegExp(`^/(\\w{1,20})/status(?:es)?/${ID}(?:/[\\w/-]*)?$`);
/** A post whose text is an article; `/i/article/` takes the id of an article, which is another. */
const ARTICLE = new RegExp(`^/(\\w{1,20})/article/${ID}(?:/[\\w/-]*)?$`);
/** Without the name of its author: also the players of videos and cards, which have the post's id. */
const ANONYMOUS = 'i/web/status|i/videos(?:/tweet)?|i/cards/tfw/v1|statuses';
const BARE = new RegExp(`^/(?:i/status|${ANONYMOUS})/${ID}(?:/[\\w/-]*)?$`);
const INTENT = /^\/intent\/(?:like|favorite|retweet|repost)\/?$/;
/** A post that was opened from the visitor's own list (imputnet/cobalt#695). */
const BOOKMARKS = /^\/i\/bookmarks(?:\/\w+)?\/?$/;
/** Where visitors without an account are led; the address names the page that they wanted. */
const SIGN_IN = /^\/(?:(?:i\/flow\/)?login|i\/jf\/onboarding\/web)\/?$/;

/** Hosts that redirects of short links may pass through. */
export const isPostHost = (host: string): boolean => host.toLowerCase() === SHORTENER || SITES.has(host.toLowerCase());

const post = (id: string | null | undefined, handle?: string | null): Address | null =>
  id && new RegExp(`^${ID}$`).test(id) ? thing(id, handle) : null;

/** Reads every URL form of one post that the platform uses; null for profiles, lists, spaces and other pages. */
export function postAddressOf(text: string): Address | null {
  const url = plainUrl(text);
  if (!url) return null;
  if (SITES.has(url.hostname)) {
    const path = url.hash.startsWith('#!/') && url.pathname === '/' ? url.hash.slice(2).replace(/\?.*$/, '') : url.pathname;
    const bare = BARE.exec(path)?.[1];
    if (bare) return post(bare);
    const own = OF_AUTHOR.exec(path);
    if (own) return post(own[2], own[1] === 'i' ? null : (own[1] ?? null));
    const article = ARTICLE.exec(path);
    if (article) return article[1]?.toLowerCase() === 'i' ? null : post(article[2], article[1]);
    const wanted = SIGN_IN.test(path) ? url.searchParams.get('redirect_after_login') : null;
    if (wanted?.startsWith('/')) return postAddressOf(`https://x.com${wanted}`);
    if (BOOKMARKS.test(path)) return post(url.searchParams.get('post_id'));
    return INTENT.test(path) ? post(url.searchParams.get('tweet_id')) : null;
  }
  if (EMBEDS.has(url.hostname)) return /^\/embed\/(?:Tweet|index)\.html$/i.test(url.pathname) ? post(url.searchParams.get('id')) : null;
  if (PUBLISHERS.has(url.hostname)) {
    const inner = url.searchParams.get('url') ?? url.searchParams.get('query');
    return inner && SITES.has(plainUrl(inner)?.hostname ?? '') ? postAddressOf(inner) : null;
  }
  const code = url.hostname === SHORTENER ? /^\/([A-Za-z0-9]{4,16})\/?$/.exec(url.pathname)?.[1] : undefined;
  return code ? { kind: 'short', url: `https://${SHORTENER}/${code}` } : null;
}

/** The canonical URL of a post; the platform reads the id only. */
export const postUrl = (id: string, handle: string | null): string => `https://x.com/${handle ?? 'i'}/status/${id}`;

const MUST = 'must be the URL of one post as the platform hands it out, such as https://x.com/name/status/1800000000000000001';
export const { read: readPostUrl, partsOf: postPartsOf, idOf: postIdOf } = addressReaders(postAddressOf, postUrl, MUST);

const HTTP = `${anyCase('http')}[sS]?://`;
const SITE = `(?:(?:${['www', 'mobile', 'm'].map(anyCase).join('|')})\\.)?(?:${['x.com', 'twitter.com', ONION].map(anyCase).join('|')})`;
const EITHER = `(?:${anyCase('twitter')}|${anyCase('x')})\\.${anyCase('com')}`;
const REST = '(?:\\?[^\\s#]*)?(?:#\\S*)?';
const AUTHOR = '(?:[A-HJ-Za-hj-z0-9_]\\w{0,19}|[iI]\\w{1,19})';
const POST_PATH = `(?:\\w{1,20}/status(?:es)?|${AUTHOR}/article|${ANONYMOUS})/${ID}(?:/[\\w/-]*)?`;
/** A percent-encoded path or URL of a post, as the value of a query parameter. */
const SLASH = '(?:/|%2[Ff])';
const ENCODED_PATH = `${SLASH}(?:\\w{1,20}${SLASH}status(?:es)?|${AUTHOR}${SLASH}article|i${SLASH}web${SLASH}status|statuses)${SLASH}${ID}(?:${SLASH}(?:[\\w-]|${SLASH})*)?(?:%3[Ff](?:[\\w=.-]|%3[Dd]|%26)*)?`;
const ENCODED = `[hH][tT][tT][pP][sS]?(?::|%3[Aa])${SLASH}{2}${SITE}${ENCODED_PATH}`;
/** Query parameters before the one with the id; their names do not begin with these letters. */
const others = (letters: string): string => `(?:[^\\s#&${letters}%][^\\s#&]*&)*`;
const FORMS = [
  `${SITE}/${POST_PATH}${REST}`,
  `${SITE}/?(?:\\?[^\\s#]*)?#!/${POST_PATH}(?:\\?\\S*)?`,
  `${SITE}/intent/(?:like|favorite|retweet|repost)/?\\?${others('t')}tweet_id=${ID}(?:[&#]\\S*)?`,
  `${SITE}/i/bookmarks(?:/\\w+)?/?\\?${others('p')}post_id=${ID}(?:[&#]\\S*)?`,
  `${SITE}/(?:(?:i/flow/)?login|i/jf/onboarding/web)/?\\?${others('r')}redirect_after_login=${ENCODED_PATH}(?:[&#]\\S*)?`,
  `${anyCase('platform.')}${EITHER}/(?:${anyCase('embed/tweet.html')}|${anyCase('embed/index.html')})\\?${others('i')}id=${ID}(?:[&#]\\S*)?`,
  `${anyCase('publish.')}${EITHER}/(?:[\\w-]+)?\\?${others('uq')}(?:url|query)=${ENCODED}(?:&[^\\s#&u%][^\\s#&]*)*(?:#\\S*)?`,
  `${anyCase(SHORTENER)}/[A-Za-z0-9]{4,16}/?${REST}`,
];

/** The URL of one post. The pattern accepts the forms that the platform uses; `readPostUrl` normalises them. */
export const postUrlType = readAfter(textLike(`^\\s*${HTTP}(?:${FORMS.join('|')})\\s*$`, MUST), readPostUrl);
