import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ADMIN_ACTIONS } from '../../src/contract/admin/actions.ts';
import { type AdminAction, type AdminRequest, requestsOf } from '../../src/contract/admin/define.ts';
import type { OfferedActions } from '../../src/gateway/admin/routes.ts';
import { adminToken, createAdminServer } from '../../src/gateway/admin/server.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { adminHttp, inject, tokenEntrance } from '../support/inject.ts';
import { openTestService, REGISTRATION } from './test-service.ts';

test('every field of a GET is given in its query, also true and false', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const asked: object[] = [];
  const actions = Object.fromEntries(Object.keys(ADMIN_ACTIONS).map((name) => [name, async (input: object) => asked.push(input)]));
  const manage = { actions: actions as unknown as OfferedActions, entrance: tokenEntrance('the-token') };
  const app = createAdminServer({ http: adminHttp(createMetrics({ version: '1' })), version: '1', manage });
  t.after(() => app.close());
  for (const { method, path, fields, inPath } of Object.values<AdminAction>(ADMIN_ACTIONS).flatMap(requestsOf)) {
    if (method !== 'GET') continue;
    const textOfField = ({ type, enum: values }: { type?: string; enum?: readonly string[] }) =>
      values?.[0] ?? (type === 'integer' ? 7 : type === 'boolean' ? false : 'text');
    const given = Object.fromEntries(Object.entries(fields.properties).map(([name, schema]) => [name, textOfField(schema)]));
    const query = new URLSearchParams(Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]));
    const url = `${path.replace(/\{\w+\}/g, 'id_1')}?${query}`;
    const { statusCode } = await inject(app, { method, url, headers: { authorization: 'Bearer the-token' } });
    const { ...read } = asked.pop() as Record<string, unknown>;
    for (const name of inPath) delete read[name];
    assert.deepEqual([statusCode, read], [200, given], url);
  }
});

test('a text with a control character, which PostgreSQL may not store, is 400 in every field of path, query and body', async (t) => {
  const actions = Object.fromEntries(Object.keys(ADMIN_ACTIONS).map((name) => [name, async () => assert.fail(`${name} was run`)]));
  const manage = { actions: actions as unknown as OfferedActions, entrance: tokenEntrance('the-token') };
  const app = createAdminServer({ http: adminHttp(createMetrics({ version: '1' })), version: '1', manage });
  t.after(() => app.close());
  let asked = 0;
  const demandRefused = async (method: AdminRequest['method'], url: string, payload?: object) => {
    asked++;
    const more = method !== 'GET' && { payload: payload ?? {} };
    const { statusCode, body } = await inject(app, { method, url, headers: { authorization: 'Bearer the-token' }, ...more });
    assert.equal(statusCode, 400, `${method} ${url} ${JSON.stringify(payload)}: ${body}`);
  };
  for (const { method, path, fields, inPath } of Object.values<AdminAction>(ADMIN_ACTIONS).flatMap(requestsOf)) {
    const filled = path.replace(/\{\w+\}/g, 'id_1');
    if (inPath.length > 0 && fields.required.length === 0) await demandRefused(method, path.replace(/\{\w+\}/g, '%00'));
    for (const [name, schema] of Object.entries(fields.properties)) {
      const { type, enum: values, items } = schema as { type?: string; enum?: object; items?: { type: string } };
      // an anchor is compared line by line, and not stored
      const isText = type === 'string' && values === undefined && name !== 'anchor';
      if (!isText && items?.type !== 'string') continue;
      const query = `${filled}?${name}=a%00`;
      await (method === 'GET' ? demandRefused(method, query) : demandRefused(method, filled, { [name]: isText ? 'a\u0000' : ['a\u0000'] }));
    }
  }
  assert.ok(asked > 60, `${asked} requests`);
});

