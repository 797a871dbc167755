import type { ShortVideo } from '../../contract/operations/shortvideo.ts';
import { type JsonPlaces, unreadByPlaces } from '../json-places.ts';
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
  /** Fields of the video that are stated and could not be read. */
  readonly unread?: readonly string[];
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

/** The places of the fields in each format, to tell a field of another type from one that is absent. */
const ITEM_PLACES = {
  description: 'desc',
  createdAt: 'createTime',
  region: 'locationCreated',
  coverUrl: ['video.cover', 'video.originCover', 'imagePost.images[].imageURL.urlList'],
  durationMs: 'video.duration:number',
  isAd: 'isAd',
  hashtags: ['textExtra[].hashtagName', 'challenges[].title'],
  'metrics.views': ['stats.playCount', 'statsV2.playCount'],
  'metrics.likes': ['stats.diggCount', 'statsV2.diggCount'],
  'metrics.comments': ['stats.commentCount', 'statsV2.commentCount'],
  'metrics.shares': ['stats.shareCount', 'statsV2.shareCount'],
  'metrics.saves': ['stats.collectCount', 'statsV2.collectCount'],
  'music.title': 'music.title',
  'music.authorName': 'music.authorName',
} as const satisfies JsonPlaces;
const unreadInItem = unreadByPlaces({
  ...ITEM_PLACES,
  'author.name': 'author.nickname',
  'author.avatarUrl': ['author.avatarLarger', 'author.avatarMedium', 'author.avatarThumb'],
  'author.isVerified': 'author.verified',
});
const unreadInFlatItem = unreadByPlaces({ ...ITEM_PLACES, 'author.name': 'nickname', 'author.avatarUrl': 'avatarThumb' });
const unreadInVideoData = unreadByPlaces({
  description: 'itemInfos.text',
  createdAt: 'itemInfos.createTime',
  coverUrl: ['itemInfos.covers', 'itemInfos.coversOrigin'],
  durationMs: 'itemInfos.video.videoMeta.duration',
  isAd: 'itemInfos.isAd',
  hashtags: ['textExtra[].hashtagName', 'textExtra[].HashtagName', 'challengeInfoList[].challengeName'],
  'metrics.views': 'itemInfos.playCount',
  'metrics.likes': 'itemInfos.diggCount',
  'metrics.comments': 'itemInfos.commentCount',
  'metrics.shares': 'itemInfos.shareCount',
  'author.name': 'authorInfos.nickName',
  'author.avatarUrl': 'authorInfos.covers',
  'author.isVerified': 'authorInfos.verified',
  'music.title': 'musicInfos.musicName',
  'music.authorName': 'musicInfos.authorName',
});
const unreadInAweme = unreadByPlaces({
  description: 'desc',
  createdAt: 'create_time',
  region: 'region',
  coverUrl: ['video.cover.url_list', 'video.origin_cover.url_list'],
  durationMs: 'video.duration:number',
  isAd: 'is_ads',
  hashtags: ['text_extra[].hashtag_name', 'cha_list[].cha_name'],
  'metrics.views': 'statistics.play_count',
  'metrics.likes': 'statistics.digg_count',
  'metrics.comments': 'statistics.comment_count',
  'metrics.shares': 'statistics.share_count',
  'metrics.saves': 'statistics.collect_count',
  'author.name': 'author.nickname',
  'author.avatarUrl': ['author.avatar_larger.url_list', 'author.avatar_medium.url_list'],
  'music.title': 'music.title',
  'music.authorName': 'music.author',
});

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
  const resource: ShortVideo = {
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
  };
  return { id, gated: false, video: resource, unread: (flat ? unreadInFlatItem : unreadInItem)(resource, item) };
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
  const resource: ShortVideo = {
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
  };
  return { id, gated: false, video: resource, unread: unreadInVideoData(resource, data) };
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
  const resource: ShortVideo = {
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
  };
  return { id, gated: false, video: resource, unread: unreadInAweme(resource, aweme) };
}
