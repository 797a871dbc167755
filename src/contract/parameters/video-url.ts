import { bad, good, type Read } from './parameter.ts';

/** What an address of the short-video platform names: a video by its id, or a short link that must be followed first. */
export type VideoAddress = { kind: 'video'; id: string; handle: string | null } | { kind: 'short'; url: string };

const HOSTS: ReadonlySet<string> = new Set([
  'tiktok.com',
  'www.tiktok.com',
  'm.tiktok.com',
  'lite.tiktok.com',
  'vm.tiktok.com',
  'vt.tiktok.com',
  'tiktokv.com',
  'www.tiktokv.com',
]);
const SHORT_HOSTS: ReadonlySet<string> = new Set(['vm.tiktok.com', 'vt.tiktok.com']);
const ID = '(\\d{15,20})';
const OF_AUTHOR = new RegExp(`^(?:/[a-z]{2}(?:-[A-Za-z]{2})?)?/@([\\w.-]*)/(?:video|photo)/${ID}/?$`);
const BARE = new RegExp(`^/(?:share/(?:video|photo)|video|photo|v|embed(?:/v\\d)?|player/v\\d)/${ID}(?:\\.html)?/?$`);
const CODE = '([A-Za-z0-9_-]{4,24})';

/** Hosts that may stand in a chain of short links. */
export const isVideoHost = (host: string): boolean => HOSTS.has(host.toLowerCase());

function pathOf(url: URL): string | null {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return null; // a broken percent escape names nothing
  }
}

/** A plain http(s) address of its own, without user, password or port; null for everything else. */
export function plainUrl(text: string): URL | null {
  const given = text.trim();
  if (!/^https?:\/\//i.test(given) || /\s/.test(given) || !URL.canParse(given)) return null;
  const url = new URL(given);
  return url.username === '' && url.password === '' && url.port === '' ? url : null;
}

/** Reads every address shape of one video that the platform hands out; null for profiles, sounds, tags, lives and all else. */
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

/** The id in an address of a video; null for short links and everything else. */
export function videoIdOf(text: string): string | null {
  const address = videoAddressOf(text);
  return address?.kind === 'video' ? address.id : null;
}

/** The one form in which a video is asked for: the platform goes by the id alone, and shows pictures under `/video/` as well. */
export const videoUrl = (id: string, handle: string | null): string => `https://www.tiktok.com/@${handle ?? '_'}/video/${id}`;

/** Every URL shape of a video that the platform itself hands out, in its one form. */
export function readVideoUrl(given: string): Read<string> {
  const address = videoAddressOf(given);
  if (!address)
    return bad('must be the URL of one video as the platform hands it out, such as https://www.tiktok.com/@name/video/7300000000000000001');
  return good(address.kind === 'short' ? address.url : videoUrl(address.id, address.handle));
}
