import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { NewClient } from '../../src/contract/admin/schemas.ts';
import { inject } from '../support/inject.ts';
import { BASE, basic, openTestService, type TestService } from './test-service.ts';

let h: TestService;
let client: NewClient;
const GRANT = 'grant_type=client_credentials';
before(async () => {
  h = await openTestService();
  client = await h.accounts.admin.createClient({ label: 'reports', scopes: ['registration', 'account'] });
});
after(() => h.close());
const ask = (form: string, id = client.clientId, secret = client.clientSecret) => h.post('/v1/oauth/token', form, basic(id, secret));

test('200: a bearer token with Cache-Control: no-store and all scopes of the client', async () => {
  const reply = await ask(GRANT);
  assert.equal(reply.status, 200);
  assert.deepEqual(Object.keys(reply.body), ['access_token', 'token_type', 'expires_in', 'scope']);
  assert.deepEqual([reply.body.token_type, reply.body.expires_in, reply.body.scope], ['Bearer', 900, 'registration account']);
  assert.deepEqual([reply.headers['cache-control'], reply.headers.pragma], ['no-store', 'no-cache']);
});

test('the token is a JWT of RFC 9068', async () => {
  const token = await h.token(client);
  const { alg, typ, kid } = decodeProtectedHeader(token);
  assert.deepEqual([alg, typ], ['EdDSA', 'at+jwt']);
  const claims = decodeJwt(token);
  assert.deepEqual([claims.iss, claims.aud, claims.sub, claims.client_id], [BASE, BASE, client.clientId, client.clientId]);
  assert.equal((claims.exp ?? 0) - (claims.iat ?? 0), 900);
  assert.notEqual(claims.jti, decodeJwt(await h.token(client)).jti);
  const keys = (await h.get('/.well-known/jwks.json', null)).body.keys as { kid: string; d?: string }[];
  assert.deepEqual(
    keys.map((k) => [k.kid, k.d]),
    [[kid, undefined]],
  );
});

test('200: client id and secret in the body', async () => {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret });
  assert.equal((await h.post('/v1/oauth/token', form.toString())).status, 200);
});

test('200: only the requested scopes, with this service as resource', async () => {
  assert.equal((await ask(`${GRANT}&scope=account&resource=${encodeURIComponent(BASE)}`)).body.scope, 'account');
});

test('200: a parameter without a value counts as left out', async () => {
  for (const name of ['client_id', 'client_secret', 'scope', 'resource', 'redirect_uri'])
    assert.equal((await ask(`${GRANT}&${name}=`)).status, 200, name);
  assert.equal((await ask('grant_type=')).body.error, 'invalid_request');
});

test('400 and 401: each error of RFC 6749 by its code, without text of the request', async () => {
  const errors: [string, Promise<{ status: number; body: Record<string, unknown> }>][] = [
    ['invalid_request', ask('')],
    ['invalid_request', ask(`${GRANT}&${GRANT}`)],
    ['invalid_request', ask(`${GRANT}&client_secret=again`)],
    ['invalid_request', ask(`${GRANT}&client_id=cli_00000000000000000000`)],
    ['invalid_request', h.post('/v1/oauth/token', '{}', { 'content-type': 'application/json', ...basic('a', 'b') })],
    ['unsupported_grant_type', ask('grant_type=password')],
    ['invalid_scope', ask(`${GRANT}&scope=traffic`)],
    ['invalid_scope', ask(`${GRANT}&scope=nosuch`)],
    ['invalid_target', ask(`${GRANT}&resource=https://other.example`)],
    ['invalid_client', ask(GRANT, client.clientId, 'wrong-secret-of-mine')],
    ['invalid_client', ask(GRANT, 'nobody')],
    ['invalid_client', ask(GRANT, 'cli_00000000000000000000')],
    ['invalid_client', h.post('/v1/oauth/token', GRANT)],
    ['invalid_client', h.post('/v1/oauth/token', GRANT, { authorization: 'Basic !' })],
    ['invalid_client', h.post('/v1/oauth/token', GRANT, { authorization: `Bearer ${h.first.key}` })],
  ];
  for (const [i, [error, reply]] of errors.entries()) {
    const { status, body } = await reply;
    assert.equal(body.error, error, `case ${i}: ${JSON.stringify(body)}`);
    assert.equal(status, error === 'invalid_client' ? 401 : 400);
    assert.doesNotMatch(String(body.error_description), /wrong-secret-of-mine/);
  }
});

