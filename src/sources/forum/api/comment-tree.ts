import type { ForumComment } from '../../../contract/operations/forum.ts';
import type { PlacedComment } from './comment.ts';
import type { More, Parts } from './pre-order.ts';

/** What is to be fetched next: ids by `morechildren`, the page at one comment, or a page once more in another order. */
export type Task = { kind: 'ids'; ids: readonly string[] } | { kind: 'page'; id: string } | { kind: 'sorted'; root: string; sort: string };

/** Comments that one `morechildren` answer gives at most (API documentation). */
export const PER_ANSWER = 100;
const OTHER_SORTS = ['top', 'new', 'old', 'controversial', 'qa'] as const;

/** A `more` without ids though comments are missing (since 2022 on discussions beyond a thousand): other orders show other parts. */
interface Hole {
  readonly root: string;
  /** How many comments must stand below the root for it to be filled. */
  wanted: number;
  readonly sorts: string[];
  /** Another order brought something new: then there may be more. */
  fruitful: boolean;
}

/**
 * The comments of one discussion as they come in, in any order and any number of times. What the answers name but do not hold becomes
 * tasks; an id is asked again only when a newer answer names it again.
 */
export function createTree(postId: string) {
  const post = `t3_${postId}`;
  const comments = new Map<string, PlacedComment>();
  /** Place of an id among its siblings: the order of its first mention is the platform's order. */
  const order = new Map<string, number>();
  const wanted = new Set<string>();
  /** `unlessHere`: only the comment itself is wanted, so nothing once it has come by another way. */
  const pages: { id: string; unlessHere: boolean }[] = [];
  /** Place of the first of them that is still to be done. */
  let firstPage = 0;
  const pagesSeen = new Set<string>();
  const holes = new Map<string, Hole>();

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

  function take(more: More, root: string | null, opened: Hole[]): { fresh: number; again: readonly string[] } {
    const missing = more.ids.filter((id) => !comments.has(id));
    const fresh = more.ids.filter(mention).length;
    const parent = bare(more.parentId);
    // named with a count of 0 they are never given by `morechildren`, only on their own pages
    if (more.ids.length > 0 && more.count === 0) for (const id of missing) addPage(id, true);
    else if (more.ids.length > 0) return { fresh, again: missing };
    else if (more.count === 0 && parent === null) return { fresh, again: [] };
    else if (more.count === 0 && parent !== null && more.parentId !== root) addPage(parent, false);
    else if (!holes.has(more.parentId)) {
      const hole = {
        root: more.parentId,
        wanted: Math.max(1, more.count),
        sorts: parent === null || pagesSeen.has(parent) ? [...OTHER_SORTS] : ['confidence', ...OTHER_SORTS],
        fruitful: false,
      };
      holes.set(more.parentId, hole);
      opened.push(hole);
    }
    return { fresh, again: [] };
  }

  /** Gives whether the comment belongs here. */
  function place(comment: PlacedComment): boolean {
    if (comment.postId !== postId || (comment.parentId.startsWith('t3_') && comment.parentId !== post)) return false;
    mention(comment.commentId);
    if (!comments.has(comment.commentId)) comments.set(comment.commentId, comment);
    wanted.delete(comment.commentId);
    return true;
  }

  /**
   * Takes in what one answer holds. `root` is the comment or post that it is rooted at, null for `morechildren`. Gives what could not be
   * read, or null.
   */
  function add({ parts, fault }: Parts, root: string | null): string | null {
    const before = comments.size;
    let news = 0;
    const again: string[] = [];
    const opened: Hole[] = [];
    let hollow = false;
    const known = root !== null && holes.has(root);
    for (const part of parts) {
      if ('comment' in part) {
        if (!place(part.comment)) return 'a comment without id, post or parent';
        continue;
      }
      const { more } = part;
      if (more.parentId === root && more.ids.length === 0) hollow = true;
      const named = take(more, root, opened);
      news += named.fresh;
      for (const id of named.again) again.push(id);
    }
    news += comments.size - before;
    for (const hole of opened) hole.wanted += below(hole.root);
    const hole = root === null || !known ? undefined : holes.get(root);
    if (hole && !hollow) holes.delete(root ?? '');
    else if (hole && news > 0) hole.fruitful = true;
    for (const id of again) {
      if (comments.has(id)) continue;
      // an answer that brought nothing and names what it was asked for would go on for ever: the page at the comment is the last try
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
  /** How many comments stand below a comment or post: for all of them at once, whenever comments have come. */
  function below(root: string): number {
    if (counted.at !== comments.size) counted = { at: comments.size, below: countBelow(comments) };
    return counted.below.get(root) ?? 0;
  }

  /** Parents that never came, of comments that did. */
  const lostParents = (): string[] => [
    ...new Set([...comments.values()].map((c) => c.parentId).filter((p) => p !== post && !comments.has(p.slice(3)))),
  ];

  function nextHole(): Task | null {
    for (const [root, hole] of holes) {
      const filled = below(root) >= hole.wanted;
      const sort = filled ? undefined : hole.sorts.shift();
      if (sort) return { kind: 'sorted', root, sort };
      // where no order shows anything new, the count was wrong: deleted comments are counted too
      if (filled || !hole.fruitful) holes.delete(root);
    }
    return null;
  }

  return {
    add,
    get size() {
      return comments.size;
    },
    /** Requests that are certainly still needed. */
    get owed() {
      return Math.ceil(wanted.size / PER_ANSWER) + pages.length - firstPage;
    },
    /** The next thing to ask for; null once nothing is left. Pages come before half-filled batches: they may fill them. */
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
      for (const parent of lostParents()) {
        const id = bare(parent);
        if (id !== null) addPage(id, true);
      }
      return nextPage() ?? nextHole();
    },
    /**
     * All comments in pre-order; comments whose parent never came stand at the end, with the depth that the platform stated. Null where
     * the platform named comments that it would not give: then this is not all.
     */
    finish(): ForumComment[] | null {
      if (holes.size > 0) return null;
      const lists = childrenOf();
      const out: ForumComment[] = [];
      flatten(post, 0, lists, out);
      for (const parent of lostParents()) {
        const stated = (lists.get(parent) ?? []).reduce((most, c) => Math.max(most, c.depth), 1);
        flatten(parent, stated, lists, out);
      }
      return out.length === comments.size ? out : null;
    },
  };
}
export type Tree = ReturnType<typeof createTree>;

/**
 * The number of comments below each comment or post, from the leaves upward in linear time. Comments that are each other's parents, which an
 * answer may state, are counted nowhere.
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
