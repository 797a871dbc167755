import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { cached, hits, KEY, leads, MISS, REGISTRATION, rig } from './fakes.ts';

test('a response has the headers of freshness, source and cost', async () => {
  const r = rig();
  const { headers } = await r.get(REGISTRATION);
  assert.equal(headers['cache-control'], 'private, max-age=21600');
  assert.equal(headers.age, '0');
  assert.equal(headers['cache-status'], 'sightline; fwd=uri-miss; stored');
  assert.equal(headers.vary, 'Accept-Encoding');
  assert.equal(headers['x-data-source'], 'registration/rdap');
  assert.equal(headers['x-credits-charged'], '1');
  assert.equal(headers['x-credits-remaining'], '999');
  assert.match(String(headers['server-timing']), /^source;dur=12, total;dur=\d/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['access-control-allow-origin'], undefined);
});

test('fields that could not be read are named in X-Fields-Unread, in a 304 too; without such fields there is no header', async () => {
  const r = rig();
  r.script = leads(r.clock, { unread: ['registrar.name', 'contacts.email'] });
  const { headers } = await r.get(REGISTRATION);
  assert.equal(headers['x-fields-unread'], 'registrar.name, contacts.email');
  const again = await r.get(REGISTRATION, { 'x-api-key': KEY, 'if-none-match': String(headers.etag) });
  assert.deepEqual([again.status, again.headers['x-fields-unread']], [304, 'registrar.name, contacts.email']);
  r.script = leads(r.clock);
  assert.equal((await r.get(REGISTRATION)).headers['x-fields-unread'], undefined);
});

test('Age counts from the time the source was read, and ttl is the remaining lifetime', async () => {
  const r = rig();
  const old = cached(r.clock);
  r.clock.ms += 61_500;
  r.script = hits(r.clock, { how: 'hit' }, { at: old.at });
  const { headers } = await r.get(REGISTRATION);
  assert.equal(headers.age, '61');
  assert.equal(headers['cache-control'], 'private, max-age=21600');
  assert.equal(headers['cache-status'], 'sightline; hit; ttl=21539');
});

test('a stale answer is labelled as stale', async () => {
  const r = rig();
  const at = r.clock.now() - 90_000;
  r.script = hits(r.clock, { how: 'stale', fwdStatus: 502 }, { at, freshForMs: 60_000 });
  const { headers } = await r.get(REGISTRATION);
  assert.equal(headers['cache-status'], 'sightline; fwd=stale; fwd-status=502; ttl=-30');
  assert.equal(headers.age, '90');
});

test('freshness directives reach the lookup', async () => {
  const r = rig();
  await r.get(REGISTRATION, { 'x-api-key': KEY, 'cache-control': 'max-age=5, stale-if-error=60' });
  assert.equal(r.asked[0]?.freshness.maxAgeMs, 5000);
  assert.equal(r.asked[0]?.freshness.staleIfErrorMs, 60_000);
  await r.get(REGISTRATION, { 'x-api-key': KEY, pragma: 'no-cache' });
  assert.equal(r.asked[1]?.freshness.noCache, true);
});

test('a valid X-Request-Id is echoed, any other replaced; the identity of the request is made by the service', async () => {
  const r = rig();
  assert.equal(
    (await r.get(REGISTRATION, { 'x-api-key': KEY, 'x-request-id': 'order:47.11-a_b' })).headers['x-request-id'],
    'order:47.11-a_b',
  );
  assert.notEqual(r.asked[0]?.requestId, 'order:47.11-a_b');
  for (const id of ['', 'a b', 'x'.repeat(129), '<script>', 'ä'])
    assert.notEqual((await r.get(REGISTRATION, { 'x-api-key': KEY, 'x-request-id': id })).headers['x-request-id'], id);
  const made = await Promise.all([r.get('/healthz'), r.get('/healthz')]);
  assert.notEqual(made[0]?.headers['x-request-id'], made[1]?.headers['x-request-id']);
});

test('HEAD has the headers of GET, no body, one lookup and one charge', async () => {
  const r = rig();
  const get = await r.get(REGISTRATION);
  const head = await r.get(REGISTRATION, { 'x-api-key': KEY }, 'HEAD');
  assert.equal(head.status, 200);
  assert.equal(head.raw.length, 0);
  for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'x-credits-charged', 'x-data-source'])
    assert.equal(head.headers[name], get.headers[name], name);
  assert.equal(r.asked.length, 2);
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'capture 1', 'hold 1', 'capture 1']);
  const refused = await r.get('/v1/forum/search', { 'x-api-key': KEY }, 'HEAD');
  assert.deepEqual([refused.status, refused.raw.length], [400, 0]);
});

test('bodies above 1 kB are compressed by Accept-Encoding, and the compressed bytes are cached', async () => {
  const r = rig();
  const body = { text: 'a widget of acme. '.repeat(200) };
  const once = await leads(r.clock, { body })({
    operation: 'registration',
    input: { domain: 'a.com' },
    charge: { async hold() {}, release() {} },
  } as never);
  r.script = async () => once;
  const plain = await r.get(REGISTRATION);
  const br = await r.get(REGISTRATION, { 'x-api-key': KEY, 'accept-encoding': 'gzip, br' });
  const gz = await r.get(REGISTRATION, { 'x-api-key': KEY, 'accept-encoding': 'gzip' });
  assert.deepEqual(
    [plain.headers['content-encoding'], br.headers['content-encoding'], gz.headers['content-encoding']],
    [undefined, 'br', 'gzip'],
  );
  assert.equal(brotliDecompressSync(br.raw).toString(), plain.text);
  assert.equal(gunzipSync(gz.raw).toString(), plain.text);
  assert.equal(Number(br.headers['content-length']), br.raw.length);
  assert.equal(br.headers.etag, plain.headers.etag);
  const small = rig();
  assert.equal((await small.get(REGISTRATION, { 'x-api-key': KEY, 'accept-encoding': 'br' })).headers['content-encoding'], undefined);
});

