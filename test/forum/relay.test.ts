/** The discussion platform by data providers: the relays of docs/relay.md against a simulated provider, over sockets. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { discussionOf } from '../../sandbox/forum/discussion.ts';
import { communityOf, EXAMPLE_POST, postFact } from '../../sandbox/forum/facts.ts';
import { forumProvider, PROVIDER_KEY } from '../../sandbox/forum/provider.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { createPorts } from '../../src/cli/service.ts';
import type { ForumPostPage } from '../../src/contract/operations/forum.ts';
import type { ForumThread } from '../../src/contract/operations/forum-comments/operation.ts';
import { createCheck } from '../../src/orchestrator/engine.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings, SettingError } from '../../src/settings.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { parseRelays } from '../../src/sources/relay/config.ts';
import { demandExpressions, relaySource } from '../../src/sources/relay/connector.ts';

type Fields = Record<string, unknown>;
/** The relay files of the page, in order: the platform's JSON, the provider's own, several pages. */
const [LISTINGS = {}, SEARCH = {}, COMMENTS = {}] = [...readFileSync('docs/relay.md', 'utf8').matchAll(/^```json\n(.*?)^```/gms)]
  .map(([, text = '']): Fields => JSON.parse(text).relays[0])
  .filter(({ url }) => String(url).startsWith('https://forum-data.example/'));
const huge = { status: 200, headers: { 'content-type': 'application/json' }, body: `{"items":["${'x'.repeat(20_000_000)}"]}` };
const HUGE = { origins: ['https://huge.example'], answer: () => huge };

