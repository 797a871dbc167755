import type { UnreadFields } from '../../unread-fields.ts';
import { integerIn, isObject, type JsonObject } from '../../untyped-json.ts';
import { commentOf, type PlacedComment } from './comment.ts';
import { bareOf, type Text } from './fields.ts';

/** Comments that an answer names but does not contain (kind `more`). */
export interface More {
  /** Full name of their parent post or comment. */
  readonly parentId: string;
  /** Estimated number of missing comments on all levels. */
  readonly count: number;
  /** Ids of the direct children without prefix; empty in "continue this thread" stubs. */
  readonly ids: readonly string[];
}
export interface Visitor {
  /** `depth`: level within this answer. Returns false if the comment cannot be parsed. */
  comment(data: JsonObject, depth: number): boolean;
  more(more: More): void;
}

/**
 * Visits the comments of one answer in pre-order with an explicit stack, so that depth does not overflow the call stack. Returns null, or
 * the part that could not be parsed: a list without it would be incomplete. Things of other kinds (t2 to t6) are skipped.
 */
export function traverse(children: unknown, visit: Visitor): string | null {
  if (!Array.isArray(children)) return 'comments are not a list';
  const lists: unknown[][] = [children];
  const places: number[] = [0];
  while (lists.length > 0) {
    const depth = lists.length - 1;
    const list = lists[depth] as unknown[];
    const place = places[depth] as number;
    if (place >= list.length) {
      lists.pop();
      places.pop();
      continue;
    }
    places[depth] = place + 1;
    const thing = list[place];
    if (!isObject(thing) || !isObject(thing.data)) return 'a thing without data';
    if (thing.kind === 't1') {
      if (!visit.comment(thing.data, depth)) return 'a comment without id, post or parent';
      const replies = thing.data.replies;
      if (replies === '' || replies === null || replies === undefined) continue;
      const below = isObject(replies) && replies.kind === 'Listing' && isObject(replies.data) ? replies.data.children : null;
      if (!Array.isArray(below)) return 'replies are not a listing';
      lists.push(below);
      places.push(0);
    } else if (thing.kind === 'more') {
      const more = moreOf(thing.data);
      if (!more) return 'a `more` of unknown format';
      visit.more(more);
    } else if (typeof thing.kind !== 'string' || !/^t[2-6]$/.test(thing.kind))
      return `a thing of unknown kind ${String(thing.kind).slice(0, 20)}`;
  }
  return null;
}

/** The comments and `more` objects of one answer, in pre-order; `fault`: what could not be parsed, which ends the list. */
export interface Parts {
  readonly parts: readonly ({ readonly comment: PlacedComment } | { readonly more: More })[];
  readonly fault: string | null;
}
/** The comments and `more` objects of one answer as plain data. The depth of a comment is the stated one, else -1. */
export function partsOf(children: readonly unknown[], text: Text, unread?: UnreadFields): Parts {
  const parts: Parts['parts'][number][] = [];
  const fault = traverse(children, {
    comment(data) {
      const comment = commentOf(data, integerIn(data.depth) ?? -1, text, unread);
      if (comment) parts.push({ comment });
      return comment !== null;
    },
    more: (more) => void parts.push({ more }),
  });
  return { parts, fault };
}

function moreOf(data: JsonObject): More | null {
  const { parent_id: parentId, children, count } = data;
  if (typeof parentId !== 'string' || (bareOf(parentId, 't1') ?? bareOf(parentId, 't3')) === null) return null;
  if (!Array.isArray(children) || !children.every((id) => typeof id === 'string' && /^(t1_)?[a-z0-9]{1,13}$/.test(id))) return null;
  return {
    parentId,
    count: typeof count === 'number' && count > 0 ? count : 0,
    ids: (children as string[]).map((id) => id.replace(/^t1_/, '')),
  };
}
