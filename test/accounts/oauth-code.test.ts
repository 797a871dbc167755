import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { REFRESH_MS } from '../../src/accounts/oauth/grants.ts';
import { type CodeService, openCodeService, REDIRECT } from './oauth-code-client.ts';
import { BASE, REGISTRATION, SERP } from './test-service.ts';

let h: CodeService;
before(async () => {
  h = await openCodeService();
});
after(async () => {
  assert.deepEqual((await h.accounts.admin.verifyAudit()).faults, []);
  await h.close();
});

test('the metadata names the endpoints, and each of them exists', async () => {
  const { body } = await h.get('/.well-known/oauth-authorization-server', null);
  assert.equal(body.issuer, BASE);
  assert.deepEqual(body.code_challenge_methods_supported, ['S256']);
  assert.deepEqual(body.response_types_supported, ['code']);
  assert.equal(body.authorization_endpoint, `${BASE}/v1/oauth/authorize`);
  for (const [name, value] of Object.entries(body)) {
    if (!/_endpoint$|_uri$/.test(name)) continue;
    const path = String(value).slice(BASE.length);
    const [got, posted] = [await h.get(path, null), await h.post(path, '')];
    assert.ok(got.status !== 404 && posted.status !== 404, `${name} ${path}: ${got.status}, ${posted.status}`);
    assert.ok(got.status !== 405 || posted.status !== 405, name);
  }
  const mcp = await h.get('/.well-known/oauth-protected-resource/mcp', null);
  assert.deepEqual([mcp.status, mcp.body.resource, mcp.body.authorization_servers], [200, `${BASE}/mcp`, [BASE]]);
});

test('the authorization endpoint opens the consent page from its own origin', async () => {
  const query = h.query(await h.app());
  const reply = await h.get(`/v1/oauth/authorize?${query}`, null);
  assert.equal(reply.status, 200);
  assert.match(reply.text, /http-equiv="refresh" content="0; url=\/console\/consent\?response_type=code&#38;client_id=app_/);
});

test('without a session the page asks to sign in, and returns to the request', async () => {
  const query = h.query(await h.app());
  const page = await h.page(null, query);
  assert.equal(page.status, 200);
  assert.match(page.text, /name="credential"/);
  const wrong = await h.post('/console/consent/sign-in', `request=a&credential=sl_nosuch`, { 'sec-fetch-site': 'same-origin' });
  assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [401, undefined]);
  const { code } = await h.accounts.signInCodes.make({ accountId: h.first.accountId });
  const form = new URLSearchParams({ request: query, credential: `${BASE}/console#code=${code}` });
  const right = await h.post('/console/consent/sign-in', form.toString(), { 'sec-fetch-site': 'same-origin' });
  assert.deepEqual([right.status, right.headers.location], [303, `/console/consent?${query}`]);
});

test('the page names the app, the host of the redirect, the account and the scopes in words', async () => {
  const reply = await h.register({ client_name: '<b>Desk</b>\u202e', redirect_uris: [REDIRECT] });
  const page = await h.page(await h.signIn(), h.query(String(reply.body.client_id), { scope: 'registration account' }));
  assert.match(page.text, /&#60;b&#62;Desk&#60;\/b&#62;<\/strong> asks for access/);
  assert.match(page.text, /The answer goes to <strong>app\.example<\/strong>/);
  assert.match(page.text, /its name is not verified/);
  assert.match(page.text, /Read balance, usage, ledger, requests and watches of the account/);
  assert.equal(page.text.match(/type="checkbox"/g)?.length, 2);
  const all = await h.page(await h.signIn(), h.query(String(reply.body.client_id)));
  for (const words of [
    'what all of its keys looked up',
    'of webhook addresses the host',
    'Create watches of what it may look up',
    ...['Google and Bing results', 'TikTok videos', 'X posts', 'Reddit', 'Shopify App Store'].map((platform) => `Look up: ${platform}`),
  ])
    assert.ok(all.text.includes(words), words);
  for (const words of ['Credits that it may spend a day', 'For how long', '30 days']) assert.ok(page.text.includes(words), words);
});

test('consent to first answer: the token has the scopes, the audience and the daily cap that the person gave', async () => {
  const app = await h.app();
  const query = h.query(app, { resource: `${BASE}/mcp` });
  const reply = await h.decide(await h.signIn(), query, { creditsPerDay: '2' });
  const location = new URL(String(reply.headers.location));
  assert.equal(location.origin + location.pathname, REDIRECT);
  assert.deepEqual([reply.status, location.searchParams.get('state'), location.searchParams.get('iss')], [303, 'st', BASE]);
  const { status, body, headers } = await h.redeem(app, String(location.searchParams.get('code')));
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.token_type, body.scope, headers['cache-control']], ['Bearer', 'registration account', 'no-store']);
  const token = String(body.access_token);
  const claims = decodeJwt(token);
  assert.deepEqual([claims.aud, claims.client_id, claims.sub], [`${BASE}/mcp`, app, h.first.accountId]);
  assert.equal((await h.get('/v1/account', token)).status, 200);
  assert.deepEqual([(await h.get(SERP, token)).status], [403], 'not consented to');
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await h.get(`${REGISTRATION}`.replace('acme', `acme${i}`), token)).status);
  assert.equal(statuses[0], 200);
  assert.ok(statuses.includes(402), `the cap of 2 credits a day: ${statuses}`);
  const key = (await h.accounts.admin.listKeys()).find(({ keyId }) => keyId === claims.grant);
  assert.equal(key?.label, 'App: Desk (app.example)');
  assert.equal(key?.madeBy, h.first.keyId);
  assert.equal(Date.parse(String(key?.expiresAt)), h.clock.ms + 30 * 86_400_000);
});

