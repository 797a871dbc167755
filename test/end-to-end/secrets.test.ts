/** After a run that used every kind of secret, none stands in clear in a column, a file, a log line or an entry of the audit log. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { fileChanges } from '../../src/watches/filing.ts';
import { until } from '../faults/service-process.ts';
import { BACKENDS, makeSchema } from '../ledger/backends.ts';
import { found, KEY, rowsOf, scene, WRONG } from './credential-scene.ts';

type Started = Awaited<ReturnType<Awaited<ReturnType<typeof scene>>['start']>>;
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const REDIRECT = 'https://app.example/callback';
const VERIFIER = 'the-verifier-of-a-code-that-no-one-guesses-0123456789';
/** Parts of addresses that nobody but their owner knows. */
const PATHS = {
  'address of a webhook': 'path-of-the-webhook',
  'token in the address of a webhook': 'token-of-the-webhook',
  'address of an earlier webhook': 'path-of-the-earlier-one',
  'target of the account': 'path-of-the-account',
  'target of the watch': 'topic-that-nobody-guesses',
  'target that was only tested': 'path-that-was-only-tested',
  'webhook that was refused': 'path-that-was-refused',
};

/** What an app that signs in and a client of its own get: by the forms of RFC 6749, and a person at the consent page. */
async function tokensOf({ baseUrl, key, accounts }: Started): Promise<Record<string, string>> {
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}${path}`, {
      ...{ method: 'POST', redirect: 'manual', headers: { ...FORM, ...headers } },
      body: new URLSearchParams(fields).toString(),
    });
  const grant = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await post('/v1/oauth/token', fields, headers);
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()) as { access_token: string; refresh_token?: string };
  };
  const client = await accounts.admin.createClient({ scopes: ['registration', 'account'] });
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const own = await grant({ grant_type: 'client_credentials' }, { authorization: `Basic ${basic}` });
  assert.equal((await fetch(`${baseUrl}/v1/account`, { headers: { authorization: `Bearer ${own.access_token}` } })).status, 200);

  const registered = await fetch(`${baseUrl}/v1/oauth/register`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ client_name: 'Desk', redirect_uris: [REDIRECT] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const signedIn = await post('/console/consent/sign-in', { request: 'a=b', credential: key }, OWN_PAGE);
  const cookie = String(signedIn.headers.get('set-cookie')).split(';', 1)[0] ?? '';
  const request = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri: REDIRECT, state: 'st', code_challenge_method: 'S256' },
    code_challenge: hash('sha256', VERIFIER, 'base64url'),
  }).toString();
  const consent = { request, decision: 'allow', creditsPerDay: '50', days: '30', scope: 'account' };
  const decided = await post('/console/consent', consent, { ...OWN_PAGE, cookie });
  assert.ok(decided.headers.has('location'), `${decided.status} ${await decided.clone().text()}`);
  const code = new URL(String(decided.headers.get('location'))).searchParams.get('code') ?? '';
  const app = { client_id, redirect_uri: REDIRECT };
  const first = await grant({ grant_type: 'authorization_code', code, code_verifier: VERIFIER, ...app });
  const next = await grant({ grant_type: 'refresh_token', refresh_token: String(first.refresh_token), ...app });
  return {
    'client secret': client.clientSecret,
    'access token of a client': own.access_token,
    'cookie of the consent page': cookie.split('=')[1] ?? '',
    'authorization code': code,
    'access token of an app': first.access_token,
    'used refresh token': String(first.refresh_token),
    'refresh token': String(next.refresh_token),
  };
}

/** Console sessions of an account and of the operator, opened by a key and by a link. */
async function sessionsOf({ baseUrl, adminUrl, key, operatorKey, links }: Started): Promise<Record<string, string>> {
  const signIn = async (url: string, body: object): Promise<string> => {
    const headers = { ...OWN_PAGE, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/console/api/session`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.clone().text());
    return String(answer.headers.get('set-cookie')).split(/[=;]/)[1] ?? '';
  };
  const code = new URL((await links()).url).hash.replace('#code=', '');
  return {
    'session of an account': await signIn(baseUrl, { apiKey: key }),
    'session of the operator': await signIn(adminUrl, { operatorKey }),
    'code of a console link': code,
    'session by a link': await signIn(adminUrl, { code }),
  };
}

