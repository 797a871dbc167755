/** What an attacker gets from the authorization code flow. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { decodeJwt } from 'jose';
import { MAX_UNUSED } from '../../src/accounts/oauth/apps.ts';
import { REFRESH_MS } from '../../src/accounts/oauth/grants.ts';
import { CHALLENGE, type CodeService, OWN, openCodeService, REDIRECT, VERIFIER } from './oauth-code-client.ts';
import { BASE } from './test-service.ts';

let h: CodeService;
let app: string;
before(async () => {
  h = await openCodeService();
});
beforeEach(async () => {
  h.clock.ms += 60_000; // the limits of an address are full again
  app = await h.app();
});
after(() => h.close());
const alive = async (token: unknown): Promise<number> => (await h.get('/v1/account', String(token))).status;

test('code replay: the second use gets invalid_grant and ends the grant', async () => {
  const code = await h.code(app);
  const { body } = await h.redeem(app, code);
  assert.equal(await alive(body.access_token), 200);
  assert.equal((await h.redeem(app, code)).body.error, 'invalid_grant');
  assert.equal(await alive(body.access_token), 401);
  assert.equal((await h.refresh(app, String(body.refresh_token))).body.error, 'invalid_grant');
});

test('two uses of a code at once: at most one gets a token, and it is worth nothing', async () => {
  const code = await h.code(app);
  const replies = await Promise.all([h.redeem(app, code), h.redeem(app, code)]);
  assert.ok(replies.filter(({ status }) => status === 200).length <= 1);
  for (const { body } of replies) if (body.access_token) assert.equal(await alive(body.access_token), 401);
});

test('an expired code gets invalid_grant', async () => {
  const code = await h.code(app);
  h.clock.ms += 60_000;
  assert.equal((await h.redeem(app, code)).body.error, 'invalid_grant');
});

test('the code of another client, another redirect or another verifier gets invalid_grant, and is spent', async () => {
  const other = await h.app();
  const wrongs: ((code: string) => ReturnType<CodeService['redeem']>)[] = [
    (code) => h.redeem(other, code),
    (code) => h.redeem(app, code, { redirect_uri: `${REDIRECT}/other` }),
    (code) => h.redeem(app, code, { code_verifier: 'w'.repeat(50) }),
    // the challenge itself, as with the method `plain`
    (code) => h.redeem(app, code, { code_verifier: CHALLENGE }),
  ];
  for (const [i, wrong] of wrongs.entries()) {
    const code = await h.code(app);
    const { status, body } = await wrong(code);
    assert.deepEqual([status, body.error], [400, 'invalid_grant'], `case ${i}`);
    assert.equal((await h.redeem(app, code)).body.error, 'invalid_grant', 'spent');
  }
});

test('downgraded PKCE: no challenge, plain, or no method goes back as invalid_request; no verifier gives no token', async () => {
  const person = await h.signIn();
  await h.code(app);
  const weak: Record<string, string | null>[] = [
    { code_challenge: null, code_challenge_method: null },
    { code_challenge: VERIFIER, code_challenge_method: 'plain' },
    { code_challenge_method: null },
    { code_challenge: 'short' },
  ];
  for (const more of weak)
    for (const reply of [await h.page(person, h.query(app, more)), await h.decide(person, h.query(app, more))]) {
      const { searchParams } = new URL(String(reply.headers.location));
      assert.deepEqual([searchParams.get('error'), searchParams.get('code')], ['invalid_request', null]);
    }
  assert.equal((await h.redeem(app, await h.code(app), { code_verifier: '' })).body.error, 'invalid_request');
});

test('open redirect: an address that is not registered gets a page, never a Location', async () => {
  const person = await h.signIn();
  const local = await h.app(['http://127.0.0.1/callback', 'com.example.desk://auth/callback']);
  const elsewhere: [string, string | null][] = [
    [app, 'https://evil.example/callback'],
    [app, `${REDIRECT}/`],
    [app, `${REDIRECT}?next=https://evil.example`],
    [app, 'https://app.example@evil.example/callback'],
    [app, 'https://app.example:444/callback'],
    [app, 'http://app.example/callback'],
    [app, `${REDIRECT}#x`],
    [app, 'javascript:alert(1)'],
    [local, 'http://127.0.0.1:8000/other'],
    [local, 'http://localhost:8000/callback'],
    [local, 'http://127.0.0.1.evil.example/callback'],
    [local, 'com.example.desk://auth/callback2'],
    [local, null],
    ['app_00000000000000000000', REDIRECT],
    ['nobody', REDIRECT],
  ];
  for (const [client, uri] of elsewhere)
    for (const reply of [
      await h.page(person, h.query(client, { redirect_uri: uri })),
      await h.decide(person, h.query(client, { redirect_uri: uri })),
    ]) {
      assert.deepEqual([reply.status, reply.headers.location], [400, undefined], String(uri));
      assert.match(String(reply.headers['content-type']), /text\/html/);
    }
  const twice = await h.page(person, `${h.query(app)}&redirect_uri=${encodeURIComponent('https://evil.example')}`);
  assert.deepEqual([twice.status, twice.headers.location], [400, undefined]);
  // any port of this computer, but nothing else of it
  assert.equal((await h.page(person, h.query(local, { redirect_uri: 'http://127.0.0.1:51234/callback' }))).status, 200);
  assert.equal((await h.page(person, h.query(local, { redirect_uri: 'com.example.desk://auth/callback' }))).status, 200);
});

test('400: redirects that are refused at the registration', async () => {
  for (const uri of [
    'http://app.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.example/#f',
    'https://u:p@a.example/',
    'file:///etc',
    'x',
    '',
    // a header holds ASCII; a host is a source of the policy of the page
    'https://app.example.org/rück中',
    'https://app.example.org/ü',
    'http://１２７.0.0.1/cb',
    'https://bücher.example/cb',
    'https://a.example/a b',
    'https://a.example\\b',
    'https://a;upgrade-insecure-requests/cb',
    'https://a,b.com/cb',
    "https://a'b.com/cb",
    'https://*.com/cb',
    'com.example;x://cb',
    // a browser reads these as paths of the page that redirects
    'https:a.example/cb',
    'https:/a.example/cb',
    'HTTPS:///a.example/cb',
    'http:127.0.0.1/cb',
    // private-use schemes have a dot (RFC 8252, 7.1)
    'x:',
    'a.:/x',
    'a..b:/x',
    'tel:1',
    'sms:1',
    'ms-msdt:/id',
    'search-ms:query=x&crumb=location:evil',
    'intent:x',
    'jar:https://a.example!/x',
    'feed:javascript:alert(1)',
    'cursor://auth/callback',
    'chrome-extension://abc/cb',
    'view-source:https://a.example/',
  ]) {
    h.clock.ms += 1_000;
    const { status, body } = await h.register({ redirect_uris: [uri] });
    assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], uri);
  }
  for (const uri of [
    'com.example.desk:/cb',
    'com.example.desk://cb',
    'http://[::1]:5000/cb',
    'https://xn--bcher-kva.example/%C3%BC?a=b;c,d',
  ])
    assert.equal((await h.register({ redirect_uris: [uri] })).status, 201, uri);
  assert.equal((await h.register({ redirect_uris: [] })).body.error, 'invalid_redirect_uri');
  assert.equal((await h.register({ redirect_uris: [REDIRECT], grant_types: ['implicit'] })).body.error, 'invalid_client_metadata');
});

test('mixed-up issuer: every answer to the app names the issuer of the metadata (RFC 9207)', async () => {
  const { body } = await h.get('/.well-known/oauth-authorization-server', null);
  assert.equal(body.authorization_response_iss_parameter_supported, true);
  const person = await h.signIn();
  for (const decision of ['allow', 'deny']) {
    const { headers } = await h.decide(person, h.query(app), { decision });
    assert.equal(new URL(String(headers.location)).searchParams.get('iss'), body.issuer);
  }
});

test('CSRF: a consent from another page, another site or without a session gives no code', async () => {
  const person = await h.signIn();
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ];
  for (const headers of foreign) {
    const reply = await h.decide(person, h.query(app), {}, headers as Record<string, string>);
    assert.deepEqual([reply.status, reply.headers.location], [403, undefined], JSON.stringify(headers));
  }
  const none = await h.decide(null, h.query(app));
  assert.deepEqual([none.status, none.headers.location], [200, undefined]);
  assert.match(none.text, /name="credential"/);
  const signIn = await h.post('/console/consent/sign-in', `request=a&credential=${h.first.key}`, { 'sec-fetch-site': 'cross-site' });
  assert.deepEqual([signIn.status, signIn.headers['set-cookie']], [403, undefined]);
  assert.equal(
    (await h.accounts.admin.listKeys()).filter(({ label }) => label.startsWith('App:') && !label.includes('(app.example)')).length,
    0,
  );
});

test('clickjacking: no page of the flow is shown in a frame, runs a script or sends a form elsewhere', async () => {
  const person = await h.signIn();
  const pages = [
    await h.get(`/v1/oauth/authorize?${h.query(app)}`, null),
    await h.page(null, h.query(app)),
    await h.page(person, h.query(app)),
    await h.page(person, h.query('nobody')),
    await h.decide(person, h.query(app), { days: '0' }),
  ];
  for (const { headers } of pages) {
    const policy = String(headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"])
      assert.ok(policy.includes(rule));
    assert.doesNotMatch(policy, /script-src|unsafe/);
    assert.deepEqual(
      [headers['x-frame-options'], headers['cache-control'], headers['referrer-policy']],
      ['DENY', 'no-store', 'no-referrer'],
    );
  }
  assert.match(String(pages[2]?.headers['content-security-policy']), /form-action 'self' https:\/\/app\.example;/);
  // a source of a policy has no IPv6 address
  for (const [address, source] of [
    ['https://[2001:db8::1]/cb', 'https:'],
    ['http://[::1]/cb', 'http:'],
  ] as const) {
    h.clock.ms += 1_000;
    const ofAddress = String((await h.register({ redirect_uris: [address] })).body.client_id);
    const { headers } = await h.page(person, h.query(ofAddress, { redirect_uri: address }));
    assert.ok(String(headers['content-security-policy']).includes(`form-action 'self' ${source};`), address);
  }
});

test('a token for another audience, or of another issuer with the claim of a grant, is refused', async () => {
  const { body } = await h.redeem(app, await h.code(app));
  const claims = decodeJwt(String(body.access_token));
  const signed = (more: object) => h.accounts.oauth.signing.sign({ ...claims, jti: 'x', ...more }, 'at+jwt');
  assert.equal(await alive(await signed({})), 200);
  assert.equal(await alive(await signed({ aud: 'https://other.example' })), 401);
  assert.equal(await alive(await signed({ aud: `${BASE}/mcp` })), 200);
  assert.equal(await alive(await signed({ iss: 'https://other.example' })), 401);
  assert.equal(await alive(await signed({ grant: h.first.keyId })), 401, 'a key that is no grant');
  assert.equal((await h.refresh(app, String(body.refresh_token), { resource: 'https://other.example' })).body.error, 'invalid_target');
});

test('refresh reuse: the old token gets invalid_grant and ends the grant; so does one of another client', async () => {
  const { body: first } = await h.redeem(app, await h.code(app));
  const { body: second } = await h.refresh(app, String(first.refresh_token));
  assert.equal(await alive(second.access_token), 200);
  h.clock.ms += REFRESH_MS;
  const { body: third } = await h.refresh(app, String(second.refresh_token));
  assert.equal(await alive(third.access_token), 200);
  assert.equal((await h.refresh(app, String(first.refresh_token))).body.error, 'invalid_grant');
  for (const { access_token } of [first, second, third]) assert.equal(await alive(access_token), 401);
  assert.equal((await h.refresh(app, String(third.refresh_token))).body.error, 'invalid_grant');

  const { body: stolen } = await h.redeem(app, await h.code(app));
  assert.equal((await h.refresh(await h.app(), String(stolen.refresh_token))).body.error, 'invalid_grant');
  assert.equal(await alive(stolen.access_token), 401);
  // what was never given ends nothing
  const { body: unharmed } = await h.redeem(app, await h.code(app));
  for (const text of [`${unharmed.refresh_token}x`, 'slr_', `slr_${'A'.repeat(43)}`, `slr_${'A'.repeat(43)}.${'A'.repeat(43)}`])
    assert.equal((await h.refresh(app, text)).body.error, 'invalid_grant');
  assert.equal(await alive(unharmed.access_token), 200);
});

test('a refresh before ten seconds have passed gets 429 and uses nothing up; a grant that lives has one row of tokens', async () => {
  const { db } = h.accounts.store;
  const rowsOf = async () =>
    (
      await db.selectFrom('grant_tokens').innerJoin('keys', 'keys.id', 'grant_tokens.key_id').select(['kind', 'revoked_at']).execute()
    ).filter(({ revoked_at }) => revoked_at === null);
  await h.code(app);
  const before = (await rowsOf()).length;
  let { body } = await h.redeem(app, await h.code(app));
  const writes = async () => (await db.selectFrom('audit').select('seq').orderBy('seq', 'desc').executeTakeFirstOrThrow()).seq;
  const written = await writes();
  const [refreshes, counts] = [Number(process.env.SIGHTLINE_TEST_REFRESHES ?? 300), new Map<number, number>()];
  for (let i = 0; i < refreshes; i++) {
    const reply = await h.refresh(app, String(body.refresh_token));
    assert.equal(reply.status, 200, reply.text);
    ({ body } = reply);
    if (i % 10 === 0)
      for (const waitedMs of [0, REFRESH_MS - 1]) {
        h.clock.ms += waitedMs;
        const early = await h.refresh(app, String(body.refresh_token));
        counts.set(early.status, (counts.get(early.status) ?? 0) + 1);
        const wait = waitedMs === 0 ? '10' : '1';
        assert.deepEqual([early.body.error, early.headers['retry-after']], ['temporarily_unavailable', wait]);
        assert.equal(early.headers.ratelimit, `"refresh";r=0;t=${wait}`);
        assert.equal(early.headers['ratelimit-policy'], '"refresh";q=1;w=10');
        h.clock.ms -= waitedMs;
      }
    h.clock.ms += REFRESH_MS;
  }
  assert.deepEqual([...counts], [[429, refreshes / 5]]);
  assert.equal((await rowsOf()).length, before + 1);
  assert.equal(await writes(), written, 'no entry of the audit log for a refresh');
  assert.deepEqual((await h.accounts.admin.verifyAudit()).faults, []);
  // the tokens of ended grants go with the next consent
  await h.accounts.admin.revokeKey({ keyId: String(decodeJwt(String(body.access_token)).grant) });
  await h.code(app);
  const { n } = await db
    .selectFrom('grant_tokens')
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  assert.equal(Number(n), (await rowsOf()).length);
});

test('a token that ended its grant writes nothing when it comes again', async () => {
  const code = await h.code(app);
  await h.redeem(app, code);
  await h.redeem(app, code);
  const { db } = h.accounts.store;
  const state = async () => JSON.stringify(await db.selectFrom('changes').selectAll().orderBy('name').execute());
  const before = await state();
  for (let i = 0; i < 5; i++) assert.equal((await h.redeem(app, code)).body.error, 'invalid_grant');
  assert.equal(await state(), before);
});

test('a thousand registrations of one address: 30 at once, then 429; unused ones end after a day', async () => {
  h.clock.ms += 3_600_000;
  const counts = new Map<number, number>();
  for (let i = 0; i < 1_000; i++) {
    const { status } = await h.register();
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  assert.deepEqual([counts.get(201), counts.get(429)], [30, 970]);
  const person = await h.signIn();
  assert.equal((await h.page(person, h.query(app))).status, 200);
  h.clock.ms += 86_400_000;
  assert.equal((await h.page(await h.signIn(), h.query(app))).status, 400);
  const consented = await h.app();
  await h.code(consented);
  h.clock.ms += 86_400_000;
  assert.equal((await h.page(await h.signIn(), h.query(consented))).status, 200);
  h.clock.ms += 90 * 86_400_000;
  assert.equal((await h.page(await h.signIn(), h.query(consented))).status, 400);
});

test('registrations of many addresses: at most a thousand unused ones are kept', async () => {
  const { db } = h.accounts.store;
  const rows = Array.from({ length: 1_050 }, (_, i) => ({
    id: `app_${i.toString(16).padStart(20, '0')}`,
    name: '',
    redirect_uris: '[]',
    created_at: h.clock.ms - 1_000 + i / 2,
    used_at: null,
  }));
  await db
    .insertInto('apps')
    .values(rows.map((row) => ({ ...row, created_at: Math.floor(row.created_at) })))
    .execute();
  await h.app();
  const { n } = await db
    .selectFrom('apps')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  assert.equal(Number(n), MAX_UNUSED);
});

test('nothing of the flow stands in the store as text: codes and refresh tokens are hashes', async () => {
  const code = await h.code(app);
  const { body } = await h.redeem(app, code);
  const rows = JSON.stringify(await h.accounts.store.db.selectFrom('grant_tokens').selectAll().execute());
  assert.ok(!rows.includes(code) && !rows.includes(String(body.refresh_token)));
  assert.equal((await h.page(null, h.query(app), OWN)).text.includes(code), false);
});
