import type { ShortVideo } from '../../contract/operations/shortvideo.ts';
import {
  at,
  countIn,
  firstUrl,
  flagIn,
  idIn,
  instantOf,
  type JsonObject,
  listOf,
  numberIn,
  objectOf,
  objectsOf,
  textIn,
  urlIn,
  wordsIn,
} from '../untyped-json.ts';
import { hashtagsOf } from './hashtags.ts';

/** The parsed video of any format. */
export interface Found {
  readonly id: string;
  readonly video: ShortVideo | null;
  /** Visible to signed-in visitors only: the item is present, its video is not. */
  readonly gated: boolean;
}

const seconds = (value: unknown): string | null => {
  const epoch = numberIn(value);
  return instantOf(epoch === null ? null : Math.round(epoch * 1000));
};
const milliseconds = (value: unknown, factor: number): number | null => {
  const length = numberIn(value);
  // the platform writes 0 if there is no video
  return length === null || length <= 0 ? null : Math.round(length * factor);
};
export const addressOf = (id: string, handle: string, picture: boolean): string =>
  `https://www.tiktok.com/@${handle}/${picture ? 'photo' : 'video'}/${id}`;
/** A handle as used in URLs. */
export const handleIn = (value: unknown): string | null =>
  typeof value === 'string' && /^@?[\w.-]+$/.test(value) ? value.replace(/^@/, '') : null;
/** A caption with paragraphs separated by line feeds: the platform writes U+2028, or lists the paragraphs beside the flattened caption. */
export function captionOf(caption: unknown, paragraphs?: unknown): string | null {
  const listed = listOf(paragraphs).map((paragraph) => objectOf(paragraph)?.desc);
  const joined = listed.every((text) => typeof text === 'string') ? listed.join('\n') : '';
  // a list that has less text than the caption has lost a paragraph
  const isWhole = joined.trim() !== '' && visibleLength(joined) >= visibleLength(typeof caption === 'string' ? caption : '');
  const text = textIn(isWhole ? joined : caption);
  return text === null ? null : text.replace(/[\u2028\u2029]/g, '\n');
}
const visibleLength = (text: string): number => text.replace(/\s+/g, '').length;
const titlesOf = (challenges: unknown): unknown[] => objectsOf(challenges).map((c) => c.title ?? c.challengeName ?? c.cha_name);

/**
 * `itemStruct` of the pages since October 2020, and the entries of `ItemModule` (2021 to 2023), where `author` is the handle and the
 * author's other fields are on the item itself. Field map: recordings/social/NOTES.md 1.4. `statsV2` is exact, `stats` may be rounded.
 */
export function readItem(item: JsonObject): Found | null {
  const id = idIn(item.id);
  const flat = typeof item.author === 'string';
  const author: JsonObject = flat
    ? { uniqueId: item.author, nickname: item.nickname, avatarThumb: item.avatarThumb }
    : (objectOf(item.author) ?? {});
  const handle = handleIn(author.uniqueId);
  if (id === null) return null;
  const pictures = objectsOf(at(item, 'imagePost', 'images'));
  const picture = objectOf(item.imagePost) !== null;
  const video = objectOf(item.video);
  if (!video && !picture) return { id, video: null, gated: item.isContentClassified === true };
  if (handle === null || (!objectOf(item.stats) && !objectOf(item.statsV2))) return { id, video: null, gated: false };
  const stat = (name: string): number | null => countIn(at(item, 'statsV2', name)) ?? countIn(at(item, 'stats', name));
  const caption = typeof item.desc === 'string' ? item.desc : '';
  return {
    id,
    gated: false,
    video: {
      videoId: id,
      description: captionOf(item.desc, item.contents),
      url: addressOf(id, handle, picture),
      createdAt: seconds(item.createTime),
      region: wordsIn(item.locationCreated),
      coverUrl: firstUrl([video?.cover, video?.originCover, ...pictures.flatMap((p) => listOf(at(p, 'imageURL', 'urlList')))]),
      durationMs: picture ? null : milliseconds(video?.duration, 1000),
      isAd: flagIn(item.isAd),
      hashtags: hashtagsOf(caption, objectsOf(item.textExtra), titlesOf(item.challenges)),
      metrics: {
        views: stat('playCount'),
        likes: stat('diggCount'),
        comments: stat('commentCount'),
        shares: stat('shareCount'),
        saves: stat('collectCount'),
      },
      author: {
        handle,
        name: wordsIn(author.nickname),
        avatarUrl: urlIn(author.avatarLarger, author.avatarMedium, author.avatarThumb),
        isVerified: flagIn(author.verified),
      },
      music: { title: wordsIn(at(item, 'music', 'title')), authorName: wordsIn(at(item, 'music', 'authorName')) },
    },
  };
}

