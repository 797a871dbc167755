import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import { inject } from '../support/inject.ts';
import { caller, hits, KEY, REGISTRATION, refused, rig } from './fakes.ts';
import { isError } from './is-error.ts';

test('200: the bytes of the cached answer', async () => {
  const r = rig();
  const reply = await r.get(REGISTRATION);
  assert.equal(reply.status, 200);
  assert.equal(reply.text, '{"domain":"acme-widgets.com"}');
  assert.deepEqual(r.asked[0]?.input, { domain: 'acme-widgets.com' });
});

test('304: without a body, charged like a 200', async () => {
  const r = rig();
  const reply = await r.get(REGISTRATION, { 'x-api-key': KEY, 'if-none-match': '"x", W/"abc"' });
  assert.equal(reply.status, 304);
  assert.equal(reply.raw.length, 0);
  assert.equal(reply.headers['content-type'], undefined);
  assert.equal(reply.headers['x-credits-charged'], '1');
  assert.equal(reply.headers.etag, 'W/"abc"');
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'capture 1']);
});

test('400: a wrong, unknown, repeated or missing parameter, free and before any lookup', async () => {
  const r = rig();
  for (const query of [
    '',
    '?keyword=',
    '?keyword=a&depth=201',
    '?keyword=a&nosuch=1',
    '?keyword=a&keyword=b',
    '?keyword=%ff',
    '?keyword=a&depth=1e2',
  ])
    isError(await r.get(`/v1/searchengine/serp${query}`), 'INVALID_REQUEST');
  isError(await r.get(`${REGISTRATION}?domain=other.com`), 'INVALID_REQUEST');
  isError(await r.get('/v1/website/whois/domains/%20'), 'INVALID_REQUEST');
  assert.equal(r.asked.length, 0);
});
test('400: invalid request headers', async () => {
  const r = rig();
  for (const header of [
    { 'x-max-credits': '-1' },
    { 'x-max-credits': '1.5' },
    { 'x-max-credits': '' },
    { 'cache-control': 'max-age=x' },
  ] as Record<string, string>[])
    isError(await r.get(REGISTRATION, { 'x-api-key': KEY, ...header }), 'INVALID_REQUEST');
});
test('400: an invalid percent-encoding in the path', async () => {
  isError(await rig().get('/v1/website/whois/domains/%zz'), 'INVALID_REQUEST', false);
});

test('401: none, wrong, two different credentials, or one in the query', async () => {
  const r = rig();
  const bare = await r.get(REGISTRATION, {});
  isError(bare, 'UNAUTHORIZED', false);
  assert.equal(bare.headers['www-authenticate'], 'Bearer realm="sightline"');
  for (const headers of [
    { 'x-api-key': 'wrong' },
    { authorization: 'Bearer wrong' },
    { 'x-api-key': KEY, authorization: 'Bearer x' },
    { authorization: 'Basic eA==' },
  ]) {
    const reply = await r.get(REGISTRATION, headers as Record<string, string>);
    isError(reply, 'UNAUTHORIZED', false);
    assert.match(String(reply.headers['www-authenticate']), /error="invalid_token"/);
  }
  isError(await r.get(`${REGISTRATION}?api_key=${KEY}`, {}), 'UNAUTHORIZED', false);
  assert.equal((await r.get(REGISTRATION, { 'x-api-key': KEY, authorization: `Bearer ${KEY}` })).status, 200);
});

test('402: the balance does not cover the price', async () => {
  const r = rig();
  r.accounts.state.balance = 0;
  const reply = await r.get(REGISTRATION);
  isError(reply, 'INSUFFICIENT_CREDITS');
  assert.equal(reply.headers['x-credits-remaining'], '0');
});
test('402: X-Max-Credits rejects a higher price before any work, and never a free answer', async () => {
  const r = rig();
  const serp = '/v1/searchengine/serp?keyword=a&depth=25';
  const reply = await r.get(serp, { 'x-api-key': KEY, 'x-max-credits': '2' });
  isError(reply, 'INSUFFICIENT_CREDITS');
  assert.match(String(reply.body.error?.message), /costs 3 credits/);
  assert.deepEqual(r.accounts.state.steps, []);
  assert.equal((await r.get(serp, { 'x-api-key': KEY, 'x-max-credits': '3' })).status, 200);
  r.script = hits(r.clock);
  assert.equal((await r.get(serp, { 'x-api-key': KEY, 'x-max-credits': '0' })).status, 200);
});

