import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { after, before, test } from 'node:test';
import { exportJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { createIssuer } from '../../src/accounts/oauth/issuer.ts';
import type { NewClient } from '../../src/contract/admin/schemas.ts';
import type { Http } from '../../src/upstream/ports.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { BASE, openTestService, REGISTRATION, type TestService } from './test-service.ts';

const ISSUER = 'https://login.example';
const pair = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ports = { keys: [] as JWK[], up: true, asked: [] as string[], issuer: ISSUER };
const http: Http = {
  async ask({ url }) {
    ports.asked.push(url);
    if (!ports.up) return { tag: 'unreachable', what: 'away' };
    const body = url.endsWith('/keys')
      ? { keys: ports.keys }
      : url.endsWith('/oauth-authorization-server')
        ? { issuer: ports.issuer, jwks_uri: `${ISSUER}/keys` }
        : null;
    const bytes = Buffer.from(JSON.stringify(body ?? {}));
    return { tag: 'answer', answer: { status: body ? 200 : 404, headers: {}, body: bytes, url, atMs: 0 } };
  },
};

let h: TestService;
let client: NewClient;
before(async () => {
  ports.keys = [
    { ...(await exportJWK(pair.publicKey)), kid: 'outer', alg: 'EdDSA', use: 'sig' },
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', use: 'sig' },
    { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
  ];
  h = await openTestService({ settings: { SIGHTLINE_OAUTH_ISSUERS: ISSUER }, http });
  client = await h.accounts.admin.createClient({ label: 'outer', scopes: ['registration', 'account', 'traffic'] });
});
after(() => h.close());

const enc = (o: unknown): string => Buffer.from(JSON.stringify(o)).toString('base64url');
function outer(claims: JWTPayload = {}, header: Record<string, unknown> = {}, key: KeyObject = pair.privateKey): Promise<string> {
  const now = Math.floor(h.clock.ms / 1000);
  const all = {
    iss: ISSUER,
    aud: BASE,
    sub: client.clientId,
    client_id: client.clientId,
    iat: now,
    exp: now + 300,
    jti: String(Math.random()),
    ...claims,
  };
  return new SignJWT(all).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: 'outer', ...header } as never).sign(key);
}
const statusOf = async (token: string): Promise<number> => (await h.get('/v1/account', token)).status;

test("a trusted issuer's token authenticates the account of its client_id", async () => {
  const reply = await h.get('/v1/account', await outer());
  assert.equal(reply.status, 200);
  assert.equal(reply.body.accountId, h.first.accountId);
  assert.equal(await statusOf(await outer({}, { alg: 'RS256', kid: 'rsa' }, rsa.privateKey)), 200);
  assert.equal(await statusOf(await outer({ aud: ['https://other.example', BASE] }, { typ: 'application/at+jwt' })), 200);
});

