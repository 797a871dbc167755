import type { ForumComment } from '../../../contract/operations/forum-comments/operation.ts';
import { announces, isComment, type Parts, type PlacedComment } from './things.ts';

/** `again`: asked once more, for ids that no answer brought; without it the discussion is known to lack them. */
type Again = { again?: true };
/** The next request: ids by `morechildren`, the page of one comment, or a page again in another sort order. */
export type Task =
  | { kind: 'ids'; ids: readonly string[]; again?: never }
  | ({ kind: 'page'; id: string } & Again)
  | ({ kind: 'sorted'; root: string; sort: string } & Again);

/** Most comments in one answer of `morechildren` (API documentation). */
const PER_ANSWER = 100;
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
const bare = (name: string): string | null => (name.startsWith('t1_') ? name.slice(3) : null);

/** Collects one discussion from answers in any order. What they name but lack becomes a task, again only if a newer answer names it again. */
export function createTree(postId: string) {
  const post = `t3_${postId}`;
  /** In the order of first mention, which is the platform's order among siblings; null until the comment arrives. */
  const comments = new Map<string, PlacedComment | null>();
  let size = 0;
  const wanted = new Set<string>();
  /** Pages that are not requested yet, by id. True: skipped if the comment has arrived in another answer. */
  const pages = new Map<string, boolean>();
  const pagesSeen = new Set<string>();
  const gaps = new Map<string, Gap>();

  /** By id of a comment that is named, what it answers, in the order of first mention. */
  const namedBelow = new Map<string, string>();
  /** Comments and posts whose pages were asked for again, and comments whose pages the platform says are not there. */
  const askedAgain = new Set<string>();
  const gone = new Set<string>();
  /** Comments that are here, and whose pages with the rest of their replies are not. */
  const cut = new Set<string>();

  const mention = (id: string, parentId: string): boolean => {
    if (comments.has(id)) return false;
    comments.set(id, null);
    namedBelow.set(id, parentId);
    return true;
  };
  const addPage = (id: string, unlessHere: boolean): void => {
    if (!pagesSeen.has(id)) pages.set(id, unlessHere);
    pagesSeen.add(id);
  };
  const nextPage = (): Task | null => {
    for (const [id, unlessHere] of pages) {
      pages.delete(id);
      if (!unlessHere || !comments.get(id)) return { kind: 'page', id };
      pagesSeen.delete(id);
    }
    return null;
  };

  function place(comment: PlacedComment): boolean {
    const { commentId, parentId } = comment;
    if (comment.postId !== postId || (parentId.startsWith('t3_') && parentId !== post)) return false;
    if (!comments.get(commentId)) {
      comments.set(commentId, comment);
      size++;
    }
    wanted.delete(commentId);
    return true;
  }

  /** `root`: full name of its comment or post, null for `morechildren`. Returns the part that could not be parsed, or null. */
  function add({ parts, fault }: Parts, root: string | null): string | null {
    const before = size;
    const gap = root === null ? undefined : gaps.get(root);
    let named = 0;
    const again: string[] = [];
    const opened: Gap[] = [];
    let stillIncomplete = false;
    for (const part of parts) {
      if (isComment(part)) {
        if (!place(part)) return 'a comment without id, post or parent';
        continue;
      }
      const { parentId, ids, count } = part;
      const parent = bare(parentId);
      named += ids.filter((id) => mention(id, parentId)).length;
      for (const id of ids) {
        if (comments.get(id)) continue;
        // `morechildren` never returns ids that are named with a count of 0; only their own pages do
        if (count === 0) addPage(id, true);
        else again.push(id);
      }
      if (ids.length > 0) continue;
      stillIncomplete ||= parentId === root;
      if (!announces(part)) continue;
      if (count === 0 && parent !== null && parentId !== root) addPage(parent, false);
      else if (!gaps.has(parentId)) {
        const sorts = parent === null || pagesSeen.has(parent) ? [...OTHER_SORTS] : ['confidence', ...OTHER_SORTS];
        const open = { root: parentId, wanted: Math.max(1, count), sorts, gaveNew: false };
        gaps.set(parentId, open);
        opened.push(open);
      }
    }
    const hasNews = named > 0 || size > before;
    for (const open of opened) open.wanted += below(open.root);
    if (gap && !stillIncomplete) gaps.delete(gap.root);
    else if (gap && hasNews) gap.gaveNew = true;
    for (const id of again) {
      // a page that was asked for again only names once more what it lacks
      if (comments.get(id) || askedAgain.has(root ?? '')) continue;
      // an answer that only repeats the requested ids would loop forever: the page of the comment is the last attempt
      if (hasNews || root !== null) wanted.add(id);
      else addPage(id, true);
    }
    return fault;
  }

  const arrived = (): PlacedComment[] => [...comments.values()].filter((comment) => comment !== null);
  const missingParents = (): string[] => [
    ...new Set(arrived().flatMap(({ parentId }) => (parentId === post || comments.get(parentId.slice(3)) ? [] : parentId))),
  ];

  /** The comments in pre-order with their depth along the parents; those without their parent come last, with the stated depth. */
  function preOrder(): readonly { readonly comment: PlacedComment; readonly depth: number }[] {
    const replies = Map.groupBy(arrived(), (comment) => comment.parentId);
    const out: { comment: PlacedComment; depth: number }[] = [];
    for (const root of [post, ...missingParents()]) {
      const depth = root === post ? 0 : (replies.get(root) ?? []).reduce((most, comment) => Math.max(most, comment.depth), 1);
      const stack = (replies.get(root) ?? []).toReversed().map((comment) => ({ comment, depth }));
      for (let next = stack.pop(); next; next = stack.pop()) {
        out.push(next);
        const below = replies.get(`t1_${next.comment.commentId}`) ?? [];
        for (const comment of below.toReversed()) stack.push({ comment, depth: next.depth + 1 });
      }
    }
    return out;
  }

  let counted = { size: 0, below: new Map<string, number>() };
  /** Number of comments below a comment or post. Counted for all at once after comments were added. */
  function below(root: string): number {
    if (counted.size !== size) {
      counted = { size, below: new Map() };
      const count = (name: string): number => counted.below.get(name) ?? 0;
      for (const { comment } of preOrder().toReversed())
        counted.below.set(comment.parentId, count(comment.parentId) + count(`t1_${comment.commentId}`) + 1);
    }
    return counted.below.get(root) ?? 0;
  }

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

  const isLacking = (id: string, parentId: string): boolean => !comments.get(id) && !gone.has(id) && !gone.has(parentId.slice(3));
  const named = namedBelow.entries();
  /** The page of what a missing comment answers, once; a comment whose own page was read is not asked for again. */
  function nextAgain(): Task | null {
    for (let next = named.next(); !next.done; next = named.next()) {
      const [id, parentId] = next.value;
      if (!isLacking(id, parentId) || pagesSeen.has(id) || askedAgain.has(parentId)) continue;
      askedAgain.add(parentId);
      const parent = bare(parentId);
      return parent === null ? { kind: 'sorted', root: parentId, sort: 'new', again: true } : { kind: 'page', id: parent, again: true };
    }
    return null;
  }

  return {
    add,
    /** The platform says that the page of this comment is not there: neither are its replies, unless the comment itself has arrived. */
    remove: (id: string) => void (comments.get(id) ? cut : gone).add(id),
    /** Number of comments that the platform named and no answer brought, without those that it says are gone. */
    lacking: () => [...namedBelow].filter(([id, parentId]) => isLacking(id, parentId)).length + cut.size,
    size: () => size,
    minRequestsLeft: () => Math.ceil(wanted.size / PER_ANSWER) + pages.size,
    /** The next request; null if nothing is left. Pages come before incomplete batches, because pages may name more ids. */
    next(): Task | null {
      const page = wanted.size < PER_ANSWER ? nextPage() : null;
      if (page) return page;
      if (wanted.size > 0) {
        const ids = [...wanted].slice(0, PER_ANSWER);
        for (const id of ids) wanted.delete(id);
        return { kind: 'ids', ids };
      }
      for (const parent of missingParents()) {
        const id = bare(parent);
        if (id !== null) addPage(id, true);
      }
      return nextPage() ?? nextGap() ?? nextAgain();
    },
    /** All comments in pre-order; null if the platform named comments that it did not return. */
    finish(): ForumComment[] | null {
      if (gaps.size > 0) return null;
      const all = preOrder();
      return all.length === size ? all.map(({ comment, depth }) => ({ ...comment, depth })) : null;
    },
  };
}
export type Tree = ReturnType<typeof createTree>;
