import type { Static } from 'typebox';
import { count, flag, list, orNull, record, text } from '../schema.ts';

export const FORUM_SORTS = ['hot', 'new', 'top', 'rising'] as const;
export const FORUM_SEARCH_SORTS = ['relevance', 'new', 'top', 'comments'] as const;

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

export const ForumComment = record({
  postId: text('Id of the post.'),
  commentId: text('Id of the comment, without prefix.'),
  parentId: orNull.text('What it answers: `t3_` a post, `t1_` a comment.'),
  author: orNull.text('Author, `[deleted]` where the platform says so.'),
  body: orNull.text("Text in the platform's Markdown, as sent."),
  score: orNull.count('Score; null while hidden.'),
  depth: count('0 for an answer to the post.', { minimum: 0 }),
  createdAt: orNull.instant('When it was posted.'),
  permalink: orNull.url('Address of the comment.'),
  isStickied: orNull.flag('Pinned by moderators.'),
});

export const ForumThread = record({
  post: ForumPost,
  comments: list(ForumComment, 'All comments, in pre-order.'),
});

export type ForumPost = Static<typeof ForumPost>;
export type ForumPostPage = Static<typeof ForumPostPage>;
export type ForumComment = Static<typeof ForumComment>;
export type ForumThread = Static<typeof ForumThread>;
