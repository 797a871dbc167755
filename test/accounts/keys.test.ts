import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { checkKeys } from '../../src/cli/manage.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { openTestService, REGISTRATION, SERP } from './test-service.ts';

test('401: a key is refused from its expiry time on', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { key } = await h.accounts.admin.createKey({ expiresAt: new Date(h.clock.ms + 60_000).toISOString() });
  assert.equal((await h.get(REGISTRATION, key)).status, 200);
  h.clock.ms += 60_000;
  assert.equal((await h.get(REGISTRATION, key)).status, 401);
});

test('401: revoked, expired, mistyped and unknown keys get the same response', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { admin } = h.accounts;
  const revoked = await admin.createKey({});
  await h.get(REGISTRATION, revoked.key);
  await admin.revokeKey({ keyId: revoked.keyId });
  const expired = await admin.createKey({ expiresAt: new Date(h.clock.ms + 1).toISOString() });
  h.clock.ms += 2;
  const other = `${h.first.key.slice(0, -1)}${h.first.key.endsWith('0') ? '1' : '0'}`;
  const replies = await Promise.all([revoked.key, expired.key, other, 'sl_x', 'x'].map((key) => h.get(REGISTRATION, key)));
  assert.deepEqual(new Set(replies.map((r) => r.status)), new Set([401]));
  assert.equal(new Set(replies.map((r) => `${r.text}${r.headers['www-authenticate']}`)).size, 1);
});

test('each request of a connection is judged by the key that it carries', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const other = await h.accounts.admin.createKey({});
  for (const { key } of [h.first, other]) assert.equal((await h.get(REGISTRATION, key)).status, 200);
  const connection = {};
  const keyIdOf = (key: string) => {
    const known = h.accounts.authenticateCached(key, h.clock.ms, connection);
    return known?.ok ? known.caller.keyId : null;
  };
  const { first } = h;
  const carried = [first.key, first.key, other.key, `${first.key}x`, first.key].map(keyIdOf);
  assert.deepEqual(carried, [first.keyId, first.keyId, other.keyId, null, first.keyId]);
});

test('403: an operation that the key does not allow', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { key } = await h.accounts.admin.createKey({ operations: ['serp'] });
  assert.equal((await h.get(REGISTRATION, key)).body.error?.code, 'FORBIDDEN');
  assert.equal((await h.get(SERP, key)).status, 200);
});

test('403: an address outside the CIDRs of the key; ranges, single addresses, IPv4-mapped IPv6', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { key } = await h.accounts.admin.createKey({ addresses: ['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'] });
  for (const from of ['10.1.200.3', '::ffff:10.1.0.1', '192.0.2.7', '2001:db8:1::5'])
    assert.equal((await h.get(REGISTRATION, key, { from })).status, 200, from);
  for (const from of ['10.2.0.1', '192.0.2.8', '::1', '2001:db9::1', '::ffff:10.2.0.1'])
    assert.equal((await h.get(REGISTRATION, key, { from })).status, 403, from);
  const spoofed = await h.get(REGISTRATION, key, { from: '10.2.0.1', headers: { 'x-forwarded-for': '10.1.0.1' } });
  assert.equal(spoofed.status, 403, 'X-Forwarded-For is believed of nobody');
});

test('403: behind a trusted proxy the address of the client is checked', async (t) => {
  const h = await openTestService({ settings: { SIGHTLINE_TRUST_PROXY: '127.0.0.1/32' } });
  t.after(h.close);
  const { key } = await h.accounts.admin.createKey({ addresses: ['10.1.0.0/16'] });
  const cacheStatus = (address: string) => h.get(REGISTRATION, key, { headers: { 'x-forwarded-for': address } });
  assert.deepEqual(
    [(await cacheStatus('10.1.0.1')).status, (await cacheStatus('10.2.0.1')).status, (await cacheStatus('10.1.0.1, 10.2.0.1')).status],
    [200, 403, 403],
  );
});

