// In the gate alone: it asks the simulated platforms for everything they have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_PAGES } from '../../sandbox/forum/block-pages.ts';
import { discussionOf } from '../../sandbox/forum/discussion.ts';
import { BIG_POST, COMMUNITIES, communityOf, EXAMPLE_POST, type PostFact, postFact } from '../../sandbox/forum/facts.ts';
import { createForumHosts } from '../../sandbox/forum/host.ts';
import { foundPosts, sortedPosts } from '../../sandbox/forum/pages.ts';
import type { SandboxHost } from '../../sandbox/host.ts';
import type { ForumPost } from '../../src/contract/operations/forum.ts';
import type { ForumThread } from '../../src/contract/operations/forum-comments/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/index.ts';
import { createCheck } from '../../src/orchestrator/engine.ts';
import { forumOver, resourceOf } from './simulated-source.ts';

const SITE = 'https://www.reddit.com';
const check = createCheck();
const forum = (tokenSeconds?: number) => forumOver({ hosts: createForumHosts(tokenSeconds === undefined ? {} : { tokenSeconds }) });

/** The expected resource, built from a fact of the simulated platform. */
function expected(p: PostFact): ForumPost {
  const picture = p.thumbnail?.startsWith('http') ? p.thumbnail : null;
  return {
    community: p.community,
    communityId: p.communityId,
    postId: p.postId,
    title: p.title,
    author: p.author,
    score: p.score,
    upvoteRatio: p.upvoteRatio,
    numComments: p.numComments,
    url: new URL(p.url.replace('utm_source=forum&', ''), SITE).href,
    selftext: p.selftext,
    isSelf: p.isSelf,
    isVideo: p.isVideo,
    isStickied: p.isStickied,
    thumbnail: picture,
    createdAt: new Date(p.created * 1000).toISOString(),
    permalink: new URL(`/r/${p.community}/comments/${p.postId}/${p.slug}/`, SITE).href,
    flair: p.flair,
    domain: p.domain,
  };
}
async function assertWhole(thread: ForumThread, post: PostFact): Promise<void> {
  assert.deepEqual(thread.post, expected(post));
  const { comments } = discussionOf(post);
  assert.equal(thread.comments.length, comments.length);
  const got = new Map(thread.comments.map((c) => [c.commentId, c]));
  for (const c of comments)
    assert.deepEqual(got.get(c.commentId), {
      postId: post.postId,
      commentId: c.commentId,
      parentId: c.parentId,
      author: c.author,
      body: c.body,
      score: c.scoreHidden ? null : c.score,
      depth: c.depth,
      createdAt: new Date(c.created * 1000).toISOString(),
      permalink: new URL(`/r/${post.community}/comments/${post.postId}/${post.slug}/${c.commentId}/`, SITE).href,
      isStickied: c.isStickied,
    });
  assert.deepEqual(
    thread.comments.map((c) => c.commentId),
    comments.map((c) => c.commentId),
    'pre-order',
  );
  assert.equal(await check('forum-comments', thread), null);
}

/** The same hosts with a delay before each answer. */
const taking = (ms: number, hosts: readonly SandboxHost[], move: (ms: number) => void): SandboxHost[] =>
  hosts.map((host) => ({
    ...host,
    answer(request) {
      move(ms);
      return host.answer(request);
    },
  }));

for (const sort of ['hot', 'new', 'top', 'rising'] as const)
  test(`the pages of ${sort} contain every post of the community once, in the order of the platform`, async () => {
    const { lookup, asked } = forum();
    const community = communityOf('acmewidgets');
    assert.ok(community);
    const { sticky, posts } = sortedPosts(community, sort, 'day');
    const got: ForumPost[] = [];
    let after: string | undefined;
    do {
      const page = resourceOf(await lookup('forum-community', { community: 'AcmeWidgets', sort, ...(after && { after }) }));
      assert.equal(page.hasMore, page.after !== null);
      assert.equal(await check('forum-community', page), null);
      got.push(...page.posts);
      after = page.after ?? undefined;
    } while (after);
    assert.deepEqual(got, [...sticky, ...posts].map(expected));
    for (const { url } of asked.filter((a) => a.url.host.startsWith('oauth'))) {
      assert.equal(url.searchParams.get('raw_json'), '1');
      assert.equal(url.searchParams.get('t'), sort === 'top' ? 'day' : null);
    }
  });