test('accounts, keys, clients and grants over JSON require the admin token', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const manage = { actions: h.accounts.admin, entrance: tokenEntrance('the-token') };
  const app = createAdminServer({ http: adminHttp(createMetrics({ version: '1' })), version: '1', manage });
  t.after(() => app.close());
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object, token = 'the-token') => {
    const r = await inject(app, { method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) });
    return { status: r.statusCode, body: r.json() as Record<string, unknown> & { error: { code: string } } };
  };
  for (const token of ['', 'the-toke', 'the-token2', h.first.key]) {
    const refused = await ask('POST', '/accounts', { name: 'x' }, token);
    assert.deepEqual([refused.status, refused.body.error.code], [401, 'UNAUTHORIZED'], token);
  }
  const account = (await ask('POST', '/accounts', { name: 'Acme', credits: 5 })).body;
  assert.deepEqual([account.name, account.balance], ['Acme', 5]);
  const { accountId } = account;
  assert.equal((await ask('POST', `/accounts/${accountId}/grants`, { credits: 7, reference: 'order-1' })).body.balance, 12);
  assert.equal((await ask('POST', `/accounts/${accountId}/grants`, { credits: 7, reference: 'order-1' })).body.balance, 12);
  const key = (await ask('POST', '/keys', { accountId, operations: ['registration'], creditsPerDay: 3 })).body;
  assert.equal((await h.get(REGISTRATION, String(key.key))).status, 200);
  const next = (await ask('POST', `/keys/${key.keyId}/reroll`, {})).body;
  assert.equal((await h.get(REGISTRATION, String(key.key))).status, 401);
  await ask('POST', `/keys/${next.keyId}/revoke`);
  assert.equal((await h.get(REGISTRATION, String(next.key))).status, 401);
  const client = (await ask('POST', '/clients', { accountId, scopes: ['registration'] })).body;
  const token = await h.token(client as never);
  assert.equal((await h.get(REGISTRATION, token)).status, 200);
  await ask('POST', '/signing-keys/rotate', { drop: true });
  assert.equal((await h.get(REGISTRATION, token)).status, 401, 'signed by a key that was dropped');
  await ask('POST', `/clients/${client.clientId}/revoke`);
  for (const path of ['/accounts', `/accounts/${accountId}`, `/keys?accountId=${accountId}`, '/clients', '/audit?limit=2'])
    assert.equal((await ask('GET', path)).status, 200, path);
  assert.doesNotMatch(JSON.stringify((await ask('GET', '/keys')).body), new RegExp(String(next.key)));
  for (const path of ['/ledger/verify', '/audit/verify']) assert.deepEqual((await ask('GET', path)).body.faults, []);
  const wrong: [string, object][] = [
    ['/accounts', {}],
    ['/accounts', { name: 'x', nosuch: 1 }],
    ['/accounts', { name: 'x', credits: '5' }],
    ['/keys', { accountId, operations: ['nosuch'] }],
    ['/keys', { accountId, addresses: ['10.0.0.0/99'] }],
    ['/clients', { accountId, scopes: [] }],
  ];
  for (const [path, body] of wrong) assert.equal((await ask('POST', path, body)).body.error.code, 'INVALID_REQUEST', path);
  assert.equal((await ask('GET', '/nosuch')).body.error.code, 'NOT_FOUND');
});

