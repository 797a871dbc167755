import { type Address, addressReaders, plainUrl, thing } from './address.ts';
import { anyCase, matching, readAfter } from './parameter.ts';

/** The platform has hosts of regions (`us.tiktok.com`) and apps beside its own. */
const HOST = /^(?:[a-z0-9-]{1,63}\.)?tiktokv?\.com$/;
const SHORT_HOSTS: ReadonlySet<string> = new Set(['vm.tiktok.com', 'vt.tiktok.com']);
const ID = '(\\d{15,20})';
const OF_AUTHOR = new RegExp(`^(?:/[a-z]{2}(?:-[A-Za-z]{2})?)?/@([\\w.-]*)/(?:video|photo)/${ID}/?$`);
const BARE = new RegExp(`^/(?:(?:i18n/)?share/(?:video|photo)|video|photo|v|embed(?:/v\\d)?|player/v\\d)/${ID}(?:\\.html)?/?$`);
/** A link to share as the platform wrote it for a time: the parameters in the place of the id. */
const GARBLED = /^\/@([\w.-]*)\/video\/(?:[\w=.-]+&)+item_id=(\d{15,20})(?:&[\w=.&-]*)?$/;
/** Where visitors without an account are led; the address names the page that they wanted. */
const SIGN_IN = /^\/login\/?$/;
const CODE = '([A-Za-z0-9_-]{4,24})';

/** Hosts that redirects of short links may pass through. */
export const isVideoHost = (host: string): boolean => HOST.test(host.toLowerCase());

function videoPath(url: URL): string | null {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return null; // invalid percent-encoding
  }
}

/** Reads every URL form of one video that the platform uses; null for profiles, sounds, tags, live streams and other pages. */
export function videoAddressOf(text: string): Address | null {
  const url = plainUrl(text);
  const path = url && HOST.test(url.hostname) ? videoPath(url) : null;
  if (!url || path === null) return null;
  const own = OF_AUTHOR.exec(path) ?? GARBLED.exec(path);
  if (own?.[2]) return thing(own[2], /\w/.test((own[1] ?? '').replace(/^_$/, '')) ? (own[1] ?? null) : null);
  const bare = BARE.exec(path)?.[1];
  if (bare) return thing(bare);
  const wanted = SIGN_IN.test(path) ? url.searchParams.get('redirect_url') : null;
  if (wanted) return videoAddressOf(wanted.startsWith('/') ? `https://www.tiktok.com${wanted}` : wanted);
  const item = url.searchParams.get('item_id') ?? (/^\/trending\/?$/.test(path) ? url.searchParams.get('shareId') : null);
  if (item && /^\d{15,20}$/.test(item) && !path.startsWith('/@')) return thing(item);
  const code = new RegExp(SHORT_HOSTS.has(url.hostname) ? `^/(?:t/)?${CODE}/?$` : `^/t/${CODE}/?$`).exec(path)?.[1];
  if (!code || /^\d+$/.test(code)) return null;
  const folder = path.startsWith('/t/') ? '/t' : '';
  return { kind: 'short', url: `https://${url.hostname}${folder}/${code}/` };
}

/** The canonical URL of a video: the platform reads the id only, and serves picture posts under `/video/` too. */
export const videoUrl = (id: string, handle: string | null): string => `https://www.tiktok.com/@${handle ?? '_'}/video/${id}`;

const MUST = 'must be the URL of one video as the platform hands it out, such as https://www.tiktok.com/@name/video/7300000000000000001';
export const { read: readVideoUrl, partsOf: videoPartsOf, idOf: videoIdOf } = addressReaders(videoAddressOf, videoUrl, MUST);

const VIDEO_ID = '\\d{15,20}';
const HTTP = `${anyCase('http')}[sS]?://`;
const SHORT_SITE = `(?:${anyCase('vm')}|${anyCase('vt')})\\.${anyCase('tiktok.com')}`;
const SITE = `(?:[A-Za-z0-9-]{1,63}\\.)?(?:${anyCase('tiktok.com')}|${anyCase('tiktokv.com')})`;
const REST = '(?:\\?[^\\s#]*)?(?:#\\S*)?';
const SLASH = '(?:/|%2[Ff])';
/** A percent-encoded URL or path of a video, as the value of a query parameter. */
const ENCODED = `(?:[hH][tT][tT][pP][sS]?(?::|%3[Aa])${SLASH}{2}${SITE})?${SLASH}(?:@|%40)[\\w.-]*${SLASH}(?:video|photo)${SLASH}${VIDEO_ID}(?:%3[Ff](?:[\\w=.-]|%3[Dd]|%26)*)?`;
/** Query parameters before the one that is meant, whose name begins with these two letters. */
const others = (first: string, second: string): string => `(?:(?:[^\\s#&${first}%]|${first}[^\\s#&${second}%])[^\\s#&]*&|${first}&|&)*`;
const PATHS = [
  `(?:/[a-z]{2}(?:-[A-Za-z]{2})?)?/(?:@|%40)[\\w.-]*/(?:video|photo)/${VIDEO_ID}/?${REST}`,
  `/(?:(?:i18n/)?share/(?:video|photo)|video|photo|v|embed(?:/v\\d)?|player/v\\d)/${VIDEO_ID}(?:\\.html)?/?${REST}`,
  `/(?:[A-Za-z0-9][\\w/-]*)?\\?${others('i', 't')}item_id=${VIDEO_ID}(?:[&#]\\S*)?`,
  `/trending/?\\?(?:[^\\s#&is%][^\\s#&]*&)*shareId=${VIDEO_ID}(?:[&#]\\S*)?`,
  `/@[\\w.-]*/video/(?:[\\w=.-]+&)+item_id=${VIDEO_ID}(?:&[\\w=.&-]*)?${REST}`,
  `/login/?\\?${others('r', 'e')}redirect_url=${ENCODED}(?:[&#]\\S*)?`,
  `/t/${CODE}/?${REST}`,
];

/** The URL of one video. The pattern accepts the forms that the platform uses; `readVideoUrl` normalises them. */
export const videoUrlType = readAfter(
  matching({
    pattern: `^\\s*${HTTP}(?:${SITE}(?:${PATHS.join('|')})|${SHORT_SITE}/${CODE}/?${REST})\\s*$`,
    // the code of a short link is never all digits
    not: `^\\s*${HTTP}${SITE}/(?:t/)?\\d+/?${REST}\\s*$`,
    must: MUST,
    value: (text) => text,
  }),
  readVideoUrl,
);
