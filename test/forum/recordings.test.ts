import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { discussionOf, type Quirk } from '../../sandbox/forum/discussion.ts';
import { BIG_POST, communityOf, postFact } from '../../sandbox/forum/facts.ts';
import { createForumHosts } from '../../sandbox/forum/host.ts';
import { type ServedComment, type ServerLimits, serveDiscussion } from '../../sandbox/forum/thread.ts';
import { listing, type Thing } from '../../sandbox/forum/wire.ts';
import { json, type SandboxHost } from '../../sandbox/host.ts';
import { readSettings } from '../../src/settings.ts';
import { createTokens } from '../../src/sources/forum/api/client.ts';
import { readMoreComments, readThread } from '../../src/sources/forum/api/parse.ts';
import { isComment } from '../../src/sources/forum/api/things.ts';
import type { Answer } from '../../src/upstream/answer.ts';
import { forumOver, hastyClock, RECORDINGS, recordings, resourceOf } from './simulated-source.ts';

type Data = Record<string, unknown> & { id: string; replies?: unknown; children?: string[]; count?: number };
interface Node {
  kind: string;
  data: Data;
}
const parse = (file: string) => JSON.parse(readFileSync(`${RECORDINGS}/${file}`, 'utf8'));
const stems = (folder: string, end: string) =>
  readdirSync(`${RECORDINGS}/${folder}`)
    .filter((f) => f.endsWith(end))
    .map((f) => f.slice(0, -end.length));
const answer = (body: Uint8Array | string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: {},
  body: Buffer.from(body),
  url: 'https://oauth.reddit.com/?raw_json=1',
  atMs: 0,
  ...more,
});

function eachNode(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const v of value) eachNode(v, see);
  else if (typeof value === 'object' && value !== null) {
    const node = value as Partial<Node>;
    if (typeof node.kind === 'string' && node.data) see(node as Node);
    for (const v of Object.values(value)) eachNode(v, see);
  }
}

/** A recorded expansion as a discussion that can be served in batches of any size. */
function sessionOf(stem: string, limits: ServerLimits) {
  const lines = readFileSync(`${RECORDINGS}/session/${stem}.session.jsonl`, 'utf8').trim().split('\n');
  const expected = parse(`session/${stem}.expected.json`) as { post: { id: string }; comments: [string, string, number][] };
  const known = new Map<string, Data>();
  const quirks = new Map<string, Quirk>();
  let post: Thing | null = null;
  for (const line of lines)
    eachNode(JSON.parse((JSON.parse(line) as { body: string }).body), ({ kind, data }) => {
      if (kind === 't3') post ??= { kind, data };
      if (kind === 't1' && !known.has(data.id)) known.set(data.id, data);
      if (kind === 'more' && data.count === 0) for (const id of data.children ?? []) quirks.set(id, 'on its own page only');
    });
  const served = expected.comments.map(([id, parentId, depth]): ServedComment => {
    const data = known.get(id);
    const stated = data?.depth !== undefined;
    return { id, parentId, depth, thing: (at, replies) => ({ kind: 't1', data: { ...data, ...(stated && { depth: at }), replies } }) };
  });
  const server = serveDiscussion(`t3_${expected.post.id}`, served, quirks, limits);
  const host: SandboxHost = {
    origins: ['https://www.reddit.com', 'https://oauth.reddit.com'],
    answer({ url, body }) {
      const form = new URLSearchParams(body);
      if (url.pathname.endsWith('access_token')) return json({ access_token: 'x', token_type: 'bearer', expires_in: 3600 });
      if (url.pathname === '/api/morechildren') {
        const asked = (form.get('children') ?? '').split(',');
        assert.ok(asked.length <= 100);
        return json({ json: { errors: [], data: { things: server.more(asked) } } });
      }
      const comment = url.pathname.split('/')[4];
      return json([listing([post]), comment ? server.at(comment, 500) : server.first(limits.perAnswer)]);
    },
  };
  return { host, expected };
}

