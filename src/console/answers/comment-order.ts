import type { ForumComment } from '../../contract/operations/forum.ts';

export const COMMENT_SORTS = { thread: 'As in the thread', top: 'Highest score', newest: 'Newest', oldest: 'Oldest' } as const;
export type CommentSort = keyof typeof COMMENT_SORTS;

export interface CommentNode {
  readonly comment: ForumComment;
  readonly answers: CommentNode[];
  /** Comments below, answers to answers included. */
  below: number;
}

/** The tree of comments in pre-order, from their depths; a comment whose parent is missing follows the last one above its depth. */
export function commentTree(comments: readonly ForumComment[]): readonly CommentNode[] {
  const roots: CommentNode[] = [];
  const path: CommentNode[] = [];
  for (const comment of comments) {
    const node: CommentNode = { comment, answers: [], below: 0 };
    path.length = Math.min(path.length, comment.depth);
    for (const above of path) above.below++;
    (path.at(-1)?.answers ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

const time = ({ comment }: CommentNode): number => Date.parse(comment.createdAt ?? '') || 0;
const ORDERS: Readonly<Record<Exclude<CommentSort, 'thread'>, (a: CommentNode, b: CommentNode) => number>> = {
  top: (a, b) => (b.comment.score ?? Number.NEGATIVE_INFINITY) - (a.comment.score ?? Number.NEGATIVE_INFINITY) || 0,
  newest: (a, b) => time(b) - time(a),
  oldest: (a, b) => time(a) - time(b),
};

export interface ShownComment {
  readonly node: CommentNode;
  readonly depth: number;
  readonly collapsed: boolean;
  /** It matches the search; false for what stands above a match. */
  readonly matches: boolean;
}

interface Wishes {
  readonly sort: CommentSort;
  readonly sought: string;
  readonly collapsed: ReadonlySet<string>;
}

/** The comments to show, in order: sorted among their siblings, what is collapsed left out, a search with what stands above its matches. */
export function shownComments(roots: readonly CommentNode[], { sort, sought, collapsed }: Wishes): readonly ShownComment[] {
  const wanted = sought.trim().toLowerCase();
  const isMatch = ({ comment }: CommentNode): boolean =>
    wanted === '' || (comment.body ?? '').toLowerCase().includes(wanted) || (comment.author ?? '').toLowerCase().includes(wanted);
  const shown: ShownComment[] = [];
  const add = (nodes: readonly CommentNode[], depth: number): boolean => {
    let found = false;
    for (const node of sort === 'thread' ? nodes : [...nodes].sort(ORDERS[sort])) {
      const matches = isMatch(node);
      const isCollapsed = wanted === '' && collapsed.has(node.comment.commentId);
      const at = shown.length;
      shown.push({ node, depth, collapsed: isCollapsed, matches });
      const below = !isCollapsed && add(node.answers, depth + 1);
      if (matches || below) found = true;
      else shown.length = at;
    }
    return found;
  };
  add(roots, 0);
  return shown;
}
