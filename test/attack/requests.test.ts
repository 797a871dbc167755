import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fakeOAuth, KEY, overload, REGISTRATION, rig } from '../contract/fakes.ts';
import { inject } from '../support/inject.ts';
import { get, type Listening, listening, Raw } from './raw.ts';

let it: Listening;
before(async () => {
  it = await listening();
});
after(() => it.gateway.drain());

/** Status of the answer to these bytes. */
async function status(bytes: string): Promise<number | undefined> {
  const client = new Raw(it.port).send(bytes);
  const [first] = await client.answers(1);
  client.socket.destroy();
  return first;
}

test('a Host that is not a host with an optional port is 400; a valid one is answered', async () => {
  const withHost = (host: string) => status(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  for (const host of [
    '',
    ' ',
    'user@a.example',
    'user:secret@a.example',
    'a.example/path',
    'a.example?x',
    'a.example#x',
    'a b',
    'a,b',
    'a:b',
    'a:1:2',
    'http://a',
    '[::1',
    '%zz',
  ])
    assert.equal(await withHost(host), 400, host);
  for (const host of [
    'a',
    'a.example',
    'A.EXAMPLE:8080',
    'a.example:',
    '127.0.0.1:1',
    '[::1]',
    '[2001:db8::1]:443',
    'a_b',
    'xn--bcher-kva.example',
    'b%C3%BCcher',
  ])
    assert.equal(await withHost(host), 200, host);
});

test('the request target * is valid for OPTIONS only', async () => {
  for (const method of ['GET', 'HEAD', 'POST'])
    assert.equal(await status(`${method} * HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`), 400);
});

test('404 and 405 name path and method, without the query, truncated, and without terminal control characters', async () => {
  const r = rig();
  const message = async (path: string, method = 'GET') => (await r.get(path, {}, method)).body.error?.message ?? '';
  assert.equal(await message('/v1/nosuch?secret=1'), 'GET /v1/nosuch: there is no such path; /docs shows all that there are.');
  assert.equal(await message('/healthz', 'POST'), 'POST /healthz: this path answers GET, HEAD alone.');
  assert.ok((await message(`/${'a'.repeat(5_000)}`)).length < 200);
  const client = new Raw(it.port).send('CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.ended();
  assert.match(client.text, /"message":"CONNECT a\.example:443: /);
});

test('control and bidirectional characters of a parameter are escaped in the error', async () => {
  const r = rig();
  const given = '\u0085\u009b2J\u202e\u2066\u200f\u2028\ufeff\u001b';
  const { body } = await r.get(`/v1/forum/communities/webscraping?sort=${encodeURIComponent(given)}`);
  const message = body.error?.message ?? '';
  assert.match(message, /\\u0085\\u009b2J\\u202e\\u2066\\u200f\\u2028\\ufeff\\u001b/);
  assert.doesNotMatch(message, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test('a percent-encoded unreserved character matches the same operation; an empty segment matches none', async () => {
  const r = rig();
  const operation = async (path: string) => {
    const before = r.asked.length;
    const { status } = await r.get(path);
    return r.asked[before]?.operation ?? status;
  };
  assert.equal(await operation('/v1/appmarket/apps/%6Beywords?keyword=a'), 'app-keywords');
  assert.equal(await operation('/v1/appmarket/apps/k%65yword%73?keyword=a'), 'app-keywords');
  // as a proxy may send it
  assert.equal(await operation('http://a.example:8080/v1/appmarket/apps/keywords?keyword=a'), 'app-keywords');
  assert.equal(await operation('HTTPS://a.example/v1/appmarket/apps/k%65ywords?keyword=a'), 'app-keywords');
  assert.equal(await operation('http://a.example'), await operation('/'));
  assert.equal(await operation('http:///v1/appmarket/apps/keywords?keyword=a'), 404);
  assert.equal(await operation('/v1/appmarket/%61pps/acme'), await operation('/v1/appmarket/apps/acme'));
  assert.equal(await operation('/%76%31/website/whois/domains/acme%2Dwidgets%2ecom'), 'registration');
  // a reserved character is data, never a separator
  assert.equal(await operation('/v1/appmarket/apps/acme%2Freviews'), 400);
  for (const path of [
    '/v1/appmarket/apps//reviews',
    '/v1/appmarket/apps/',
    '/v1/traffic/domains/',
    '/v1/forum/posts//comments',
    '//v1/account',
  ])
    assert.equal(await operation(path), 404, path);
  assert.equal((await r.get('/v1/appmarket/apps//reviews', {}, 'POST')).status, 404);
});

test('a wrong metrics token is 401 whatever its characters and length; too many of them are 429', async () => {
  const settings = {
    SIGHTLINE_METRICS_TOKEN: 'metrics-token',
    SIGHTLINE_PROTECTION: JSON.stringify({ wrongCredentials: { burst: 4, perSecond: 1 } }),
  };
  const r = rig({ settings });
  const ask = async (value: string) => (await r.get('/metrics', { 'x-api-key': value })).status;
  assert.equal(await ask('metrics-token'), 200);
  for (const wrong of ['m\u00e9trics-tokens', 'm\u00e9trics-toke', 'x', 'metrics-tokem']) assert.equal(await ask(wrong), 401, wrong);
  assert.deepEqual([await ask('another'), await ask('metrics-token')], [429, 429]);
  r.clock.ms += 60_000;
  assert.equal(await ask('metrics-token'), 200);
});

test('the port in X-Forwarded-For is ignored: all connections of a client share one limit', async () => {
  const r = rig({
    settings: {
      SIGHTLINE_TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8',
      SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 1, burst: 1 } }),
    },
  });
  const ask = async (address: string) => (await r.get(REGISTRATION, { 'x-forwarded-for': address })).status;
  assert.deepEqual([await ask('192.0.2.1:1000'), await ask('192.0.2.1:2000'), await ask('192.0.2.1')], [401, 429, 429]);
  assert.deepEqual([await ask('[2001:db8::1]:1000'), await ask('[2001:db8::1]:2000'), await ask('2001:db8::1')], [401, 429, 429]);
  assert.deepEqual([await ask('192.0.2.9:1, 10.0.0.1:5'), await ask('192.0.2.9:2, 10.0.0.1:6')], [401, 429], 'a second trusted proxy');
});

test('a token request that is rejected before routing has the error format of RFC 6749', async () => {
  const oauth = fakeOAuth('http://a');
  const settings = { SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 1, burst: 2 } }) };
  const r = rig({ settings, parts: { oauth } });
  const post = async (payload: string, headers = {}, it = r) => {
    const reply = await inject(it.gateway.app, { method: 'POST', url: '/v1/oauth/token', payload, headers });
    const { error, error_description: description } = reply.json();
    assert.ok(typeof description === 'string' && description.length > 0, reply.body);
    return [reply.statusCode, error, reply.headers['retry-after'] !== undefined];
  };
  assert.deepEqual(await post('', { host: 'a/b' }), [400, 'invalid_request', false]);
  assert.deepEqual(await post('a'.repeat(20_000)), [413, 'invalid_request', false]);
  // a stated length above the limit is refused before the address is counted
  assert.deepEqual(await post('x'), [401, 'invalid_client', false]);
  assert.deepEqual(await post('x'), [401, 'invalid_client', false]);
  assert.deepEqual(await post('x'), [429, 'temporarily_unavailable', true]);
  const busy = rig({ parts: { oauth } });
  await overload(busy);
  assert.deepEqual(await post('x', {}, busy), [503, 'temporarily_unavailable', true]);
});

