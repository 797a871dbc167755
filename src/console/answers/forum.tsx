import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ForumPost, ForumPostPage } from '../../contract/operations/forum.ts';
import type { ForumThread } from '../../contract/operations/forum-comments/operation.ts';
import { Button, SearchInput, useTurned } from '../parts/controls.tsx';
import { Facts, OutLink, Picture } from '../parts/display.tsx';
import { moment, number, plural, share } from '../parts/format.ts';
import { Windowed } from '../parts/table.tsx';
import { BulkChip, NextLink } from '../workbench/lookups.tsx';
import { COMMENT_SORTS, type CommentSort, commentTree, type ShownComment, shownComments } from './comment-order.ts';
import { stated } from './shared.tsx';

/** A post with its text; `alone`: the post of a thread, whose comments are already there. */
function ForumPostCard({ post, alone = false }: { post: ForumPost; alone?: boolean }) {
  const { community } = post;
  return (
    <article class="forum-post">
      <h2>
        <OutLink href={post.permalink}>{stated(post.title)}</OutLink> {post.flair !== null && <span class="pill">{post.flair}</span>}{' '}
        {post.isStickied && <span class="pill">Pinned</span>}
      </h2>
      <p class="about">
        {stated(post.score, (score) => `${number(score)} points`)} · {stated(post.upvoteRatio, (ratio) => `${share(ratio)} upvoted`)} ·{' '}
        {stated(post.numComments, (count) => plural(count, 'comment'))} · by {stated(post.author)} in{' '}
        {community === null ? stated(community) : <NextLink id="forum-community" values={{ community }} name={community} />} ·{' '}
        {stated(post.createdAt, moment)} {!alone && <NextLink id="forum-comments" values={{ postId: post.postId }} name="Comments" />}
      </p>
      {post.selftext && <p class={alone ? 'text' : 'text clamp'}>{post.selftext}</p>}
      <details>
        <summary>More of this post</summary>
        <Facts
          facts={{
            'Links to': post.url && <OutLink href={post.url} />,
            Discussion: post.permalink && <OutLink href={post.permalink} />,
            Domain: post.domain,
            'Text post': post.isSelf,
            Video: post.isVideo,
            Pinned: post.isStickied,
            Flair: post.flair,
            Text: post.selftext === null ? null : 'stated',
            'Community id': post.communityId,
            Preview: post.thumbnail && <Picture src={post.thumbnail} what="Preview" />,
            Id: <code>{post.postId}</code>,
          }}
        />
      </details>
    </article>
  );
}

export const ForumPostPageView = ({ resource: { posts, hasMore, after } }: { resource: ForumPostPage }) => (
  <div class="stack">
    <div class="toolbar">
      <p class="about">
        {plural(posts.length, 'post')} on this page; {hasMore ? 'more follow' : 'nothing follows'}
        {after !== null && ' after '}
        {after !== null && <code>{after}</code>}.
      </p>
      <BulkChip id="forum-comments" parameter="postId" values={posts.map((p) => p.postId)} />
    </div>
    <div class="posts">
      {posts.map((post) => (
        <ForumPostCard key={post.postId} post={post} />
      ))}
    </div>
  </div>
);

/** Indentation ends here, so that deep threads stay readable. */
const MAX_INDENT = 12;
const ROW_PX = 92;

function Comment({ shown, turn }: { shown: ShownComment; turn: (commentId: string) => void }) {
  const { comment, below } = shown.node;
  const author = comment.author ?? 'an author who is not stated';
  return (
    <article
      class={shown.matches ? 'comment' : 'comment context'}
      style={{ marginInlineStart: `${Math.min(shown.depth, MAX_INDENT) * 12}px` }}
    >
      <p class="about">
        {below > 0 && (
          <Button
            text={shown.collapsed ? '+' : '–'}
            class="turn"
            aria-expanded={!shown.collapsed}
            aria-label={`Answers to ${author}`}
            onClick={() => turn(comment.commentId)}
          />
        )}
        <strong>{stated(comment.author)}</strong> · {stated(comment.score, (score) => `${number(score)} points`)} ·{' '}
        <OutLink href={comment.permalink}>{stated(comment.createdAt, moment)}</OutLink>
        {comment.isStickied && <span class="pill">Pinned</span>}
        {shown.collapsed && ` · ${plural(below, 'answer')} hidden`}
      </p>
      <p class="text">{stated(comment.body)}</p>
    </article>
  );
}

export function ForumThreadView({ resource }: { resource: ForumThread }) {
  const sort = useSignal<CommentSort>('thread');
  const sought = useSignal('');
  const [collapsed, turn, collapse] = useTurned();
  const roots = useMemo(() => commentTree(resource.comments), [resource]);
  const filter = { sort: sort.value, sought: sought.value, collapsed };
  const shown = useMemo(() => shownComments(roots, filter), [roots, ...Object.values(filter)]);
  const collapseAll = (): void => collapse(collapsed.size ? [] : roots.flatMap((r) => (r.below > 0 ? r.comment.commentId : [])));
  const matches = sought.value.trim() ? shown.filter((s) => s.matches).length : null;
  return (
    <div class="thread">
      <ForumPostCard post={resource.post} alone />
      <div class="toolbar">
        <h2>{plural(resource.comments.length, 'comment')}</h2>
        <SearchInput label="Search" value={sought.value} set={(text) => (sought.value = text)} />
        <label>
          Sort{' '}
          <select value={sort.value} onChange={(e) => (sort.value = e.currentTarget.value as CommentSort)}>
            {Object.entries(COMMENT_SORTS).map(([id, [name]]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Button text={collapsed.size ? 'Expand all' : 'Collapse all'} class="quiet" onClick={collapseAll} />
        <span class="about" role="status">
          {matches === null ? '' : plural(matches, 'match', 'matches')}
        </span>
      </div>
      <div class="tree">
        <Windowed items={shown} rowHeightPx={ROW_PX} chunkSize={40}>
          {(row) => <Comment key={row.node.comment.commentId} shown={row} turn={turn} />}
        </Windowed>
        {shown.length === 0 && <p class="none">{sought.value.trim() ? 'No comment matches.' : 'No comments.'}</p>}
      </div>
    </div>
  );
}
