import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { OWN_PAGE, openEntrances, type Sent } from '../console/entrances.ts';
import { REGISTRATION, SERP } from './test-service.ts';

type Entrances = Awaited<ReturnType<typeof openEntrances>>;

/** Sends the console's requests with a session that a credential opened. */
async function asHolder(e: Entrances, credential?: object) {
  const cookie = await e.signIn(credential);
  const send = (path: string, more: Sent = {}) => e.service(path, { headers: OWN_PAGE, cookie, ...more });
  return {
    get: (path: string) => send(path),
    post: (path: string, body: object = {}) => send(path, { method: 'POST', body }),
    patch: (path: string, body: object) => send(path, { method: 'PATCH', body }),
    delete: (path: string) => send(path, { method: 'DELETE' }),
  };
}
const lookup = (e: Entrances, key: string, path = SERP) => e.service(path, { headers: { 'x-api-key': key } });
async function open(t: TestContext) {
  const e = await openEntrances(t);
  return { e, admin: e.accounts.admin };
}

test('a reroll hands on what was spent of the caps of a key, whoever asks for it, and with a grace time both keys share them', async (t) => {
  const { e, admin } = await open(t);
  for (const cap of [{ creditsPerDay: 7 }, { creditsPerMonth: 7 }]) {
    const { key, keyId } = await admin.createKey({ manage: true, ...cap });
    assert.equal((await lookup(e, key)).headers['x-credits-charged'], '3');
    const holder = await asHolder(e, { apiKey: key });
    const next = await holder.post(`/console/api/keys/${keyId}/reroll`, { graceMs: 3_600_000 });
    assert.equal(next.status, 200, next.text);
    assert.equal((await lookup(e, key)).status, 200, 'the old key in its grace time');
    const refused = await lookup(e, next.body.key);
    assert.equal(refused.status, 402);
    assert.match(refused.body.error.message, /has used 6 of its 7 credits/);
    const third = await admin.rerollKey({ keyId: next.body.keyId });
    assert.equal((await lookup(e, third.key)).status, 402);
    assert.equal((await lookup(e, third.key, REGISTRATION)).status, 200, 'what is left may be spent');
    assert.equal((await lookup(e, key, REGISTRATION)).status, 402, 'once');
  }
});

test('a hold of the replaced key that ends after the reroll gives its credits back to the cap of the new one', async (t) => {
  const { e, admin } = await open(t);
  const { accountId, keyId } = await admin.createKey({ creditsPerDay: 5 });
  const { ledger } = e.accounts;
  const hold = { accountId, amount: 5, operation: 'serp', requestId: 'r', ttlMs: 60_000 } as const;
  const held = await ledger.hold({ ...hold, keyId });
  const next = await admin.rerollKey({ keyId });
  const full = await ledger.hold({ ...hold, keyId: next.keyId });
  assert.equal(full.ok, false);
  await ledger.release(held.ok ? held.holdId : '');
  assert.equal((await ledger.hold({ ...hold, keyId: next.keyId })).ok, true);
});

test('a rerolled key counts requests with the key that it replaced', async (t) => {
  const { e, admin } = await open(t);
  const { key, keyId } = await admin.createKey({ ratePerSecond: 1, rateBurst: 2 });
  for (const status of [200, 200, 429]) assert.equal((await lookup(e, key, REGISTRATION)).status, status);
  const next = await admin.rerollKey({ keyId });
  assert.equal((await lookup(e, next.key, REGISTRATION)).status, 429);
});

test('of rerolls of one key at the same time one succeeds', async (t) => {
  const { admin } = await open(t);
  const { keyId } = await admin.createKey({ label: 'raced' });
  const done = await Promise.allSettled(Array.from({ length: 6 }, () => admin.rerollKey({ keyId })));
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
  const valid = (await admin.listKeys()).filter(({ label, revokedAt }) => label === 'raced' && revokedAt === null);
  assert.equal(valid.length, 1);
});

test('only a key made with the right to manage keys changes keys; any other opens a session that reads', async (t) => {
  const { e, admin } = await open(t);
  const plain = await admin.createKey({ label: 'plain' });
  assert.equal(plain.manages, false);
  const reader = await asHolder(e, { apiKey: plain.key });
  assert.equal((await reader.get('/console/api/session')).body.manages, false);
  assert.equal((await reader.get('/console/api/keys')).body.length, 2);
  assert.equal((await reader.get('/v1/account')).status, 200);
  const attempts = [
    reader.post('/console/api/keys', { label: 'mine' }),
    reader.patch(`/console/api/keys/${plain.keyId}`, { label: 'mine' }),
    reader.post(`/console/api/keys/${plain.keyId}/reroll`),
    reader.post(`/console/api/keys/${e.keyId}/reroll`),
    reader.post(`/console/api/keys/${e.keyId}/revoke`),
  ];
  for (const answer of await Promise.all(attempts)) {
    assert.deepEqual([answer.status, answer.body.error?.code], [403, 'FORBIDDEN']);
    assert.match(answer.body.error.message, /--manage/);
  }
  const owner = await asHolder(e);
  assert.equal((await owner.get('/console/api/session')).body.manages, true, 'the first key of an installation');
  const [ownersSession] = (await owner.get('/console/api/sessions')).body.sessions.filter((s: { current: boolean }) => s.current);
  assert.equal((await reader.get('/console/api/sessions')).body.sessions.length, 1, 'sessions of other keys are out of its reach');
  assert.equal((await reader.delete(`/console/api/sessions/${ownersSession.sessionId}`)).status, 404);
  const byLink = await asHolder(e, { code: await e.code(e.accountId) });
  assert.equal((await byLink.get('/console/api/session')).body.manages, true);
  assert.equal((await byLink.post('/console/api/keys', { label: 'by link' })).status, 200);
});

