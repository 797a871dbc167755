import { anyCase, bad, good, matching, type Read, readAfter } from './parameter.ts';

/** The target of a URL of the short-video platform: a video by its id, or a short link that must be resolved first. */
export type VideoAddress = { kind: 'video'; id: string; handle: string | null } | { kind: 'short'; url: string };

const HOSTS: ReadonlySet<string> = new Set([
  ...['', 'www.', 'm.', 'lite.', 'vm.', 'vt.'].map((prefix) => `${prefix}tiktok.com`),
  ...['tiktokv.com', 'www.tiktokv.com'],
]);
const SHORT_HOSTS: ReadonlySet<string> = new Set(['vm.tiktok.com', 'vt.tiktok.com']);
const ID = '(\\d{15,20})';
const OF_AUTHOR = new RegExp(`^(?:/[a-z]{2}(?:-[A-Za-z]{2})?)?/@([\\w.-]*)/(?:video|photo)/${ID}/?$`);
const BARE = new RegExp(`^/(?:share/(?:video|photo)|video|photo|v|embed(?:/v\\d)?|player/v\\d)/${ID}(?:\\.html)?/?$`);
const CODE = '([A-Za-z0-9_-]{4,24})';

/** Hosts that redirects of short links may pass through. */
export const isVideoHost = (host: string): boolean => HOSTS.has(host.toLowerCase());

function pathOf(url: URL): string | null {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return null; // invalid percent-encoding
  }
}

/** An http(s) URL without user, password or port; null for any other text. */
export function plainUrl(text: string): URL | null {
  const given = text.trim();
  if (!/^https?:\/\//i.test(given) || /\s/.test(given) || !URL.canParse(given)) return null;
  const url = new URL(given);
  return url.username === '' && url.password === '' && url.port === '' ? url : null;
}

/** Reads every URL form of one video that the platform uses; null for profiles, sounds, tags, live streams and other pages. */
export function videoAddressOf(text: string): VideoAddress | null {
  const url = plainUrl(text);
  const path = url && HOSTS.has(url.hostname) ? pathOf(url) : null;
  if (!url || path === null) return null;
  const own = OF_AUTHOR.exec(path);
  if (own?.[2]) return { kind: 'video', id: own[2], handle: /\w/.test((own[1] ?? '').replace(/^_$/, '')) ? (own[1] ?? null) : null };
  const bare = BARE.exec(path)?.[1];
  if (bare) return { kind: 'video', id: bare, handle: null };
  const item = url.searchParams.get('item_id');
  if (item && /^\d{15,20}$/.test(item) && !path.startsWith('/@')) return { kind: 'video', id: item, handle: null };
  const code = new RegExp(SHORT_HOSTS.has(url.hostname) ? `^/(?:t/)?${CODE}/?$` : `^/t/${CODE}/?$`).exec(path)?.[1];
  if (!code || /^\d+$/.test(code)) return null;
  const folder = path.startsWith('/t/') ? '/t' : '';
  return { kind: 'short', url: `https://${url.hostname}${folder}/${code}/` };
}

/** The id in the URL of a video; null for short links and other URLs. */
export const videoIdOf = (text: string): string | null => videoPartsOf(text)?.id ?? null;

/** The canonical URL of a video: the platform reads the id only, and serves picture posts under `/video/` too. */
export const videoUrl = (id: string, handle: string | null): string => `https://www.tiktok.com/@${handle ?? '_'}/video/${id}`;

const MUST = 'must be the URL of one video as the platform hands it out, such as https://www.tiktok.com/@name/video/7300000000000000001';
/** The canonical form of a video's URL. Accepts more than `videoUrlType`, because redirects of the platform are read with it too. */
export function readVideoUrl(given: string): Read<string> {
  const address = videoAddressOf(given);
  if (!address) return bad(MUST);
  return good(address.kind === 'short' ? address.url : videoUrl(address.id, address.handle));
}

const VIDEO_ID = '\\d{15,20}';
const HTTP = `${anyCase('http')}[sS]?://`;
const SHORT_SITE = `(?:${anyCase('vm')}|${anyCase('vt')})\\.${anyCase('tiktok.com')}`;
const SITE = `(?:(?:(?:${['www', 'm', 'lite', 'vm', 'vt'].map(anyCase).join('|')})\\.)?${anyCase('tiktok.com')}|(?:${anyCase('www.')})?${anyCase('tiktokv.com')})`;
const REST = '(?:\\?[^\\s#]*)?(?:#\\S*)?';
const PATHS = [
  `(?:/[a-z]{2}(?:-[A-Za-z]{2})?)?/(?:@|%40)[\\w.-]*/(?:video|photo)/${VIDEO_ID}/?${REST}`,
  `/(?:share/(?:video|photo)|video|photo|v|embed(?:/v\\d)?|player/v\\d)/${VIDEO_ID}(?:\\.html)?/?${REST}`,
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

export function videoPartsOf(url: string): { readonly id: string; readonly handle: string } | null {
  const address = videoAddressOf(url);
  return address?.kind === 'video' ? { id: address.id, handle: address.handle ?? '' } : null;
}
