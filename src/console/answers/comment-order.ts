import type { ForumComment } from '../../contract/operations/forum-comments/operation.ts';

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

const timeOf = (comment: ForumComment): number => Date.parse(comment.createdAt ?? '') || 0;
/** Orders of siblings: the name, and the value that is sorted by, lowest first; null: as in the thread. */
export const COMMENT_SORTS = {
  thread: ['As in the thread', null],
  top: ['Highest score', (comment: ForumComment) => -(comment.score ?? Number.MIN_SAFE_INTEGER)],
  newest: ['Newest', (comment: ForumComment) => -timeOf(comment)],
  oldest: ['Oldest', timeOf],
} as const;
export type CommentSort = keyof typeof COMMENT_SORTS;

export interface ShownComment {
  readonly node: CommentNode;
  readonly depth: number;
  readonly collapsed: boolean;
  /** It matches the search; false for what stands above a match. */
  readonly matches: boolean;
}

interface CommentFilter {
  readonly sort: CommentSort;
  readonly sought: string;
  readonly collapsed: ReadonlySet<string>;
}

/** The comments to show, in order: sorted among their siblings, what is collapsed left out, a search with what stands above its matches. */
export function shownComments(roots: readonly CommentNode[], { sort, sought, collapsed }: CommentFilter): readonly ShownComment[] {
  const wanted = sought.trim().toLowerCase();
  const [, rankOf] = COMMENT_SORTS[sort];
  const shown: ShownComment[] = [];
  const add = (nodes: readonly CommentNode[], depth: number): boolean => {
    let found = false;
    for (const node of rankOf ? nodes.toSorted((a, b) => rankOf(a.comment) - rankOf(b.comment)) : nodes) {
      const { commentId, body, author } = node.comment;
      const matches = wanted === '' || `${body ?? ''}\n${author ?? ''}`.toLowerCase().includes(wanted);
      const isCollapsed = wanted === '' && collapsed.has(commentId);
      const before = shown.length;
      shown.push({ node, depth, collapsed: isCollapsed, matches });
      const below = !isCollapsed && add(node.answers, depth + 1);
      if (matches || below) found = true;
      else shown.length = before;
    }
    return found;
  };
  add(roots, 0);
  return shown;
}