test('402: daily and monthly caps, named, with their reset time', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { key, keyId } = await h.accounts.admin.createKey({ creditsPerDay: 4, creditsPerMonth: 7 });
  const spent = async () => {
    const listed = (await h.accounts.admin.listKeys()).find((each) => each.keyId === keyId);
    return [listed?.spentToday, listed?.spentThisMonth];
  };
  assert.deepEqual(await spent(), [0, 0]);
  assert.equal((await h.get(SERP, key)).headers['x-credits-charged'], '3');
  const day = await h.get(SERP, key);
  assert.deepEqual([day.status, day.body.error?.code], [402, 'INSUFFICIENT_CREDITS']);
  assert.match(String(day.body.error?.message), /used 3 of its 4 credits of today.*costs 3.*2026-11-02T00:00:00\.000Z/);
  assert.equal(day.headers['x-cap-remaining'], '1');
  assert.deepEqual(await spent(), [3, 3], 'the list of keys says what the caps count');
  h.clock.ms += 86_400_000;
  assert.equal((await h.get(SERP, key)).status, 200);
  assert.deepEqual(await spent(), [3, 6]);
  h.clock.ms += 86_400_000;
  assert.match(String((await h.get(SERP, key)).body.error?.message), /used 6 of its 7 credits of this month.*2026-12-01T00:00:00\.000Z/);
  assert.equal((await h.get(SERP)).status, 200, 'another key of the account goes on');
});

test('reroll: the new key has the limits of the old one, which is revoked at once or after its grace time', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { admin } = h.accounts;
  const old = await admin.createKey({ label: 'monitor', operations: ['registration'] });
  assert.equal((await h.get(REGISTRATION, old.key)).status, 200);
  const next = await admin.rerollKey({ keyId: old.keyId, graceMs: 60_000 });
  assert.deepEqual([next.label, next.operations], ['monitor', ['registration']]);
  assert.deepEqual([(await h.get(REGISTRATION, old.key)).status, (await h.get(REGISTRATION, next.key)).status], [200, 200]);
  h.clock.ms += 60_000;
  assert.equal((await h.get(REGISTRATION, old.key)).status, 401);
  const last = await admin.rerollKey({ keyId: next.keyId });
  assert.deepEqual([(await h.get(REGISTRATION, next.key)).status, (await h.get(REGISTRATION, last.key)).status], [401, 200]);
});

test('the last use of keys and clients is recorded with a resolution of a minute', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const client = await h.accounts.admin.createClient({ label: 'c' });
  await h.get('/v1/account');
  await h.get('/v1/account', await h.token(client));
  await h.clock.tick();
  assert.equal((await h.accounts.admin.listKeys())[0]?.lastUsedAt, new Date(h.clock.ms).toISOString());
  assert.equal((await h.accounts.admin.listClients())[0]?.lastUsedAt, new Date(h.clock.ms).toISOString());
});

test('an empty id of an account lists nothing of the others', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { admin } = h.accounts;
  await admin.createClient({ label: 'c' });
  for (const list of [admin.listKeys, admin.listClients]) {
    assert.notEqual((await list()).length, 0);
    assert.deepEqual(await list({ accountId: '' }), []);
  }
  assert.deepEqual(await admin.listGrants({ accountId: '' }), []);
});

test('every change is in the audit log, without secrets, and the chain verifies', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { admin } = h.accounts;
  const client = await admin.createClient({ label: 'c' });
  await h.token(client);
  await admin.revokeClient({ clientId: client.clientId });
  const key = await admin.createKey({ label: 'k' });
  await admin.revokeKey({ keyId: key.keyId });
  const log = await admin.auditLog();
  const wanted = ['client.create', 'signing-key.create', 'client.revoke', 'key.create', 'key.revoke'];
  assert.deepEqual(
    log
      .map((e) => e.action)
      .reverse()
      .slice(-5),
    wanted,
  );
  assert.doesNotMatch(JSON.stringify(log), new RegExp(`${client.clientSecret}|${key.key}`));
  assert.deepEqual((await admin.verifyAudit()).faults, []);
});

test('sightline keys check recognises credentials offline and never prints them', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { clientSecret } = await h.accounts.admin.createClient({});
  const { key } = h.first;
  const mistyped = `${key.slice(0, 10)}${key[10] === 'a' ? 'b' : 'a'}${key.slice(11)}`;
  assert.deepEqual(
    checkKeys([key, '', clientSecret, mistyped, 'sl_', 'ghp_1234']).map((v) => [v.line, v.kind]),
    [
      [1, 'key'],
      [3, 'client-secret'],
      [4, 'none'],
      [5, 'none'],
      [6, 'none'],
    ],
  );
  const run = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, ['src/cli/main.ts', 'keys', 'check', ...args], {
      input,
      encoding: 'utf8',
      env: { ...CHILD_ENVIRONMENT },
    });
  const found = run(`${key}\n`);
  assert.deepEqual([found.status, found.stdout], [0, 'line 1: key, its checksum holds\n']);
  const none = run('', mistyped);
  assert.equal(none.status, 1);
  assert.doesNotMatch(none.stdout, new RegExp(mistyped));
});
