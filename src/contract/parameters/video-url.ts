import { type Address, addressReaders, plainUrl, thing } from './address.ts';
import { anyCase, matching, readAfter } from './parameter.ts';

/** The platform has hosts of regions (`us.tiktok.com`) and apps beside its own. */
const HOST = /^(?:(?:[a-z0-9-]{1,63}\.)?tiktok\.com|(?:www\.)?tiktokv\.com)$/;
const SHORT_HOSTS: ReadonlySet<string> = new Set(['vm.tiktok.com', 'vt.tiktok.com']);
const ID = '(\\d{15,20})';
const OF_AUTHOR = new RegExp(`^(?:/[a-z]{2}(?:-[A-Za-z]{2})?)?/@([\\w.-]*)/(?:video|photo)/${ID}/?$`);
const BARE = new RegExp(`^/(?:(?:i18n/)?share/(?:video|photo)|video|photo|v|embed(?:/v\\d)?|player/v\\d)/${ID}(?:\\.html)?/?$`);
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
  const own = OF_AUTHOR.exec(path);
  if (own?.[2]) return thing(own[2], /\w/.test((own[1] ?? '').replace(/^_$/, '')) ? (own[1] ?? null) : null);
  const bare = BARE.exec(path)?.[1];
  if (bare) return thing(bare);
  const item = url.searchParams.get('item_id');
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
const SITE = `(?:(?:[A-Za-z0-9-]{1,63}\\.)?${anyCase('tiktok.com')}|(?:${anyCase('www.')})?${anyCase('tiktokv.com')})`;
const REST = '(?:\\?[^\\s#]*)?(?:#\\S*)?';
const PATHS = [
  `(?:/[a-z]{2}(?:-[A-Za-z]{2})?)?/(?:@|%40)[\\w.-]*/(?:video|photo)/${VIDEO_ID}/?${REST}`,
  `/(?:(?:i18n/)?share/(?:video|photo)|video|photo|v|embed(?:/v\\d)?|player/v\\d)/${VIDEO_ID}(?:\\.html)?/?${REST}`,
  `/(?:[A-Za-z0-9][\\w/-]*)?\\?(?:[^\\s#&i%][^\\s#&]*&)*item_id=${VIDEO_ID}(?:[&#]\\S*)?`,
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
