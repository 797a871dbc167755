import { random } from '../random.ts';
import { BIG_POST, EXAMPLE_POST, type PostFact } from './facts.ts';

/** A made-up comment: the expected result of a lookup. */
export interface CommentFact {
  readonly commentId: string;
  /** `t3_`: the post; `t1_`: a comment. */
  readonly parentId: string;
  readonly author: string;
  readonly body: string;
  readonly score: number;
  readonly scoreHidden: boolean;
  readonly depth: number;
  /** Epoch seconds. */
  readonly created: number;
  readonly isStickied: boolean;
}
/** A comment that is listed in `more` but returned in a special way. */
export type Quirk = 'never given' | 'on its own page only';

export interface Discussion {
  readonly postId: string;
  /** All comments in pre-order. */
  readonly comments: readonly CommentFact[];
  readonly quirks: ReadonlyMap<string, Quirk>;
}

const AUTHORS = ['amber_tram', 'Dust-Jacket', 'half_a_scone', 'oboe4', 'RainInLodz', 'seven.leagues'.replace('.', '_'), 'unlit_match'];
const WORDS = 'the kettle arrived late but works fine after two weeks of daily use and the support answered within a day'.split(' ');
const MAX_DEPTH = 16;

/** Parents of n comments, by index; -1 is the post. Recent comments are the more likely parents, so that chains grow deep. */
function parentsOf(n: number, key: string): number[] {
  const r = random(`tree ${key}`);
  const depth: number[] = [];
  return Array.from({ length: n }, (_, i) => {
    let parent = i === 0 || r.chance(0.12) ? -1 : r.chance(0.3) ? i - 1 - r.int(0, Math.min(3, i - 1)) : r.int(0, i - 1);
    if (parent >= 0 && (depth[parent] ?? 0) >= MAX_DEPTH - 1) parent = -1;
    // most deep branches are separate from broad ones: a page of its own costs one request each
    if (parent >= 0 && (depth[parent] ?? 0) >= 8 && parent % 40) parent = r.int(0, Math.min(i - 1, 400));
    depth.push(parent < 0 ? 0 : (depth[parent] ?? 0) + 1);
    return parent;
  });
}

/** The comments of a post; deterministic. */
export function discussionOf(post: PostFact): Discussion {
  const { postId, numComments } = post;
  const parents = parentsOf(numComments, postId);
  const idOf = (i: number): string => `m${postId.slice(2)}${i.toString(36).padStart(3, '0')}`;
  const below = new Map<number, number[]>();
  for (const [i, parent] of parents.entries()) below.set(parent, [...(below.get(parent) ?? []), i]);
  const comments: CommentFact[] = [];
  const quirks = new Map<string, Quirk>();
  const stack = [...(below.get(-1) ?? [])].reverse().map((i) => ({ i, depth: 0 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { i, depth } = next;
    const replies = below.get(i) ?? [];
    const r = random(`comment ${idOf(i)}`);
    const gone = replies.length > 0 && r.chance(0.04) ? (r.chance(0.5) ? 'deleted' : 'removed') : null;
    const parent = parents[i] ?? -1;
    comments.push({
      commentId: idOf(i),
      parentId: parent < 0 ? `t3_${postId}` : `t1_${idOf(parent)}`,
      author: gone ? '[deleted]' : r.pick(AUTHORS),
      body: gone
        ? `[${gone}]`
        : `${Array.from({ length: r.int(4, 40) }, () => r.pick(WORDS)).join(' ')}${r.chance(0.2) ? '\n\n> a < b & c' : '.'}`,
      score: r.int(-12, 400),
      // the example post shows every score
      scoreHidden: r.chance(0.03) && postId !== EXAMPLE_POST,
      depth,
      created: post.created + 60 + i * 7,
      isStickied: i === 0 && numComments > 30,
    });
    for (const reply of [...replies].reverse()) stack.push({ i: reply, depth: depth + 1 });
  }
  // the platform does not document the position of hidden comments among their siblings, so hidden comments are the last siblings here
  if (postId === BIG_POST)
    for (let i = 700; quirks.size < 3; i++) {
      if (!below.has(i) && below.get(parents[i] ?? -1)?.at(-1) === i && i % 5 === 0) quirks.set(idOf(i), 'on its own page only');
    }
  // deleted leaves: listed in `more`, never returned
  if (postId === BIG_POST) for (let i = 0; i < 30; i++) quirks.set(`mzz${i.toString(36).padStart(3, '0')}`, 'never given');
  return { postId, comments, quirks };
}