test('a 403 has the rate limit fields, as every answer to an authenticated client, and precedes the 429', async () => {
  const who = { [KEY]: { accountId: 'acc_1', keyId: 'key_1', operations: [], ratePerSecond: null, rateBurst: null } };
  const r = rig({ callers: who, settings: { SIGHTLINE_RATE_PER_SECOND: '1', SIGHTLINE_RATE_BURST: '1' } });
  for (const left of [0, 0]) {
    const { status, headers } = await r.get(REGISTRATION);
    assert.deepEqual([status, headers['x-credits-charged'], headers['x-credits-remaining']], [403, '0', '1000']);
    assert.match(headers.ratelimit ?? '', new RegExp(`^"account";r=${left};t=\\d+$`));
    assert.match(headers['ratelimit-policy'] ?? '', /^"account";q=1;w=1$/);
  }
});

test('an access token in X-API-Key is 401, alone or beside the same one as Bearer', async () => {
  const token = 'eyJhbGciOiJFZERTQSJ9.e30.AAAA';
  const who = { [token]: { accountId: 'acc_1', keyId: 'key_1', operations: null, ratePerSecond: null, rateBurst: null } };
  const r = rig({ callers: who });
  const ask = async (headers: Record<string, string>) => (await r.get(REGISTRATION, headers)).status;
  assert.equal(await ask({ authorization: `Bearer ${token}` }), 200);
  assert.equal(await ask({ 'x-api-key': token }), 401);
  assert.equal(await ask({ 'x-api-key': token, authorization: `Bearer ${token}` }), 401);
});

test('a valid request is answered in between', async () => {
  assert.equal(await status(get(REGISTRATION)), 200);
});
