import { json, type SandboxHost, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { type CommentFact, discussionOf } from './discussion.ts';
import { communityOf, type PostFact, postFact } from './facts.ts';
import { foundPosts, pageOf, sortedPosts } from './pages.ts';

/** The key that the simulated provider accepts. */
export const PROVIDER_KEY = 'demo-provider-key';
const ORIGIN = 'https://forum-data.example';
const PAGE = 100;
const COMMENTS_OF_PAGE = 100;

/** The provider's own form of a post: flat, with names of its own. */
const flatPost = (p: PostFact) => ({
  id: p.postId,
  group: p.community,
  group_id: p.communityId,
  headline: p.title,
  by: p.author,
  votes: p.score,
  ratio: p.upvoteRatio,
  replies: p.numComments,
  link: p.url.startsWith('/') ? `https://www.reddit.com${p.url}` : p.url.replace('utm_source=forum&', ''),
  text: p.selftext,
  kind: p.isVideo ? 'video' : p.isSelf ? 'text' : 'link',
  pinned: p.isStickied,
  image: p.thumbnail?.startsWith('http') ? p.thumbnail : null,
  posted: p.created,
  path: `/r/${p.community}/comments/${p.postId}/${p.slug}/`,
  label: p.flair,
  site: p.domain,
});
const flatComment = (c: CommentFact) => ({
  id: c.commentId,
  answers: c.parentId,
  by: c.author,
  text: c.body,
  votes: c.scoreHidden ? null : c.score,
  level: c.depth,
  posted: c.created,
  pinned: c.isStickied,
});

function search(body: string, day?: number): SandboxResponse {
  const { q = '', order = 'relevance', group = '', cursor = '' } = JSON.parse(body) as Readonly<Record<string, string>>;
  if (group !== '' && group !== 'all' && !communityOf(group)) return json({ error: 'unknown group' }, 404);
  const posts = foundPosts(q, order, group === '' ? null : group, day);
  const from = cursor === '' ? 0 : posts.findIndex((p) => `t3_${p.postId}` === cursor) + 1;
  const page = posts.slice(from, from + PAGE);
  return json({ items: page.map(flatPost), cursor: from + PAGE < posts.length ? `t3_${page.at(-1)?.postId}` : null });
}

function comments(postId: string, pageText: string, day?: number): SandboxResponse {
  const post = postFact(postId, day);
  if (!post) return json({ error: { code: 'post_not_found' } });
  const page = Number(pageText || 1);
  const all = discussionOf(post).comments;
  const from = (page - 1) * COMMENTS_OF_PAGE;
  return json({
    post: flatPost(post),
    comments: all.slice(from, from + COMMENTS_OF_PAGE).map(flatComment),
    page,
    next_page: from + COMMENTS_OF_PAGE < all.length ? page + 1 : null,
  });
}

function answer({ method, url, headers, body, day }: SandboxRequest): SandboxResponse {
  if (headers['x-api-key'] !== PROVIDER_KEY) return json({ error: 'the key is wrong' }, 401);
  const [, version, head, name = '', last = ''] = url.pathname.split('/');
  if (version !== 'v1') return json({ error: 'no such path' }, 400);
  if (method === 'POST' && head === 'search') return search(body, day);
  if (head === 'posts' && last === 'comments') return comments(name, url.searchParams.get('page') ?? '', day);
  if (head === 'endless') return json({ items: [] });
  if (head !== 'groups') return json({ error: 'no such path' }, 400);
  const community = communityOf(name, day);
  if (!community) return json({ error: 'unknown group' }, 404);
  const { sticky, posts } = sortedPosts(community, last, url.searchParams.get('t') ?? '', day);
  if (url.searchParams.get('after') === '') url.searchParams.delete('after');
  return json({ ok: true, raw: pageOf(posts, sticky, url.searchParams) });
}

/** A data provider that sells posts of the discussion platform: as the platform's JSON, in a form of its own, and in pages. */
export const forumProvider: SandboxHost = { origins: [ORIGIN], answer };

const POST = `{
  "community": group, "communityId": group_id, "postId": id, "title": headline, "author": by, "score": votes, "upvoteRatio": ratio,
  "numComments": replies, "url": link, "selftext": text, "isSelf": kind = "text", "isVideo": kind = "video", "isStickied": pinned,
  "thumbnail": image, "createdAt": $fromMillis(posted * 1000), "permalink": "https://www.reddit.com" & path, "flair": label, "domain": site
}`;

/** The relay of the demo: searches of the discussion platform by the simulated provider. */
export const DEMO_RELAYS = {
  relays: [
    {
      name: 'forum-data',
      operation: 'forum-search',
      method: 'POST',
      url: `${ORIGIN}/v1/search`,
      headers: { 'x-api-key': PROVIDER_KEY },
      body: { q: '{query}', order: '{sort}', group: '{community}', cursor: '{after}' },
      map: `{ "posts": [items.${POST}], "after": cursor, "hasMore": $type(cursor) = "string" }`,
      absentStatuses: [404],
      everyMs: 5,
      maxRequestsPerDay: 100_000,
    },
  ],
};
