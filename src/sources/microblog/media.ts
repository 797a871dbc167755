import type { JsonObject } from '../../contract/json-object.ts';
import type { MicroblogPost } from '../../contract/operations/microblog-post/operation.ts';
import { numberIn, objectOf, objectsOf, urlIn } from '../untyped-json.ts';

/** The best MP4 of a list of variants: the one with the highest bit rate; playlists are not files. */
function bestVideo(variants: unknown): string | null {
  const files = objectsOf(variants).filter((v) => v.content_type === 'video/mp4');
  const rate = (v: JsonObject): number => numberIn(v.bitrate ?? v.bit_rate) ?? 0;
  return urlIn(files.toSorted((a, b) => rate(b) - rate(a)).map(({ url }) => url));
}
/** A variant without its kind, or whose rate is in another form: it may be better than the best of the others. */
const isOddVariant = (v: JsonObject): boolean =>
  typeof v.content_type !== 'string' || ((v.bitrate ?? v.bit_rate ?? null) !== null && numberIn(v.bitrate ?? v.bit_rate) === null);
/** A list of variants that holds nothing but playlists, as of a live broadcast: there is no file. */
const isPlaylists = (variants: unknown): boolean =>
  objectsOf(variants).every((v) => v.content_type === 'application/x-mpegURL' || v.content_type === 'application/dash+xml');
export const statesSomething = (object: JsonObject | null): boolean => object !== null && Object.keys(object).length > 0;

/** One medium as an answer states it. `pictures`: addresses of the preview, best first. */
interface Medium {
  readonly type: unknown;
  readonly picture: unknown;
  readonly pictures: readonly unknown[];
  readonly variants: unknown;
}
interface MediaRead {
  readonly media: MicroblogPost['media'];
  readonly unread: readonly string[];
}
/**
 * Photos by their address, videos and GIFs by their best file. A file that is stated in another form, a photo without its address, or a kind of
 * medium that is not known leaves `media.url` unread; one without any address, or with a preview in another form, the whole list.
 */
export function mediaIn(list: readonly Medium[]): MediaRead {
  const unread = new Set<string>();
  const media = list.map(({ type, picture, pictures, variants }) => {
    const isPhoto = type === 'photo';
    const isVideo = !isPhoto && (type === 'video' || type === 'animated_gif' || (Array.isArray(variants) && variants.length > 0));
    const url = isPhoto ? urlIn([picture]) : isVideo ? bestVideo(variants) : null;
    const thumbnailUrl = urlIn(pictures);
    const hasNoFile = isVideo && ((variants ?? null) === null || (Array.isArray(variants) && isPlaylists(variants)));
    if (thumbnailUrl === null && (url === null || pictures.some((address) => (address ?? '') !== ''))) unread.add('media');
    else if ((url === null && !hasNoFile) || (isVideo && objectsOf(variants).some(isOddVariant))) unread.add('media.url');
    return { url, thumbnailUrl };
  });
  return { media, unread: [...unread] };
}
/** What a video has beside its files. */
const OF_VIDEO = ['aspect_ratio', 'duration_millis', 'variants'];
/** The variants of a video; a description of it in another form stands for those that it has. */
function variantsOf(video: JsonObject | null): unknown {
  if (!video || !statesSomething(video) || OF_VIDEO.some((name) => name in video)) return video?.variants;
  return { unread: video };
}
/** Media in v1 format (GraphQL, syndication). */
export const mediaOf = (list: readonly JsonObject[]): MediaRead =>
  mediaIn(
    list.filter(statesSomething).map(({ type, media_url_https: https, media_url: http, video_info: video }) => ({
      type,
      picture: https ?? http,
      pictures: [https, http],
      variants: variantsOf(objectOf(video)),
    })),
  );
