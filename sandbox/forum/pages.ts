import { allPosts, type CommunityFact, communityOf, NOW_SECONDS, type PostFact } from './facts.ts';
import { listing, postThing, type Thing } from './wire.ts';

const DAY = 86_400;
const MOST_FOUND = 250;

const byNewest = (a: PostFact, b: PostFact): number => b.created - a.created;
const byScore = (a: PostFact, b: PostFact): number => b.score - a.score || byNewest(a, b);
const heat = (p: PostFact): number => Math.log10(Math.max(1, p.score)) + p.created / 45_000;
const byHeat = (a: PostFact, b: PostFact): number => heat(b) - heat(a);
const SPANS: Readonly<Record<string, number>> = { hour: 3600, day: DAY, week: 7 * DAY, month: 30 * DAY, year: 365 * DAY };
const within = (posts: readonly PostFact[], t: string, day: number): readonly PostFact[] =>
  posts.filter((p) => NOW_SECONDS + day * DAY - p.created <= (SPANS[t] ?? Number.POSITIVE_INFINITY));

/** The posts of a community in one sort order, sticky posts separate. */
export function sortedPosts(
  community: CommunityFact,
  sort: string,
  t: string,
  day = 0,
): { sticky: readonly PostFact[]; posts: readonly PostFact[] } {
  const { posts } = community;
  if (sort === 'new') return { sticky: [], posts };
  if (sort === 'top') return { sticky: [], posts: within(posts, t || 'day', day).toSorted(byScore) };
  if (sort === 'rising') return { sticky: [], posts: within(posts, 'day', day).slice(0, 12) };
  return { sticky: posts.filter((p) => p.isStickied), posts: posts.filter((p) => !p.isStickied).toSorted(byHeat) };
}

/** Posts whose title, text or community name contains every word of the query; in one community or in all. */
export function foundPosts(query: string, sort: string, within_: string | null, day = 0): readonly PostFact[] {
  const url = /^url:"?([^"]+)"?$/i.exec(query.trim())?.[1];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const place = within_ === null || within_ === 'all' ? null : communityOf(within_, day);
  const posts = place ? place.posts : allPosts(day);
  const hits = posts
    .map((post) => {
      const title = post.title.toLowerCase();
      const rest = `${post.selftext} ${post.community} ${post.domain}`.toLowerCase();
      const inTitle = words.filter((w) => title.includes(w)).length;
      const all = url ? post.url.startsWith(url) : words.every((w) => title.includes(w) || rest.includes(w));
      return { post, inTitle, all };
    })
    .filter((h) => h.all && words.length > 0);
  const order: Record<string, (a: (typeof hits)[number], b: (typeof hits)[number]) => number> = {
    new: (a, b) => byNewest(a.post, b.post),
    top: (a, b) => byScore(a.post, b.post),
    comments: (a, b) => b.post.numComments - a.post.numComments || byNewest(a.post, b.post),
  };
  return hits
    .toSorted(order[sort] ?? ((a, b) => b.inTitle - a.inTitle || byScore(a.post, b.post)))
    .slice(0, MOST_FOUND)
    .map((h) => h.post);
}

/** One page after a cursor. The first page contains the sticky posts in addition to the limit; for an unknown cursor the page is empty. */
export function pageOf(
  posts: readonly PostFact[],
  sticky: readonly PostFact[],
  query: URLSearchParams,
  strangers: readonly Thing[] = [],
): Thing {
  const limit = Math.min(100, Math.max(1, Number(query.get('limit') ?? 25) || 25));
  const after = query.get('after');
  const start = after === null ? 0 : posts.findIndex((p) => `t3_${p.postId}` === after) + 1;
  if (after !== null && start === 0) return listing([], null);
  const part = posts.slice(start, start + limit);
  const last = part.at(-1);
  const children = [...(start === 0 ? sticky : []), ...part].map(postThing);
  if (start === 0) children.push(...strangers);
  return listing(children, last && start + limit < posts.length ? `t3_${last.postId}` : null);
}