test('a refused consent, and after a first consent each error of a proven redirect, go back to the app', async () => {
  const app = await h.app();
  const person = await h.signIn();
  await h.code(app);
  const errors: [string, Promise<{ status: number; headers: Record<string, string | undefined> }>][] = [
    ['access_denied', h.decide(person, h.query(app), { decision: 'deny' })],
    ['invalid_request', h.page(person, h.query(app, { response_type: null }))],
    ['unsupported_response_type', h.page(person, h.query(app, { response_type: 'token' }))],
    ['invalid_request', h.page(person, `${h.query(app)}&scope=account&scope=traffic`)],
    ['invalid_scope', h.page(person, h.query(app, { scope: 'everything' }))],
    ['invalid_target', h.page(person, h.query(app, { resource: 'https://other.example' }))],
  ];
  for (const [error, asked] of errors) {
    const { status, headers } = await asked;
    const location = new URL(String(headers.location));
    const { searchParams: got } = location;
    assert.deepEqual(
      [status, location.origin + location.pathname, got.get('error'), got.get('state'), got.get('iss'), got.get('code')],
      [303, REDIRECT, error, 'st', BASE, null],
      error,
    );
    assert.ok(got.get('error_description'));
  }
});

test('400: a request of an app without a consent that cannot be granted is a page with the error and a link, and no redirect', async () => {
  const person = await h.signIn();
  const other = await h.accounts.admin.createAccount({ name: 'other' });
  const stranger = await h.signIn((await h.accounts.admin.createKey({ accountId: other.accountId, manage: true })).key);
  const [fresh, ofOthers, ended] = [await h.app(), await h.app(), await h.app()];
  await h.decide(stranger, h.query(ofOthers));
  const { body } = await h.redeem(ended, await h.code(ended));
  await h.accounts.admin.revokeKey({ keyId: String(decodeJwt(String(body.access_token)).grant) });
  const faults: [string, string][] = [
    ['invalid_request', h.query('CLIENT', { response_type: null })],
    ['unsupported_response_type', h.query('CLIENT', { response_type: 'token' })],
    ['invalid_request', `${h.query('CLIENT')}&scope=account&scope=traffic`],
    ['invalid_request', h.query('CLIENT', { code_challenge: null })],
    ['invalid_scope', h.query('CLIENT', { scope: 'everything' })],
    ['invalid_target', h.query('CLIENT', { resource: 'https://other.example' })],
  ];
  for (const app of [fresh, ofOthers, ended])
    for (const [error, query] of faults)
      for (const send of [h.page, h.decide]) {
        const reply = await send(person, query.replace('CLIENT', app));
        assert.deepEqual([reply.status, reply.headers.location], [400, undefined], error);
        const link = /<a href="([^"]+)">Return to app\.example</.exec(reply.text)?.[1]?.replaceAll('&#38;', '&') ?? assert.fail(reply.text);
        const { searchParams } = new URL(link);
        assert.deepEqual([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')], [error, 'st', null]);
        assert.doesNotMatch(reply.text, /http-equiv|<script/);
      }
  await h.accounts.admin.deleteAccount({ accountId: other.accountId });
});

