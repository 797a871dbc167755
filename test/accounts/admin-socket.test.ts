import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { openAdmin } from '../../src/cli/admin-session.ts';
import { ADMIN_ACTIONS, type Admin } from '../../src/contract/admin/actions.ts';
import { requestsOf } from '../../src/contract/admin/define.ts';
import { connectAdmin } from '../../src/gateway/admin/client.ts';
import type { OfferedActions } from '../../src/gateway/admin/routes.ts';
import { createAdminServer } from '../../src/gateway/admin/server.ts';
import { listenOnSocket, socketPath } from '../../src/gateway/admin/socket.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { adminHttp } from '../support/inject.ts';

const serverOf = (actions: OfferedActions) =>
  createAdminServer({
    http: adminHttp(createMetrics({ version: '1' })),
    version: '1',
    manage: { actions, entrance: null },
  });

/** Sends a plain HTTP request over the socket. */
async function raw(path: string, method: string, url: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const text = body === undefined ? '' : JSON.stringify(body);
  // Node's client frames no body of a DELETE
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const sent = request({ socketPath: path, method, path: url, agent: false, headers });
  sent.end(text);
  const [response] = await once(sent, 'response');
  let answer = '';
  for await (const chunk of response) answer += chunk;
  return { status: response.statusCode, body: JSON.parse(answer) };
}

/** A page that the contract does not allow is refused through the server and on the store alone. */
async function refusesPages(admin: Pick<Admin, 'accountUsage' | 'accountLedger' | 'accountRequests'>, accountId: string): Promise<void> {
  await admin.accountUsage({ accountId, from: '2028-02-29', to: '2028-02-29', limit: 10_000 });
  for (const refused of [{ limit: 0 }, { limit: 10_001 }, { limit: 1.5 }, { after: 'x' }]) {
    await assert.rejects(admin.accountUsage({ accountId, ...refused }), { failure: 'INVALID_REQUEST' }, JSON.stringify(refused));
    await assert.rejects(admin.accountLedger({ accountId, ...refused }), { failure: 'INVALID_REQUEST' }, JSON.stringify(refused));
    await assert.rejects(admin.accountRequests({ accountId, ...refused }), { failure: 'INVALID_REQUEST' }, JSON.stringify(refused));
  }
  for (const day of ['2027-02-29', '2027-13-01', 'today'])
    await assert.rejects(admin.accountUsage({ accountId, from: day }), /from is .*, but it must be a day/, day);
}

