import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REGISTRATION } from '../accounts/test-service.ts';
import { ADMIN_TOKEN, OWN_PAGE, openEntrances } from './entrances.ts';

test('a session by key or code: who it is, lookups, ledger and usage under the key, or under "console"', async (t) => {
  const e = await openEntrances(t);
  const byKey = await e.signIn();
  const byCode = await e.signIn({ code: await e.code(e.accountId) });
  for (const [cookie, keyId] of [
    [byKey, e.keyId],
    [byCode, null],
  ] as const) {
    const { body } = await e.service('/console/api/session', { headers: OWN_PAGE, cookie });
    assert.deepEqual(body, {
      kind: 'account',
      accountId: e.accountId,
      name: 'first',
      keyId,
      limited: false,
      manages: true,
      createdAt: '2026-11-01T12:00:00.000Z',
      idleExpiresAt: '2026-11-02T00:00:00.000Z',
      expiresAt: '2026-11-08T12:00:00.000Z',
    });
    const account = await e.service('/v1/account', { headers: OWN_PAGE, cookie });
    assert.equal(account.body.key.keyId, keyId ?? 'console');
    const lookup = await e.service(REGISTRATION, { headers: OWN_PAGE, cookie });
    assert.deepEqual([lookup.status, lookup.headers['x-credits-charged']], [200, '1']);
  }
  await e.accounts.ledger.close();
  const { body } = await e.service('/v1/account/ledger', { headers: OWN_PAGE, cookie: byCode });
  const holders = new Set(body.entries.flatMap((entry: { keyId: string | null }) => entry.keyId ?? []));
  assert.deepEqual([...holders].sort(), [e.keyId, 'console'].sort());
});

test('a wrong key is 401 with a challenge, and too many sign-ins are 429 with the limit that was used up', async (t) => {
  const e = await openEntrances(t);
  const signIn = (apiKey: string) => e.service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { apiKey } });
  const wrong = await signIn('sl_wrong');
  assert.deepEqual([wrong.status, wrong.headers['www-authenticate']], [401, 'Bearer realm="sightline"']);
  let last = await signIn(e.key);
  for (let i = 0; i < 40 && last.status === 200; i++) last = await signIn(e.key);
  assert.equal(last.status, 429);
  assert.match(String(last.headers.ratelimit), /^"changes";r=0;t=\d+$/);
  assert.equal(last.headers['ratelimit-policy'], '"changes";q=30;w=30');
  assert.ok(Number(last.headers['retry-after']) >= 1);
});

test('sessions are listed, ended one by one, and all at once', async (t) => {
  const e = await openEntrances(t);
  const [first, second, third] = [await e.signIn(), await e.signIn(), await e.signIn()];
  const list = async (cookie: string) => (await e.service('/console/api/sessions', { headers: OWN_PAGE, cookie })).body.sessions;
  const listed = await list(first);
  assert.equal(listed.length, 3);
  assert.equal(listed.filter((each: { current: boolean }) => each.current).length, 1);
  const [another] = (await list(second)).filter((each: { current: boolean }) => each.current);
  const end = (path: string, cookie: string) => e.service(path, { method: 'DELETE', headers: OWN_PAGE, cookie });
  const ended = await end(`/console/api/sessions/${another.sessionId}`, first);
  assert.deepEqual([ended.status, ended.body, ended.headers['set-cookie']], [200, { ended: 1 }, undefined]);
  assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie: second })).status, 401);
  assert.equal((await end(`/console/api/sessions/${another.sessionId}`, first)).status, 404);
  assert.deepEqual((await end('/console/api/sessions', first)).body, { ended: 2 });
  for (const cookie of [first, third]) assert.equal((await e.service('/v1/account', { headers: OWN_PAGE, cookie })).status, 401);
});

