import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import zlib from 'node:zlib';
import { html, json, type SandboxHost, type SandboxRequest } from '../../../sandbox/host.ts';
import { answerOf, detailOf, outside } from '../../../test/support/upstream-fixture.ts';
import { bodyText } from '../answer.ts';
import type { PaceRule } from '../ports.ts';

const page = `<p>${'A page about widgets. '.repeat(200)}</p>`;
const seen: SandboxRequest[] = [];
const shop: SandboxHost = {
  origins: ['https://www.shop.example', 'http://www.shop.example'],
  answer(request) {
    seen.push(request);
    if (request.url.pathname === '/br')
      return { status: 200, headers: { 'content-encoding': 'br' }, body: zlib.brotliCompressSync(Buffer.from(page)) };
    if (request.url.pathname === '/cookies') return { status: 200, headers: { 'set-cookie': 'a=1; Expires=Sun, 01 Nov 2026' }, body: 'x' };
    if (request.url.pathname === '/missing') return json({ error: 'none' }, 404);
    return html(page);
  },
};
const contact = { SIGHTLINE_CONTACT: 'ops@example.com' };
let ports: Awaited<ReturnType<typeof outside>>;
const origin = 'https://www.shop.example';
before(async () => {
  ports = await outside({ hosts: [shop], environment: contact });
});
after(() => ports.close());

test('a mapped request arrives unencrypted with its original host and scheme, and the answer has the original URL', async () => {
  const answer = answerOf(await ports.ask(`${origin}/a?b=c#d`));
  assert.equal(answer.url, `${origin}/a?b=c`);
  assert.equal(bodyText(answer), page);
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(answer.atMs, ports.clock.now());
  const request = seen.at(-1);
  assert.equal(request?.url.href, `${origin}/a?b=c`);
  assert.equal(request?.headers['x-forwarded-proto'], 'https');
});

test('the default User-Agent names the service; a request may set its own', async () => {
  await ports.ask(`${origin}/`);
  assert.match(seen.at(-1)?.headers['user-agent'] ?? '', /^Sightline\/\d+\.\d+\.\d+ \(\+ops@example\.com\)$/);
  await ports.ask(`${origin}/`, { headers: { 'User-Agent': 'linux:mine:1.0', Host: 'evil.example' } });
  assert.equal(seen.at(-1)?.headers['user-agent'], 'linux:mine:1.0');
  assert.equal(seen.at(-1)?.headers.host, 'www.shop.example');
});

test('compressed bodies are decoded; an error status is an answer; a POST sends its body; HEAD has no body', async () => {
  assert.match(seen.at(-1)?.headers['accept-encoding'] ?? '', /gzip.*br/);
  assert.equal(bodyText(answerOf(await ports.ask(`${origin}/br`))), page);
  assert.equal(answerOf(await ports.ask(`${origin}/missing`)).status, 404);
  assert.equal(answerOf(await ports.ask(`${origin}/cookies`)).headers['set-cookie'], 'a=1; Expires=Sun, 01 Nov 2026');
  await ports.ask(`${origin}/post`, { method: 'POST', body: 'grant_type=client_credentials' });
  assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ['POST', 'grant_type=client_credentials']);
  assert.equal(answerOf(await ports.ask(`${origin}/`, { method: 'HEAD' })).body.length, 0);
});

test('a request that asks for its progress is told the bytes so far, and in total where the server states it', async () => {
  const told: (readonly [number, number | null])[] = [];
  await ports.ask(`${origin}/`, {
    headers: { 'accept-encoding': 'identity' },
    onBytes: (bytes, total) => told.push([bytes, total]),
  });
  const { length } = Buffer.from(page);
  assert.deepEqual(told.at(-1), [length, length]);
});

test('a connection that breaks at any point is unreachable, and no partial body is returned', async () => {
  for (const kind of ['reset', 'reset-body', 'truncated', 'truncated-gzip'] as const) {
    ports.sandbox.faults.next(origin, { kind });
    const reply = await ports.ask(`${origin}/?token=secret`);
    assert.equal(reply.tag, 'unreachable', kind);
    assert.doesNotMatch(JSON.stringify(reply), /secret/);
    assert.match(detailOf(reply), /^https:\/\/www\.shop\.example\/: /);
  }
});

test('a late first byte and a pause in the body are timeouts, each after the limit of its phase', async () => {
  for (const [kind, ms] of [
    ['slow-headers', 10_000],
    ['slow-body', 10_000],
  ] as const) {
    const patient = await outside({ hosts: [shop] });
    const { clock, sandbox, ask } = patient;
    sandbox.faults.next(origin, { kind, ms: Number.POSITIVE_INFINITY });
    const asked = ask(`${origin}/`);
    const startMs = clock.now();
    let endMs = 0;
    void asked.then(() => {
      endMs = clock.now();
    });
    await clock.whenSleeping(2);
    // what the sandbox wrote is read before time goes on
    for (let turn = 0; turn < 50; turn++) await clock.advance(0);
    while (!endMs) await clock.advance(500);
    const tookMs = endMs - startMs;
    assert.ok(tookMs >= ms && tookMs <= ms + 1000, `${kind}: ${tookMs} ms`);
    const reply = await asked;
    assert.equal(reply.tag, 'timeout');
    assert.match(detailOf(reply), kind === 'slow-headers' ? /headers/ : /body/);
    await patient.close();
  }
});

