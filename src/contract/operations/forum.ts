import type { Static } from 'typebox';
import { community, forumCursor, forumPostId } from '../parameters/forum.ts';
import { inPath, optional, required, sortIn, textOf } from '../parameters/parameter.ts';
import { count, flag, list, orNull, record, text } from '../schema.ts';
import { defineArea, defineOperation, hours, minutes } from './define.ts';

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
const after = optional('after', forumCursor, 'Cursor: `after` of the page before.', 't3_1abc6d');
/** The platform requires that content which its users delete is removed after 48 hours. */
const keepForMs = hours(48);

const postPage = {
  pages: 'after',
  area,
  resource: { ForumPostPage },
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

export const forumCommunity = defineOperation({
  ...postPage,
  id: 'forum-community',
  method: 'community',
  path: '/v1/forum/communities/{community}',
  summary: 'One page of posts of a community',
  parameters: [
    inPath('community', community, 'Name of the community.', 'acmewidgets'),
    sortIn('sort', FORUM_SORTS, 'Order of the posts.', 'hot'),
    after,
  ],
});

export const forumSearch = defineOperation({
  ...postPage,
  id: 'forum-search',
  method: 'search',
  path: '/v1/forum/search',
  summary: 'One page of posts found by text',
  parameters: [
    required('query', textOf(512), 'Search terms, 1 to 512 characters.', 'acme widgets'),
    sortIn('sort', FORUM_SEARCH_SORTS, 'Order of the posts.', 'relevance'),
    after,
    optional('community', community, 'Search in this community alone.', 'acmewidgets'),
  ],
});

export const forumComments = defineOperation({
  id: 'forum-comments',
  method: 'comments',
  area,
  path: '/v1/forum/posts/{postId}/comments',
  summary: 'One post with all of its comments as a flat list',
  parameters: [inPath('postId', forumPostId, 'Id of the post.', '1abc01')],
  resource: { ForumThread },
  rows: { entries: 'comments' },
  watch: {
    lists: { comments: { key: ['commentId'] } },
    fields: ['post.title', 'post.selftext', 'comments.commentId', 'comments.body'],
    never: [],
    series: ['post.score', 'post.upvoteRatio', 'post.numComments'],
    textsForMs: keepForMs,
  },
  deadline: { setting: 'SIGHTLINE_DEADLINE_COMMENTS_MS', ms: 90_000 },
  keepForMs,
  freshForMs: () => minutes(5),
});
