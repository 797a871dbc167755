import type { Static } from 'typebox';
import { orNull, record, text, words } from '../schema.ts';

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
