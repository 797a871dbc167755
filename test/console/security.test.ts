/** Attacks on the console over HTTP: each is refused, and leaves nothing behind. Stored markup is tested in the browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_MS, SESSION_IDLE_MS } from '../../src/accounts/sessions/sessions.ts';
import { ADMIN_ACTIONS } from '../../src/contract/admin/actions.ts';
import { requestsOf } from '../../src/contract/admin/define.ts';
import { createTakeLimits } from '../../src/gateway/admission/rate-limits.ts';
import { createEntrance } from '../../src/gateway/console/entrance.ts';
import { REGISTRATION } from '../accounts/test-service.ts';
import { ADMIN_ORIGIN, ADMIN_TOKEN, type Ask, type Entrances, OWN_PAGE, openEntrances, PUBLIC_ORIGIN, type Sent } from './entrances.ts';

const INDEX = { 'index.html': '<!doctype html><title>Console</title>', 'assets/app-1.js': 'export {};' };

/** Headers of a request that a page of another origin causes. The browser sets them: a page cannot change them. */
const FOREIGN: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a subdomain', { 'sec-fetch-site': 'same-site', origin: 'http://evil.127.0.0.1' }],
  ['another port of the host', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' }],
  ['the address bar or a mail', { 'sec-fetch-site': 'none' }],
  ['an own origin that the browser contradicts', { 'sec-fetch-site': 'cross-site', origin: PUBLIC_ORIGIN }],
  ['several values of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['another site, without Sec-Fetch-Site', { origin: 'https://evil.example' }],
  ['a subdomain, without Sec-Fetch-Site', { origin: 'http://evil.127.0.0.1:8080' }],
  ['another port, without Sec-Fetch-Site', { origin: 'http://127.0.0.1:3000' }],
  ['a form of an old browser, without any of these headers', {}],
];

test('CSRF: a request with the cookie from a page of another origin changes nothing and costs nothing', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signIn();
  const operator = await e.signInOperator();
  const changes: readonly (readonly [Ask, Sent['method'], string, unknown, string])[] = [
    [e.service, 'POST', '/console/api/keys', { label: 'theirs' }, cookie],
    [e.service, 'PATCH', `/console/api/keys/${e.keyId}`, { label: 'theirs' }, cookie],
    [e.service, 'POST', `/console/api/keys/${e.keyId}/reroll`, {}, cookie],
    [e.service, 'POST', `/console/api/keys/${e.keyId}/revoke`, {}, cookie],
    [e.service, 'DELETE', '/console/api/session', undefined, cookie],
    [e.service, 'DELETE', '/console/api/sessions', undefined, cookie],
    [e.admin, 'POST', '/accounts', { name: 'theirs' }, operator],
    [e.admin, 'POST', `/accounts/${e.accountId}/grants`, { credits: 5 }, operator],
    [e.admin, 'DELETE', `/accounts/${e.accountId}`, undefined, operator],
    [e.admin, 'POST', '/keys', {}, operator],
    [e.admin, 'POST', '/console-links', {}, operator],
    [e.admin, 'DELETE', '/console/api/sessions', undefined, operator],
  ];
  for (const [ask, method, path, body, own] of changes)
    for (const [name, headers] of FOREIGN) {
      const answer = await ask(path, { method: method ?? 'GET', body, headers, cookie: own });
      assert.deepEqual([answer.status, answer.body.error?.code], [403, 'FORBIDDEN'], `${method} ${path} from ${name}`);
    }
  for (const [ask, path, own, more] of [
    [e.service, REGISTRATION, cookie, {}],
    [e.service, '/v1/account', cookie, {}],
    [e.service, '/console/api/keys', cookie, {}],
    [e.admin, REGISTRATION, operator, { 'x-sightline-account': e.accountId }],
    [e.admin, '/accounts', operator, {}],
  ] as const)
    for (const [name, headers] of FOREIGN)
      assert.equal((await ask(path, { headers: { ...headers, ...more }, cookie: own })).status, 403, `GET ${path} from ${name}`);
  const [account] = await e.accounts.admin.listAccounts();
  assert.deepEqual([account?.balance, account?.held], [1000, 0], 'no lookup was charged');
  assert.equal((await e.accounts.admin.listKeys()).length, 1);
  assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie })).status, 200, 'the session is still there');
});