test('403: the key may not use this operation', async () => {
  const r = rig({ callers: { [KEY]: caller({ operations: ['serp'] }) } });
  isError(await r.get(REGISTRATION), 'FORBIDDEN');
  assert.equal((await r.get('/v1/searchengine/serp?keyword=a')).status, 200);
  assert.equal((await r.get('/v1/account')).status, 200);
});

test('404: an unknown path, with or without credentials', async () => {
  const r = rig();
  for (const path of ['/', '/v1/nosuch', '/v1/website/whois/domains', '/v1/website/whois/domains/a.com/b', '/V1/forum/search', '/metrics'])
    for (const headers of [{}, { 'x-api-key': KEY }] as Record<string, string>[]) isError(await r.get(path, headers), 'NOT_FOUND', false);
});
test('404: the resource does not exist; cached for a minute, with Age', async () => {
  const r = rig();
  r.script = async () => refused(new ServiceError('NOT_FOUND', 'Deleted.'), { how: 'hit' }, r.clock.now() - 20_000);
  const reply = await r.get(REGISTRATION);
  isError(reply, 'NOT_FOUND');
  assert.equal(reply.headers['cache-control'], 'private, max-age=60');
  assert.equal(reply.headers.age, '20');
  assert.equal(reply.headers['cache-status'], 'sightline; hit; ttl=40');
});

test('405: any other method on a path that exists, with Allow, body or none', async () => {
  const r = rig();
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH']) {
    for (const path of [REGISTRATION, '/v1/appmarket/apps/keywords', '/v1/account', '/healthz', '/openapi.json']) {
      const reply = await r.get(path, { 'x-api-key': KEY, 'content-type': 'no/type at all' }, method);
      isError(reply, 'METHOD_NOT_ALLOWED', false);
      assert.equal(reply.headers.allow, 'GET, HEAD');
    }
    isError(await r.get('/v1/nosuch', {}, method), 'NOT_FOUND', false);
  }
  const written = await inject(r.gateway.app, {
    method: 'POST',
    url: REGISTRATION,
    payload: '{"broken',
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(written.statusCode, 405);
  assert.equal(written.headers.connection, 'close');
});

test('413: a GET with a body', async () => {
  const r = rig();
  const reply = await inject(r.gateway.app, {
    method: 'GET',
    url: REGISTRATION,
    headers: { 'x-api-key': KEY, 'content-length': '5' },
    payload: 'hello',
  });
  assert.equal(reply.statusCode, 413);
  assert.equal(reply.json().error.code, 'REQUEST_TOO_LARGE');
  assert.equal(r.asked.length, 0);
});
test('414: a URL longer than 8 kB, on any path', async () => {
  const r = rig();
  isError(await r.get(`${REGISTRATION}?x=${'a'.repeat(8200)}`), 'URI_TOO_LONG', false);
  isError(await r.get(`/nosuch/${'a'.repeat(8200)}`), 'URI_TOO_LONG', false);
  assert.equal((await r.get(`/v1/website/whois/domains/${'a'.repeat(8000)}`)).status, 400);
});
test('431: headers larger than 32 kB', async () => {
  isError(await rig().get(REGISTRATION, { 'x-api-key': KEY, 'x-pad': 'a'.repeat(33_000) }), 'HEADERS_TOO_LARGE', false);
});

test('errors come in order: path, method, address, credentials, operation, account, input', async () => {
  const settings = { SIGHTLINE_RATE_PER_SECOND: '1', SIGHTLINE_RATE_BURST: '1' };
  const r = rig({ settings, callers: { [KEY]: caller(), narrow: caller({ keyId: 'k2', operations: [] }) } });
  assert.equal((await r.get('/v1/nosuch?x=1', {})).status, 404);
  assert.equal((await r.get(`${REGISTRATION}?x=1`, {}, 'POST')).status, 405);
  assert.equal((await r.get(`${REGISTRATION}?x=1`, {})).status, 401);
  assert.equal((await r.get(REGISTRATION)).status, 200);
  assert.equal((await r.get(`${REGISTRATION}?x=1`, { 'x-api-key': 'narrow' })).status, 403);
  assert.equal((await r.get(`${REGISTRATION}?x=1`)).status, 429);
  r.clock.ms += 1000;
  assert.equal(
    (await r.get(`${REGISTRATION}?x=1`, { 'x-api-key': KEY, 'cache-control': 'only-if-cached', 'x-max-credits': '0' })).status,
    400,
  );
});