test('every recorded discussion is complete, however the platform splits its answers', { skip: recordings }, async () => {
  for (const stem of stems('session', '.session.jsonl'))
    for (const limits of [
      { perAnswer: 100, levels: 10 },
      { perAnswer: 20, levels: 4 },
      { perAnswer: 7, levels: 2 },
    ]) {
      const { host, expected } = sessionOf(stem, limits);
      const ports = forumOver({ hosts: [host], environment: { SIGHTLINE_FORUM_MAX_REQUESTS: '10000' } });
      const thread = resourceOf(await ports.lookup('forum-comments', { postId: expected.post.id }, 10_000_000));
      assert.deepEqual(
        new Set(thread.comments.map((c) => `${c.commentId} ${c.parentId} ${c.depth}`)),
        new Set(expected.comments.map((c) => c.join(' '))),
      );
      assert.equal(thread.comments.length, expected.comments.length, 'no comment twice');
      const at = new Map(thread.comments.map((c, i) => [`t1_${c.commentId}`, i]));
      for (const [i, c] of thread.comments.entries()) assert.ok((at.get(c.parentId ?? '') ?? -1) < i, 'a comment comes after its parent');
    }
});

test('recorded answers of `morechildren` are parsed', { skip: recordings }, () => {
  for (const stem of stems('morechildren', '.expected.json')) {
    const { comments } = parse(`morechildren/${stem}.expected.json`) as { comments: [string, string, number][] };
    const read = readMoreComments(answer(readFileSync(`${RECORDINGS}/morechildren/${stem}.json`)), { postId: 'a' });
    assert.ok(read.tag === 'found' && read.resource.fault === null, stem);
    const got = read.resource.parts.filter(isComment).map((comment) => [comment.commentId, comment.parentId, comment.depth]);
    assert.deepEqual(got, comments);
  }
});
test('recorded errors of `morechildren` are not found', { skip: recordings }, () => {
  for (const [file, status, tag] of [
    ['400_morechildren_plain_text.txt', 400, 'refused'],
    ['414_uri_too_long.txt', 414, 'refused'],
    ['403_forbidden_2025.json', 403, 'blocked'],
    ['429_html_with_retry_after.html', 429, 'limited'],
  ] as const) {
    const read = readMoreComments(answer(readFileSync(`${RECORDINGS}/error/${file}`), { status }), { postId: 'a' });
    assert.equal(read.tag, tag, file);
  }
});
test('recorded token answers give a token with its lifetime, or a refusal', { skip: recordings }, async () => {
  for (const stem of stems('auth', '.meta.json')) {
    const body = readFileSync(`${RECORDINGS}/auth/${stem}.json`);
    const clock = hastyClock();
    let asked = 0;
    const ask = async () => {
      asked++;
      return { tag: 'answer' as const, answer: answer(body, { atMs: clock.now() }) };
    };
    const attempt = { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY };
    const settings = readSettings({ REDDIT_CLIENT_ID: 'a', REDDIT_CLIENT_SECRET: 'b' });
    const tokens = createTokens({ http: { ask }, clock, settings }, 'c');
    const first = await tokens.get(attempt);
    if (stem.includes('error')) {
      assert.equal(first.tag, 'refused', stem);
      continue;
    }
    assert.deepEqual(first, { tag: 'token', token: 'REDACTED' });
    const life = (JSON.parse(body.toString()) as { expires_in: number }).expires_in * 1000;
    clock.move(life - 61_000);
    await tokens.get(attempt);
    assert.equal(asked, 1, `${stem} is kept`);
    clock.move(2_000);
    await tokens.get(attempt);
    assert.equal(asked, 2, `${stem} is renewed before it ends`);
  }
});

