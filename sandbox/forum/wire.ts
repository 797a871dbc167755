import type { CommentFact } from './discussion.ts';
import type { PostFact } from './facts.ts';

/** Objects in the platform's JSON format (API of 2026). */
export type Thing = { kind: string; data: Record<string, unknown> };

export const listing = (children: readonly unknown[], after: string | null = null, dist: number | null = children.length): Thing => ({
  kind: 'Listing',
  data: { after, dist, modhash: null, geo_filter: '', children, before: null },
});

/** Fields that the parsers do not read but that make the responses as large as the platform's. */
const AUTHOR_REST = {
  author_flair_background_color: null,
  author_flair_css_class: null,
  author_flair_richtext: [],
  author_flair_template_id: null,
  author_flair_text: null,
  author_flair_text_color: null,
  author_flair_type: 'text',
  author_is_blocked: false,
  author_patreon_flair: false,
  author_premium: false,
};
const MODERATION_REST = {
  approved_by: null,
  banned_at_utc: null,
  banned_by: null,
  can_gild: false,
  can_mod_post: false,
  gilded: 0,
  gildings: {},
  all_awardings: [],
  awarders: [],
  likes: null,
  mod_note: null,
  mod_reason_by: null,
  mod_reason_title: null,
  mod_reports: [],
  no_follow: true,
  num_reports: null,
  removal_reason: null,
  report_reasons: null,
  send_replies: true,
  top_awarded_type: null,
  total_awards_received: 0,
  treatment_tags: [],
  user_reports: [],
};
const htmlOf = (markdown: string): string =>
  `<!-- SC_OFF --><div class="md"><p>${markdown.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}</p>\n</div><!-- SC_ON -->`;

export function postThing(post: PostFact): Thing {
  const { flair, flairEmoji } = post;
  return {
    kind: 't3',
    data: {
      approved_at_utc: null,
      ...AUTHOR_REST,
      ...MODERATION_REST,
      selftext_html: post.selftext ? htmlOf(post.selftext) : null,
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

/** `depth`: relative to this response; `replies`: "" if there are none. */
export const commentThing = (comment: CommentFact, post: PostFact, depth: number, replies: Thing | ''): Thing => ({
  kind: 't1',
  data: {
    ...AUTHOR_REST,
    ...MODERATION_REST,
    approved_at_utc: null,
    associated_award: null,
    author_fullname: comment.author === '[deleted]' ? undefined : `t2_${comment.author.length}x${comment.commentId}`,
    body_html: htmlOf(comment.body),
    collapsed_because_crowd_control: null,
    collapsed_reason: null,
    collapsed_reason_code: null,
    comment_type: null,
    downs: 0,
    is_submitter: false,
    locked: false,
    archived: false,
    saved: false,
    subreddit_name_prefixed: `r/${post.community}`,
    subreddit_type: 'public',
    unrepliable_reason: null,
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
/** A `more` node of the kind "Continue this thread". */
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
