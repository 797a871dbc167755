import type { Static } from 'typebox';
import { forumPostId } from '../../parameters/forum.ts';
import { inPath } from '../../parameters/parameter.ts';
import { count, list, orNull, record, text } from '../../schema.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, minutes } from '../define.ts';
import { ForumPost, keepForMs } from '../forum.ts';

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

export type ForumComment = Static<typeof ForumComment>;
export type ForumThread = Static<typeof ForumThread>;

export const forumComments = defineOperation({
  id: 'forum-comments',
  method: 'comments',
  area: AREAS.forum,
  path: '/v1/forum/posts/{postId}/comments',
  summary: 'One post with all of its comments as a flat list',
  parameters: [inPath('postId', forumPostId, 'Id of the post.', '1abc01')],
  resource: { ForumThread },
  parts: { ForumPost, ForumComment },
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