test('400: a form without a scope, with wrong credits or another duration is shown again', async () => {
  const query = h.query(await h.app());
  const person = await h.signIn();
  for (const [fields, words] of [
    [{ scope: 'traffic_of_others' }, /at least one/],
    [{ creditsPerDay: '0' }, /whole number from 1/],
    [{ creditsPerDay: '1.5' }, /whole number from 1/],
    [{ days: '4000' }, /how long/],
  ] as [Record<string, string>, RegExp][]) {
    const reply = await h.decide(person, query, fields);
    assert.equal(reply.status, 400);
    assert.match(reply.text, words);
  }
});

test('403: only a session that manages keys without limits connects apps', async () => {
  const { key } = await h.accounts.admin.createKey({ label: 'reads' });
  const limited = await h.accounts.admin.createKey({ label: 'limited', manage: true, creditsPerDay: 5 });
  const query = h.query(await h.app());
  for (const text of [key, limited.key]) {
    const person = await h.signIn(text);
    for (const reply of [await h.page(person, query), await h.decide(person, query)]) {
      assert.equal(reply.status, 403);
      assert.match(reply.text, /may not connect apps/);
      assert.equal(reply.headers.location, undefined);
    }
  }
});

test('a refresh token gives the next pair, and less scope where less is asked for', async () => {
  const app = await h.app();
  const first = await h.redeem(app, await h.code(app));
  const second = await h.refresh(app, String(first.body.refresh_token), { scope: 'account' });
  assert.deepEqual([second.status, second.body.scope], [200, 'account']);
  assert.notEqual(second.body.refresh_token, first.body.refresh_token);
  h.clock.ms += REFRESH_MS;
  const third = await h.refresh(app, String(second.body.refresh_token));
  assert.equal(third.body.scope, 'registration account');
});

test('scopes and resource beyond the grant, and a suspended account, are refused by their own errors and use nothing up', async () => {
  const app = await h.app();
  const code = await h.code(app, { resource: `${BASE}/mcp` });
  assert.equal((await h.redeem(app, code, { resource: BASE })).body.error, 'invalid_target');
  assert.equal((await h.redeem(app, code, { scope: 'traffic' })).body.error, 'invalid_scope');
  const { body } = await h.redeem(app, code);
  const token = String(body.refresh_token);
  for (const [more, error] of [
    [{ scope: 'traffic' }, 'invalid_scope'],
    [{ scope: 'account traffic' }, 'invalid_scope'],
    [{ scope: 'everything' }, 'invalid_scope'],
    [{ resource: BASE }, 'invalid_target'],
    [{ resource: 'https://other.example' }, 'invalid_target'],
  ] as [Record<string, string>, string][]) {
    const reply = await h.refresh(app, token, more);
    assert.deepEqual([reply.status, reply.body.error, reply.body.access_token], [400, error, undefined], JSON.stringify(more));
  }
  await h.accounts.admin.suspendAccount({ accountId: h.first.accountId });
  const suspended = await h.refresh(app, token);
  await h.accounts.admin.resumeAccount({ accountId: h.first.accountId });
  assert.deepEqual([suspended.status, suspended.body.error], [400, 'invalid_grant']);
  assert.match(String(suspended.body.error_description), /suspended/);
  const next = await h.refresh(app, token, { resource: `${BASE}/mcp`, scope: 'registration' });
  assert.deepEqual([next.status, next.body.scope, decodeJwt(String(next.body.access_token)).aud], [200, 'registration', `${BASE}/mcp`]);
  // a grant for the service is one for its endpoint too
  const whole = await h.redeem(app, await h.code(app));
  const part = await h.refresh(app, String(whole.body.refresh_token), { resource: `${BASE}/mcp` });
  assert.equal(decodeJwt(String(part.body.access_token)).aud, `${BASE}/mcp`);
});

test('403: a token of a grant that lacks a scope is told which, so that the app can ask for it', async () => {
  const app = await h.app();
  const withArea = await h.redeem(app, await h.code(app));
  const reply = await h.decide(await h.signIn(), h.query(app), { scope: 'account' });
  const account = await h.redeem(app, String(new URL(String(reply.headers.location)).searchParams.get('code')));
  const traffic = '/v1/traffic/domains/acme-widgets.com';
  for (const [token, path, scope] of [
    [withArea.body.access_token, traffic, 'traffic'],
    [withArea.body.access_token, SERP, 'searchengine'],
    [account.body.access_token, REGISTRATION, 'registration'],
  ] as const) {
    const { status, headers, body } = await h.get(path, String(token));
    assert.deepEqual([status, body.error?.code], [403, 'FORBIDDEN']);
    const metadata = `resource_metadata="${BASE}/.well-known/oauth-protected-resource"`;
    assert.equal(headers['www-authenticate'], `Bearer realm="sightline", error="insufficient_scope", scope="${scope}", ${metadata}`);
  }
});

