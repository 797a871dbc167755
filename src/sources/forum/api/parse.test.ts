import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../upstream/answer.ts';
import { readListing, readMoreComments, readSearch, readThread } from './parse.ts';
import { addressOf, permalinkOf } from './things.ts';

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  url: 'https://oauth.reddit.com/r/x/hot?raw_json=1',
  atMs: 0,
  ...more,
});
const listing = (children: unknown[], after: unknown = null) => ({ kind: 'Listing', data: { children, after } });
const post = (data: object) => ({ kind: 't3', data: { id: 'abc', name: 't3_abc', ...data } });
const read = (body: unknown, more: Partial<Answer> = {}) => readListing(answer(body, more), { community: 'x', sort: 'hot' });
const firstPost = (data: object, more: Partial<Answer> = {}) => {
  const outcome = read(listing([post(data)]), more);
  assert.equal(outcome.tag, 'found');
  return outcome.tag === 'found' ? outcome.resource.posts[0] : undefined;
};

test('missing fields of a post are null', () => {
  const { postId, ...rest } = firstPost({}) ?? {};
  assert.equal(postId, 'abc');
  assert.deepEqual([...new Set(Object.values(rest))], [null]);
});
test('strings are unchanged with raw_json=1 and decoded once without it', () => {
  const title = 'a &amp;lt; b';
  assert.equal(firstPost({ title })?.title, title);
  assert.equal(firstPost({ title }, { url: 'https://www.reddit.com/r/x.json' })?.title, 'a &lt; b');
  assert.equal(firstPost({ title }, { url: 'https://provider.example/x' })?.title, title, 'of a provider nothing is known');
});
test('thumbnail keywords are null, paths are resolved against the platform, and for a path as domain the host of the link is used', () => {
  for (const thumbnail of ['self', 'default', 'nsfw', 'spoiler', 'image', '', null])
    assert.equal(firstPost({ thumbnail })?.thumbnail, null);
  const crossposted = firstPost({ url: '/r/y/comments/1/a/', domain: 'self.y' });
  assert.deepEqual([crossposted?.url, crossposted?.domain], ['https://www.reddit.com/r/y/comments/1/a/', 'self.y']);
  assert.equal(firstPost({ url: 'https://v.redd.it/1', domain: '/r/y/comments/1/a/' })?.domain, 'v.redd.it');
  assert.equal(firstPost({ url: '', domain: '' })?.url, null);
  const old = firstPost({ permalink: '/r/y/comments/abc/a/?ref=search_posts', url: 'http://old.reddit.com/r/y/comments/abc/a/' });
  assert.equal(old?.url, old?.permalink);
});
test('a flair is its text without emoji codes, or the codes if there is no text', () => {
  const rich = [
    { e: 'emoji', a: ':star:' },
    { e: 'text', t: ' Review' },
  ];
  assert.equal(firstPost({ link_flair_text: ':star: Review', link_flair_richtext: rich })?.flair, 'Review');
  assert.equal(firstPost({ link_flair_text: ':star:', link_flair_richtext: rich.slice(0, 1) })?.flair, ':star:');
  assert.equal(firstPost({ link_flair_text: '', link_flair_richtext: [] })?.flair, null);
});
test('addresses are valid URIs without tracking parameters', () => {
  assert.equal(addressOf('https://a.example/x?utm_source=b&id=1#c'), 'https://a.example/x?id=1#c');
  assert.equal(addressOf('https://a.example/x?fbclid=b'), 'https://a.example/x');
  assert.equal(addressOf('https://a.example/x?ref=b'), 'https://a.example/x?ref=b', "another site's own parameter");
  assert.equal(addressOf('https://www.reddit.com/x?share_id=b&rdt=1'), 'https://www.reddit.com/x');
  assert.equal(addressOf('https://a.example/ä b|c'), 'https://a.example/%C3%A4%20b%7Cc');
  for (const none of ['', 'self', 'javascript:alert(1)', 'http://', null]) assert.equal(addressOf(none), null);
  assert.equal(permalinkOf('/r/x/comments/1/tür/2/'), 'https://www.reddit.com/r/x/comments/1/t%C3%BCr/2/');
  assert.equal(permalinkOf('//evil.example/x'), 'https://evil.example/x', 'an address, never the platform’s');
});
test('`after` decides whether a next page exists; a page without it is changed', () => {
  const next = read(listing([post({})], 't3_abc'));
  assert.ok(next.tag === 'found' && next.resource.hasMore && next.resource.after === 't3_abc');
  for (const after of [undefined, 1, 'x', ''])
    assert.equal(read({ kind: 'Listing', data: { children: [post({})], ...(after !== undefined && { after }) } }).tag, 'changed');
  assert.equal(read(listing([])).tag, 'found');
});
test('things of other kinds are omitted; a page of other kinds only is changed', () => {
  const mixed = read(listing([{ kind: 't5', data: {} }, post({})]));
  assert.ok(mixed.tag === 'found' && mixed.resource.posts.length === 1);
  assert.equal(read(listing([{ kind: 't1', data: {} }])).tag, 'changed');
});
test('a discussion of another post is changed', () => {
  const body = [listing([post({})]), listing([])];
  assert.equal(readThread(answer(body), { postId: 'abc' }).tag, 'found');
  assert.equal(readThread(answer(body), { postId: 'T3_ABC' }).tag, 'found');
  assert.equal(readThread(answer(body), { postId: 'other' }).tag, 'changed');
  assert.equal(readThread(answer([listing([]), listing([])]), { postId: 'abc' }).tag, 'absent');
});
test('a comment from before 2017 gets a permalink built from its ids; a hidden score is null', () => {
  const comment = { id: 'c', link_id: 't3_abc', parent_id: 't3_abc', subreddit: 'y', score: 5, score_hidden: true, replies: '' };
  const outcome = readThread(answer([listing([post({})]), listing([{ kind: 't1', data: comment }])]), { postId: 'abc' });
  assert.ok(outcome.tag === 'found');
  assert.equal(outcome.resource.comments[0]?.permalink, 'https://www.reddit.com/r/y/comments/abc/_/c/');
  assert.equal(outcome.resource.comments[0]?.score, null);
});
test('every answer without data gives its outcome', () => {
  const blockPage = '<html><title>Blocked</title><p>Your request has been blocked due to a network policy.</p></html>';
  const cases: [unknown, Partial<Answer>, string, RegExp?][] = [
    [blockPage, { status: 403 }, 'blocked'],
    [blockPage, { status: 429, headers: { 'retry-after': '3' } }, 'blocked'],
    ['<html><p>You’ve been blocked by network security.</p></html>', { status: 200 }, 'blocked'],
    ['<html><title>Reddit - Prove your humanity</title></html>', { status: 200 }, 'blocked'],
    ['<html></html>', { status: 200 }, 'blocked'],
    ['<?xml version="1.0"?><feed/>', { status: 200 }, 'changed'],
    ['', { status: 200 }, 'limited'],
    ['"{}"', { status: 200 }, 'changed'],
    ['{"error": 404, "message": "Not Found"}', { status: 200 }, 'absent'],
    ['{"error": "invalid_grant"}', { status: 200 }, 'refused'],
    ['{"reason": "private", "message": "Forbidden", "error": 403}', { status: 403 }, 'absent', /private/],
    ['{"reason": "banned", "message": "Not Found", "error": 404}', { status: 404 }, 'absent', /banned/],
    ['{"message": "Forbidden", "error": 403}', { status: 403 }, 'blocked'],
    ['<html>no</html>', { status: 403, headers: { 'retry-after': '30' } }, 'limited'],
    ['<html>no</html>', { status: 403, headers: { 'retry-after': '0' } }, 'blocked'],
    ['{"message": "Not Found", "error": 404}', { status: 404 }, 'absent', /does not exist/],
    ['{"message": "Not Found", "error": "404"}', { status: 404 }, 'absent'],
    ['', { status: 404 }, 'changed'],
    ['{}', { status: 404 }, 'changed'],
    ['{"message": "no Route matched with those values"}', { status: 404 }, 'changed'],
    ['{"error": 500, "message": "Not Found"}', { status: 404 }, 'changed'],
    ['<html><title>404 Not Found</title><center>nginx</center></html>', { status: 404 }, 'changed'],
    ['<html><title>Log in</title><form><input type="password"></form></html>', { status: 404 }, 'changed'],
    ['{"message": "Temporarily unavailable, try again later", "error": 404}', { status: 404 }, 'unreachable'],
    ['{"message": "Reddit is down for maintenance", "error": 404}', { status: 200 }, 'unreachable'],
    ['{"message": "Something went wrong", "error": 404, "reason": "banned"}', { status: 404 }, 'unreachable'],
    ['{"message": "Service Unavailable", "error": 451}', { status: 451 }, 'unreachable'],
    ['', { status: 451 }, 'changed'],
    ['{"message": "Unavailable For Legal Reasons", "error": 451}', { status: 451 }, 'absent', /law/],
    ['<html><title>Withheld by court order</title></html>', { status: 451 }, 'changed'],
    ['', { status: 302, headers: { location: '/subreddits/search?q=x' } }, 'absent'],
    ['', { status: 302, headers: { location: 'https://www.reddit.com/over18?dest=x' } }, 'blocked'],
    ['', { status: 302, headers: { location: 'https://oauth.reddit.com/submit?url=x' } }, 'refused'],
    ['', { status: 302, headers: { location: 'https://oauth.reddit.com/r/other/' } }, 'changed'],
    ['<html><title>page not found</title></html>', { status: 401 }, 'refused'],
    ['Bad Request', { status: 400 }, 'refused'],
    ['', { status: 520 }, 'unreachable'],
  ];
  for (const [body, more, tag, what] of cases)
    for (const reader of [
      read,
      (b: unknown, m: Partial<Answer>) => readSearch(answer(b, m), { query: 'q', sort: 'new', community: 'x' }),
      (b: unknown, m: Partial<Answer>) => readThread(answer(b, m), { postId: 'abc' }),
    ]) {
      const outcome = reader(body, more);
      assert.equal(outcome.tag, tag, `${more.status} ${String(body).slice(0, 60)}`);
      if (outcome.tag === 'found') continue;
      if (what) assert.match(outcome.what, what);
      assert.doesNotMatch(outcome.what, /reddit/i);
    }
});
test('a 429 without Retry-After waits for the reset of an exhausted window', () => {
  const outcome = read('', { status: 429, headers: { 'x-ratelimit-remaining': '0.0', 'x-ratelimit-reset': '33' } });
  assert.equal(outcome.tag === 'limited' && outcome.retryAfterMs, 33_000);
});
test('errors in an answer of `morechildren` give their outcome', () => {
  const more = (json: unknown) => {
    const outcome = readMoreComments(answer({ json }), { postId: 'a' });
    return outcome.tag === 'found' ? outcome.resource.parts.length : outcome.tag;
  };
  assert.equal(more({ errors: [], data: { things: [] } }), 0);
  assert.equal(more({ errors: [['RATELIMIT', 'slow down', 'ratelimit']], ratelimit: 4.5 }), 'limited');
  assert.equal(more({ errors: [['NO_LINKS', 'x', 'y']] }), 'refused');
  assert.equal(more({ errors: [] }), 'changed');
});

