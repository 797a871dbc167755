import type { Static } from 'typebox';
import { required } from '../../parameters/parameter.ts';
import { videoPartsOf, videoUrlType } from '../../parameters/video-url.ts';
import { orNull, record, text, words } from '../../schema.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, minutes } from '../define.ts';

export const ShortVideo = record({
  videoId: text('Id of the video.'),
  description: orNull.text('Caption.'),
  url: orNull.url('Address of the video; with `/photo/` for picture posts.'),
  createdAt: orNull.instant('When it was posted.'),
  region: orNull.text('Two-letter country where it was posted.'),
  coverUrl: orNull.url('Cover picture: a signed address that expires after a few hours.'),
  durationMs: orNull.count('Length in milliseconds; null for picture posts.'),
  isAd: orNull.flag('Marked as an advertisement.'),
  hashtags: words("Hashtags without #, in the caption's own case."),
  metrics: record({
    views: orNull.count('Plays.'),
    likes: orNull.count('Likes.'),
    comments: orNull.count('Comments.'),
    shares: orNull.count('Shares.'),
    saves: orNull.count('Saves to collections.'),
  }),
  author: record({
    handle: orNull.text('Handle without @.'),
    name: orNull.text('Display name.'),
    avatarUrl: orNull.url('Picture of the author.'),
    isVerified: orNull.flag('Verified by the platform.'),
  }),
  music: record({ title: orNull.text('Title of the sound.'), authorName: orNull.text('Author of the sound.') }),
});
export type ShortVideo = Static<typeof ShortVideo>;

/** Expiry of a signed URL, epoch ms: its `x-expires`, in seconds. */
function expiryOf(url: string | null): number {
  const seconds = url && URL.canParse(url) ? Number(new URL(url).searchParams.get('x-expires') ?? Number.NaN) : Number.NaN;
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY;
}

export const shortVideo = defineOperation({
  id: 'short-video',
  method: 'video',
  area: AREAS.shortvideo,
  path: '/v1/shortvideo/videos',
  summary: 'One short video by its URL',
  parameters: [
    required(
      'url',
      videoUrlType,
      'URL of the video, in any form that the platform hands out.',
      'https://www.tiktok.com/@acmewidgets/video/7301234567890123456',
      { parts: { names: ['id', 'handle'], of: videoPartsOf } },
    ),
  ],
  resource: { ShortVideo },
  watch: {
    lists: {},
    fields: ['description', 'region', 'durationMs', 'isAd', 'hashtags', 'author.handle', 'author.name', 'author.isVerified', 'music'],
    never: ['coverUrl', 'author.avatarUrl'],
    series: ['metrics.views', 'metrics.likes', 'metrics.comments', 'metrics.shares', 'metrics.saves'],
  },
  // 10 minutes, and at least 10 minutes less than the signed URLs are valid
  freshForMs: (video, nowMs) =>
    Math.max(0, Math.min(minutes(10), Math.min(expiryOf(video.coverUrl), expiryOf(video.author.avatarUrl)) - minutes(10) - nowMs)),
});