test('login CSRF: no page of another origin signs a browser in', async (t) => {
  const e = await openEntrances(t);
  for (const [name, headers] of FOREIGN) {
    const answer = await e.service('/console/api/session', { method: 'POST', headers, body: { apiKey: e.key } });
    assert.deepEqual([answer.status, answer.cookie], [403, null], name);
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain; application/json', '']) {
    const headers = { ...OWN_PAGE, 'content-type': type };
    const answer = await e.service('/console/api/session', { method: 'POST', headers, body: { apiKey: e.key } });
    assert.deepEqual([answer.status, answer.cookie], [400, null], type);
  }
});

test('plain http beyond loopback, where browsers send no Sec-Fetch-Site: equal Origin for changes, the header of the console for reads', async (t) => {
  const settings = { HOST: '192.0.2.1', SIGHTLINE_PUBLIC_URL: 'http://192.0.2.1:8080' };
  const e = await openEntrances(t, { settings });
  const origin = 'http://192.0.2.1:8080';
  const signedIn = await e.service('/console/api/session', { method: 'POST', headers: { origin }, body: { apiKey: e.key } });
  const { cookie } = signedIn;
  assert.ok(cookie?.startsWith('sightline_account='), 'no prefix that plain http forbids');
  assert.doesNotMatch(String(signedIn.headers['set-cookie']), /Secure/);
  const get = (headers: Record<string, string>) => e.service('/v1/account', { headers, cookie });
  assert.equal((await get({})).status, 403);
  assert.equal((await get({ 'x-sightline-console': '1' })).status, 200);
  assert.equal((await get({ 'x-sightline-console': '1', origin: 'http://evil.example' })).status, 403);
  const create = (headers: Record<string, string>) =>
    e.service('/console/api/keys', { method: 'POST', headers, cookie, body: { label: 'a' } });
  assert.equal((await create({ 'x-sightline-console': '1' })).status, 403, 'a change needs the Origin');
  assert.equal((await create({ origin: 'http://192.0.2.1:9999' })).status, 403);
  assert.equal((await create({ origin })).status, 200);
});

test('no CORS preflight allows the header of the console or a cookie, with any allowed origin', async (t) => {
  const e = await openEntrances(t, { settings: { SIGHTLINE_CORS_ORIGINS: 'https://app.example' } });
  const answer = await e.service('/v1/account', { headers: { origin: 'https://app.example' }, cookie: await e.signIn() });
  assert.equal(answer.status, 403);
  assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  assert.doesNotMatch(JSON.stringify(answer.headers), /x-sightline-console/i);
});

test('framing and injection: the page forbids frames, inline code, other origins and text as markup', async (t) => {
  const e = await openEntrances(t, { files: INDEX });
  for (const [ask, path] of [
    [e.service, '/console'],
    [e.service, '/console/w/serp'],
    [e.admin, '/console'],
  ] as const) {
    const { status, headers } = await ask(path);
    assert.equal(status, 200);
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
    );
    assert.deepEqual(policy, {
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'font-src': "'self'",
      'img-src': "'self' data: https:",
      'connect-src': "'self'",
      'form-action': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  }
});

test('session fixation: a token that the browser brings along is never adopted, and its session is replaced', async (t) => {
  const e = await openEntrances(t);
  const chosen = `sightline_account=${'A'.repeat(43)}`;
  const signIn = (cookie: string) =>
    e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, cookie, body: { apiKey: e.key } });
  const first = await signIn(chosen);
  assert.notEqual(first.cookie, chosen);
  assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie: chosen })).status, 401);
  const second = await signIn(String(first.cookie));
  assert.notEqual(second.cookie, first.cookie);
  assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie: first.cookie })).status, 401, 'the session before has ended');
  assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie: second.cookie })).status, 200);
  const both = `${second.cookie}; ${chosen}`;
  assert.equal(
    (await e.service('/v1/account', { headers: OWN_PAGE, cookie: both })).status,
    401,
    'two cookies of one name: neither is trusted',
  );
});

