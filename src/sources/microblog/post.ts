import type { MicroblogPost } from '../../contract/operations/microblog.ts';
import { postUrl } from '../../contract/parameters/post-url.ts';
import { instantOf, type JsonObject, numberIn, objectsOf, urlIn } from '../untyped-json.ts';

const EPOCH_MS = 1_288_834_974_657n;
/** Smaller ids are sequential and contain no time (before 4 November 2010). */
const FIRST_TIMED_ID = 29_700_000_000n;

/** The time encoded in the id of a post, epoch ms; null for older ids. */
export function momentOf(id: string): number | null {
  const value = BigInt(id);
  return value < FIRST_TIMED_ID ? null : Number((value >> 22n) + EPOCH_MS);
}
/** The platform's two forms of a date: "2024-06-13T12:46:00.000Z" and "Thu Jun 13 12:46:00 +0000 2024". */
const DATE = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z|(?:[A-Z][a-z]{2} ){2}\d\d \d\d:\d\d:\d\d \+0000 \d{4})$/;
/** The date that the platform states, else that of the id, in RFC 3339. */
export function publishedAt(date: unknown, id: string): string | null {
  const stated = typeof date === 'string' && DATE.test(date) ? Date.parse(date) : Number.NaN;
  return instantOf(Number.isNaN(stated) ? momentOf(id) : stated);
}

/** The best MP4 of a list of variants: the one with the highest bit rate; playlists are not files. */
export function bestVideo(variants: unknown): string | null {
  const files = objectsOf(variants).filter((v) => v.content_type === 'video/mp4');
  const rate = (v: JsonObject): number => numberIn(v.bitrate ?? v.bit_rate) ?? 0;
  return urlIn(files.toSorted((a, b) => rate(b) - rate(a))[0]?.url);
}
/** Media in v1 format (GraphQL, syndication): photos by their image URL, videos and GIFs by their best file. */
export const mediaOf = (list: readonly JsonObject[]): MicroblogPost['media'] =>
  list.map((m) => {
    const thumbnailUrl = urlIn(m.media_url_https, m.media_url);
    const info = (m.video_info ?? {}) as JsonObject;
    return { url: m.type === 'video' || m.type === 'animated_gif' ? bestVideo(info.variants) : thumbnailUrl, thumbnailUrl };
  });

export const NO_METRICS: MicroblogPost['metrics'] = {
  views: null,
  likes: null,
  comments: null,
  shares: null,
  quotes: null,
  bookmarks: null,
};

/** True with any verification: paid, business or government (a type name); null if the answer states none. */
export function verified(...marks: readonly unknown[]): boolean | null {
  const stated = marks.filter((m) => typeof m === 'boolean' || (typeof m === 'string' && /^[A-Za-z_]+$/.test(m)));
  return stated.length ? stated.some((m) => (typeof m === 'string' ? m.toLowerCase() !== 'none' : m)) : null;
}

export const addressOf = (id: string, handle: string | null): string => postUrl(id, handle);
/** A handle as used in URLs. */
export const handleIn = (value: unknown): string | null => (typeof value === 'string' && /^\w{1,20}$/.test(value) ? value : null);
