import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../../settings.ts';
import { createPace } from '../../../upstream/pace.ts';
import type { HttpRequest } from '../../../upstream/ports.ts';
import type { Ports } from '../../source.ts';
import { createClient, createRate } from './client.ts';
import { createLocalLease } from './connector.ts';

type Given = { status?: number; body?: string; headers?: Record<string, string> };
const never = new AbortController().signal;
const attempt = { signal: never, deadlineMs: 10_000_000 };

function clientOver(answer: (request: HttpRequest, count: number) => Given) {
  let now = 1_000_000;
  const tick = (ms: number) => {
    now += ms;
  };
  const clock = { now: () => now, sleep: async (ms: number) => tick(ms) };
  const asked: HttpRequest[] = [];
  const rests: number[] = [];
  const pace = createPace(clock);
  const ports: Ports = {
    settings: readSettings({ REDDIT_CLIENT_ID: 'id', REDDIT_CLIENT_SECRET: 'secret', SIGHTLINE_CONTACT: 'ops@example.com' }),
    http: {
      async ask(request) {
        asked.push(request);
        await Promise.resolve();
        const { status = 200, body = '{}', headers = {} } = answer(request, asked.length);
        return { tag: 'answer', answer: { status, headers, body: Buffer.from(body), url: request.url, atMs: now } };
      },
    },
    whois: { ask: async () => ({ tag: 'refused', what: '' }) },
    pace: { ...pace, rest: async (_, ms) => void rests.push(ms) },
    clock,
    random: () => 0,
    log() {},
  };
  return { client: createClient(ports), asked, rests, tick };
}
const TOKEN = '{"access_token":"t","token_type":"bearer","expires_in":3600}';
const isToken = (r: HttpRequest) => r.url.endsWith('/access_token');

