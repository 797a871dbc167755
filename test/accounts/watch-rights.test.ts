/** What rights leave behind: lists, cursors, addresses, charges, audit log and request log. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import { leads, refused } from '../contract/fakes.ts';
import { consent, type Kind, openRights, type Rights } from './rights-callers.ts';
import { REGISTRATION, type Reply } from './test-service.ts';

const ALL = '/v1/account/watches';
const WEBHOOK = 'https://hooks.example.org/services/T0/B0/secretpath';
const DOMAIN = { domain: 'acme-widgets.com' };

let rights: Rights;
before(async () => {
  rights = await openRights({ SIGHTLINE_PROTECTION: JSON.stringify({ uncharged: { perSecond: 1, burst: 3 } }) });
});
after(() => rights.service.close());

const kind = (name: string): Kind => rights.kinds.find((one) => one.name === name) ?? assert.fail(name);
const ask = (
  by: string | Record<string, string>,
  method: string,
  url: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<Reply> => {
  const headers = typeof by === 'string' ? kind(by).headers : by;
  return rights.send({ headers: { ...headers, ...more } }, method, url, body);
};
async function made(by: string | Record<string, string>, operation: string, more: object = {}): Promise<string> {
  const reply = await ask(by, 'POST', ALL, { operation, parameters: DOMAIN, every: '7d', creditsPerMonth: 50, ...more });
  assert.equal(reply.status, 201, reply.text);
  const id = String(reply.body.watchId);
  assert.equal(new Headers(reply.headers as Record<string, string>).get('location'), `${ALL}/${id}`);
  return id;
}
const run = (by: string | Record<string, string>, id: string, more: Record<string, string> = {}) =>
  ask(by, 'POST', `${ALL}/${id}/run`, undefined, more);
/** A check in which the answer has this day of expiry. */
async function checked(by: string, id: string, expiresOn: string): Promise<void> {
  rights.service.script = leads(rights.service.clock as never, { body: { domain: 'acme-widgets.com', available: false, expiresOn } });
  rights.service.clock.ms += 60_000;
  const reply = await run(by, id);
  assert.match(reply.text, /"outcome":"(first|changed|same)"/);
}
const list = async (by: string, url: string, of: string) =>
  (await ask(by, 'GET', url)).body[of] as unknown as readonly Record<string, unknown>[];
const audited = async (subject: string) => {
  const entries = await rights.service.accounts.admin.auditLog({ subject });
  return entries.map(({ actor, action }) => `${action} by ${actor}`).reverse();
};

test('lists and the feed leave out what the caller may not look up, and their cursors go on', async () => {
  const ids: string[] = [];
  for (const operation of ['registration', 'traffic', 'registration', 'traffic']) ids.push(await made('first key', operation));
  const [a = '', , b = ''] = ids;
  for (const day of ['2027-01-01', '2028-01-01', '2029-01-01']) for (const id of [a, b]) await checked('first key', id, day);
  for (const [who, operations] of [
    ['first key', ['registration', 'traffic']],
    ['key for traffic', ['traffic']],
    ['narrowed token of it', ['traffic']],
    ['client: registration account', ['registration']],
    ['grant: account', []],
  ] as const) {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await ask(who, 'GET', `${ALL}?limit=1${after}`);
      for (const { operation } of body.watches as readonly { operation: string }[]) seen.push(operation);
      if (!body.hasMore) break;
      after = `&after=${body.after}`;
    }
    assert.deepEqual([...new Set(seen)].sort(), [...operations], who);
    const changes = await list(who, '/v1/account/changes?limit=1000', 'changes');
    assert.deepEqual(
      [...new Set(changes.map(({ operation }) => operation))],
      operations.includes('registration' as never) ? ['registration'] : [],
      who,
    );
  }
  const whole = (await ask('first key', 'GET', '/v1/account/changes?limit=1000')).body;
  const left = (await ask('key for traffic', 'GET', '/v1/account/changes')).body;
  assert.deepEqual([left.changes, left.hasMore, left.after], [[], false, whole.after], 'the cursor passes over what is left out');
  const page = (await ask('client: registration account', 'GET', '/v1/account/changes?limit=2')).body;
  assert.deepEqual([page.hasMore, page.after], [true, (whole.changes as { cursor: string }[])[1]?.cursor]);
});