test('a failed sign-in opens nothing and leaves the session that there is', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signIn();
  const failed = await e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, cookie, body: { apiKey: 'sl_wrong' } });
  assert.deepEqual([failed.status, failed.cookie], [401, null]);
  assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie })).status, 200);
});

test('a stolen cookie is worth nothing after the session: expired, signed out, signed out everywhere, key revoked, account suspended', async (t) => {
  const ends: readonly (readonly [string, (e: Entrances, cookie: string) => Promise<unknown>])[] = [
    ['idle', async (e) => Object.assign(e.clock, { ms: e.clock.ms + SESSION_IDLE_MS })],
    ['signed out', (e, cookie) => e.service('/console/api/session', { method: 'DELETE', headers: OWN_PAGE, cookie })],
    [
      'signed out everywhere',
      async (e) => e.service('/console/api/sessions', { method: 'DELETE', headers: OWN_PAGE, cookie: await e.signIn() }),
    ],
    ['key revoked', (e) => e.accounts.admin.revokeKey({ keyId: e.keyId })],
    ['account suspended', (e) => e.accounts.admin.suspendAccount({ accountId: e.accountId })],
    ['account deleted', (e) => e.accounts.admin.deleteAccount({ accountId: e.accountId })],
  ];
  for (const [name, end] of ends) {
    const e = await openEntrances(t);
    const cookie = await e.signIn();
    assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie })).status, 200);
    await end(e, cookie);
    for (const path of [REGISTRATION, '/v1/account', '/console/api/session', '/console/api/keys'])
      assert.equal((await e.service(path, { headers: OWN_PAGE, cookie })).status, 401, `${path}: ${name}`);
    const told = await e.service('/console/api/session', { headers: OWN_PAGE, cookie });
    assert.match(String(told.headers['set-cookie']), /^sightline_account=; Max-Age=0; /, 'the browser forgets it');
  }
});

test('a code works once, for 60 seconds, and at its own entrance only', async (t) => {
  const e = await openEntrances(t);
  const redeem = async (ask: Ask, code: string) =>
    (await ask('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { code } })).status;
  const code = await e.code(e.accountId);
  assert.equal(await redeem(e.admin, code), 401, 'a code of an account does not make an operator');
  assert.equal(await redeem(e.service, code), 200);
  assert.equal(await redeem(e.service, code), 401, 'used');
  const operatorCode = await e.code();
  assert.equal(await redeem(e.service, operatorCode), 401, 'a code of the operator is nothing on the public listener');
  assert.equal(await redeem(e.admin, operatorCode), 200);
  const late = await e.code(e.accountId);
  e.clock.ms += CODE_MS;
  assert.equal(await redeem(e.service, late), 401, 'late');
  const suspended = await e.code(e.accountId);
  await e.accounts.admin.suspendAccount({ accountId: e.accountId });
  assert.equal(await redeem(e.service, suspended), 401, 'of a suspended account');
});

test('the public listener has no admin route and no operator, with any credentials of the operator', async (t) => {
  const e = await openEntrances(t);
  const operator = await e.signInOperator();
  const value = operator.split('=')[1];
  for (const cookie of [operator, `sightline_account=${value}`, `__Host-sightline_operator=${value}`]) {
    for (const route of Object.values(ADMIN_ACTIONS).flatMap(requestsOf)) {
      const path = route.path.replace(/\{\w+\}/g, e.accountId);
      const headers = { ...OWN_PAGE, authorization: `Bearer ${ADMIN_TOKEN}`, 'x-sightline-account': e.accountId };
      const sent = { method: route.method, headers, cookie, ...(route.method !== 'GET' && { body: {} }) };
      assert.equal((await e.service(path, sent)).status, 404, `${route.method} ${path}`);
    }
    for (const path of ['/console/api/session', '/v1/account', REGISTRATION]) {
      const headers = { ...OWN_PAGE, 'x-sightline-account': e.accountId };
      assert.equal((await e.service(path, { headers, cookie })).status, 401, path);
    }
  }
  const token = await e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { adminToken: ADMIN_TOKEN } });
  assert.deepEqual([token.status, token.body.error.message], [400, '"adminToken" is no field here: give code or apiKey.']);
  const { accountId: other } = await e.accounts.admin.createAccount({ name: 'Other', credits: 5 });
  const asOther = await e.service('/v1/account', { headers: { 'x-api-key': e.key, 'x-sightline-account': other } });
  assert.equal(asOther.body.accountId, e.accountId, 'X-Sightline-Account means nothing there');
});

