import type { ForumComment } from '../../../contract/operations/forum.ts';
import { unreadByPlaces } from '../../json-places.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { flagIn, integerIn, type JsonObject, nonEmptyIn } from '../../untyped-json.ts';
import { permalinkOf, SITE } from './address.ts';
import { bareOf, idOf, instantOf, type Text } from './fields.ts';

/** A comment with a known parent. */
export type PlacedComment = ForumComment & { parentId: string };

const unreadInComment = unreadByPlaces({
  author: 'author',
  body: 'body',
  score: 'score:number',
  createdAt: 'created_utc',
  permalink: ['permalink', 'subreddit:string'],
  isStickied: 'stickied',
});

/**
 * The data of a comment (kind t1) as a ForumComment; null without id, post or parent. The caller passes `depth`: the platform's field is
 * missing before 2017 and starts at 0 in an answer for one comment.
 */
export function commentOf(data: JsonObject, depth: number, text: Text, unread?: UnreadFields): PlacedComment | null {
  const commentId = idOf(data, 't1');
  const postId = bareOf(data.link_id, 't3');
  const parentId = data.parent_id;
  if (commentId === null || postId === null || typeof parentId !== 'string' || !/^t[13]_[a-z0-9]{1,13}$/.test(parentId)) return null;
  const comment: PlacedComment = {
    postId,
    commentId,
    parentId,
    author: nonEmptyIn(data.author),
    body: text(data.body),
    score: data.score_hidden === true ? null : integerIn(data.score),
    depth,
    createdAt: instantOf(data.created_utc),
    permalink: permalinkOf(text(data.permalink)) ?? builtPermalink(data, postId, commentId),
    isStickied: flagIn(data.stickied),
  };
  unread?.add(unreadInComment(comment, data, 'comments.'));
  return comment;
}

/** The permalink of comments before 2017, which have none; the platform accepts `_` in place of the title. */
function builtPermalink(data: JsonObject, postId: string, commentId: string): string | null {
  const community = nonEmptyIn(data.subreddit);
  return data.permalink === undefined && community && /^[\w.-]+$/.test(community)
    ? `${SITE}/r/${community}/comments/${postId}/_/${commentId}/`
    : null;
}
