import type { Static } from 'typebox';
import { community, forumCursor, forumPostId } from '../parameters/forum.ts';
import { inPath, optional, required, withDefault } from '../parameters/parameter.ts';
import { oneOfTexts, textOf } from '../parameters/value-types.ts';
import { count, flag, list, orNull, record, text } from '../schema.ts';
import { defineArea, defineOperation } from './define.ts';
import { hours, minutes } from './freshness.ts';

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

const area = defineArea({
  id: 'forum',
  scope: 'The discussion platform',
  about: 'Communities, search and comments of the discussion platform.',
});
const after = optional({
  name: 'after',
  description: 'Cursor: `after` of the page before.',
  example: 't3_1abc6d',
  type: forumCursor,
});
/** The platform requires that content which its users delete is removed after 48 hours. */
const keepForMs = hours(48);

export const forumCommunity = defineOperation({
  number: 4,
  id: 'forum-community',
  area,
  path: '/v1/forum/communities/{community}',
  summary: 'One page of posts of a community',
  parameters: [
    inPath({ name: 'community', description: 'Name of the community.', example: 'acmewidgets', type: community }),
    withDefault({ name: 'sort', default: 'hot', description: 'Order of the posts.', example: 'hot', type: oneOfTexts(FORUM_SORTS) }),
    after,
  ],
  resourceName: 'ForumPostPage',
  resource: ForumPostPage,
  rows: { entries: 'posts' },
  keepForMs,
  freshForMs: () => minutes(5),
});

export const forumSearch = defineOperation({
  number: 5,
  id: 'forum-search',
  area,
  path: '/v1/forum/search',
  summary: 'One page of posts found by text',
  parameters: [
    required({ name: 'query', description: 'Search terms, 1 to 512 characters.', example: 'acme widgets', type: textOf(512) }),
    withDefault({
      name: 'sort',
      default: 'relevance',
      description: 'Order of the posts.',
      example: 'relevance',
      type: oneOfTexts(FORUM_SEARCH_SORTS),
    }),
    after,
    optional({ name: 'community', description: 'Search in this community alone.', example: 'acmewidgets', type: community }),
  ],
  resourceName: 'ForumPostPage',
  resource: ForumPostPage,
  rows: { entries: 'posts' },
  keepForMs,
  freshForMs: () => minutes(5),
});

export const forumComments = defineOperation({
  number: 6,
  id: 'forum-comments',
  area,
  path: '/v1/forum/posts/{postId}/comments',
  summary: 'One post with all of its comments as a flat list',
  parameters: [inPath({ name: 'postId', description: 'Id of the post.', example: '1abc01', type: forumPostId })],
  resourceName: 'ForumThread',
  resource: ForumThread,
  rows: { entries: 'comments' },
  deadline: { setting: 'SIGHTLINE_DEADLINE_COMMENTS_MS', ms: 90_000 },
  keepForMs,
  freshForMs: () => minutes(5),
});