test('on the admin listener neither a session nor a key of an account is a credential', async (t) => {
  const take = createTakeLimits();
  // as in a fleet, where limits are counted elsewhere
  const e = await openEntrances(t, { parts: { takeLimits: async (limits, nowMs) => take(limits, nowMs) } });
  const cookie = await e.signIn();
  const value = cookie.split('=')[1];
  for (const own of [cookie, `sightline_operator=${value}`, null])
    for (const path of ['/accounts', '/keys', '/audit', '/v1/account', '/console/api/session']) {
      const headers = { ...OWN_PAGE, 'x-sightline-account': e.accountId };
      assert.equal((await e.admin(path, { headers, cookie: own })).status, 401, `${path} ${own}`);
      const withKey = { ...headers, 'x-api-key': e.key, authorization: `Bearer ${e.key}` };
      assert.equal((await e.admin(path, { headers: withKey, cookie: own })).status, 401, `${path} with a key`);
    }
  const apiKey = await e.admin('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { apiKey: e.key } });
  assert.equal(apiKey.status, 400);
});

test('a session of the operator ends when the admin token changes', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signInOperator();
  const request = { method: 'GET', headers: { ...OWN_PAGE, cookie } } as never;
  const entrance = (adminToken: string) => createEntrance(e.accounts.sessions, { adminToken, publicUrl: null });
  assert.equal(typeof (await entrance(ADMIN_TOKEN).sessionOf(request)), 'object');
  assert.equal(await entrance('another token').sessionOf(request), 'ended');
});

