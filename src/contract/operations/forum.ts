import type { Static } from 'typebox';
import { forumCursor } from '../parameters/forum.ts';
import { optional } from '../parameters/parameter.ts';
import { flag, list, orNull, record, text } from '../schema.ts';
import { AREAS } from './areas.ts';
import { hours, minutes } from './define.ts';

export const ForumPost = record({
  community: orNull.text('Name of the community, without prefix.'),
  communityId: orNull.text('Id of the community, with its type prefix.'),
  postId: text('Id of the post, without prefix.'),
  title: orNull.text('Title.'),
  author: orNull.text('Author, `[deleted]` where the platform says so.'),
  score: orNull.count('Score.'),
  upvoteRatio: orNull.amount('Share of upvotes, 0 to 1.'),
  numComments: orNull.count('Number of comments as stated.'),
  url: orNull.url('What the post links to; its own address for a text post.'),
  selftext: orNull.text("Text in the platform's Markdown, as sent."),
  isSelf: orNull.flag('A text post.'),
  isVideo: orNull.flag('A video hosted by the platform.'),
  isStickied: orNull.flag('Pinned by moderators.'),
  thumbnail: orNull.url('Preview picture.'),
  createdAt: orNull.instant('When it was posted.'),
  permalink: orNull.url('Address of the discussion.'),
  flair: orNull.text('Flair of the post.'),
  domain: orNull.text('Domain of the link as stated.'),
});

export const ForumPostPage = record({
  posts: list(ForumPost, 'Posts in the order of the platform.'),
  after: orNull.text('Cursor of the next page.'),
  hasMore: flag('A next page exists.'),
});

export type ForumPost = Static<typeof ForumPost>;
export type ForumPostPage = Static<typeof ForumPostPage>;

export const after = optional('after', forumCursor, 'Cursor: `after` of the page before.', 't3_1abc6d');
/** The platform requires that content which its users delete is removed after 48 hours. */
export const keepForMs = hours(48);

/** What the operations with a page of posts share. */
export const postPage = {
  pages: 'after',
  area: AREAS.forum,
  resource: { ForumPostPage },
  parts: { ForumPost },
  rows: { entries: 'posts' },
  watch: {
    lists: { posts: { key: ['postId'], feed: 'createdAt' } },
    fields: ['posts.postId', 'posts.title', 'posts.selftext'],
    never: ['after', 'hasMore'],
    series: ['posts.score', 'posts.numComments'],
    textsForMs: keepForMs,
    more: 'hasMore',
  },
  keepForMs,
  freshForMs: () => minutes(5),
} as const;