test('things of other kinds in a listing are omitted', async () => {
  const page = resourceOf(await forum().lookup('forum-community', { community: 'cobaltkettle', sort: 'hot' }));
  assert.ok(page.posts.length > 20 && page.posts.every((p) => p.community === 'cobaltkettle'));
});
test('a search returns the results of the platform, in all communities or in one', async () => {
  const { lookup } = forum();
  for (const community of [undefined, 'acmewidgets'])
    for (const sort of ['relevance', 'new', 'top', 'comments'] as const) {
      const page = resourceOf(await lookup('forum-search', { query: 'Acme Widgets', sort, ...(community && { community }) }));
      const all = foundPosts('Acme Widgets', sort, community ?? null);
      assert.deepEqual(page.posts, all.slice(0, 100).map(expected));
      assert.equal(page.hasMore, all.length > 100);
    }
  const none = resourceOf(await lookup('forum-search', { query: 'zzz nothing', sort: 'new' }));
  assert.deepEqual(none, { posts: [], after: null, hasMore: false });
});
test('a URL as query is searched for and not redirected to the submit page', async () => {
  const post = communityOf('acmewidgets')?.posts.find((p) => p.domain === 'acme-widgets.com');
  assert.ok(post);
  const page = resourceOf(await forum().lookup('forum-search', { query: post.url, sort: 'relevance' }));
  assert.deepEqual(page.posts, [expected(post)]);
});
test('a discussion of more than 5,000 comments is complete, in pre-order, with one `morechildren` request at a time', async () => {
  const ports = forum();
  const post = postFact(BIG_POST);
  assert.ok(post);
  const two = await Promise.all([
    ports.lookup('forum-comments', { postId: BIG_POST }),
    ports.lookup('forum-comments', { postId: BIG_POST }),
  ]);
  for (const outcome of two) await assertWhole(resourceOf(outcome), post);
  assert.equal(ports.mostAtOnce, 1);
  const asked = ports.asked.map((a) => a.url.pathname);
  assert.equal(asked.filter((p) => p.endsWith('access_token')).length, 1);
  assert.ok(asked.includes('/api/morechildren') && asked.some((p) => p.includes('/_/')), 'both ways of getting more are needed');
  assert.ok(asked.length / 2 < 140, `${asked.length / 2} requests`);
  console.log(`# ${post.numComments} comments in ${Math.round(asked.length / 2)} requests`);
});
test('every discussion of a community is complete', async () => {
  const { lookup } = forum();
  for (const post of COMMUNITIES[3]?.posts ?? [])
    await assertWhole(resourceOf(await lookup('forum-comments', { postId: post.postId })), post);
});
test('a limit on requests or time fails the whole discussion; no partial result', async () => {
  const few = forumOver({ hosts: createForumHosts(), environment: { SIGHTLINE_FORUM_MAX_REQUESTS: '20' } });
  const outcome = await few.lookup('forum-comments', { postId: BIG_POST });
  assert.equal(outcome.tag, 'refused');
  assert.match(outcome.tag === 'refused' ? outcome.what : '', /more than 20 requests/);
  assert.ok(few.asked.length <= 21);
  const slow = forum();
  const late = await slow.lookup('forum-comments', { postId: BIG_POST }, 350);
  assert.equal(late.tag, 'found', 'without waits it is in time');
  const slowly = forumOver({ hosts: taking(1_000, createForumHosts(), (ms) => slowly.clock.move(ms)) });
  const timed = await slowly.lookup('forum-comments', { postId: BIG_POST }, 30_000);
  assert.equal(timed.tag, 'timeout');
});
test('an expired token is renewed once, also in the middle of a discussion', async () => {
  const hosts = taking(700, createForumHosts({ tokenSeconds: 40 }), (ms) => ports.clock.move(ms));
  const ports = forumOver({ hosts });
  const post = postFact(BIG_POST);
  assert.ok(post);
  await assertWhole(resourceOf(await ports.lookup('forum-comments', { postId: BIG_POST }, 600_000)), post);
  assert.ok(ports.asked.filter((a) => a.url.pathname.endsWith('access_token')).length > 1);
});
test('the examples of the description return resources', async () => {
  const { lookup } = forum();
  const example = (id: 'forum-community' | 'forum-search' | 'forum-comments', name: string) =>
    String(OPERATIONS[id].parameters.find((p) => p.name === name)?.example);
  const community = example('forum-community', 'community');
  assert.ok(resourceOf(await lookup('forum-community', { community, sort: 'hot' })).posts.length > 0);
  const after = example('forum-community', 'after');
  const page = resourceOf(await lookup('forum-community', { community, sort: 'hot', after }));
  assert.equal(await check('forum-community', page), null);
  assert.ok(resourceOf(await lookup('forum-search', { query: example('forum-search', 'query'), sort: 'relevance' })).posts.length > 0);
  const post = postFact(EXAMPLE_POST);
  assert.ok(post);
  assert.equal(example('forum-comments', 'postId'), EXAMPLE_POST);
  await assertWhole(resourceOf(await lookup('forum-comments', { postId: EXAMPLE_POST })), post);
});