/** `videoData` of the pages up to September 2020, and of the current embed page. It contains neither saves nor region. */
export function readVideoData(data: JsonObject): Found | null {
  const info = objectOf(data.itemInfos);
  const id = idIn(info?.id);
  const author = objectOf(data.authorInfos) ?? {};
  const handle = handleIn(author.uniqueId);
  if (!info || id === null) return null;
  if (handle === null) return { id, video: null, gated: false };
  const caption = typeof info.text === 'string' ? info.text : '';
  return {
    id,
    gated: false,
    video: {
      videoId: id,
      description: captionOf(info.text),
      url: addressOf(id, handle, objectOf(data.imagePostInfo ?? info.imagePost) !== null),
      createdAt: seconds(info.createTime),
      region: null,
      coverUrl: firstUrl([...listOf(info.covers), ...listOf(info.coversOrigin)]),
      durationMs: milliseconds(at(info, 'video', 'videoMeta', 'duration'), 1000),
      isAd: flagIn(info.isAd),
      hashtags: hashtagsOf(caption, objectsOf(data.textExtra), titlesOf(data.challengeInfoList)),
      metrics: {
        views: countIn(info.playCount),
        likes: countIn(info.diggCount),
        comments: countIn(info.commentCount),
        shares: countIn(info.shareCount),
        saves: null,
      },
      author: {
        handle,
        name: wordsIn(author.nickName),
        avatarUrl: firstUrl(listOf(author.covers)),
        isVerified: flagIn(author.verified),
      },
      music: { title: wordsIn(at(data, 'musicInfos', 'musicName')), authorName: wordsIn(at(data, 'musicInfos', 'authorName')) },
    },
  };
}

/** `aweme_detail`, the format of data providers; durations are in milliseconds. */
export function readAweme(aweme: JsonObject): Found | null {
  const id = idIn(aweme.aweme_id);
  const author = objectOf(aweme.author) ?? {};
  const handle = handleIn(author.unique_id);
  if (id === null) return null;
  if (handle === null || !objectOf(aweme.statistics)) return { id, video: null, gated: false };
  const picture = objectOf(aweme.image_post_info) !== null;
  const stat = (name: string): number | null => countIn(at(aweme, 'statistics', name));
  const caption = typeof aweme.desc === 'string' ? aweme.desc : '';
  return {
    id,
    gated: false,
    video: {
      videoId: id,
      description: captionOf(aweme.desc),
      url: addressOf(id, handle, picture),
      createdAt: seconds(aweme.create_time),
      region: wordsIn(aweme.region),
      coverUrl: firstUrl([...listOf(at(aweme, 'video', 'cover', 'url_list')), ...listOf(at(aweme, 'video', 'origin_cover', 'url_list'))]),
      durationMs: picture ? null : milliseconds(at(aweme, 'video', 'duration'), 1),
      isAd: flagIn(aweme.is_ads),
      hashtags: hashtagsOf(caption, objectsOf(aweme.text_extra), titlesOf(aweme.cha_list)),
      metrics: {
        views: stat('play_count'),
        likes: stat('digg_count'),
        comments: stat('comment_count'),
        shares: stat('share_count'),
        saves: stat('collect_count'),
      },
      author: {
        handle,
        name: wordsIn(author.nickname),
        avatarUrl: firstUrl([...listOf(at(author, 'avatar_larger', 'url_list')), ...listOf(at(author, 'avatar_medium', 'url_list'))]),
        isVerified: null,
      },
      music: { title: wordsIn(at(aweme, 'music', 'title')), authorName: wordsIn(at(aweme, 'music', 'author')) },
    },
  };
}