/** The paths that the parsers read. */
const POST_PATHS =
  'subreddit subreddit_id id name title author score upvote_ratio num_comments url selftext is_self is_video stickied thumbnail created_utc permalink link_flair_text link_flair_richtext domain';
const COMMENT_PATHS = 'id name link_id parent_id author body score score_hidden created_utc permalink stickied subreddit depth replies';
const MORE_PATHS = 'parent_id children count';
const pathsIn = (body: unknown): Set<string> => {
  const paths = new Set<string>();
  const want: Record<string, string> = { t3: POST_PATHS, t1: COMMENT_PATHS, more: MORE_PATHS };
  eachNode(body, ({ kind, data }) => {
    paths.add(`kind ${kind}`);
    for (const key of (want[kind] ?? (kind === 'Listing' ? 'children after' : '')).split(' ')) if (key in data) paths.add(`${kind}.${key}`);
  });
  return paths;
};
test('every simulated answer has the JSON paths of its recording that the parsers use', { skip: recordings }, async () => {
  const ports = forumOver({ hosts: createForumHosts() });
  await ports.lookup('forum-community', { community: 'acmewidgets', sort: 'hot' });
  const post = postFact(BIG_POST);
  assert.ok(post && communityOf('acmewidgets') && discussionOf(post).comments.length > 5_000);
  await ports.lookup('forum-search', { query: 'acme', sort: 'new' });
  await ports.lookup('forum-comments', { postId: BIG_POST });
  const [token, api] = createForumHosts();
  assert.ok(token && api);
  const bodyOf = async (path: RegExp) => {
    const request = ports.asked.find((a) => path.test(a.url.pathname));
    assert.ok(request, String(path));
    return JSON.parse(String((await api.answer(request)).body)) as unknown;
  };
  for (const [kind, path, recording] of [
    ['listing', /\/hot$/, 'listing/2026-04_popular_hot_limit100.json'],
    ['search', /^\/search/, 'search/2021-06_wiki_discussions.json'],
    ['thread', /^\/comments\/[^/]+$/, 'thread/2017-08_6wmniq_more_heavy.json'],
    ['page at a comment', /^\/comments\/.+\/_\//, 'thread/2026_1fcm91n_at_lm9d3io.json'],
    ['morechildren', /morechildren/, 'morechildren/2020-07_hbo4a7.json'],
  ] as const) {
    const [ours, theirs] = [pathsIn(await bodyOf(path)), pathsIn(parse(recording))];
    const all = new Set([...ours, ...theirs]);
    const both = [...all].filter((p) => ours.has(p) && theirs.has(p));
    console.log(`# ${kind}: ${both.length} of ${all.size} paths in both`);
    assert.ok(both.length / all.size >= 0.9, `${kind}: only one has ${[...all].filter((p) => !both.includes(p)).join(', ')}`);
  }
});
test('simulated error pages have the same outcomes as recorded ones', { skip: recordings }, async () => {
  const ports = forumOver({ hosts: createForumHosts() });
  for (const [name, file, status, headers] of [
    ['private_club', '403_private.json', 403, {}],
    ['quarantined_talk', '403_quarantined_2020.json', 403, {}],
    ['forbidden_talk', '403_forbidden_2025.json', 403, {}],
    ['slow_down', '429_html_with_retry_after.html', 429, { 'retry-after': '7' }],
    ['block_page', '403_old_reddit_network_policy_block.html', 403, {}],
    ['challenge_page', 'js_challenge_please_wait.html', 200, {}],
    ['legal_hold', '451_legal.body', 451, {}],
    ['broken_down', '503_unavailable.body', 503, {}],
  ] as const) {
    const ours = await ports.lookup('forum-community', { community: name, sort: 'new' });
    const theirs = readThread(answer(readFileSync(`${RECORDINGS}/error/${file}`), { status, headers }), { postId: 'x' });
    assert.equal(ours.tag, theirs.tag, name);
    ports.clock.move(60_000);
  }
});