test('revocation ends the grant, by either token, for its own client alone', async () => {
  for (const which of ['access_token', 'refresh_token']) {
    const app = await h.app();
    const { body } = await h.redeem(app, await h.code(app));
    const revoke = (client: string) =>
      h.post('/v1/oauth/revoke', new URLSearchParams({ token: String(body[which]), client_id: client }).toString());
    const other = await revoke(await h.app());
    assert.deepEqual([other.status, other.body.error], [400, 'invalid_grant']);
    assert.equal((await h.get('/v1/account', String(body.access_token))).status, 200);
    assert.equal((await revoke(app)).status, 200);
    assert.equal((await h.get('/v1/account', String(body.access_token))).status, 401);
    assert.equal((await h.refresh(app, String(body.refresh_token))).body.error, 'invalid_grant');
  }
  assert.equal((await h.post('/v1/oauth/revoke', 'token=slr_unknown&client_id=app_x')).status, 200);
});

test('revocation: 200 says that the token is of no use any more; a token that stays valid is unsupported_token_type', async (t) => {
  const h = await openCodeService();
  t.after(h.close);
  const client = await h.accounts.admin.createClient({ label: 'reports' });
  const app = await h.app();
  const grant = (await h.redeem(app, await h.code(app))).body;
  for (const [clientId, token] of [
    [client.clientId, await h.token(client)],
    [app, String(grant.access_token)],
  ] as const) {
    const { status, body } = await h.post('/v1/oauth/revoke', new URLSearchParams({ token, client_id: clientId }).toString());
    const isUsable = (await h.get('/v1/account', token)).status === 200;
    assert.deepEqual([status, body.error], isUsable ? [400, 'unsupported_token_type'] : [200, undefined], clientId);
  }
});

test('a parameter without a value counts as left out, at the authorization and at the token endpoint', async (t) => {
  const h = await openCodeService();
  t.after(h.close);
  const app = await h.app();
  const empty = { redirect_uri: '', resource: '', scope: '' };
  const { body } = await h.redeem(app, await h.code(app, empty), empty);
  assert.equal(body.scope, 'account registration'.split(' ').reverse().join(' '));
  assert.equal((await h.refresh(app, String(body.refresh_token), { ...empty, client_secret: '' })).status, 200);
});

test('a grant ends with its duration, with its key, and with the key of the person', async () => {
  const maker = await h.accounts.admin.createKey({ label: 'maker', manage: true });
  const app = await h.app();
  const reply = await h.decide(await h.signIn(maker.key), h.query(app), { days: '1' });
  const { body } = await h.redeem(app, String(new URL(String(reply.headers.location)).searchParams.get('code')));
  assert.equal((await h.get('/v1/account', String(body.access_token))).status, 200);
  await h.accounts.admin.revokeKey({ keyId: maker.keyId });
  assert.equal((await h.get('/v1/account', String(body.access_token))).status, 401);

  const other = await h.redeem(app, await h.code(app));
  const keyId = String(decodeJwt(String(other.body.access_token)).grant);
  await assert.rejects(h.accounts.admin.rerollKey({ keyId }), /is the grant of an app/);
  h.clock.ms += 31 * 86_400_000;
  assert.equal((await h.refresh(app, String(other.body.refresh_token))).body.error, 'invalid_grant');
});

test('the credits a day of a consent are plain decimal digits: nothing else gives an app money', async (t) => {
  const h = await openCodeService();
  t.after(h.close);
  const [person, query] = [await h.signIn(), h.query(await h.app())];
  for (const creditsPerDay of ['1e3', '0x10', '0b11', '+5', '-5', '5.0', '0', '', ' ', '1000000000001', 'Infinity']) {
    const { status, headers } = await h.decide(person, query, { creditsPerDay });
    assert.deepEqual([status, headers.location], [400, undefined], creditsPerDay);
  }
  assert.equal((await h.decide(person, query, { creditsPerDay: ' 7 ' })).status, 303);
  const [grant] = await h.accounts.admin.listGrants();
  assert.equal(grant?.creditsPerDay, 7);
});