test('a page of posts of another community is changed, for listings and searches', () => {
  const page = listing([post({ subreddit: 'Other' })]);
  assert.equal(read(page).tag, 'changed');
  assert.equal(readSearch(answer(page), { query: 'a', sort: 'new', community: 'x' }).tag, 'changed');
  assert.equal(read(listing([post({ subreddit: 'X' })])).tag, 'found', 'names are compared without case');
  assert.equal(readSearch(answer(page), { query: 'a', sort: 'new' }).tag, 'found');
  for (const community of ['all', 'popular']) assert.equal(readListing(answer(page), { community, sort: 'hot' }).tag, 'found');
});

test('an odd thing never decides over the others of its list: what is not read of it is unread', () => {
  const comment = (id: string, more: object = {}) => ({
    kind: 't1',
    data: { id, link_id: 't3_abc', parent_id: 't3_abc', author: 'a', body: 'b', replies: '', ...more },
  });
  const more = (children: unknown[]) => ({ kind: 'more', data: { parent_id: 't3_abc', children, count: 1 } });
  const thread = (things: unknown[]) => readThread(answer([listing([post({})]), listing(things)]), { postId: 'abc' });
  const outcomeOf = (outcome: ReturnType<typeof read> | ReturnType<typeof thread>, length: (resource: never) => number) =>
    outcome.tag === 'found' ? [length(outcome.resource as never), outcome.unread] : outcome.tag;
  const posts = [post({}), post({ id: 'abd', name: 't3_abd' })];
  const comments = [comment('c1'), comment('c2')];
  for (const place of [0, 1, 2]) {
    for (const odd of [null, {}, 'x', [], { kind: 't1' }, { kind: 't1', data: {} }, more([null]), { kind: 'more', data: {} }])
      assert.deepEqual(
        outcomeOf(thread(comments.toSpliced(place, 0, odd as never)), ({ comments }: { comments: unknown[] }) => comments.length),
        [2, ['comments']],
        JSON.stringify(odd),
      );
    for (const odd of [null, {}, 'x', { kind: 't3' }, { kind: 't3', data: {} }])
      assert.deepEqual(
        outcomeOf(read(listing(posts.toSpliced(place, 0, odd as never))), ({ posts }: { posts: unknown[] }) => posts.length),
        [2, ['posts']],
        JSON.stringify(odd),
      );
  }
  assert.equal(thread([null]).tag, 'changed', 'nothing else is there');
  const below = readThread(answer([listing([post({})]), listing([comment('c1', { replies: { kind: 'x' } }), comment('c2')])]), {
    postId: 'abc',
  });
  assert.ok(below.tag === 'found' && below.resource.comments.length === 2 && below.unread?.includes('comments'));
  const part = readMoreComments(answer({ json: { errors: [], data: { things: [more([null, 'c3'])] } } }), { postId: 'abc' });
  assert.ok(part.tag === 'found' && part.unread?.includes('comments'));
  assert.deepEqual(part.resource.parts, [{ parentId: 't3_abc', count: 1, ids: ['c3'] }]);
});

test("a reason is the platform's only in its own error object", () => {
  for (const status of [403, 404]) {
    for (const foreign of [
      { reason: 'banned' },
      { reason: 'private', message: 'IP' },
      { reason: 'banned', error: 'x' },
      { reason: 'gated', error: 500 },
    ])
      assert.notEqual(read(foreign, { status }).tag, 'absent', JSON.stringify(foreign));
    assert.equal(read({ reason: 'PRIVATE', message: 'Forbidden', error: status }, { status }).tag, 'absent');
  }
});