let sandbox: Sandbox;
let ports: Awaited<ReturnType<typeof createPorts>>;
const folder = mkdtempSync(join(tmpdir(), 'sightline-relay-'));
before(async () => {
  sandbox = await startSandbox({ hosts: [forumProvider, HUGE], whois: [] });
  ports = await createPorts(readSettings({ SIGHTLINE_HOSTS: sandbox.mapFile }), () => {}, realClock);
});
after(async () => {
  await ports.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = { FORUM_DATA_KEY: PROVIDER_KEY };
const relayOf = (fields: Fields) => {
  const [relay] = parseRelays(JSON.stringify({ relays: [{ ...fields, everyMs: 0 }] }), environment);
  assert.ok(relay);
  return relay;
};
async function ask(fields: Fields, input: object): Promise<Outcome> {
  const relay = relayOf(fields);
  const asks = relaySource(relay).open(ports) as Record<string, (input: object, attempt: object) => Promise<Outcome>>;
  const outcome = await asks[relay.operation]?.(input, { signal: new AbortController().signal, deadlineMs: realClock.now() + 60_000 });
  assert.ok(outcome);
  if (outcome.tag === 'found') assert.equal(await createCheck()(relay.operation, outcome.resource), null);
  return outcome;
}
async function found<T>(fields: Fields, input: object): Promise<T> {
  const outcome = await ask(fields, input);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome.resource as T;
}

test("a listing in the platform's own JSON goes through the reader", async () => {
  const { posts } = await found<ForumPostPage>(LISTINGS, { community: 'acmewidgets', sort: 'new' });
  assert.deepEqual(
    posts.slice(0, 5).map((p) => p.postId),
    communityOf('acmewidgets')
      ?.posts.slice(0, 5)
      .map((p) => p.postId),
  );
  assert.equal((await ask(LISTINGS, { community: 'nobody_there', sort: 'new' })).tag, 'absent');
});

test("a search in the provider's own JSON is mapped to every field, page after page", async () => {
  const first = await found<ForumPostPage>(SEARCH, { query: 'acme', sort: 'relevance' });
  const [post] = first.posts;
  const fact = postFact(post?.postId ?? '');
  assert.deepEqual(
    [post?.title, post?.author, post?.score, post?.createdAt, post?.isSelf],
    [fact?.title, fact?.author, fact?.score, new Date((fact?.created ?? 0) * 1000).toISOString(), fact?.isSelf],
  );
  assert.equal(first.hasMore, true);
  const second = await found<ForumPostPage>(SEARCH, { query: 'acme', sort: 'relevance', after: first.after });
  assert.ok(second.posts.length > 0 && !second.posts.some((p) => first.posts.some((f) => f.postId === p.postId)));
});

test('all comments of a post are read from all pages, or none', async () => {
  const post = postFact(EXAMPLE_POST);
  assert.ok(post);
  const { comments } = discussionOf(post);
  const thread = await found<ForumThread>(COMMENTS, { postId: EXAMPLE_POST });
  assert.deepEqual(
    thread.comments.map((c) => [c.commentId, c.parentId, c.depth, c.body]),
    comments.map((c) => [c.commentId, c.parentId, c.depth, c.body]),
  );
  const cut = await ask({ ...COMMENTS, maxPages: 1 }, { postId: '1abc02' });
  assert.deepEqual([cut.tag, cut.tag === 'changed' && cut.what], ['changed', 'The data provider has more pages than are read.']);
  const none = await ask(COMMENTS, { postId: '1zzzzz' });
  assert.equal(none.tag, 'absent');
});

test('a mapping is held against the contract: strange names, missing values, values that do not fit, another thing', async () => {
  const mapped = (map: string) => ask({ ...SEARCH, map }, { query: 'acme', sort: 'new' });
  const detail = async (map: string) => {
    const outcome = await mapped(map);
    return outcome.tag === 'changed' ? outcome.detail : outcome.tag;
  };
  assert.match(
    (await detail('{"posts": [], "after": null, "hasMore": false, "total": 3}')) ?? '',
    /gives total, which is no field: posts, after, hasMore/,
  );
  assert.match((await detail('{"posts": [], "after": null}')) ?? '', /no hasMore/);
  assert.match((await detail('{"posts": [items.{"title": headline}], "hasMore": false}')) ?? '', /no posts\.postId/);
  assert.match((await detail('$error("as told")')) ?? '', /the mapping failed: as told/);
  const partly = await mapped('{"posts": [items[0].{"postId": id, "score": by, "createdAt": posted}], "hasMore": false}');
  assert.ok(partly.tag === 'found');
  assert.deepEqual(partly.unread?.toSorted(), ['posts.createdAt', 'posts.score']);
  const [post] = (partly.resource as ForumPostPage).posts;
  assert.deepEqual([post?.score, post?.createdAt, post?.title], [null, null, null]);
  const other = await ask(
    {
      ...COMMENTS,
      map: '{"post": {"postId": "1other"}, "comments": []}',
      next: undefined,
      maxPages: undefined,
      url: 'https://forum-data.example/v1/posts/{postId}/comments',
    },
    { postId: EXAMPLE_POST },
  );
  assert.deepEqual([other.tag, other.tag === 'changed' && other.detail], ['changed', `postId is 1other instead of ${EXAMPLE_POST}`]);
});

test('an expression that is wrong stops the start with its place; fields that do not go together are refused', async () => {
  await assert.rejects(demandExpressions([relayOf({ ...SEARCH, map: '{"posts": [items.{' })]), (error: Error) => {
    assert.ok(error instanceof SettingError);
    assert.match(error.message, /^SIGHTLINE_RELAYS: map of relay\/search is no JSONata expression: .* \(at character \d+\)$/);
    return true;
  });
  for (const [fields, said] of [
    [{ ...SEARCH, reader: 'forum/search' }, /reader does not go with map/],
    [{ ...SEARCH, operation: 'forum' }, /operation must be one of/],
    [{ ...SEARCH, maxPages: 3 }, /maxPages belongs to a relay with next/],
    [{ ...LISTINGS, next: 'cursor' }, /next belongs to a relay with map/],
    [{ ...SEARCH, method: 'GET' }, /body belongs to a relay with "method": "POST"/],
    [{ ...SEARCH, body: { q: '{question}' } }, /body holds \{question\}, but the operation forum-search knows \{query\}/],
  ] as const)
    assert.throws(() => relayOf(fields), said);
});

test('an expression that never ends is ended, and a payload of 20 MB is not read', async () => {
  const endless = await ask({ ...SEARCH, map: '($f := function($x) { $f($x) }; $f(1))' }, { query: 'acme', sort: 'new' });
  assert.deepEqual(
    [endless.tag, endless.tag === 'changed' && endless.what],
    ['changed', 'The answer of the source takes too long to parse.'],
  );
  const large = await ask({ ...SEARCH, url: 'https://huge.example/v1' }, { query: 'acme', sort: 'new' });
  assert.match(large.tag === 'found' ? 'found' : large.what, /^The answer of the source is larger than what is read\.$/);
});

async function relayTry(fields: Fields, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const file = join(folder, 'relays.json');
  writeFileSync(file, JSON.stringify({ relays: [fields] }));
  const child = spawn(process.execPath, ['bin/sightline.mjs', 'relay', 'try', file, ...args], {
    env: { ...process.env, ...environment, SIGHTLINE_HOSTS: sandbox.mapFile, SIGHTLINE_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test('relay try shows the request without secrets, the payload, the resource and what it lacks; failures are one line', async () => {
  const good = await relayTry({ ...SEARCH, map: '{"posts": [items.{"postId": id, "title": headline}], "hasMore": false}' }, [
    '--input',
    'query=acme',
  ]);
  assert.equal(good.code, 0, good.output);
  assert.match(good.output, /^request +POST https:\/\/forum-data\.example\/v1\/search$/m);
  assert.match(good.output, /x-api-key: •••/);
  assert.doesNotMatch(good.output, new RegExp(PROVIDER_KEY));
  assert.match(good.output, /^payload +\{"items":/m);
  assert.match(good.output, /^missing .*posts\.author.*posts\.score/m);
  const wrong = await relayTry({ ...SEARCH, map: '{"posts": [' }, ['--input', 'query=acme']);
  assert.equal(wrong.code, 1);
  assert.equal(wrong.output.trim().split('\n').length, 1, wrong.output);
  const usage = await relayTry(SEARCH, ['--input', 'acme']);
  assert.deepEqual([usage.code, /write name=value/.test(usage.output)], [2, true]);
  const saved = join(folder, 'saved.json');
  writeFileSync(saved, '{"items":[],"cursor":null}');
  const offline = await relayTry(SEARCH, ['--input', 'query=acme', '--answer', saved]);
  assert.match(offline.output, /^outcome +found$/m);
});