test('the holder makes, changes, replaces and revokes keys; the audit log names the holder', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signIn();
  const send = (method: 'POST' | 'PATCH', path: string, body: object) => e.service(path, { method, headers: OWN_PAGE, cookie, body });
  const made = await send('POST', '/console/api/keys', { label: 'reports', operations: ['traffic'], creditsPerDay: 5 });
  assert.deepEqual([made.status, made.body.accountId, made.body.label], [200, e.accountId, 'reports']);
  assert.match(made.body.key, /^sl_/);
  const path = `/console/api/keys/${made.body.keyId}`;
  assert.deepEqual((await send('PATCH', path, { operations: null })).body.operations, null);
  const next = await send('POST', `${path}/reroll`, { graceMs: 60_000 });
  assert.match(next.body.key, /^sl_/);
  assert.notEqual((await send('POST', `/console/api/keys/${next.body.keyId}/revoke`, {})).body.revokedAt, null);
  const listed = await e.service('/console/api/keys', { headers: OWN_PAGE, cookie });
  assert.equal(listed.body.length, 3);
  assert.doesNotMatch(listed.text, new RegExp(next.body.key));
  for (const [body, message] of [
    [{ nosuch: 1 }, '"nosuch" is no field here'],
    [{ creditsPerDay: 'five' }, 'creditsPerDay'],
    [{ operations: ['nosuch'] }, 'There is no operation "nosuch": choose one of serp'],
    [{ accountId: e.accountId }, '"accountId" is no field here'],
  ] as const) {
    const refused = await send('POST', '/console/api/keys', body);
    assert.equal(refused.status, 400);
    assert.match(refused.body.error.message, new RegExp(message));
  }
  const actors = (await e.accounts.admin.auditLog()).filter((entry) => entry.actor !== 'operator');
  assert.deepEqual(
    actors.map(({ actor, action }) => [actor, action]),
    ['key.revoke', 'key.reroll', 'key.edit', 'key.create', 'session.open'].map((action) => [e.keyId, action]),
  );
  assert.deepEqual((await e.accounts.admin.verifyAudit()).faults, []);
});