/** A watch with a webhook whose secret was rotated and targets, whose messages fail, targets of the account, and a calendar. */
async function watchingOf({ own, key, baseUrl, accounts }: Started): Promise<Record<string, string>> {
  const watch = { operation: 'registration', parameters: { domain: 'acme-widgets.com' }, every: '1d', creditsPerMonth: 31 };
  type Made = { readonly watchId: string; readonly webhook: { readonly secret: string } };
  const made = await own<Made>('POST', '/v1/account/watches', {
    ...watch,
    notify: [{ to: 'https://ntfy.sh/topic-that-nobody-guesses' }],
    webhook: { url: 'https://hooks.acme-widgets.com/path-of-the-earlier-one' },
  });
  const path = `/v1/account/watches/${made.watchId}`;
  const url = 'https://hooks.acme-widgets.com/path-of-the-webhook?token=token-of-the-webhook#x';
  const edited = await own<Made>('PATCH', path, { webhook: { url } });
  await own('PUT', '/v1/account/notify', { notify: [{ to: 'https://hooks.slack.com/services/T0/B0/path-of-the-account' }] });
  await own('POST', '/v1/account/notify/test', { to: 'https://hooks.slack.com/services/T0/B0/path-that-was-only-tested' });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...watch, webhook: { url: 'https://192.168.7.7/path-that-was-refused' } });
  assert.equal((await fetch(`${baseUrl}/v1/account/watches`, { method: 'POST', headers, body })).status, 400);
  const calendar = await own<{ url: string }>('POST', '/v1/account/watches/calendar');
  const address = new URL(calendar.url);
  assert.equal((await fetch(`${baseUrl}${address.pathname}${address.search}`)).status, 200);
  // a change, of which both are told in vain
  const { db } = accounts.store;
  const row = await db.selectFrom('watches').selectAll().where('id', '=', made.watchId).executeTakeFirstOrThrow();
  const change = { kind: 'changed', field: 'registrar', key: null, before: 'a', after: 'b' } as const;
  const nowMs = await accounts.store.now();
  await db.transaction().execute((trx) => fileChanges(trx, { watch: row, slot: nowMs, changes: [change], source: null }, nowMs));
  await until('both messages were tried', async () => {
    const tried = await db.selectFrom('watch_deliveries').select('attempts').where('attempts', '>', 0).execute();
    return tried.length === 2;
  });
  const { deliveries } = await own<{ deliveries: { result: string }[] }>('GET', `${path}/deliveries`);
  assert.doesNotMatch(String(deliveries[0]?.result), /^2/);
  return {
    'secret of a webhook': edited.webhook.secret,
    'key of a webhook': edited.webhook.secret.replace('whsec_', ''),
    'earlier secret of a webhook': made.webhook.secret,
    'token of a calendar': String(address.searchParams.get('token')),
  };
}

for (const backend of BACKENDS)
  test(`no secret of a run stands in clear in a column, a file, a log line or the audit log: ${backend.name}`, {
    skip: backend.skip,
  }, async (t) => {
    const { start, folder, lines } = await scene(t);
    // apps sign in
    const place: Record<string, string> = { SIGHTLINE_PUBLIC_URL: 'http://127.0.0.1:8080' };
    if (backend.name === 'postgres') {
      const { url, drop } = await makeSchema();
      t.after(drop);
      Object.assign(place, { DATABASE_URL: url, SIGHTLINE_SECRET: 'the secret of the service' });
    }
    const service = await start(place);
    const { setupCode, operatorKey, accounts, key } = service;
    const secrets: Record<string, string> = {
      ...{ 'setup code': String(setupCode), 'setup code without its dash': String(setupCode).replace('-', '') },
      ...{ 'API key': key, "operator's key of the claim": String(operatorKey) },
      ...{ 'credential of a source': KEY, 'wrong credential of a source': WRONG, 'client secret of a source': 'demo-secret' },
      ...(await sessionsOf(service)),
      ...(await tokensOf(service)),
      ...(await watchingOf(service)),
      ...PATHS,
    };
    assert.equal((await service.enter('SerpApi', { SERPAPI_KEY: WRONG })).body.stored, false);
    assert.equal((await service.enter('SerpApi', { SERPAPI_KEY: KEY })).body.stored, true);
    assert.equal(await service.serp(), 200);
    const entered = await service.enter('forum/api', { REDDIT_CLIENT_ID: 'demo', REDDIT_CLIENT_SECRET: 'demo-secret' });
    assert.equal(entered.body.stored, true, JSON.stringify(entered.body));
    assert.equal(await service.posts(), 200);
    secrets['second API key'] = (await accounts.admin.createKey({ label: 'second' })).key;
    secrets["operator's key"] = (await accounts.admin.rerollOperatorKey()).key;
    const audit = (await accounts.admin.auditLog({ limit: 1_000 })).map((entry) => `audit: ${JSON.stringify(entry)}`);
    assert.ok(lines.length > 8 && audit.length > 15, `${lines.length} log lines, ${audit.length} entries`);
    assert.deepEqual((await accounts.admin.verifyAudit()).faults, []);
    await service.stop();
    const rows = await rowsOf(service.settings);
    const filled = new Set(rows.map((row) => row.split(':', 1)[0]));
    for (const table of ['watches', 'notify_targets', 'watch_deliveries', 'grant_tokens', 'source_credentials', 'request_log'])
      assert.ok(filled.has(table), `the run wrote no row of ${table}`);
    for (const [what, secret] of Object.entries(secrets)) {
      assert.ok(secret.length >= 8, what);
      assert.deepEqual([what, ...found(secret, folder, [...lines, ...audit, ...rows])], [what]);
    }
    t.diagnostic(`${Object.keys(secrets).length} secrets, ${rows.length} rows of ${filled.size} tables, ${lines.length} log lines`);
  });