const MEANS: Record<string, { tag: string; what?: RegExp; afterMs?: number }> = {
  private_club: { tag: 'absent', what: /private/ },
  banned_shop: { tag: 'absent', what: /banned/ },
  quarantined_talk: { tag: 'absent', what: /quarantined/ },
  gated_talk: { tag: 'absent', what: /gated/ },
  members_lounge: { tag: 'absent', what: /paying/ },
  forbidden_talk: { tag: 'blocked' },
  slow_down: { tag: 'limited', afterMs: 7_000 },
  slow_403: { tag: 'limited', afterMs: 7_000 },
  empty_answer: { tag: 'limited' },
  block_page: { tag: 'blocked' },
  challenge_page: { tag: 'blocked' },
  legal_hold: { tag: 'changed', what: /does not come from the platform/ },
  broken_down: { tag: 'unreachable' },
  error_in_200: { tag: 'absent', what: /not exist/ },
  cut_off: { tag: 'unreachable' },
};
test('block pages, limits and closed communities have their outcomes in every operation', async () => {
  assert.deepEqual(Object.keys(BLOCK_PAGES).sort(), Object.keys(MEANS).sort());
  for (const [name, means] of Object.entries(MEANS)) {
    const outcomes = [
      await forum().lookup('forum-community', { community: name, sort: 'new' }),
      await forum().lookup('forum-search', { query: 'x', sort: 'new', community: name }),
      await forum().lookup('forum-comments', { postId: BLOCK_PAGES[name]?.post ?? '' }),
    ];
    for (const outcome of outcomes) {
      assert.equal(outcome.tag, means.tag, name);
      if (outcome.tag === 'found') continue;
      if (means.what) assert.match(outcome.what, means.what);
      assert.doesNotMatch(outcome.what, /reddit/i, 'no platform name for clients');
      if (means.afterMs && outcome.tag === 'limited') assert.equal(outcome.retryAfterMs, means.afterMs);
    }
  }
});
test('missing resources are absent, and an older name redirects to the current community', async () => {
  const { lookup } = forum();
  const gone = await lookup('forum-community', { community: 'no_such_place', sort: 'hot' });
  assert.deepEqual([gone.tag, gone.tag !== 'found' && gone.what], ['absent', 'The community "no_such_place" does not exist.']);
  assert.equal((await lookup('forum-search', { query: 'x', sort: 'new', community: 'no_such_place' })).tag, 'absent');
  assert.equal((await lookup('forum-comments', { postId: 'nosuch' })).tag, 'absent');
  const moved = resourceOf(await lookup('forum-community', { community: 'acme_widgets_old', sort: 'new' }));
  assert.equal(moved.posts.length, 100);
});
test('an exhausted rate window stops requests: the outcome states how long to wait', async () => {
  const statuses: number[] = [];
  const hosts = createForumHosts({ allowance: 6 }).map((host) => ({
    ...host,
    async answer(request: Parameters<typeof host.answer>[0]) {
      const answer = await host.answer(request);
      statuses.push(answer.status);
      return answer;
    },
  }));
  const ports = forumOver({ hosts });
  const ask = () => ports.lookup('forum-community', { community: 'acmewidgets', sort: 'new' });
  let outcome = await ask();
  while (outcome.tag === 'found') outcome = await ask();
  assert.equal(outcome.tag, 'limited');
  const wait = outcome.tag === 'limited' ? (outcome.retryAfterMs ?? 0) : 0;
  assert.ok(wait > 0 && wait <= 600_000);
  ports.clock.move(wait);
  assert.equal((await ask()).tag, 'found');
  assert.ok(!statuses.includes(429));
});