test('a query of the console is read like a body: a field that is not for sessions, or unknown, is refused', async (t) => {
  const { e, admin } = await open(t);
  const owner = await asHolder(e);
  const made = (await owner.post('/console/api/keys', { label: 'made' })).body.keyId;
  const path = `/console/api/keys/${e.keyId}/revoke`;
  assert.deepEqual((await owner.get(path)).body.keyIds.sort(), [e.keyId, made].sort());
  assert.deepEqual((await admin.previewRevokeKey({ keyId: e.keyId, keepDescendants: true })).keyIds, [e.keyId]);
  for (const query of ['?keepDescendants=true', '?keepDescendants=maybe', '?stopWatches=true'])
    assert.equal((await owner.get(path + query)).status, 400, query);
  assert.equal((await owner.get('/console/api/keys?x=1')).status, 400);
});

test('a managing key with limits replaces and revokes itself alone, so that it makes no key with more rights', async (t) => {
  const { e, admin } = await open(t);
  const { key, keyId } = await admin.createKey({ manage: true, creditsPerDay: 3 });
  const holder = await asHolder(e, { apiKey: key });
  assert.equal((await holder.post('/console/api/keys', { label: 'free' })).status, 403);
  assert.equal((await holder.patch(`/console/api/keys/${keyId}`, { creditsPerDay: null })).status, 403);
  assert.equal((await holder.post(`/console/api/keys/${e.keyId}/revoke`)).status, 404);
  const next = await holder.post(`/console/api/keys/${keyId}/reroll`);
  assert.deepEqual([next.status, next.body.creditsPerDay, next.body.manages], [200, 3, true]);
});

test('revoking a key ends its sessions and revokes what it made, unless the operator says otherwise; the list shows who made which key', async (t) => {
  const { e, admin } = await open(t);
  const make = async (apiKey: string, label: string) =>
    (await (await asHolder(e, { apiKey })).post('/console/api/keys', { label, manage: true })).body;
  e.clock.ms += 1;
  const leaked = await admin.createKey({ label: 'leaked', manage: true });
  const session = await asHolder(e, { apiKey: leaked.key });
  const child = await make(leaked.key, 'child');
  const grandchild = await make(child.key, 'grandchild');
  e.clock.ms += 1;
  const other = await admin.createKey({ label: 'other' });
  const tree = await admin.listKeys();
  assert.deepEqual(
    tree.map(({ label, madeBy, depth }) => [label, madeBy, depth]),
    [
      ['first', null, 0],
      ['leaked', null, 0],
      ['child', leaked.keyId, 1],
      ['grandchild', child.keyId, 2],
      ['other', null, 0],
    ],
  );
  await admin.revokeKey({ keyId: leaked.keyId });
  for (const { key } of [leaked, child, grandchild]) assert.equal((await lookup(e, key)).status, 401);
  assert.equal((await session.get('/console/api/keys')).status, 401);
  assert.equal((await lookup(e, other.key)).status, 200);

  const maker = await admin.createKey({ label: 'maker', manage: true });
  const made = await make(maker.key, 'made');
  await admin.revokeKey({ keyId: maker.keyId, keepDescendants: true });
  assert.deepEqual([(await lookup(e, maker.key)).status, (await lookup(e, made.key)).status], [401, 200]);
  await admin.revokeKey({ keyId: maker.keyId });
  assert.equal((await lookup(e, made.key)).status, 401, 'asked again without it');
});

test('a key that replaced itself is revoked with the key that it was; one that the operator replaced keeps its maker', async (t) => {
  const { e, admin } = await open(t);
  const leaked = await admin.createKey({ manage: true });
  const taken = (await (await asHolder(e, { apiKey: leaked.key })).post(`/console/api/keys/${leaked.keyId}/reroll`)).body;
  assert.equal((await lookup(e, taken.key)).status, 200);
  await admin.revokeKey({ keyId: leaked.keyId });
  assert.equal((await lookup(e, taken.key)).status, 401, 'the thief that rerolled the key loses it');

  const parent = await admin.createKey({ manage: true });
  const child = (await (await asHolder(e, { apiKey: parent.key })).post('/console/api/keys', { manage: true })).body;
  const made = (await (await asHolder(e, { apiKey: child.key })).post('/console/api/keys', {})).body;
  const rotated = await admin.rerollKey({ keyId: child.keyId });
  assert.equal(rotated.madeBy, parent.keyId);
  await admin.revokeKey({ keyId: rotated.keyId });
  assert.equal((await lookup(e, made.key)).status, 401, 'the replacement stands for the key that it replaced');
});
