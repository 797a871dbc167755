import type { Quirk } from './discussion.ts';
import { continueThing, listing, moreThing, type Thing } from './wire.ts';

/** The fields of a comment that a served discussion needs. */
export interface ServedComment {
  readonly id: string;
  /** Full name of its parent. */
  readonly parentId: string;
  readonly depth: number;
  readonly thing: (depth: number, replies: Thing | '') => Thing;
}
export interface ServerLimits {
  /** Maximum number of comments per `morechildren` response. */
  readonly perAnswer: number;
  /** Maximum depth per response. */
  readonly levels: number;
}
export const PLATFORM_LIMITS: ServerLimits = { perAnswer: 100, levels: 10 };

/**
 * Serves a discussion as the platform does: a first response with a part of the tree and `more` nodes, flat `morechildren` responses of at
 * most a hundred comments, and pages rooted at a comment.
 */
export function serveDiscussion(
  rootId: string,
  comments: readonly ServedComment[],
  quirks: ReadonlyMap<string, Quirk> = new Map(),
  limits: ServerLimits = PLATFORM_LIMITS,
) {
  const byId = new Map(comments.map((c) => [c.id, c]));
  const children = new Map<string, ServedComment[]>();
  for (const c of comments) children.set(c.parentId, [...(children.get(c.parentId) ?? []), c]);
  const repliesTo = (id: string): readonly ServedComment[] => children.get(`t1_${id}`) ?? [];
  const sizes = new Map<string, number>();
  // parents come before their children, so a loop from the end knows every size below
  for (const c of [...comments].reverse())
    sizes.set(
      c.id,
      repliesTo(c.id).reduce((n, r) => n + (sizes.get(r.id) ?? 1), 1),
    );
  const sizeOf = (list: readonly ServedComment[]): number => list.reduce((n, c) => n + (sizes.get(c.id) ?? 1), 0);
  const ghosts = [...quirks].filter(([, quirk]) => quirk === 'never given').map(([id]) => id);
  const shy = (id: string): boolean => quirks.get(id) === 'on its own page only';

  /**
   * `more` nodes for omitted comments; the unlisted ones have a node of their own with the count of 0 that the platform is known to send.
   */
  function moresOf(parentId: string, left: readonly ServedComment[], depth: number): Thing[] {
    const open = left.filter((c) => !shy(c.id));
    const closed = left.filter((c) => shy(c.id)).map((c) => c.id);
    const named = [...open.map((c) => c.id), ...(parentId === rootId ? ghosts : [])];
    return [
      ...(open.length ? [moreThing(parentId, named, sizeOf(open), depth)] : []),
      ...(closed.length ? [moreThing(parentId, closed, 0, depth)] : []),
    ];
  }

  /** A page below a root: filled level by level until the limit is reached. */
  function page(roots: readonly ServedComment[], rootParent: string, limit: number): Thing {
    const shown = new Set<string>();
    let level = [...roots];
    for (let depth = 0; depth < limits.levels && level.length > 0; depth++) {
      const room = Math.max(0, limit - shown.size);
      const taken = level.filter((c) => (depth === 0 && roots.length === 1 ? true : !shy(c.id))).slice(0, room);
      for (const c of taken) shown.add(c.id);
      level = taken.flatMap((c) => repliesTo(c.id));
    }
    const build = (list: readonly ServedComment[], parentId: string, depth: number): Thing[] => {
      if (depth >= limits.levels) return list.length ? [continueThing(parentId, depth)] : [];
      const here = list.filter((c) => shown.has(c.id));
      const left = list.filter((c) => !shown.has(c.id));
      return [
        ...here.map((c) => {
          const below = build(repliesTo(c.id), `t1_${c.id}`, depth + 1);
          return c.thing(depth, below.length ? listing(below, null, null) : '');
        }),
        ...moresOf(parentId, left, depth),
      ];
    };
    return listing(build(roots, rootParent, 0), null, null);
  }

  return {
    /** The comment listing of `/comments/{id}`. */
    first: (limit: number): Thing => page(children.get(rootId) ?? [], rootId, limit),
    /** The comment listing of `/comments/{id}/_/{comment}`. */
    at(id: string, limit: number): Thing {
      const root = byId.get(id);
      return root ? page([root], root.parentId, limit) : listing([], null, null);
    },
    /** The `things` of a `morechildren` response. */
    more(asked: readonly string[]): Thing[] {
      const things: Thing[] = [];
      const sent = new Set<string>();
      const emit = (c: ServedComment, floor: number): void => {
        sent.add(c.id);
        things.push(c.thing(c.depth, ''));
        const below = repliesTo(c.id);
        if (below.length && c.depth + 1 >= floor) {
          things.push(continueThing(`t1_${c.id}`, c.depth + 1));
          return;
        }
        for (const reply of below) if (sent.size < limits.perAnswer && !shy(reply.id) && !sent.has(reply.id)) emit(reply, floor);
        things.push(
          ...moresOf(
            `t1_${c.id}`,
            below.filter((r) => !sent.has(r.id)),
            c.depth + 1,
          ),
        );
      };
      const known = [...new Set(asked)].map((id) => byId.get(id)).filter((c) => c !== undefined && !shy(c.id)) as ServedComment[];
      for (const c of known) {
        if (sent.size >= limits.perAnswer) break;
        if (!sent.has(c.id)) emit(c, c.depth >= limits.levels ? c.depth + limits.levels : limits.levels);
      }
      const left = known.filter((c) => !sent.has(c.id));
      for (const parent of new Set(left.map((c) => c.parentId))) {
        const siblings = left.filter((c) => c.parentId === parent);
        things.push(
          moreThing(
            parent,
            siblings.map((c) => c.id),
            sizeOf(siblings),
            siblings[0]?.depth ?? 0,
          ),
        );
      }
      return things;
    },
  };
}
export type DiscussionServer = ReturnType<typeof serveDiscussion>;