test('a cookie is no credential where only headers are', async (t) => {
  const e = await openEntrances(t, { settings: { SIGHTLINE_METRICS_TOKEN: 'metrics-token' } });
  const cookie = await e.signIn();
  assert.equal((await e.service('/metrics', { headers: OWN_PAGE, cookie })).status, 401);
  const form = { ...OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' };
  const token = await e.service('/v1/oauth/token', { method: 'POST', headers: form, cookie, body: 'grant_type=client_credentials' });
  assert.equal(token.status, 401);
  const wrong: readonly Record<string, string>[] = [
    { 'x-api-key': 'sl_wrong' },
    { authorization: 'Bearer wrong' },
    { authorization: 'Basic eDp5' },
  ];
  for (const headers of wrong)
    assert.equal(
      (await e.service('/v1/account', { headers: { ...OWN_PAGE, ...headers }, cookie })).status,
      401,
      'a header outranks the cookie',
    );
});

test('a session of a key with limits cannot get beyond them', async (t) => {
  const e = await openEntrances(t);
  const limited = await e.accounts.admin.createKey({ manage: true, operations: ['traffic'], creditsPerDay: 5, addresses: ['127.0.0.1'] });
  const cookie = await e.signIn({ apiKey: limited.key });
  const sent = (more: Sent = {}): Sent => ({ headers: OWN_PAGE, cookie, ...more });
  assert.equal((await e.service(REGISTRATION, sent())).status, 403);
  assert.equal((await e.service('/v1/traffic/domains/acme-widgets.com', sent())).status, 200);
  const listed = await e.service('/console/api/keys', sent());
  assert.deepEqual(
    listed.body.map((key: { keyId: string }) => key.keyId),
    [limited.keyId],
  );
  assert.equal((await e.service('/console/api/keys', sent({ method: 'POST', body: { label: 'free' } }))).status, 403);
  const edit = { method: 'PATCH', body: { operations: null } } as const;
  assert.equal((await e.service(`/console/api/keys/${limited.keyId}`, sent(edit))).status, 403);
  for (const action of ['reroll', 'revoke'])
    assert.equal((await e.service(`/console/api/keys/${e.keyId}/${action}`, sent({ method: 'POST', body: {} }))).status, 404, action);
  for (const path of ['/console/api/keys', '/console/api/session', '/v1/account'])
    assert.equal((await e.service(path, sent({ from: '10.9.8.7' }))).status, 403, `${path} from another address`);
  const elsewhere = { method: 'POST', headers: OWN_PAGE, body: { apiKey: limited.key }, from: '10.9.8.7' } as const;
  assert.equal((await e.service('/console/api/session', elsewhere)).status, 403);
});

test('a session cannot touch the keys of another account', async (t) => {
  const e = await openEntrances(t);
  const { accountId } = await e.accounts.admin.createAccount({ name: 'Other' });
  const { keyId } = await e.accounts.admin.createKey({ accountId });
  const cookie = await e.signIn();
  const attempts = [
    ['PATCH', `/console/api/keys/${keyId}`, { label: 'mine' }],
    ['POST', `/console/api/keys/${keyId}/reroll`, {}],
    ['POST', `/console/api/keys/${keyId}/revoke`, {}],
  ] as const;
  for (const [method, path, body] of attempts)
    assert.equal((await e.service(path, { method, headers: OWN_PAGE, cookie, body })).status, 404, path);
  const elsewhere = await e.service('/console/api/keys', { method: 'POST', headers: OWN_PAGE, cookie, body: { accountId } });
  assert.equal(elsewhere.status, 400, 'the account is that of the session');
  const [key] = (await e.accounts.admin.listKeys({ accountId })).filter((each) => each.keyId === keyId);
  assert.deepEqual([key?.label, key?.revokedAt, key?.replacedBy], ['', null, null]);
});

test('guessing: wrong keys, codes, tokens and cookies count against the address', async (t) => {
  const settings = { SIGHTLINE_PROTECTION: JSON.stringify({ wrongCredentials: { burst: 5, perSecond: 1 } }) };
  const guesses: readonly ((e: Entrances, from: string) => Promise<{ status: number }>)[] = [
    (e, from) => e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { apiKey: 'sl_guess' }, from }),
    (e, from) => e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { code: 'guess' }, from }),
    (e, from) => e.admin('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { adminToken: 'guess' }, from }),
    (e, from) => e.service('/v1/account', { headers: OWN_PAGE, cookie: `sightline_account=${'B'.repeat(43)}`, from }),
    (e, from) => e.service('/console/api/keys', { headers: OWN_PAGE, cookie: `sightline_account=${'B'.repeat(43)}`, from }),
  ];
  for (const [i, guess] of guesses.entries()) {
    const e = await openEntrances(t, { settings });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await guess(e, '192.0.2.9')).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429], `guess ${i}`);
    assert.equal((await guess(e, '192.0.2.10')).status, 401, 'another address is not held up');
  }
});

test('a holder cannot fill the store or hold up its writes with sign-ins and changes', async (t) => {
  const floods: readonly ((
    e: Entrances,
    cookie: string,
  ) => Promise<{ status: number; headers: Readonly<Record<string, string | undefined>> }>)[] = [
    (e) => e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { apiKey: e.key } }),
    (e, cookie) => e.service('/console/api/keys', { method: 'POST', headers: OWN_PAGE, cookie, body: {} }),
  ];
  for (const flood of floods) {
    const e = await openEntrances(t);
    const cookie = await e.signIn();
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push((await flood(e, cookie)).status);
    assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [29, 429]);
    assert.equal((await flood(e, cookie)).headers['retry-after'], '1');
    assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie })).status, 200, 'everything else works');
    e.clock.ms += 1_000;
    assert.equal((await flood(e, cookie)).status, 200);
  }
});