test('an account is renamed, suspended, resumed, read and deleted; keys are edited; unknown ids are 404; an unknown field is named', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const manage = { actions: h.accounts.admin, entrance: tokenEntrance('the-token') };
  const app = createAdminServer({ http: adminHttp(createMetrics({ version: '1' })), version: '1', manage });
  t.after(() => app.close());
  type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
  const ask = async (method: Method, url: string, payload?: object) => {
    const r = await inject(app, { method, url, headers: { authorization: 'Bearer the-token' }, ...(payload && { payload }) });
    return {
      status: r.statusCode,
      body: r.json() as Record<string, unknown> & { error: { code: string; message: string }; entries: unknown[] },
    };
  };
  const { accountId } = (await ask('POST', '/accounts', { name: 'Acme', credits: 50 })).body as unknown as { accountId: string };
  const { key, keyId } = (await ask('POST', '/keys', { accountId, label: 'a' })).body as unknown as { key: string; keyId: string };
  const client = (await ask('POST', '/clients', { accountId })).body;
  const token = await h.token(client as never);
  const statuses = async () => [(await h.get(REGISTRATION, key)).status, (await h.get(REGISTRATION, token)).status];
  assert.deepEqual(await statuses(), [200, 200]);
  await h.settled();

  assert.equal((await ask('PATCH', `/accounts/${accountId}`, { name: 'Acme Ltd' })).body.name, 'Acme Ltd');
  assert.notEqual((await ask('POST', `/accounts/${accountId}/suspend`)).body.suspendedAt, null);
  assert.deepEqual(await statuses(), [401, 401]);
  assert.equal((await ask('POST', `/accounts/${accountId}/resume`)).body.suspendedAt, null);
  assert.deepEqual(await statuses(), [200, 200]);
  await h.settled();

  const edited = (await ask('PATCH', `/keys/${keyId}`, { operations: ['traffic'], creditsPerDay: 9 })).body;
  assert.deepEqual([edited.label, edited.operations, edited.creditsPerDay], ['a', ['traffic'], 9]);
  assert.deepEqual(await statuses(), [403, 200]);
  assert.equal((await ask('PATCH', `/keys/${keyId}`, { operations: null })).body.operations, null);
  assert.deepEqual(await statuses(), [200, 200]);
  await h.settled();
  // with those that are not written yet: no time has passed on the clock of the writer
  const { entries: days } = (await ask('GET', `/accounts/${accountId}/usage?limit=10`)).body as unknown as {
    entries: { requests: number }[];
  };
  assert.equal(
    days.reduce((sum, { requests }) => sum + requests, 0),
    8,
  );
  await h.clock.tick();

  const { entries } = (await ask('GET', `/accounts/${accountId}/ledger?limit=3`)).body;
  assert.equal(entries.length, 3);

  // the 200 responses above, 1 credit each
  const spent = 7;
  assert.equal((await ask('DELETE', `/accounts/${accountId}`)).body.creditsTaken, 50 - spent);
  assert.deepEqual(await statuses(), [401, 401]);
  assert.equal((await ask('GET', `/accounts/${accountId}`)).status, 404);
  for (const path of ['/ledger/verify', '/audit/verify']) assert.deepEqual((await ask('GET', path)).body.faults, []);
  assert.equal(typeof (await ask('GET', '/ledger/anchor')).body.line, 'string');

  const missing: [Method, string, object?][] = [
    ['GET', '/accounts/acc_none'],
    ['PATCH', '/accounts/acc_none', { name: 'x' }],
    ['DELETE', '/accounts/acc_none'],
    ['POST', '/accounts/acc_none/suspend'],
    ['POST', '/accounts/acc_none/grants', { credits: 5 }],
    ['GET', '/accounts/acc_none/usage'],
    ['GET', '/accounts/acc_none/ledger'],
    ['POST', '/keys', { accountId: 'acc_none' }],
    ['PATCH', '/keys/key_none', { label: 'x' }],
    ['POST', '/keys/key_none/revoke', {}],
    ['POST', '/clients/cli_none/revoke', {}],
  ];
  for (const [method, path, body] of missing) {
    const reply = await ask(method, path, body);
    assert.deepEqual([reply.status, reply.body.error?.code], [404, 'NOT_FOUND'], `${method} ${path}`);
  }
  const unknown = await ask('POST', `/accounts/${h.first.accountId}/grants`, { credits: 1, credit: 1 });
  assert.deepEqual(
    [unknown.status, unknown.body.error.message],
    [400, '"credit" is no field here (did you mean credits?): there are credits, note, reference.'],
  );
  assert.equal((await ask('PATCH', `/keys/${h.first.keyId}`, {})).status, 400);
});

test('the public listener has no admin routes', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  for (const path of ['/accounts', '/keys', '/clients', '/audit', '/ledger/verify', '/metrics'])
    for (const credential of [null, h.first.key]) assert.equal((await h.get(path, credential)).status, 404, path);
  assert.equal((await h.post('/accounts', '{}')).status, 404);
});

test('the token file is created once, with mode 0600', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-admin-'));
  const token = adminToken(folder);
  assert.equal(adminToken(folder), token);
  const file = join(folder, 'admin-token');
  assert.deepEqual([statSync(file).mode & 0o777, readFileSync(file, 'utf8')], [0o600, `${token}\n`]);
  chmodSync(file, 0o644);
  assert.throws(() => adminToken(folder), /can be read by others/);
  rmSync(folder, { recursive: true });
});