test('hostile tokens are refused with the same response', async () => {
  const own = await h.token(client);
  const [head = '', body = '', signature = ''] = own.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const publicKey = ((await h.get('/.well-known/jwks.json', null)).body.keys as JWK[])[0];
  const hmac = (alg: string, secret: string): string => {
    const text = `${enc({ ...header, alg })}.${body}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const now = Math.floor(h.clock.ms / 1000);
  const stranger = generateKeyPairSync('ed25519');
  const strangerJwk = await exportJWK(stranger.publicKey);
  const cases: Record<string, string | Promise<string>> = {
    'alg none': `${enc({ ...header, alg: 'none' })}.${body}.`,
    'alg None': `${enc({ ...header, alg: 'None' })}.${body}.${signature}`,
    'HS256 with the public key': hmac('HS256', JSON.stringify(publicKey)),
    "HS256 with the key's x": hmac('HS256', String(publicKey?.x)),
    'HS256 by the key set of the issuer': hmac('HS256', 'secret'),
    'other audience, old signature': `${head}.${enc({ ...claims, aud: 'https://other.example' })}.${signature}`,
    'another client, old signature': `${head}.${enc({ ...claims, client_id: 'cli_00000000000000000000' })}.${signature}`,
    'cut off': own.slice(0, -5),
    'two parts': `${head}.${body}`,
    'five parts': `${own}.x.y`,
    'no JSON': `${enc('x')}.${enc('y')}.z`,
    'not base64': 'eyJ%.eyJ.x',
    'an array as claims': `${head}.${enc([])}.${signature}`,
    'deep nesting': `${head}.${Buffer.from('['.repeat(3000)).toString('base64url')}.${signature}`,
    huge: `eyJ${'a'.repeat(8200)}`,
    'wrong audience': outer({ aud: 'https://other.example' }),
    'audience of another path': outer({ aud: `${BASE}/v1` }),
    'no audience': outer({ aud: undefined as never }),
    expired: outer({ exp: now - 3600 }),
    'expired by more than the tolerance': outer({ exp: now - 61 }),
    'no expiry': outer({ exp: undefined as never }),
    'an expiry in words': outer({ exp: 'tomorrow' as never }),
    'not yet': outer({ nbf: now + 3600 }),
    'another issuer': outer({ iss: 'https://evil.example' }),
    'no issuer': outer({ iss: undefined as never }),
    "the issuer's name with a slash": outer({ iss: `${ISSUER}/` }),
    'ours, signed by the other issuer': outer({ iss: BASE }),
    'wrong type': outer({}, { typ: 'JWT' }),
    'no type': outer({}, { typ: undefined }),
    'unknown kid': outer({}, { kid: 'nobody' }),
    'kid as a path': outer({}, { kid: '../../etc/passwd' }),
    "a stranger's key under a known kid": outer({}, {}, stranger.privateKey),
    "a stranger's key in the header": outer({}, { jwk: strangerJwk }, stranger.privateKey),
    "a stranger's address in the header": outer({}, { jku: 'https://evil.example/keys', kid: 'evil' }, stranger.privateKey),
    'an unknown critical header': (() => {
      const given = { iss: ISSUER, aud: BASE, sub: client.clientId, client_id: client.clientId, iat: now, exp: now + 300, jti: 'x' };
      const text = `${enc({ alg: 'EdDSA', typ: 'at+jwt', kid: 'outer', crit: ['bound'], bound: 'x' })}.${enc(given)}`;
      return `${text}.${sign(null, Buffer.from(text), pair.privateKey).toString('base64url')}`;
    })(),
    'unknown client': outer({ client_id: 'cli_00000000000000000000' }),
    'a client of no form': outer({ client_id: 'nobody' }),
    'a client that is a number': outer({ client_id: 7 }),
    'no client': outer({ client_id: undefined }),
    'scope as a list': outer({ scope: ['account', 'registration'] }),
    'scope as an empty list': outer({ scope: [] }),
    'scope null': outer({ scope: null }),
    'scope as a number': outer({ scope: 1 }),
    'scope as an object': outer({ scope: { account: true } }),
    'scp as a list': outer({ scp: ['account'] }),
    'scp null': outer({ scp: null }),
    'scope as it should be, scp as a list': outer({ scope: 'account', scp: ['account'] }),
    'RS256 under the key of EdDSA': outer({}, { alg: 'RS256', kid: 'outer' }, rsa.privateKey),
  };
  const words = new Set<string>();
  for (const [what, token] of Object.entries(cases)) {
    const reply = await h.get('/v1/account', await token);
    assert.equal(reply.status, 401, what);
    assert.match(String(reply.headers['www-authenticate']), /^Bearer .*error="invalid_token".*resource_metadata="/, what);
    words.add(reply.text);
  }
  assert.equal(words.size, 1);
  assert.ok(
    ports.asked.every((url) => url.startsWith(ISSUER)),
    'nobody else was asked for keys',
  );
});

test('scp limits a token as scope does; with both the intersection applies', async () => {
  const statuses = async (token: string) => [await statusOf(token), (await h.get(REGISTRATION, token)).status];
  assert.deepEqual(await statuses(await outer({ scp: 'account' })), [200, 403]);
  assert.deepEqual(await statuses(await outer({ scope: 'account registration', scp: 'registration' })), [403, 200]);
  assert.deepEqual(await statuses(await outer({ scope: '' })), [403, 403]);
});

test('a request to an issuer times out by the injected clock', async () => {
  const clock = createManualClock();
  const asked: AbortSignal[] = [];
  const silentHttp: Http = {
    ask: ({ attempt: { signal } }) =>
      new Promise((resolve) => {
        asked.push(signal);
        signal.addEventListener('abort', () => resolve({ tag: 'timeout', what: 'late' }));
      }),
  };
  const issuer = createIssuer({ issuer: ISSUER, http: silentHttp, clock, log: () => {}, allowLoopback: false });
  const found = issuer.find('outer', 'EdDSA');
  await clock.advance(4_999);
  assert.equal(asked[0]?.aborted, false);
  await clock.advance(2);
  assert.equal(asked[0]?.aborted, true);
  await clock.advance(6_000);
  assert.equal(await found, null);
});

test('a clock skew of a minute is accepted', async () => {
  const now = Math.floor(h.clock.ms / 1000);
  assert.equal(await statusOf(await outer({ exp: now - 59 })), 200);
  assert.equal(await statusOf(await outer({ nbf: now + 59 })), 200);
});

test('403: the challenge names the scope that the token or its client lacks', async () => {
  const narrow = await h.token(client, 'account');
  const reply = await h.get(REGISTRATION, narrow);
  assert.deepEqual([reply.status, reply.body.error?.code], [403, 'FORBIDDEN']);
  assert.match(
    String(reply.headers['www-authenticate']),
    /^Bearer .*error="insufficient_scope", scope="registration", resource_metadata="/,
  );
  assert.equal((await h.get('/v1/account', await h.token(client, 'registration'))).status, 403);
  assert.equal((await h.get(REGISTRATION, await h.token(client))).status, 200);
  assert.equal(
    (await h.get('/v1/searchengine/serp?keyword=a', await outer({ scope: 'searchengine' }))).status,
    403,
    'no more than its client',
  );
  assert.equal((await h.get(REGISTRATION, await outer({ scope: 'openid traffic' }))).status, 403, 'no more than its scope');
  assert.equal((await h.get(REGISTRATION, await outer())).status, 200, 'no scope claim: what the client may');
});

test('charges and usage of a token are recorded under its client', async () => {
  const token = await h.token(client);
  const receipt = (await h.get(REGISTRATION, token)).headers['x-receipt'];
  const { entries } = (await h.get(`/v1/account/ledger?receipt=${receipt}`, token)).body as { entries: { keyId: string }[] };
  assert.ok(entries.length > 0 && entries.every((e) => e.keyId === client.clientId));
  const { key } = (await h.get('/v1/account', token)).body as { key: { keyId: string; operations: string[] } };
  assert.deepEqual([key.keyId, key.operations], [client.clientId, ['traffic', 'registration']]);
});

test('once the command returns, all tokens of a revoked client are refused, cached verifications included', async () => {
  const gone = await h.accounts.admin.createClient({ label: 'gone' });
  const used = await h.token(gone);
  const unused = await h.token(gone);
  const now = Math.floor(h.clock.ms / 1000);
  assert.equal(await statusOf(used), 200);
  await h.accounts.admin.revokeClient({ clientId: gone.clientId });
  assert.deepEqual([await statusOf(used), await statusOf(unused)], [401, 401]);
  assert.equal(await statusOf(await outer({ client_id: gone.clientId, sub: gone.clientId, exp: now + 60 })), 401);
});

test('an expired token is refused although its verification is cached', async () => {
  const token = await outer({ exp: Math.floor(h.clock.ms / 1000) + 10 });
  assert.equal(await statusOf(token), 200);
  h.clock.ms += 69_000;
  assert.equal(await statusOf(token), 200);
  h.clock.ms += 2_000;
  assert.equal(await statusOf(token), 401);
});

test('unknown kids do not cause one request to the issuer each', async () => {
  h.clock.ms += 60_000;
  ports.asked.length = 0;
  await Promise.all(Array.from({ length: 50 }, async (_, i) => statusOf(await outer({}, { kid: `k${i}` }))));
  assert.equal(ports.asked.filter((url) => url.endsWith('/keys')).length, 1);
});

test('while an issuer is down its cached keys are used until they are too old; tokens are accepted again after it recovers', async () => {
  h.clock.ms += 60_000;
  assert.equal(await statusOf(await outer()), 200);
  ports.up = false;
  h.clock.ms += 3_000_000;
  assert.equal(await statusOf(await outer()), 200, 'its keys are old, but kept');
  h.clock.ms += 700_000;
  assert.equal(await statusOf(await outer()), 401, 'too old');
  assert.equal(await statusOf(await h.token(client)), 200, 'our own do not depend on it');
  ports.up = true;
  h.clock.ms += 11_000;
  assert.equal(await statusOf(await outer()), 200);
});

test('a key that the issuer withdrew is accepted for minutes at most, also by cached verifications', async () => {
  const token = await outer({ exp: Math.floor(h.clock.ms / 1000) + 3600 });
  assert.equal(await statusOf(token), 200);
  const { keys } = ports;
  ports.keys = keys.filter((k) => k.kid !== 'outer');
  h.clock.ms += 601_000;
  await statusOf(token);
  await new Promise((done) => setImmediate(done));
  h.clock.ms += 301_000;
  assert.equal(await statusOf(token), 401);
  ports.keys = keys;
  h.clock.ms += 11_000;
  assert.equal(await statusOf(token), 200);
});

test('metadata with another issuer is rejected', async () => {
  ports.issuer = 'https://evil.example';
  const other = await openTestService({ settings: { SIGHTLINE_OAUTH_ISSUERS: ISSUER }, http });
  const { clientId } = await other.accounts.admin.createClient({ label: 'x' });
  assert.equal((await other.get('/v1/account', await outer({ client_id: clientId, sub: clientId }))).status, 401);
  ports.issuer = ISSUER;
  await other.close();
});
