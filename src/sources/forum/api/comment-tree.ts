import type { ForumComment } from '../../../contract/operations/forum.ts';
import type { PlacedComment } from './comment.ts';
import type { More, Parts } from './pre-order.ts';

/** The next request: ids by `morechildren`, the page of one comment, or a page again in another sort order. */
export type Task = { kind: 'ids'; ids: readonly string[] } | { kind: 'page'; id: string } | { kind: 'sorted'; root: string; sort: string };

/** Most comments in one answer of `morechildren` (API documentation). */
export const PER_ANSWER = 100;
const OTHER_SORTS = ['top', 'new', 'old', 'controversial', 'qa'] as const;

/** A `more` with a count but without ids (since 2022, discussions of over 1,000 comments). Other sort orders show other comments. */
interface Gap {
  readonly root: string;
  /** Number of comments below the root at which it is complete. */
  wanted: number;
  readonly sorts: string[];
  /** Another sort order gave new comments, so more may be missing. */
  gaveNew: boolean;
}

/**
 * Collects the comments of one discussion; answers may come in any order and repeat comments. Comments that answers name but do not contain
 * become tasks. An id is requested again only if a newer answer names it again.
 */
export function createTree(postId: string) {
  const post = `t3_${postId}`;
  const comments = new Map<string, PlacedComment>();
  /** Order of first mention, which is the platform's order among siblings. */
  const order = new Map<string, number>();
  const wanted = new Set<string>();
  /** `unlessHere`: skipped if the comment has arrived in another answer. */
  const pages: { id: string; unlessHere: boolean }[] = [];
  /** Index of the first page that is not requested yet. */
  let firstPage = 0;
  const pagesSeen = new Set<string>();
  const gaps = new Map<string, Gap>();

  const mention = (id: string): boolean => {
    if (order.has(id)) return false;
    order.set(id, order.size);
    return true;
  };
  const addPage = (id: string, unlessHere: boolean): void => {
    if (pagesSeen.has(id)) return;
    pagesSeen.add(id);
    pages.push({ id, unlessHere });
  };
  const nextPage = (): Task | null => {
    for (let page = pages[firstPage]; page; page = pages[firstPage]) {
      firstPage++;
      if (!page.unlessHere || !comments.has(page.id)) return { kind: 'page', id: page.id };
      pagesSeen.delete(page.id);
    }
    return null;
  };
  const bare = (name: string): string | null => (name.startsWith('t1_') ? name.slice(3) : null);

  function take(more: More, root: string | null, opened: Gap[]): { fresh: number; again: readonly string[] } {
    const missing = more.ids.filter((id) => !comments.has(id));
    const fresh = more.ids.filter(mention).length;
    const parent = bare(more.parentId);
    // `morechildren` never returns ids that are named with a count of 0; only their own pages do
    if (more.ids.length > 0 && more.count === 0) for (const id of missing) addPage(id, true);
    else if (more.ids.length > 0) return { fresh, again: missing };
    else if (more.count === 0 && parent === null) return { fresh, again: [] };
    else if (more.count === 0 && parent !== null && more.parentId !== root) addPage(parent, false);
    else if (!gaps.has(more.parentId)) {
      const gap = {
        root: more.parentId,
        wanted: Math.max(1, more.count),
        sorts: parent === null || pagesSeen.has(parent) ? [...OTHER_SORTS] : ['confidence', ...OTHER_SORTS],
        gaveNew: false,
      };
      gaps.set(more.parentId, gap);
      opened.push(gap);
    }
    return { fresh, again: [] };
  }

  /** False if the comment belongs to another discussion. */
  function place(comment: PlacedComment): boolean {
    if (comment.postId !== postId || (comment.parentId.startsWith('t3_') && comment.parentId !== post)) return false;
    mention(comment.commentId);
    if (!comments.has(comment.commentId)) comments.set(comment.commentId, comment);
    wanted.delete(comment.commentId);
    return true;
  }

  /**
   * Adds one answer. `root` is the full name of its comment or post, null for `morechildren`. Returns the part that could not be parsed, or
   * null.
   */
  function add({ parts, fault }: Parts, root: string | null): string | null {
    const before = comments.size;
    let news = 0;
    const again: string[] = [];
    const opened: Gap[] = [];
    let stillIncomplete = false;
    const known = root !== null && gaps.has(root);
    for (const part of parts) {
      if ('comment' in part) {
        if (!place(part.comment)) return 'a comment without id, post or parent';
        continue;
      }
      const { more } = part;
      if (more.parentId === root && more.ids.length === 0) stillIncomplete = true;
      const named = take(more, root, opened);
      news += named.fresh;
      for (const id of named.again) again.push(id);
    }
    news += comments.size - before;
    for (const gap of opened) gap.wanted += below(gap.root);
    const gap = root === null || !known ? undefined : gaps.get(root);
    if (gap && !stillIncomplete) gaps.delete(root ?? '');
    else if (gap && news > 0) gap.gaveNew = true;
    for (const id of again) {
      if (comments.has(id)) continue;
      // an answer that only repeats the requested ids would loop forever: the page of the comment is the last attempt
      if (news > 0 || root !== null) wanted.add(id);
      else addPage(id, true);
    }
    return fault;
  }

  const childrenOf = (): Map<string, PlacedComment[]> => {
    const lists = new Map<string, PlacedComment[]>();
    for (const comment of comments.values()) {
      const siblings = lists.get(comment.parentId);
      if (siblings) siblings.push(comment);
      else lists.set(comment.parentId, [comment]);
    }
    const place = (c: PlacedComment): number => order.get(c.commentId) ?? 0;
    for (const siblings of lists.values()) if (siblings.length > 1) siblings.sort((a, b) => place(a) - place(b));
    return lists;
  };

  /** The comments below a root, in pre-order, with their depth along the parents. */
  function flatten(root: string, depth: number, lists: ReadonlyMap<string, readonly PlacedComment[]>, out: ForumComment[]): void {
    const stack = [...(lists.get(root) ?? [])].reverse().map((comment) => ({ comment, depth }));
    for (let next = stack.pop(); next; next = stack.pop()) {
      out.push({ ...next.comment, depth: next.depth });
      const replies = lists.get(`t1_${next.comment.commentId}`) ?? [];
      for (let i = replies.length - 1; i >= 0; i--) stack.push({ comment: replies[i] as PlacedComment, depth: next.depth + 1 });
    }
  }

  let counted = { at: 0, below: new Map<string, number>() };
  /** Number of comments below a comment or post. Counted for all at once after comments were added. */
  function below(root: string): number {
    if (counted.at !== comments.size) counted = { at: comments.size, below: countBelow(comments) };
    return counted.below.get(root) ?? 0;
  }

  /** Parents that are missing although a reply is there. */
  const missingParents = (): string[] => [
    ...new Set([...comments.values()].map((c) => c.parentId).filter((p) => p !== post && !comments.has(p.slice(3)))),
  ];

  function nextGap(): Task | null {
    for (const [root, gap] of gaps) {
      const filled = below(root) >= gap.wanted;
      const sort = filled ? undefined : gap.sorts.shift();
      if (sort) return { kind: 'sorted', root, sort };
      // if no sort order shows anything new, the count was wrong: it includes deleted comments
      if (filled || !gap.gaveNew) gaps.delete(root);
    }
    return null;
  }

  return {
    add,
    get size() {
      return comments.size;
    },
    /** Lower bound of the requests that are still needed. */
    get minRequestsLeft() {
      return Math.ceil(wanted.size / PER_ANSWER) + pages.length - firstPage;
    },
    /** The next request; null if nothing is left. Pages come before incomplete batches, because pages may name more ids. */
    next(): Task | null {
      const page = wanted.size < PER_ANSWER ? nextPage() : null;
      if (page) return page;
      if (wanted.size > 0) {
        const ids: string[] = [];
        for (const id of wanted) {
          if (ids.length === PER_ANSWER) break;
          ids.push(id);
          wanted.delete(id);
        }
        return { kind: 'ids', ids };
      }
      for (const parent of missingParents()) {
        const id = bare(parent);
        if (id !== null) addPage(id, true);
      }
      return nextPage() ?? nextGap();
    },
    /**
     * All comments in pre-order; comments without their parent come last, with the stated depth. Null if the platform named
     * comments that it did not return.
     */
    finish(): ForumComment[] | null {
      if (gaps.size > 0) return null;
      const lists = childrenOf();
      const out: ForumComment[] = [];
      flatten(post, 0, lists, out);
      for (const parent of missingParents()) {
        const stated = (lists.get(parent) ?? []).reduce((most, c) => Math.max(most, c.depth), 1);
        flatten(parent, stated, lists, out);
      }
      return out.length === comments.size ? out : null;
    },
  };
}
export type Tree = ReturnType<typeof createTree>;

/**
 * The number of comments below each comment or post, counted from the leaves upward in linear time. Comments in a cycle of parents,
 * which an answer may contain, are not counted.
 */
function countBelow(comments: ReadonlyMap<string, PlacedComment>): Map<string, number> {
  const uncounted = new Map<string, number>();
  for (const { parentId } of comments.values()) uncounted.set(parentId, (uncounted.get(parentId) ?? 0) + 1);
  const below = new Map<string, number>();
  for (const leaf of comments.values()) {
    if (uncounted.has(`t1_${leaf.commentId}`)) continue;
    let at: PlacedComment | undefined = leaf;
    while (at) {
      const parentId: string = at.parentId;
      below.set(parentId, (below.get(parentId) ?? 0) + (below.get(`t1_${at.commentId}`) ?? 0) + 1);
      const left: number = (uncounted.get(parentId) ?? 1) - 1;
      uncounted.set(parentId, left);
      at = left === 0 && parentId.startsWith('t1_') ? comments.get(parentId.slice(3)) : undefined;
    }
  }
  return below;
}