test('400 unsupported_grant_type, which names the grant types, for every other one, with and without credentials', async (t) => {
  const apps = await openTestService({ settings: { SIGHTLINE_PUBLIC_URL: BASE } });
  t.after(apps.close);
  const ofPrototype = Object.getOwnPropertyNames(Object.prototype);
  for (const type of [
    ...ofPrototype,
    'password',
    'implicit',
    'Client_credentials',
    'client_credentials ',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ])
    for (const form of [
      `grant_type=${encodeURIComponent(type)}`,
      `grant_type=${encodeURIComponent(type)}&refresh_token=x&client_id=a&code=x`,
    ]) {
      const reply = await apps.post('/v1/oauth/token', form);
      assert.deepEqual([reply.status, reply.body.error], [400, 'unsupported_grant_type'], `${type}: ${reply.text}`);
      for (const name of ['client_credentials', 'authorization_code', 'refresh_token'])
        assert.match(String(reply.body.error_description), new RegExp(name));
    }
  const none = await apps.post('/v1/oauth/token', 'client_id=a');
  assert.deepEqual([none.status, none.body.error], [400, 'invalid_request']);
  assert.match(String(none.body.error_description), /client_credentials, authorization_code, refresh_token/);
  // where apps cannot sign in
  const plain = await h.post('/v1/oauth/token', 'grant_type=refresh_token&refresh_token=x&client_id=a');
  assert.equal(plain.body.error, h.accounts.oauth.appSignIn ? 'invalid_grant' : 'unsupported_grant_type');
});

test('401: unknown client, wrong secret and revoked client get the same response, with a Basic challenge', async () => {
  const gone = await h.accounts.admin.createClient({ label: 'gone' });
  await h.accounts.admin.revokeClient({ clientId: gone.clientId });
  const replies = [
    await ask(GRANT, gone.clientId, gone.clientSecret),
    await ask(GRANT, 'cli_00000000000000000000'),
    await ask(GRANT, client.clientId, 'x'),
  ];
  assert.equal(new Set(replies.map((r) => r.text)).size, 1);
  // RFC 7617: `error` is a parameter of Bearer alone
  for (const reply of replies) assert.equal(reply.headers['www-authenticate'], 'Basic realm="sightline", charset="UTF-8"');
});

test('405 with Allow for other methods than POST; 413 for an oversized body', async () => {
  const got = await h.get('/v1/oauth/token');
  assert.deepEqual([got.status, got.headers.allow, got.body.error?.code], [405, 'POST', 'METHOD_NOT_ALLOWED']);
  assert.equal((await inject(h.gateway.app, { method: 'PUT', url: '/v1/oauth/token' })).statusCode, 405);
  const large = await h.post('/v1/oauth/token', `${GRANT}&x=${'a'.repeat(20_000)}`, basic(client.clientId, client.clientSecret));
  assert.deepEqual([large.status, large.body.error], [413, 'invalid_request']);
});

test('a token expires no later than its client; an expired client gets no token', async () => {
  const expiresAt = new Date(h.clock.ms + 120_000).toISOString();
  const short = await h.accounts.admin.createClient({ label: 'short', expiresAt });
  assert.equal((await h.post('/v1/oauth/token', GRANT, basic(short.clientId, short.clientSecret))).body.expires_in, 120);
  const token = await h.token(short);
  assert.equal((await h.get('/v1/account', token)).status, 200);
  h.clock.ms += 120_000;
  assert.equal((await h.get('/v1/account', token)).status, 401, 'the client is over, whatever tolerance the token has');
  assert.equal((await h.post('/v1/oauth/token', GRANT, basic(short.clientId, short.clientSecret))).status, 401);
});

test('the metadata of RFC 8414 and RFC 9728 refer to each other', async () => {
  const server = (await h.get('/.well-known/oauth-authorization-server', null)).body;
  const resource = (await h.get('/.well-known/oauth-protected-resource', null)).body;
  assert.deepEqual([server.issuer, server.token_endpoint], [BASE, `${BASE}/v1/oauth/token`]);
  assert.deepEqual([resource.resource, resource.authorization_servers], [BASE, [BASE]]);
  const challenge = String((await h.get('/v1/account', null)).headers['www-authenticate']);
  assert.equal(challenge, `Bearer realm="sightline", resource_metadata="${BASE}/.well-known/oauth-protected-resource"`);
});

test('where apps cannot sign in the metadata names no endpoint but that of tokens', async (t) => {
  const plain = await openTestService({ settings: { SIGHTLINE_PUBLIC_URL: 'http://api.example' } });
  t.after(plain.close);
  const { body } = await plain.get('/.well-known/oauth-authorization-server', null);
  assert.deepEqual(
    Object.keys(body).filter((name) => name.endsWith('_endpoint')),
    ['token_endpoint'],
  );
  assert.deepEqual(body.response_types_supported, []);
});