test('the address of a webhook is whole for its maker and for managers; others see the host and its last characters', async () => {
  const id = await made('key without --manage', 'registration', { webhook: { url: WEBHOOK } });
  const seenBy = async (who: string) => (await ask(who, 'GET', `${ALL}/${id}`)).body.webhook as { url: string } | undefined;
  for (const who of ['first key', 'session by a link', 'session of the first key', 'key without --manage', 'its session'])
    assert.equal((await seenBy(who))?.url, WEBHOOK, who);
  for (const who of [
    'key for registration',
    'key with a cap',
    'managing key with a cap',
    'client: registration account',
    'grant: registration account watches',
  ]) {
    assert.equal((await seenBy(who))?.url, 'https://hooks.example.org/…path', who);
    assert.doesNotMatch((await ask(who, 'GET', `${ALL}?limit=1000`)).text, /secretpath/, who);
  }
});

test('a run says what it cost, under a receipt of the ledger; X-Max-Credits refuses it before any work; nothing is counted twice', async () => {
  const { service } = rights;
  service.script = leads(service.clock as never, { body: { keyword: 'a', organic: [] } });
  const id = await made('first key', 'serp', { parameters: { keyword: 'a', depth: '50' }, creditsPerMonth: 500 });
  const refused = await run('first key', id, { 'x-max-credits': '4' });
  assert.deepEqual([refused.status, refused.headers['x-credits-charged'], refused.body.error?.code], [402, '0', 'INSUFFICIENT_CREDITS']);
  assert.deepEqual(await list('first key', `${ALL}/${id}/history`, 'checks'), [], 'there was no check');
  assert.equal((await run('first key', id, { 'x-max-credits': 'many' })).status, 400);
  const done = await run('first key', id, { 'x-max-credits': '5' });
  assert.deepEqual([done.status, done.headers['x-credits-charged'], done.body.credits], [200, '5', 5], done.text);
  await service.settled();
  const entries = await list('first key', `/v1/account/ledger?receipt=${done.headers['x-receipt']}`, 'entries');
  assert.deepEqual(entries.map(({ kind }) => kind).sort(), ['capture', 'hold']);
  const explained = (await ask('first key', 'GET', `/v1/account/requests/${done.headers['x-request-id']}`)).body;
  assert.deepEqual(
    [explained.operation, explained.rule, explained.credits, explained.receipt],
    ['account-watch-run', 'check', 0, done.headers['x-receipt']],
  );
  const check = (await list('first key', `/v1/account/requests?label=${id}`, 'requests')).map(({ operation, credits }) => [
    operation,
    credits,
  ]);
  assert.deepEqual(check, [['serp', 5]]);
});

test('a run by hand is paid by the caller, also where another key made the watch; a cap of the caller holds', async () => {
  const id = await made('key without --manage', 'registration');
  await checked('first key', id, '2027-01-01');
  const [row] = await list('first key', `/v1/account/requests?label=${id}`, 'requests');
  assert.equal(row?.keyId, rights.service.first.keyId);
  const capped = await made('key with a cap', 'registration');
  await checked('key with a cap', capped, '2027-01-01');
  rights.service.clock.ms += 60_000;
  const second = await run('key with a cap', capped);
  assert.deepEqual([second.status, second.body.error?.code, second.headers['x-credits-charged']], [402, 'INSUFFICIENT_CREDITS', '0']);
});