test('redirects lead to the console of the same origin only, and files only to the built app', async (t) => {
  const e = await openEntrances(t, { files: INDEX });
  const html = { accept: 'text/html,application/xhtml+xml' };
  for (const path of ['/', '/?next=https://evil.example', '/?url=//evil.example']) {
    const answer = await e.service(path, { headers: { ...html, host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
    assert.deepEqual([answer.status, answer.headers.location], [302, '/console'], path);
  }
  for (const path of ['//evil.example', '/\\evil.example', '/%2f%2fevil.example', '/console//evil.example/%2e%2e']) {
    const answer = await e.service(path, { headers: html });
    assert.ok([undefined, '/console'].includes(answer.headers.location), path);
  }
  for (const path of [
    '/console/assets/../../sightline.db',
    '/console/assets/..%2f..%2fsightline.db',
    '/console/%2e%2e/sightline.db',
    '/console/../secret',
  ]) {
    const answer = await e.service(path);
    assert.ok(answer.status === 404 || answer.text === INDEX['index.html'], `${path}: ${answer.status}`);
  }
});

test('a request of the console is small JSON; everything else is refused with its cure', async (t) => {
  const e = await openEntrances(t);
  const post = async (body: unknown) => {
    const { status, body: answer } = await e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body });
    return [status, answer.error.message];
  };
  const cure = 'Send one JSON value; names and texts are in double quotes.';
  for (const [body, fault] of [
    ['{', "line 1, column 2: expected property name or '}'"],
    ['{"apiKey":\n', 'it ends too early'],
    ['{"apiKey":"sk",\n}', 'line 2, column 1: expected double-quoted property name'],
    ['{"apiKey": sk-secret}', 'unexpected character s'],
    ['{"apiKey":"sk"} x', 'line 1, column 17: unexpected non-whitespace character after JSON'],
    ['\uFEFF{}', 'unexpected character \\ufeff'],
  ])
    assert.deepEqual(await post(body), [400, `The body is no JSON: ${fault}. ${cure}`]);
  assert.deepEqual(await post([]), [400, 'The body must be a JSON object with code or apiKey.']);
  assert.deepEqual(await post({}), [400, 'The body must hold one of code or apiKey, and nothing else.']);
  assert.deepEqual(await post({ apiKey: e.key, code: 'x' }), [400, 'The body must hold one of code or apiKey, and nothing else.']);
  assert.deepEqual(await post({ apiKey: 5 }), [400, 'apiKey must be a text of 1 to 200 characters.']);
  assert.deepEqual(await post({ apiKey: 'k'.repeat(20_000) }), [413, 'The body of this request is 16 kB at most.']);
  const client = await e.accounts.admin.createClient({ accountId: e.accountId });
  assert.equal((await post({ apiKey: client.clientSecret }))[0], 401);
});

test('the cookie is out of reach of scripts and other sites; with an https public URL it is bound to this host', async (t) => {
  const plain = await openEntrances(t);
  const stored = async ({ service, key }: Entrances) =>
    String((await service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { apiKey: key } })).headers['set-cookie']);
  assert.match(await stored(plain), /^sightline_account=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/);
  const secure = await openEntrances(t, { settings: { SIGHTLINE_PUBLIC_URL: 'https://api.example.com' } });
  assert.match(await stored(secure), /^__Host-sightline_account=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  const toOperator = await secure.admin('/console/api/session', {
    method: 'POST',
    headers: { origin: ADMIN_ORIGIN },
    body: { adminToken: ADMIN_TOKEN },
  });
  assert.match(String(toOperator.cookie), /^sightline_operator=/, 'the admin listener is plain http on loopback');
});

test('neither token nor code nor key is in an answer, an error or the audit log', async (t) => {
  const e = await openEntrances(t);
  const code = await e.code(e.accountId);
  const cookie = await e.signIn({ code });
  const token = String(cookie.split('=')[1]);
  const answers = [
    await e.service('/console/api/session', { headers: OWN_PAGE, cookie }),
    await e.service('/console/api/sessions', { headers: OWN_PAGE, cookie }),
    await e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { code } }),
    await e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { apiKey: `${e.key}x` } }),
  ];
  const texts = [...answers.map(({ text }) => text), JSON.stringify(await e.accounts.admin.auditLog())];
  for (const text of texts) for (const secret of [token, code, e.key]) assert.ok(!text.includes(secret), text);
});