test('CORS allows configured origins only', async () => {
  const r = rig({ settings: { SIGHTLINE_CORS_ORIGINS: 'https://app.example' } });
  const ask = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
  const yes = await r.get(REGISTRATION, ask, 'OPTIONS');
  assert.equal(yes.status, 204);
  assert.equal(yes.headers['access-control-allow-origin'], 'https://app.example');
  assert.match(String(yes.headers['access-control-allow-headers']), /X-API-Key/);
  assert.equal((await r.get(REGISTRATION, { ...ask, origin: 'https://evil.example' }, 'OPTIONS')).status, 405);
  const read = await r.get(REGISTRATION, { 'x-api-key': KEY, origin: 'https://app.example' });
  assert.equal(read.headers['access-control-allow-origin'], 'https://app.example');
  assert.match(String(read.headers.vary), /Origin/);
  assert.equal((await rig().get(REGISTRATION, ask, 'OPTIONS')).status, 405);
});

test('every authenticated request writes one usage row, without the key', async () => {
  const r = rig();
  await r.get(REGISTRATION, { 'x-api-key': KEY, 'x-request-id': 'r1' });
  await r.get(`${REGISTRATION}?x=1`);
  r.script = hits(r.clock);
  await r.get(REGISTRATION);
  await r.get('/v1/account');
  await r.get(REGISTRATION, {});
  await r.get('/v1/nosuch');
  const rows = r.accounts.state.usage;
  assert.deepEqual(
    rows.map((u) => [u.operation, u.status, u.code, u.credits, u.source, u.cache]),
    [
      ['registration', 200, null, 1, 'registration/rdap', 'miss'],
      ['registration', 400, 'INVALID_REQUEST', 0, null, null],
      ['registration', 200, null, 0, 'registration/rdap', 'hit'],
      ['account', 200, null, 0, null, null],
    ],
  );
  assert.deepEqual([rows[0]?.label, rows[1]?.label], ['r1', null]);
  assert.equal(new Set(rows.map((u) => u.requestId)).size, 4);
  assert.doesNotMatch(JSON.stringify([rows, r.logged]), new RegExp(KEY));
});

test('/v1/account returns balance, key and limits; /v1/account/usage takes days', async () => {
  const r = rig({ settings: { SIGHTLINE_RATE_PER_SECOND: '7' } });
  const account = await r.get('/v1/account');
  assert.deepEqual(account.body.limits, { ratePerSecond: 7, burst: 100_000 });
  assert.equal(account.headers['x-credits-charged'], '0');
  const usage = await r.get('/v1/account/usage');
  assert.deepEqual([usage.body.from, usage.body.to], ['2026-10-03', '2026-11-01']);
  assert.equal((await r.get('/v1/account/usage?from=2026-10-01&to=2026-10-02')).status, 200);
  for (const query of ['from=2026-02-30', 'from=x', 'from=2026-11-02', 'from=2020-01-01', 'day=2026-01-01', 'to=2026-01-01&to=2026-01-02'])
    assert.equal((await r.get(`/v1/account/usage?${query}`)).status, 400, query);
  assert.equal((await r.get('/v1/account', {})).status, 401);
});

test('readiness checks store and engine, and caches the result for a second', async () => {
  const r = rig();
  assert.equal((await r.get('/readyz', {})).status, 200);
  r.engineUnavailable = true;
  assert.equal((await r.get('/readyz', {})).status, 200);
  r.clock.ms += 1000;
  const reply = await r.get('/readyz', {});
  assert.equal(reply.status, 503);
  assert.match(String(reply.body.error?.message), /engine/);
  r.engineUnavailable = false;
  r.clock.ms += 1000;
  assert.equal((await r.get('/readyz', {})).status, 200);
});

test('metrics need a separate token, and count by operation, status, cache and ledger', async () => {
  const r = rig({ settings: { SIGHTLINE_METRICS_TOKEN: 'figures' } });
  await r.get(REGISTRATION);
  r.script = hits(r.clock, { ...MISS, collapsed: true });
  await r.get(REGISTRATION);
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { 'x-api-key': KEY }] as Record<string, string>[])
    assert.equal((await r.get('/metrics', headers)).status, 401);
  const { text } = await r.get('/metrics', { authorization: 'Bearer figures' });
  for (const line of [
    'sightline_request_duration_seconds_count{operation="registration",status="200"} 2',
    'sightline_cache_answers_total{operation="registration",result="miss"} 1',
    'sightline_cache_answers_total{operation="registration",result="collapsed"} 1',
    'sightline_credits_charged_total{operation="registration"} 1',
    'sightline_ledger_settlements_total{result="captured"} 1',
    'sightline_ledger_hold_duration_seconds_count{result="held"} 1',
    'sightline_gateway_requests{what="in_flight"} 1',
  ])
    assert.ok(text.includes(line), line);
});