test('an app of one credit a day spends one, and what it made is paused with its grant', async () => {
  const { service } = rights;
  const scopes = ['registration', 'account', 'watches'];
  const app = await consent(service, scopes, { creditsPerDay: 1 });
  const token = { authorization: `Bearer ${app.token}` };
  const persons = await made('first key', 'registration');
  assert.equal((await ask(token, 'PATCH', `${ALL}/${persons}`, { creditsPerMonth: 1_000_000, every: '1h' })).status, 403);
  const own = await made(token, 'registration', { creditsPerMonth: 1_000_000, every: '1h' });
  let spent = 0;
  service.script = leads(service.clock as never);
  for (let i = 0; i < 20; i++) {
    service.clock.ms += 1_000;
    for (const id of [own, persons]) spent += Number((await run(token, id)).headers['x-credits-charged']);
  }
  assert.equal(spent, 1);
  await service.post('/v1/oauth/revoke', `token=${app.refresh}&client_id=${app.app}`);
  assert.equal((await run(token, own)).status, 401);
  service.clock.ms += 1_000;
  const { body } = await run('first key', own);
  assert.deepEqual([body.outcome, body.code], ['skipped', 'key']);
});

test('a client whose scopes lost the area pays for no check', async () => {
  const id = await made('client: registration account watches', 'registration');
  const { db } = rights.service.accounts.store;
  const { key_id } = await db.selectFrom('watches').select('key_id').where('id', '=', id).executeTakeFirstOrThrow();
  await checked('first key', id, '2027-01-01');
  const set = (scopes: readonly string[]) =>
    db
      .updateTable('clients')
      .set({ scopes: JSON.stringify(scopes) })
      .where('id', '=', key_id)
      .execute();
  await set(['account', 'watches']);
  rights.service.clock.ms += 1_000;
  assert.equal((await run('first key', id)).body.code, 'key');
  await set(['registration', 'account', 'watches']);
});

test('a grant without an area may look up nothing, and is listed so', async () => {
  const app = await consent(rights.service, ['account', 'watches']);
  const token = { authorization: `Bearer ${app.token}` };
  const view = (await ask(token, 'GET', '/v1/account')).body.key as unknown as { keyId: string; operations: unknown };
  assert.deepEqual(view.operations, []);
  const keys = await rights.service.accounts.admin.listKeys({});
  assert.deepEqual(keys.find(({ keyId }) => keyId === view.keyId)?.operations, []);
  await assert.rejects(rights.service.accounts.admin.createKey({ operations: [] }), /An empty list would allow nothing/);
  assert.deepEqual((await rights.service.accounts.admin.verifyAudit()).faults, []);
});

