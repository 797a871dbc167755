import type { ForumComment, ForumThread } from '../../contract/operations/forum-comments/operation.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Units of time: characters of an instant that name one, how long one takes at least, and the step that misses none. */
const UNITS = [
  ['minute', 16, 60_000, 60_000],
  ['hour', 13, HOUR_MS, HOUR_MS],
  ['day', 10, DAY_MS, DAY_MS],
  ['month', 7, 28 * DAY_MS, DAY_MS],
  ['year', 4, 365 * DAY_MS, DAY_MS],
] as const;
const MOST_BARS = 24;
const MOST_AUTHORS = 4;
const DELETED = '[deleted]';

interface ByTime {
  readonly unit: (typeof UNITS)[number][0];
  /** Beginnings of instants, such as `2026-01-31T11:57`. */
  readonly places: readonly string[];
  readonly counts: readonly number[];
}
/** The comments by the smallest unit that needs few bars; null: all are of one, or none says when it was posted. */
function byTime(comments: readonly ForumComment[]): ByTime | null {
  const times = comments.flatMap(({ createdAt }) => createdAt ?? []).sort();
  const [first = '', last = ''] = [times[0], times.at(-1)];
  const spanMs = Date.parse(last) - Date.parse(first);
  const [unit, length, , stepMs] = UNITS.find(([, , ms]) => spanMs / ms < MOST_BARS) ?? UNITS[4];
  if (first.slice(0, length) === last.slice(0, length)) return null;
  const counts = new Map<string, number>();
  for (let ms = Date.parse(first); ms < Date.parse(last); ms += stepMs) counts.set(new Date(ms).toISOString().slice(0, length), 0);
  counts.set(last.slice(0, length), 0);
  for (const time of times) counts.set(time.slice(0, length), (counts.get(time.slice(0, length)) ?? 0) + 1);
  return { unit, places: [...counts.keys()], counts: [...counts.values()] };
}

export interface CommentFigures {
  readonly levels: number;
  /** Those whose names are stated. */
  readonly authors: number;
  /** Of those whose score is stated; null: of none. */
  readonly medianScore: number | null;
  /** Who wrote several, the most first. */
  readonly busiest: readonly (readonly [author: string, count: number])[];
  readonly byTime: ByTime | null;
}

/** What the comments of an answer say together. */
export function figuresOf({ comments }: Pick<ForumThread, 'comments'>): CommentFigures {
  const scores = comments.flatMap(({ score }) => score ?? []).sort((a, b) => a - b);
  const [low = null, high = null] = [scores[(scores.length - 1) >> 1], scores[scores.length >> 1]];
  const authors = new Map<string, number>();
  for (const { author } of comments) if (author !== null && author !== DELETED) authors.set(author, (authors.get(author) ?? 0) + 1);
  const most = [...authors].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]);
  return {
    levels: comments.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0),
    authors: authors.size,
    medianScore: low === null || high === null ? null : (low + high) / 2,
    busiest: most.slice(0, MOST_AUTHORS),
    byTime: byTime(comments),
  };
}