test('the operator: admin routes by session, and lookups as an account with its credits and its log', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signInOperator();
  const { body: session } = await e.admin('/console/api/session', { headers: OWN_PAGE, cookie });
  assert.deepEqual([session.kind, session.accountId, session.name, session.keyId], ['operator', null, null, null]);
  const made = await e.admin('/accounts', { method: 'POST', headers: OWN_PAGE, cookie, body: { name: 'Acme', credits: 7 } });
  const { accountId } = made.body;
  const as = (id: string, path = REGISTRATION, credentials: object = { cookie }) =>
    e.admin(path, { headers: { ...OWN_PAGE, 'x-sightline-account': id }, ...credentials });
  const lookup = await as(accountId);
  assert.deepEqual([lookup.status, lookup.headers['x-credits-charged'], lookup.headers['x-credits-remaining']], [200, '1', '6']);
  const account = await as(accountId, '/v1/account');
  assert.deepEqual([account.body.accountId, account.body.key.keyId], [accountId, 'operator']);
  const byToken = await e.admin('/v1/account', {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'x-sightline-account': accountId },
  });
  assert.equal(byToken.status, 200, 'the admin token does the same');
  const [first] = (await e.accounts.admin.listAccounts()).filter((each) => each.accountId === e.accountId);
  assert.deepEqual([first?.balance, first?.held], [1000, 0], 'no other account paid');
  assert.equal((await as('acc_none')).status, 404);
  const nobody = await e.admin(REGISTRATION, { headers: OWN_PAGE, cookie });
  assert.deepEqual([nobody.status, nobody.body.error.code], [400, 'INVALID_REQUEST']);
  await e.accounts.admin.suspendAccount({ accountId });
  assert.equal((await as(accountId)).status, 403);
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.com`;
  assert.equal((await as(e.accountId, `/v1/website/whois/domains/${long}`)).status, 200, 'a long path parameter is served there too');
});

test('a console link of the admin API signs in as an account, or as the operator', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signInOperator();
  const link = await e.admin('/console-links', { method: 'POST', headers: OWN_PAGE, cookie, body: { accountId: e.accountId } });
  assert.match(link.body.url, /^http:\/\/127\.0\.0\.1:8080\/console#code=[\w-]{43}$/);
  assert.deepEqual([link.body.accountId, link.body.expiresAt], [e.accountId, '2026-11-01T12:01:00.000Z']);
  await e.signIn({ code: link.body.url.split('#code=')[1] });
  const operator = await e.admin('/console-links', { method: 'POST', headers: OWN_PAGE, cookie, body: {} });
  assert.match(operator.body.url, /^http:\/\/127\.0\.0\.1:9090\/console#code=/);
  const missing = await e.admin('/console-links', { method: 'POST', headers: OWN_PAGE, cookie, body: { accountId: 'acc_none' } });
  assert.equal(missing.status, 404);
});

test('HEAD, 405 and 404 of the console; a body where none belongs is refused', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signIn();
  assert.equal((await e.service('/console/api/session', { method: 'HEAD', headers: OWN_PAGE, cookie })).status, 200);
  const wrong = await e.service('/console/api/session', { method: 'PATCH', headers: OWN_PAGE, cookie, body: {} });
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET, HEAD, POST, DELETE']);
  assert.equal((await e.service('/console/api/nosuch', { headers: OWN_PAGE, cookie })).status, 404);
  assert.equal((await e.service('/console/api/session', { method: 'DELETE', headers: OWN_PAGE, cookie, body: {} })).status, 400);
  const missing = await e.service('/console/api/session', { headers: OWN_PAGE });
  assert.deepEqual([missing.status, missing.body.error.message], [401, 'There is no session: sign in.']);
});

test('an address in place of a value is read as the service understands it; an operation that is unknown is refused', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signIn();
  const read = (query: string) => e.service(`/console/api/pasted?${query}`, { headers: OWN_PAGE, cookie });
  const url = 'https://www.acme-widgets.com/pricing?a=1';
  assert.deepEqual((await read(`operation=traffic&domain=${encodeURIComponent(url)}`)).body, {
    pairs: [['domain', 'www.acme-widgets.com']],
    understood: [{ name: 'domain', given: url, value: 'www.acme-widgets.com' }],
  });
  assert.deepEqual((await read('operation=traffic&domain=a.com')).body.understood, []);
  assert.equal((await read('operation=nosuch&domain=a.com')).status, 400);
  assert.equal((await e.service('/console/api/pasted?operation=traffic', { headers: OWN_PAGE })).status, 401);
});

test('what the console asks for its own pages is no usage of the account; the same with a key is', async (t) => {
  const e = await openEntrances(t);
  const cookie = await e.signIn();
  const own = { ...OWN_PAGE, 'x-sightline-console': '1' };
  const price = '/v1/account/price?operation=traffic&domain=a.com';
  await e.service(price, { headers: own, cookie });
  const operations = async (): Promise<readonly string[]> =>
    (await e.service('/v1/account/requests', { headers: { 'x-api-key': e.key } })).body.requests.map(
      (r: { operation: string }) => r.operation,
    );
  assert.deepEqual(await operations(), []);
  await e.service(REGISTRATION, { headers: own, cookie });
  await e.service(price, { headers: { 'x-api-key': e.key } });
  assert.deepEqual(
    (await operations()).filter((name) => name !== 'account-requests'),
    ['account-price', 'registration'],
  );
});

test('the documentation is on the admin listener too, where the console links to it, for whoever is signed in there', async (t) => {
  const e = await openEntrances(t);
  const { cookie } = await e.admin('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { adminToken: ADMIN_TOKEN } });
  for (const [path, status] of [
    ['/openapi.json', 200],
    ['/docs', 302],
  ] as const) {
    assert.equal((await e.admin(path)).status, 401, path);
    assert.equal((await e.admin(path, { headers: OWN_PAGE, cookie: String(cookie) })).status, status, path);
    assert.equal((await e.service(path)).status, status, path);
  }
});
