// Own process: it measures CPU time.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createLimiter, createTakeLimits, type Limiter } from '../../src/gateway/admission/rate-limits.ts';
import { hits } from '../contract/fakes.ts';
import { basic, openTestService, REGISTRATION } from './test-service.ts';

test('429: the rate limit of a key does not affect other keys of the account', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const slow = await h.accounts.admin.createKey({ ratePerSecond: 1, rateBurst: 2 });
  assert.deepEqual([(await h.get('/v1/account', slow.key)).status, (await h.get('/v1/account', slow.key)).status], [200, 200]);
  const refused = await h.get('/v1/account', slow.key);
  assert.deepEqual([refused.status, refused.headers['retry-after'], refused.headers['ratelimit-policy']], [429, '1', '"key";q=2;w=2']);
  assert.match(String(refused.body.error?.message), /this key may send 1 a second, 2 at once/);
  assert.equal((await h.get('/v1/account')).status, 200);
  h.clock.ms += 1000;
  assert.equal((await h.get('/v1/account', slow.key)).status, 200);
});

test('429: all keys and clients of an account share its limit', async (t) => {
  const h = await openTestService({ settings: { SIGHTLINE_RATE_PER_SECOND: '1', SIGHTLINE_RATE_BURST: '3' } });
  t.after(h.close);
  const wide = await h.accounts.admin.createKey({ ratePerSecond: 1000, rateBurst: 1000 });
  const client = await h.accounts.admin.createClient({});
  const token = await h.token(client);
  const replies = [
    await h.get('/v1/account'),
    await h.get('/v1/account', wide.key),
    await h.get('/v1/account', token),
    await h.get('/v1/account', wide.key),
  ];
  assert.deepEqual(
    replies.map((r) => r.status),
    [200, 200, 200, 429],
  );
  assert.equal(replies[1]?.headers['ratelimit-policy'], '"account";q=3;w=3, "key";q=1000;w=1');
});

test('429: wrong credentials are limited per address, also at the token endpoint; other addresses and requests without credentials are not', async (t) => {
  const h = await openTestService({ settings: { SIGHTLINE_PROTECTION: JSON.stringify({ wrongCredentials: { perSecond: 2, burst: 4 } }) } });
  t.after(h.close);
  const from = '192.0.2.1';
  for (let i = 0; i < 9; i++) assert.equal((await h.get('/v1/account', null, { from })).status, 401, 'nothing was guessed');
  for (let i = 0; i < 4; i++) assert.equal((await h.get('/v1/account', `guess${i}`, { from })).status, 401);
  const slowed = await h.get('/v1/account', h.first.key, { from });
  assert.deepEqual([slowed.status, slowed.headers['retry-after'], slowed.headers['ratelimit-policy']], [429, '1', '"credentials";q=4;w=2']);
  assert.equal((await h.get('/v1/account', h.first.key, { from: '192.0.2.2' })).status, 200);
  // one more attempt per half second
  let tried = 0;
  for (let ms = 0; ms < 10_000; ms += 50) {
    h.clock.ms += 50;
    if ((await h.get('/v1/account', 'guess', { from })).status === 401) tried++;
  }
  assert.equal(tried, 20);
  h.clock.ms += 60_000;
  assert.equal((await h.get('/v1/account', h.first.key, { from })).status, 200);
  for (let i = 0; i < 4; i++) await h.post('/v1/oauth/token', 'grant_type=client_credentials', basic('cli_00000000000000000000', 'x'));
  const client = await h.accounts.admin.createClient({});
  assert.equal((await h.post('/v1/oauth/token', 'grant_type=client_credentials', basic(client.clientId, client.clientSecret))).status, 429);
});

test('a request refused by the limit of its key does not consume the limit of the account', async (t) => {
  const h = await openTestService({ settings: { SIGHTLINE_RATE_PER_SECOND: '1', SIGHTLINE_RATE_BURST: '3' } });
  t.after(h.close);
  const slow = await h.accounts.admin.createKey({ ratePerSecond: 1, rateBurst: 1 });
  for (let i = 0; i < 5; i++) await h.get('/v1/account', slow.key);
  assert.deepEqual(
    [(await h.get('/v1/account')).status, (await h.get('/v1/account')).status, (await h.get('/v1/account')).status],
    [200, 200, 429],
  );
});

/** A process that sends the requests over 16 connections without pauses. */
const SENDER = `
import http from 'node:http';
const { url, key, count } = JSON.parse(process.argv[1]);
const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
const statuses = {};
let left = count;
const one = () => new Promise((done, failed) => http.get(url, { agent, headers: { 'x-api-key': key } }, (r) => {
  statuses[r.statusCode] = (statuses[r.statusCode] ?? 0) + 1;
  r.resume().on('end', done);
}).on('error', failed));
await Promise.all(Array.from({ length: 16 }, async () => { while (left-- > 0) await one(); }));
process.stdout.write(JSON.stringify(statuses));
process.exit(0);`;

function sender(url: string, key: string, count: number): Promise<Record<string, number>> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SENDER, JSON.stringify({ url, key, count })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  return new Promise((done, failed) =>
    child.on('exit', (code) => (code === 0 ? done(JSON.parse(text)) : failed(new Error(`sender ended with ${code}`)))),
  );
}

test('4,000 requests of four processes at 100 per second: no second admits more than burst and rate allow', async (t) => {
  const [ratePerSecond, burst] = [100, 50];
  const inner = createLimiter();
  const admitted: number[] = [];
  let refusedEarly = 0;
  // what is left of the burst, by the definition of a token bucket
  let [tokens, lastMs] = [burst, 0];
  // the timestamps that the limiter uses: the real clock
  const account: Limiter = {
    take(key, rule) {
      const now = performance.timeOrigin + performance.now();
      const taken = inner.take(key, rule, now);
      tokens = Math.min(burst, tokens + ((now - lastMs) / 1000) * ratePerSecond);
      lastMs = now;
      if (taken.ok) {
        tokens--;
        admitted.push(now);
      } else if (tokens > 1.01) refusedEarly++;
      return taken;
    },
  };
  const settings = { SIGHTLINE_RATE_PER_SECOND: String(ratePerSecond), SIGHTLINE_RATE_BURST: String(burst) };
  const h = await openTestService({ settings, parts: { takeLimits: createTakeLimits({ address: createLimiter(), account }) } });
  t.after(h.close);
  h.script = hits(h.clock as never);
  await h.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = h.gateway.app.server.address() as AddressInfo;
  const counts = await Promise.all(Array.from({ length: 4 }, () => sender(`http://127.0.0.1:${port}${REGISTRATION}`, h.first.key, 1_000)));
  const sum = (status: string) => counts.reduce((n, c) => n + (c[status] ?? 0), 0);
  assert.equal(sum('200') + sum('429'), 4_000);
  assert.equal(sum('200'), admitted.length);
  for (let from = 0, to = 0; from < admitted.length; from++) {
    while (to < admitted.length && (admitted[to] ?? 0) < (admitted[from] ?? 0) + 1000) to++;
    assert.ok(to - from <= burst + ratePerSecond * 1.01, `${to - from} in one second`);
  }
  assert.equal(refusedEarly, 0, 'what the rate allows is admitted');
});
