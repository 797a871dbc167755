import { facts, number, type Presentation, text } from '../presentation.ts';
import type { ForumThread } from './operation.ts';

export const presentation: Presentation<ForumThread> = {
  name: 'Reddit comments',
  icon: 'comments',
  guidance: {
    title: 'Comments of a post',
    use: 'Use to read a whole discussion: a Reddit post and its comments as a flat list. Not for finding posts: take postId from forum_community or forum_search.',
    fresh: 'Up to 5 min old.',
    limits: 'long ones come in parts, see nextCursor. Removed post: NOT_FOUND. score null: still hidden.',
  },
  lines: ({ post, comments }) => [facts(number(comments.length, 'comments'), number(post.score, 'points')), ...text(post.title)],
};