test('simultaneous requests share one token request, and each carries token, User-Agent and raw_json', async () => {
  const { client, asked } = clientOver((r) => ({ body: isToken(r) ? TOKEN : '[]' }));
  await Promise.all([client.ask('/a', {}, attempt), client.ask('/b', { x: '1' }, attempt)]);
  assert.deepEqual(
    asked.map((r) => r.url),
    ['https://www.reddit.com/api/v1/access_token', 'https://oauth.reddit.com/a?raw_json=1', 'https://oauth.reddit.com/b?x=1&raw_json=1'],
  );
  assert.equal(asked[0]?.headers?.authorization, `Basic ${Buffer.from('id:secret').toString('base64')}`);
  for (const r of asked) assert.match(r.headers?.['user-agent'] ?? '', /^node:id:\S+ \(Sightline; ops@example\.com\)$/);
  assert.equal(asked[1]?.headers?.authorization, 'Bearer t');
});
test('a rejected token is renewed once; a second rejection is refused', async () => {
  const once = clientOver((r, n) => (isToken(r) ? { body: TOKEN.replace('"t"', `"t${n}"`) } : n === 2 ? { status: 401 } : {}));
  const got = await once.client.ask('/a', {}, attempt);
  assert.equal(got.tag, 'answer');
  const used = once.asked.flatMap((r) => (isToken(r) ? [] : [r.headers?.authorization]));
  assert.deepEqual(used, ['Bearer t1', 'Bearer t3']);
  const always = clientOver((r) => (isToken(r) ? { body: TOKEN } : { status: 401 }));
  const refused = await always.client.ask('/a', {}, attempt);
  assert.equal(refused.tag, 'refused');
  assert.equal(always.asked.length, 4);
});
test('a token whose transfer was cut is unreachable, and a whole answer without a token is changed', async () => {
  for (const [body, tag] of [
    [TOKEN.slice(0, -9), 'unreachable'],
    ['{"token_type":"bearer"}', 'changed'],
  ] as const)
    assert.equal((await clientOver(() => ({ body })).client.ask('/a', {}, attempt)).tag, tag, body);
});
test('credentials that the token endpoint rejects, with 401 or with 200, are not retried for 30 seconds', async () => {
  for (const answer of [{ status: 401, body: '{"message":"Unauthorized","error":401}' }, { body: '{"error":"unauthorized_client"}' }]) {
    const { client, asked, tick } = clientOver(() => answer);
    for (let i = 0; i < 3; i++) {
      const got = await client.ask('/a', {}, attempt);
      assert.equal(got.tag, 'refused');
      assert.doesNotMatch(JSON.stringify(got), /secret|reddit/i);
    }
    assert.equal(asked.length, 1);
    tick(31_000);
    await client.ask('/a', {}, attempt);
    assert.equal(asked.length, 2);
  }
});
test('failures of the token endpoint keep their outcome', async () => {
  for (const [given, tag] of [
    [{ status: 429, headers: { 'retry-after': '9' } }, 'limited'],
    [{ status: 503, body: '' }, 'unreachable'],
    [{ status: 403, body: '<html><title>Blocked</title></html>' }, 'blocked'],
    [{ body: '{"token_type":"bearer"}' }, 'changed'],
  ] as const) {
    const got = await clientOver(() => given).client.ask('/a', {}, attempt);
    assert.equal(got.tag, tag);
  }
});
test('rate limits that the platform states pause all requests', async () => {
  const cases: [Given, number][] = [
    [{ headers: { 'x-ratelimit-used': '999', 'x-ratelimit-remaining': '1.0', 'x-ratelimit-reset': '120' } }, 120_000],
    [{ status: 429, headers: { 'retry-after': '4' } }, 4_000],
    [{ status: 429 }, 5_000],
    [{ status: 403, headers: { 'retry-after': '8' } }, 8_000],
    [{ body: '' }, 5_000],
  ];
  for (const [given, restMs] of cases) {
    const { client, rests } = clientOver((r) => (isToken(r) ? { body: TOKEN } : given));
    await client.ask('/a', {}, attempt);
    assert.deepEqual(rests, [restMs]);
  }
  const { client, rests } = clientOver((r) => (isToken(r) ? { body: TOKEN } : { status: 403, headers: { 'retry-after': '0' } }));
  await client.ask('/a', {}, attempt);
  assert.deepEqual(rests, [], "a cache's `retry-after: 0` is no limit");
});
test('the remaining allowance is spread over the remaining window', () => {
  const rate = createRate();
  assert.deepEqual(rate.rule(), { key: 'forum/api', everyMs: 600, burst: 100 });
  const note = (used: number, left: number, reset: number) =>
    rate.note({ 'x-ratelimit-used': `${used}`, 'x-ratelimit-remaining': `${left}.0`, 'x-ratelimit-reset': `${reset}` }, 0);
  assert.equal(note(900, 100, 300), null);
  assert.deepEqual(rate.rule(), { key: 'forum/api', everyMs: 3_000, burst: 20 });
  assert.equal(note(678, 9_322, 51), null);
  assert.deepEqual(rate.rule(), { key: 'forum/api', everyMs: 60, burst: 100 });
  assert.equal(note(999, 1, 7), 7_000);
  assert.equal(rate.note({}, 0), null);
});
test('only the canonical path on the same host is followed, once', async () => {
  const to = (location: string) =>
    clientOver((r) => (isToken(r) ? { body: TOKEN } : r.url.includes('/a?') ? { status: 301, headers: { location } } : {}));
  const followed = to('/b/');
  await followed.client.ask('/a', {}, attempt);
  assert.equal(followed.asked.at(-1)?.url, 'https://oauth.reddit.com/b/?raw_json=1');
  for (const elsewhere of ['https://evil.example/b', 'https://www.reddit.com/b', '/subreddits/search?q=x', 'http://oauth.reddit.com/b']) {
    const stayed = to(elsewhere);
    const got = await stayed.client.ask('/a', {}, attempt);
    assert.equal(got.tag === 'answer' && got.answer.status, 301, elsewhere);
    assert.equal(stayed.asked.length, 2);
  }
});
test('a lease runs one task at a time, in order; an aborted task leaves the queue', async () => {
  const lease = createLocalLease();
  const seen: string[] = [];
  const gates: (() => void)[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      seen.push(name);
      gates.push(() => resolve(name));
    });
  const gone = new AbortController();
  const all = [lease.alone('k', work('a'), never), lease.alone('k', work('b'), gone.signal), lease.alone('k', work('c'), never)];
  await Promise.resolve();
  assert.deepEqual(seen, ['a']);
  gone.abort();
  assert.equal(await all[1], null);
  assert.deepEqual(seen, ['a'], 'c still waits for a');
  gates[0]?.();
  assert.equal(await all[0], 'a');
  await new Promise(setImmediate);
  assert.deepEqual(seen, ['a', 'c']);
  gates[1]?.();
  assert.equal(await all[2], 'c');
});
