import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { ForumThread } from '../../contract/operations/forum.ts';
import { moment, number, plural } from '../parts/format.ts';
import { OutLink } from '../parts/links.tsx';
import { NotStated, Stated } from '../parts/stated.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { COMMENT_SORTS, type CommentSort, commentTree, type ShownComment, shownComments } from './comment-order.ts';
import { ForumPostCard } from './forum-post.tsx';

/** Indentation ends here, so that deep threads stay readable. */
const MAX_INDENT = 12;
const ROW_PX = 92;

function Comment({ shown, turn }: { shown: ShownComment; turn: (commentId: string) => void }) {
  const { comment, below } = shown.node;
  const author = comment.author ?? 'an author who is not stated';
  return (
    <article
      class={shown.matches ? 'comment' : 'comment context'}
      style={{ marginInlineStart: `${Math.min(shown.depth, MAX_INDENT) * 1.1}rem` }}
    >
      <p class="small">
        {below > 0 && (
          <button
            type="button"
            class="turn"
            aria-expanded={!shown.collapsed}
            aria-label={`Answers to ${author}`}
            onClick={() => turn(comment.commentId)}
          >
            {shown.collapsed ? '+' : '–'}
          </button>
        )}
        <strong>{comment.author ?? <NotStated />}</strong> ·{' '}
        {comment.score === null ? 'score not stated by the source' : `${number(comment.score)} points`} ·{' '}
        <OutLink href={comment.permalink}>
          <Stated value={comment.createdAt}>{moment}</Stated>
        </OutLink>
        {comment.isStickied && <span class="label">Pinned</span>}
        {shown.collapsed && ` · ${plural(below, 'answer')} hidden`}
      </p>
      <p class="text">
        <Stated value={comment.body} />
      </p>
    </article>
  );
}

/** A post and the tree of its comments. */
export function ForumThreadView({ resource }: { resource: ForumThread }) {
  const sort = useSignal<CommentSort>('thread');
  const sought = useSignal('');
  const collapsed = useSignal<ReadonlySet<string>>(new Set());
  const roots = useMemo(() => commentTree(resource.comments), [resource]);
  const shown = useMemo(
    () => shownComments(roots, { sort: sort.value, sought: sought.value, collapsed: collapsed.value }),
    [roots, sort.value, sought.value, collapsed.value],
  );
  const turn = (commentId: string): void => {
    const next = new Set(collapsed.value);
    if (!next.delete(commentId)) next.add(commentId);
    collapsed.value = next;
  };
  const collapseAll = (): void => {
    collapsed.value = collapsed.value.size ? new Set() : new Set(roots.filter((r) => r.below > 0).map((r) => r.comment.commentId));
  };
  const matches = sought.value.trim() ? shown.filter((s) => s.matches).length : null;
  return (
    <div class="thread">
      <ForumPostCard post={resource.post} />
      <div class="toolbar">
        <h3>{plural(resource.comments.length, 'comment')}</h3>
        <label>
          Search{' '}
          <input
            type="search"
            value={sought.value}
            onInput={(e) => {
              sought.value = e.currentTarget.value;
            }}
          />
        </label>
        <label>
          Sort{' '}
          <select
            value={sort.value}
            onChange={(e) => {
              sort.value = e.currentTarget.value as CommentSort;
            }}
          >
            {Object.entries(COMMENT_SORTS).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="quiet" onClick={collapseAll}>
          {collapsed.value.size ? 'Expand all' : 'Collapse all'}
        </button>
        <span class="small" role="status">
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