describe('the admin socket', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-admin-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const parts = () => ({ settings: readSettings({ SIGHTLINE_DATA_DIR: folder }), clock: realClock, log: () => {} });

  test('commands on the folder of a running server use its socket, with the same results and errors as on the store', async () => {
    await assert.rejects(openAdmin(parts()), /where there is no store/);
    const accounts = await openAccounts(parts());
    const purged: unknown[] = [];
    const purgeCache = async (wish: unknown) => ({ dropped: purged.push(wish) });
    const server = await listenOnSocket(serverOf({ ...accounts.admin, purgeCache }), folder);
    assert.equal(statSync(server.path).mode & 0o777, 0o600);
    const client = await connectAdmin(folder);
    assert.ok(client);
    const first = await client.ensureFirstAccount();
    assert.equal(await client.ensureFirstAccount(), null);
    const accountId = first?.accountId ?? '';

    const session = await openAdmin(parts());
    const { admin } = session;
    assert.ok('purgeCache' in admin, 'the actions of the running server');
    assert.equal(await accounts.ledger.remaining(accountId), 1000);
    assert.equal((await admin.grant({ credits: 5 })).balance, 1005);
    assert.equal((await admin.grant({ accountId, credits: -5 })).balance, 1000);
    assert.equal(await accounts.ledger.remaining(accountId), 1000);
    const made = await admin.createKey({ label: 'over the socket', expiresAt: null });
    assert.equal((await accounts.authenticate(made.key, Date.now())).ok, true);
    assert.equal((await admin.editKey({ keyId: made.keyId, creditsPerDay: 3 })).creditsPerDay, 3);
    await admin.revokeKey({ keyId: made.keyId });
    assert.equal((await accounts.authenticate(made.key, Date.now())).ok, false);
    assert.equal((await admin.listKeys({ accountId })).length, 2);
    assert.equal((await admin.accountLedger({ accountId, limit: 2 })).entries.length, 2);
    assert.equal((await admin.auditLog({ limit: 3 })).length, 3);
    await refusesPages(admin, accountId);
    assert.deepEqual(await client.purgeCache({ operation: 'serp' }), { dropped: 1 });
    await assert.rejects(admin.createKey({ label: 'x'.repeat(101) }), { failure: 'INVALID_REQUEST' });
    await assert.rejects(admin.showAccount({ accountId: 'acc_none' }), { failure: 'NOT_FOUND' });
    const { faults } = await admin.verifyLedger();
    assert.deepEqual(faults, []);
    await session.close();
    await server.close();
    assert.equal(await connectAdmin(folder), null);

    await assert.rejects(openAdmin(parts()), /held by another Sightline process/);
    await accounts.close();
    const alone = await openAdmin(parts());
    assert.ok(!('purgeCache' in alone.admin), 'the actions on the store alone');
    await refusesPages(alone.admin, accountId);
    await alone.close();
  });

  test('every action has a route, and its fields are validated before it runs', async () => {
    const accounts = await openAccounts(parts());
    const ran: string[] = [];
    const names = Object.keys(ADMIN_ACTIONS);
    for (const name of Object.keys(accounts.admin)) assert.ok(names.includes(name), name);
    const recording = Object.fromEntries(names.map((name) => [name, async () => void ran.push(name)]));
    const server = await listenOnSocket(serverOf(recording as never), folder);
    for (const { method, path, fields } of Object.values(ADMIN_ACTIONS).flatMap(requestsOf)) {
      const url = path.replace(/\{\w+\}/g, 'x');
      const unknown =
        method === 'GET' ? await raw(server.path, method, `${url}?nosuch=1`) : await raw(server.path, method, url, { nosuch: 1 });
      assert.equal(unknown.status, 400, `${method} ${path}`);
      if (method === 'GET') continue;
      for (const name of Object.keys(fields.properties)) {
        const wrong = await raw(server.path, method, url, { ...REQUIRED, [name]: [{}] });
        assert.equal(wrong.status, 400, `${method} ${path} ${name}`);
      }
      assert.equal((await raw(server.path, method, url, ['constructor'])).status, 400);
    }
    assert.deepEqual(ran, []);
    assert.equal((await raw(server.path, 'GET', '/constructor')).status, 404);
    await server.close();
    await accounts.close();
  });

  test('the socket file of a killed server is replaced', async () => {
    const path = socketPath(folder);
    const listen = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.stdout.write('up'))`;
    const left = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(left.stdout, 'data');
    left.kill('SIGKILL');
    await once(left, 'close');
    assert.equal(await connectAdmin(folder), null);
    const server = await listenOnSocket(serverOf(purgeOnly), folder);
    assert.deepEqual(await (await connectAdmin(folder))?.purgeCache({ operation: 'serp' }), { dropped: 7 });
    await server.close();
  });

  test('a user without a name, as in a container, has a socket too', {
    skip: process.getuid?.() === 0 ? false : 'only root becomes another user',
  }, () => {
    const home = mkdtempSync(join(tmpdir(), 'sightline-nameless-'));
    try {
      chmodSync(home, 0o777);
      const script = `
        const { listenOnSocket } = await import(${JSON.stringify(new URL('../../src/gateway/admin/socket.ts', import.meta.url).href)});
        const { createServer } = await import('node:net');
        process.setuid(4_000_111);
        for (const folder of ['short', 'long'.repeat(40)]) {
          const server = createServer();
          const listen = ({ path }) => new Promise((done) => server.listen(path, done));
          const socket = await listenOnSocket({ listen, close: async () => void server.close() }, ${JSON.stringify(home)} + '/' + folder);
          await socket.close();
        }`;
      const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env: { TMPDIR: home } });
      assert.deepEqual([run.status, run.stderr], [0, '']);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('if the path of the folder is too long for a socket, the socket is in a private temporary folder', async () => {
    const long = join(folder, 'x'.repeat(120));
    const server = await listenOnSocket(serverOf(purgeOnly), long);
    assert.ok(server.path.length <= 100);
    assert.equal(statSync(join(server.path, '..')).mode & 0o777, 0o700);
    assert.deepEqual(await (await connectAdmin(long))?.purgeCache({ operation: 'serp' }), { dropped: 7 });
    await server.close();
    rmSync(join(server.path, '..'), { recursive: true });
  });
});

const REQUIRED = { name: 'x', credits: 1, operation: 'serp' };
/** A server with one action. */
const purgeOnly = { purgeCache: async () => ({ dropped: 7 }) } as never;
