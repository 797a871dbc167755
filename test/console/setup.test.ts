import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { SETUP_CODE_MS } from '../../src/accounts/setup.ts';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';
import { ADMIN_ORIGIN, OWN_PAGE, openEntrances } from './entrances.ts';

const PAGE = { accept: 'text/html,application/xhtml+xml' };
const FILES = { 'index.html': '<!doctype html><title>Sightline</title>' };

async function unclaimed(t: TestContext) {
  const e = await openEntrances(t, { claimed: false, files: FILES });
  const { code } = (await e.accounts.setup.begin(false)) ?? assert.fail('no code');
  const claim = (body: object, headers: Readonly<Record<string, string>> = OWN_PAGE) =>
    e.service('/setup', { method: 'POST', headers, body });
  return { ...e, code, claim };
}

test('an installation is claimed at /setup, which is gone afterwards: 404 for machines, a link to the sign-in for browsers', async (t) => {
  const { service, admin, code, claim } = await unclaimed(t);
  const page = await service('/setup', { headers: PAGE });
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-security-policy']), /script-src 'self'/);
  const state = await service('/setup');
  assert.deepEqual(Object.keys(state.body), ['expiresAt', 'over', 'freeCredits']);

  const made = await claim({ code, name: 'Northlight' });
  assert.equal(made.status, 200, made.text);
  const { apiKey, operatorKey, operatorUrl } = made.body;
  assert.equal(operatorUrl, `${ADMIN_ORIGIN}/console`);
  assert.match(String(made.headers['cache-control']), /no-store/);
  assert.equal((await service('/v1/account', { headers: { 'x-api-key': apiKey } })).body.name, 'Northlight');

  const signedIn = await admin('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { operatorKey } });
  assert.deepEqual([signedIn.status, signedIn.body.kind], [200, 'operator']);
  const opened: readonly Readonly<Record<string, string>>[] = [
    { ...OWN_PAGE, cookie: String(signedIn.cookie) },
    { authorization: `Bearer ${operatorKey}` },
  ];
  for (const headers of opened) assert.equal((await admin('/accounts', { headers })).status, 200);

  const gone = await service('/setup', { headers: PAGE });
  assert.equal(gone.status, 404);
  assert.match(gone.text, /<a href="\/console">Sign in<\/a>/);
  // a reload of the page of the two keys shows neither, and says how to make new ones
  assert.match(gone.text, /<code>sightline keys create<\/code> and <code>sightline operator reroll-key<\/code> make new ones/);
  for (const secret of [apiKey, operatorKey, code]) assert.ok(!gone.text.includes(secret));
  for (const answer of [
    await service('/setup'),
    await claim({ code, name: 'Again' }),
    await service('/setup/code', { method: 'POST', headers: OWN_PAGE }),
  ])
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND']);
});

test('the public listener has nothing else of the operator: neither the key nor the token opens anything there', async (t) => {
  const { service, admin, code, claim } = await unclaimed(t);
  const { operatorKey } = (await claim({ code, name: 'Northlight' })).body;
  const body = await service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { operatorKey } });
  assert.equal(body.status, 400);
  assert.equal((await service('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { apiKey: operatorKey } })).status, 401);
  for (const path of ['/accounts', '/v1/account', '/sources', '/operator-key'])
    assert.ok([401, 404].includes((await service(path, { headers: { authorization: `Bearer ${operatorKey}` } })).status), path);
  assert.equal((await admin('/setup')).status, 404);
});

test('pages of other origins claim nothing, and bodies that are none are refused by field', async (t) => {
  const { code, claim, service, accounts } = await unclaimed(t);
  const foreign: readonly Readonly<Record<string, string>>[] = [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];
  for (const headers of foreign) {
    const { status, body } = await claim({ code, name: 'Evil' }, headers);
    assert.equal(status, 403, JSON.stringify(headers));
    // there is no key yet that could be sent instead
    assert.match(body.error.message, /open \/setup in a browser/);
  }
  assert.equal((await service('/setup/code', { method: 'POST', headers: { 'sec-fetch-site': 'same-site' } })).status, 403);
  for (const [body, says] of [
    [{ code }, /^name must be/],
    [{ name: 'x' }, /^code must be/],
    [{ code: 7, name: 'x' }, /^code must be/],
    [{ code, name: 'x', credits: 9 }, /^"credits" is no field here/],
    [{ code, name: 'x'.repeat(201) }, /^name must be/],
    [[], /must be a JSON object/],
  ] as const) {
    const { status, body: answer } = await claim(body);
    assert.equal(status, 400);
    assert.match(answer.error.message, says);
  }
  assert.equal(await accounts.setup.isClaimed(), false);
});

test('wrong codes are 401, then 429 with the time; a code that ran out is printed anew, where the service prints', async (t) => {
  const { code, claim, service, clock, printed } = await unclaimed(t);
  for (let i = 0; i < 6; i++) assert.equal((await claim({ code: 'AAAA-AAAA', name: 'x' })).status, 401);
  const waits = await claim({ code, name: 'x' });
  assert.deepEqual([waits.status, waits.headers['retry-after']], [429, '60']);
  assert.equal((await service('/setup/code', { method: 'POST', headers: OWN_PAGE })).status, 400);
  clock.ms += SETUP_CODE_MS;
  assert.equal((await service('/setup')).body.over, true);
  const renewed = await service('/setup/code', { method: 'POST', headers: OWN_PAGE });
  assert.equal(renewed.status, 200, renewed.text);
  assert.equal(printed.length, 1);
  assert.ok(!renewed.text.includes(String(printed[0])), 'the page is not told the code');
  assert.equal((await claim({ code: printed[0], name: 'x' })).status, 200);
});

test("a replaced operator's key ends its sessions; those of the token stay", async (t) => {
  const e = await openEntrances(t);
  const byToken = await e.signInOperator();
  const rerolled = await e.admin('/operator-key', { method: 'POST', headers: { ...OWN_PAGE, cookie: byToken } });
  const opened = await e.admin('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: { operatorKey: rerolled.body.key } });
  const byKey = { headers: { ...OWN_PAGE, cookie: String(opened.cookie) } };
  assert.equal((await e.admin('/operator-key', byKey)).body.hint, rerolled.body.hint);
  await e.admin('/operator-key', { method: 'POST', headers: { authorization: `Bearer ${rerolled.body.key}` } });
  assert.equal((await e.admin('/operator-key', byKey)).status, 401);
  assert.equal((await e.admin('/operator-key', { headers: { ...OWN_PAGE, cookie: byToken } })).status, 200);
  assert.equal((await e.admin('/accounts', { headers: { authorization: `Bearer ${rerolled.body.key}` } })).status, 401);
});

test('the operator’s console is reached by address and by the names of SIGHTLINE_ADMIN_HOSTS, and refuses other names', async (t) => {
  const e = await openEntrances(t, { reach: { hosts: ['Sightline.lan'] } });
  const at = (host: string) => e.admin('/console/api/contract', { headers: { host } });
  for (const host of ['192.168.1.20:9090', '[fd00::1]:9090', 'localhost:9090', '127.0.0.1', 'sightline.lan:9090', 'SIGHTLINE.LAN'])
    assert.equal((await at(host)).status, 200, host);
  for (const host of ['evil.example', 'sightline.lan.evil.example', '192.168.1.20.evil.example:9090', 'localhost.evil.example'])
    assert.equal((await at(host)).status, 403, host);
});

test('where others than this machine reach the admin listener, only health and the sign-in need no credential', async (t) => {
  const e = await openEntrances(t, { reach: { exposed: true, metricsToken: 'token-of-metrics' }, files: FILES });
  const { key } = await e.accounts.admin.rerollOperatorKey();
  for (const [path, status] of [
    ['/healthz', 200],
    ['/metrics', 401],
    ['/', 302],
    ['/console', 200],
    ['/accounts', 401],
    ['/v1/account', 401],
    ['/console/api/session', 401],
  ] as const)
    assert.equal((await e.admin(path)).status, status, path);
  for (const bearer of [key, 'token-of-metrics'])
    assert.equal((await e.admin('/metrics', { headers: { authorization: `Bearer ${bearer}` } })).status, 200);
  assert.equal((await e.admin('/accounts', { headers: { authorization: 'Bearer token-of-metrics' } })).status, 401);
});

test('where other machines reach the operator’s console, the claim names it by the name or address that the browser used', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-claim-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [admin, host, shown] of [
    ['0.0.0.0', '192.168.1.20', '192.168.1.20'],
    ['0.0.0.0', 'nas.lan', 'nas.lan'],
    ['0.0.0.0', 'localhost', 'localhost'],
    // one that the admin listener would refuse
    ['0.0.0.0', 'sightline.example', '127.0.0.1'],
    ['127.0.0.1', '192.168.1.20', '127.0.0.1'],
  ] as const) {
    const links: string[] = [];
    const settings = readSettings({
      ...{ PORT: '0', SIGHTLINE_DATA_DIR: join(folder, host + admin), SIGHTLINE_ADMIN_HOST: admin, SIGHTLINE_ADMIN_HOSTS: 'nas.lan' },
      SIGHTLINE_ADMIN_PORT: '0',
    });
    const service = await startService(settings, { log: silent, announce: (link) => void links.push(link) });
    await service.announceSetup();
    const headers = { host: `${host}:8080`, 'x-sightline-console': '1', origin: `http://${host}:8080`, 'content-type': 'application/json' };
    const body = JSON.stringify({ code: links[0]?.split('#')[1], name: 'Northlight' });
    const reply = await request(`${service.baseUrl}/setup`, { method: 'POST', headers, body });
    const text = await reply.body.text();
    assert.equal(reply.statusCode, 200, text);
    assert.equal(JSON.parse(text).operatorUrl, `http://${shown}:${new URL(service.adminUrl).port}/console`, `${admin} ${host}`);
    await service.stop();
  }
});
