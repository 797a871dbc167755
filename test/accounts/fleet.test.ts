/** Two gateways on one PostgreSQL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings, SettingError } from '../../src/settings.ts';
import type { Http } from '../../src/upstream/ports.ts';
import { BACKENDS, makeSchema } from '../ledger/backends.ts';
import { limit, realTime } from '../support/real-time.ts';

const postgres = BACKENDS.find((b) => b.name === 'postgres');
const skip = postgres?.skip ?? 'no PostgreSQL';
const BASE = 'https://api.example';
const http: Http = { ask: async () => ({ tag: 'unreachable', what: 'nobody' }) };

test(
  'on a shared store: tokens of one gateway are valid on the other, and are refused there within a second of the revocation',
  {
    skip,
  },
  realTime(200, async (t) => {
    const { url, drop } = await makeSchema();
    const settings = readSettings({ DATABASE_URL: url, SIGHTLINE_SECRET: 'the secret of the fleet', SIGHTLINE_PUBLIC_URL: BASE });
    const open = () => openAccounts({ settings, clock: realClock, log: () => {}, http });
    const a = await open();
    const b = await open();
    t.after(async () => {
      await Promise.all([a.close(), b.close()]);
      await drop();
    });
    await a.admin.ensureFirstAccount();
    const { clientId, clientSecret } = await a.admin.createClient({ label: 'c' });
    const tokenAt = async (gateway: OpenAccounts): Promise<string> => {
      const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
      const request = { authorization: undefined, contentType: 'application/x-www-form-urlencoded', body: form.toString() };
      const answer = await gateway.oauth.token(request);
      return answer.ok ? answer.body.access_token : assert.fail(answer.description);
    };
    const ok = async (gateway: OpenAccounts, token: string) => (await gateway.authenticate(token, Date.now())).ok;
    // both issue their first token at the same time: each accepts the key of the other
    const tokens = await Promise.all([tokenAt(a), tokenAt(b)]);
    for (const token of tokens) assert.deepEqual([await ok(a, token), await ok(b, token)], [true, true]);

    await a.admin.revokeClient({ clientId });
    const began = performance.now();
    assert.equal(await ok(a, tokens[0]), false);
    while (await ok(b, tokens[0])) await new Promise((done) => setTimeout(done, 5));
    assert.ok(performance.now() - began < limit(1000), `${performance.now() - began} ms`);

    const page = await a.statement({ accountId: (await a.admin.listAccounts())[0]?.accountId ?? '' } as never, {
      after: '9.0',
      limit: 1,
    });
    assert.deepEqual([page.entries.map((e) => e.kind), page.after], [['grant'], null]);
    assert.deepEqual((await a.admin.verifyAudit()).faults, []);
  }),
);

test(
  'on a shared store: the other gateway refuses a dropped signing key within a second',
  { skip },
  realTime(200, async (t) => {
    const { url, drop } = await makeSchema();
    const settings = readSettings({ DATABASE_URL: url, SIGHTLINE_SECRET: 'the secret of the fleet', SIGHTLINE_PUBLIC_URL: BASE });
    const open = () => openAccounts({ settings, clock: realClock, log: () => {}, http });
    const [a, b] = [await open(), await open()];
    t.after(async () => {
      await Promise.all([a.close(), b.close()]);
      await drop();
    });
    await a.admin.ensureFirstAccount();
    const { clientId } = await a.admin.createClient({});
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: BASE, aud: BASE, sub: clientId, client_id: clientId, iat: now, exp: now + 60, jti: 'x' };
    const token = await a.oauth.signing.sign(claims, 'at+jwt');
    const ok = async (gateway: OpenAccounts) => (await gateway.authenticate(token, Date.now())).ok;
    assert.deepEqual([await ok(a), await ok(b)], [true, true]);
    await a.admin.rotateSigningKey({ drop: true });
    const began = performance.now();
    assert.equal(await ok(a), false);
    while (await ok(b)) await new Promise((done) => setTimeout(done, 5));
    assert.ok(performance.now() - began < limit(1000), `${performance.now() - began} ms`);
  }),
);

test('on a shared store without SIGHTLINE_SECRET no client can be created, and a start with a client is refused', {
  skip,
}, async (t) => {
  const { url, drop } = await makeSchema();
  t.after(drop);
  const bare = readSettings({ DATABASE_URL: url });
  const keyed = { ...bare, SIGHTLINE_SECRET: 'the secret of the fleet' };
  const a = await openAccounts({ settings: bare, clock: realClock, log: () => {}, http });
  await a.admin.ensureFirstAccount();
  await assert.rejects(a.admin.createClient({}), /SIGHTLINE_SECRET/);
  await a.close();
  const b = await openAccounts({ settings: keyed, clock: realClock, log: () => {}, http });
  await b.admin.createClient({});
  await b.close();
  await assert.rejects(openAccounts({ settings: bare, clock: realClock, log: () => {}, http }), /SIGHTLINE_SECRET is required/);
});

test('on a shared store without SIGHTLINE_SECRET a start where apps can sign in is refused with one line; a command is not', {
  skip,
}, async (t) => {
  const { url, drop } = await makeSchema();
  t.after(drop);
  for (const address of ['https://api.example.com', BASE]) {
    const settings = readSettings({ DATABASE_URL: url, SIGHTLINE_PUBLIC_URL: address });
    const parts = { settings, clock: realClock, log: () => {} };
    await assert.rejects(openAccounts({ ...parts, http }), (error: Error) => {
      assert.ok(error instanceof SettingError);
      assert.match(error.message, /^SIGHTLINE_SECRET is required with DATABASE_URL .*apps.*$/);
      return true;
    });
    await (await openAccounts(parts)).close();
    await (await openAccounts({ ...parts, http, apps: false })).close();
    await (await openAccounts({ ...parts, http, settings: { ...settings, SIGHTLINE_SECRET: 'the secret of the fleet' } })).close();
  }
});