test('the audit log has each write with its actor, no address of a webhook, and the scopes of a consent', async () => {
  const id = await made('key without --manage', 'registration', { webhook: { url: WEBHOOK } });
  const { key_id: maker } = await rights.service.accounts.store.db
    .selectFrom('watches')
    .select('key_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { keyId: first, accountId } = rights.service.first;
  await checked('key without --manage', id, '2027-01-01');
  await checked('first key', id, '2028-01-01');
  await ask('its session', 'PATCH', `${ALL}/${id}`, { creditsPerMonth: 60 });
  const [message] = await list('first key', `${ALL}/${id}/deliveries`, 'deliveries');
  assert.equal((await ask('first key', 'POST', `${ALL}/${id}/deliveries/${message?.cursor}/repeat`)).status, 200);
  assert.equal((await ask('key for traffic', 'DELETE', `${ALL}/${id}`)).status, 403);
  assert.equal((await ask('session by a link', 'DELETE', `${ALL}/${id}`)).status, 204);
  assert.deepEqual(await audited(id), [
    `watch.create by ${maker}`,
    `watch.run by ${first}`,
    `watch.edit by ${maker}`,
    `watch.repeat by ${first}`,
    `watch.delete by console:${accountId}`,
  ]);
  const entries = await rights.service.accounts.admin.auditLog({ limit: 10_000 });
  assert.doesNotMatch(JSON.stringify(entries), /secretpath|whsec_/);
  const edited = entries.find(({ action, subject }) => action === 'watch.edit' && subject === id);
  assert.equal(edited?.facts.credits_per_month, 60);
  const app = await consent(rights.service, ['registration', 'watches'], { creditsPerDay: 7 });
  const consented = (await rights.service.accounts.admin.auditLog({ action: 'grant.create' }))[0];
  assert.deepEqual([consented?.actor, consented?.facts.scopes, consented?.facts.client_id], [first, ['registration', 'watches'], app.app]);
});

test('no header of a client leaves the request log out; a session leaves out what it reads for its pages alone', async () => {
  const { service } = rights;
  const { key, keyId } = await service.accounts.admin.createKey({});
  const own = { 'x-sightline-console': '1', 'cache-control': 'only-if-cached', 'sec-fetch-site': 'same-origin' };
  const logged = async (id: string) =>
    (await list('first key', `/v1/account/requests?limit=1000&key=${id}`, 'requests')).map(({ operation }) => operation).reverse();
  service.script = async () => refused(new ServiceError('NOT_CACHED'));
  const asks: readonly [string, string, object?][] = [
    ['GET', '/v1/account'],
    ['GET', '/v1/account/ledger'],
    ['GET', REGISTRATION],
    ['POST', ALL, { operation: 'registration', parameters: DOMAIN, every: '7d', creditsPerMonth: 5 }],
    ['GET', `${ALL}/wat_nosuch`],
  ];
  for (const [method, url, body] of asks) await ask({ 'x-api-key': key }, method, url, body, own);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'account', arguments: {} } };
  await ask({ 'x-api-key': key }, 'POST', '/mcp', call, { ...own, accept: 'application/json, text/event-stream' });
  assert.deepEqual(await logged(keyId), ['account', 'account-ledger', 'registration', 'account-watch-create', 'account-watch', 'account']);
  const listed = (await service.accounts.admin.listKeys({})).find((one) => one.keyId === keyId);
  assert.ok(listed?.lastUsedAt, 'the last use of the key follows');

  const reader = await service.accounts.admin.createKey({});
  const { token } = await service.accounts.sessions.open({ kind: 'account', accountId: reader.accountId, keyId: reader.keyId });
  const cookie = { cookie: `sightline_account=${token}`, 'sec-fetch-site': 'same-origin' };
  for (const [method, url, body] of asks) await ask(cookie, method, url, body, own);
  await ask(cookie, 'GET', REGISTRATION, undefined, { 'x-sightline-console': '1' });
  await ask(cookie, 'POST', '/console/api/keys', {});
  assert.deepEqual(await logged(reader.keyId), ['account-watch-create', 'registration', 'console']);
});

test('a session leaves no lookup out of the request log that could ask a source', async () => {
  const { service } = rights;
  const reader = await service.accounts.admin.createKey({});
  const { token } = await service.accounts.sessions.open({ kind: 'account', accountId: reader.accountId, keyId: reader.keyId });
  const cookie = { cookie: `sightline_account=${token}`, 'sec-fetch-site': 'same-origin' };
  service.script = async () => refused(new ServiceError('NOT_FOUND'));
  const directives = ['x="a, only-if-cached"', 'only-if-cachedx', 'max-age=5, only-if-cached-not', 'x="\\", only-if-cached"'];
  for (const directive of directives) await ask(cookie, 'GET', REGISTRATION, undefined, { 'cache-control': directive });
  const logged = await list('first key', `/v1/account/requests?limit=1000&key=${reader.keyId}`, 'requests');
  assert.equal(logged.length, directives.length);
});

test('the 429 of uncharged lookups names its own limit; a check that meets it is skipped, and does not count as failing', async () => {
  const { service } = rights;
  const id = await made('first key', 'registration');
  service.script = async ({ charge }) => {
    try {
      await charge.hold();
    } catch (error) {
      return refused(error as ServiceError);
    }
    return refused(new ServiceError('UPSTREAM_CHANGED'));
  };
  let reply = await ask('first key', 'GET', REGISTRATION);
  for (let i = 0; i < 10 && reply.status !== 429; i++) reply = await ask('first key', 'GET', REGISTRATION);
  const { headers } = reply;
  assert.match(`${reply.status} ${headers.ratelimit} ${headers['ratelimit-policy']}`, /^429 "uncharged";r=0;t=\d+ "uncharged";q=3;w=3$/);
  for (let i = 0; i < 4; i++) {
    service.clock.ms += 1;
    const { body } = await run('first key', id);
    assert.deepEqual([body.outcome, body.code, body.credits], ['skipped', 'limited', 0]);
  }
  assert.equal((await ask('first key', 'GET', `${ALL}/${id}`)).body.state, 'ok');
});