test('a slow answer without a long pause is read', async () => {
  const patient = await outside({ hosts: [shop] });
  const { clock, sandbox, ask } = patient;
  for (const kind of ['slow-headers', 'slow-body'] as const) {
    sandbox.faults.next(origin, { kind, ms: 9000 });
    const asked = ask(`${origin}/`);
    await clock.whenSleeping(2);
    await clock.advance(9000);
    assert.equal(bodyText(answerOf(await asked)), page);
    assert.equal(clock.sleepers, 0);
  }
  await patient.close();
});

test('the timeout of the request and the signal end the request and close its connection', async () => {
  const patient = await outside({ hosts: [shop] });
  const { clock, sandbox, ask } = patient;
  sandbox.faults.next(origin, { kind: 'slow-headers', ms: Number.POSITIVE_INFINITY }, 2);
  const late = ask(`${origin}/`, { timeoutMs: 5000 });
  await clock.whenSleeping(3); // the timeout of the request, that of its first byte, and the delayed answer
  await clock.advance(5000);
  assert.equal((await late).tag, 'timeout');
  while (clock.sleepers) await clock.advance(0); // until the sandbox notices the closed connection
  const stop = new AbortController();
  const dropped = ask(`${origin}/`, { attempt: { signal: stop.signal, deadlineMs: Number.POSITIVE_INFINITY } });
  await clock.whenSleeping(2);
  stop.abort();
  assert.equal((await dropped).tag, 'timeout');
  while (clock.sleepers) await clock.advance(0);
  assert.equal((await ask(`${origin}/`, { attempt: { signal: stop.signal, deadlineMs: Number.POSITIVE_INFINITY } })).tag, 'timeout');
  await ask(`${origin}/`, { timeoutMs: 5000 });
  assert.equal(clock.sleepers, 0, 'no timer outlives its request');
  await patient.close();
});

test('a body above the limit is not read, encoded or decoded, with or without Content-Length', async () => {
  for (const kind of ['huge', 'bomb'] as const) {
    ports.sandbox.faults.next(origin, { kind });
    const reply = await ports.ask(`${origin}/`, { maxBytes: 200_000 });
    assert.equal(reply.tag, 'changed', 'asking again brings the same');
    assert.match(reply.tag === 'changed' ? reply.what : '', /larger/);
  }
  const stated = await ports.ask(`${origin}/`, { maxBytes: 20, headers: { 'accept-encoding': 'identity' } });
  assert.match(detailOf(stated), /20 allowed/);
  assert.equal((await ports.ask(`${origin}/`, { maxBytes: page.length })).tag, 'answer');
});

test('429, 503 and empty answers are returned unchanged', async () => {
  ports.sandbox.faults.next(`${origin}/`, { kind: 'status', status: 429, headers: { 'retry-after': '7' } });
  const throttled = answerOf(await ports.ask(`${origin}/`));
  assert.deepEqual([throttled.status, throttled.headers['retry-after']], [429, '7']);
  ports.sandbox.faults.next(/shop/, { kind: 'status', status: 503 });
  assert.equal(answerOf(await ports.ask(`${origin}/`)).status, 503);
  ports.sandbox.faults.next(origin, { kind: 'empty' });
  assert.equal(answerOf(await ports.ask(`${origin}/`)).body.length, 0);
  ports.sandbox.faults.next(origin, { kind: 'wrong-type' });
  assert.equal(answerOf(await ports.ask(`${origin}/`)).headers['content-type'], 'application/octet-stream');
});

test('a host without a server is unreachable', async () => {
  assert.equal((await ports.ask('https://unknown.example/')).tag, 'unreachable');
});

test('an invalid request is refused without a throw', async () => {
  assert.equal((await ports.ask('no url')).tag, 'refused');
  assert.equal((await ports.ask(`${origin}/`, { headers: { 'x-a': 'line\nbreak' } })).tag, 'refused');
});

test('every request is paced, redirects too; a wait beyond the limit is `limited`', async () => {
  const rules: PaceRule[] = [];
  const turns = [0, 0, 0, 0, 2500];
  const pace = {
    async take(rule: PaceRule) {
      rules.push(rule);
      return turns.shift() ?? 0;
    },
    rest: async () => {},
    resting: async () => 0,
  };
  const paced = await outside({ hosts: [shop], pace, environment: { SIGHTLINE_PACE_PER_SECOND: '4' } });
  paced.sandbox.faults.next(origin, { kind: 'redirect-loop' }, 2);
  await paced.ask(`${origin}/`);
  await paced.ask(`${origin}/`, { pace: { key: 'app', everyMs: 600, burst: 1 } });
  assert.deepEqual(rules.slice(2), [
    { key: 'www.shop.example', everyMs: 250, burst: 4 },
    { key: 'app', everyMs: 600, burst: 1 },
  ]);
  const asked = paced.sandbox.requests.length;
  const reply = await paced.ask(`${origin}/`);
  assert.deepEqual([reply.tag, reply.tag === 'limited' && reply.retryAfterMs], ['limited', 2500]);
  assert.equal(paced.sandbox.requests.length, asked);
  await paced.close();
});
