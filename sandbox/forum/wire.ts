import type { CommentFact } from './discussion.ts';
import type { PostFact } from './facts.ts';

/** Objects in the platform's own format (API of 2026). */
export type Thing = { kind: string; data: Record<string, unknown> };

export const listing = (children: readonly unknown[], after: string | null = null, dist: number | null = children.length): Thing => ({
  kind: 'Listing',
  data: { after, dist, modhash: null, geo_filter: '', children, before: null },
});

export function postThing(post: PostFact): Thing {
  const { flair, flairEmoji } = post;
  return {
    kind: 't3',
    data: {
      approved_at_utc: null,
      subreddit: post.community,
      selftext: post.selftext,
      author_fullname: post.author === '[deleted]' ? undefined : `t2_${post.author.length}x${post.postId}`,
      saved: false,
      title: post.title,
      link_flair_richtext: flair
        ? [
            ...(flairEmoji ? [{ a: flairEmoji, e: 'emoji', u: 'https://emoji.redditmedia.com/star' }] : []),
            { e: 'text', t: flairEmoji ? ` ${flair}` : flair },
          ]
        : [],
      subreddit_name_prefixed: `r/${post.community}`,
      hidden: false,
      hide_score: false,
      name: `t3_${post.postId}`,
      quarantine: false,
      upvote_ratio: post.upvoteRatio,
      subreddit_type: 'public',
      ups: post.score,
      domain: post.domain,
      is_original_content: false,
      link_flair_text: flair && (flairEmoji ? `${flairEmoji} ${flair}` : flair),
      score: post.score,
      thumbnail: post.thumbnail,
      edited: false,
      is_self: post.isSelf,
      created: post.created,
      removed_by_category: post.removedBy,
      over_18: post.adult,
      spoiler: false,
      locked: false,
      archived: false,
      pinned: false,
      stickied: post.isStickied,
      subreddit_id: post.communityId,
      id: post.postId,
      author: post.author,
      num_comments: post.numComments,
      permalink: `/r/${post.community}/comments/${post.postId}/${post.slug}/`,
      url: post.url,
      created_utc: post.created,
      num_crossposts: 0,
      media: null,
      is_video: post.isVideo,
      suggested_sort: 'new',
    },
  };
}

/** `depth`: as this answer counts; `replies`: "" where there are none. */
export const commentThing = (comment: CommentFact, post: PostFact, depth: number, replies: Thing | ''): Thing => ({
  kind: 't1',
  data: {
    subreddit_id: post.communityId,
    subreddit: post.community,
    id: comment.commentId,
    name: `t1_${comment.commentId}`,
    author: comment.author,
    body: comment.body,
    score: comment.score,
    ups: comment.score,
    score_hidden: comment.scoreHidden,
    created: comment.created,
    created_utc: comment.created,
    link_id: `t3_${post.postId}`,
    parent_id: comment.parentId,
    permalink: `/r/${post.community}/comments/${post.postId}/${post.slug}/${comment.commentId}/`,
    stickied: comment.isStickied,
    distinguished: comment.isStickied ? 'moderator' : null,
    collapsed: false,
    edited: false,
    controversiality: 0,
    depth,
    replies,
  },
});

export const moreThing = (parentId: string, ids: readonly string[], count: number, depth: number): Thing => ({
  kind: 'more',
  data: { count, name: `t1_${ids[0]}`, id: ids[0], parent_id: parentId, depth, children: ids },
});
/** "Continue this thread". */
export const continueThing = (parentId: string, depth: number): Thing => ({
  kind: 'more',
  data: { count: 0, name: 't1__', id: '_', parent_id: parentId, depth, children: [] },
});

/** Without `raw_json=1` the platform escapes three characters in every string. */
export const wireText = (body: unknown, raw: boolean): string =>
  raw
    ? JSON.stringify(body)
    : JSON.stringify(body, (_, value: unknown) =>
        typeof value === 'string' ? value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : value,
      );
