// Few in a process: it waits for processes that it starts.
// In the gate alone: it goes through pages in a browser.
/** `sightline console` and the links of the demo, as processes. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';
import { startWhole } from '../end-to-end/service.ts';
import { BACKENDS, makeSchema } from '../ledger/backends.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { OWN_PAGE } from './entrances.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}
const sightline = (environment: Record<string, string>, ...args: string[]): Promise<Ran> => sightlineIn('.', environment, ...args);
function sightlineIn(cwd: string, environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...CHILD_ENVIRONMENT, ...environment };
    execFile(process.execPath, [join(process.cwd(), 'src/cli/main.ts'), ...args], { cwd, env }, (failed, out, error) =>
      resolve({ code: failed ? Number(failed.code) : 0, out, error }),
    );
  });
}
/** Opens a link as the app does: the code leaves the fragment in the body of a request of the page. Returns status and session. */
async function follow(link: string): Promise<readonly [number, { kind: string; accountId: string | null }]> {
  const { origin, hash, search, pathname } = new URL(link);
  assert.deepEqual([pathname, search], ['/console', ''], 'the code is in the fragment alone');
  const body = JSON.stringify({ code: new URLSearchParams(hash.slice(1)).get('code') });
  const headers = { ...OWN_PAGE, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/console/api/session`, { method: 'POST', headers, body });
  return [answer.status, (await answer.json()) as { kind: string; accountId: string | null }];
}

test('where no data folder is named, sightline console finds a demo that runs, and says so where there is none', async (t) => {
  const temporary = mkdtempSync(join(tmpdir(), 'sightline-of-demos-'));
  let stop = async (): Promise<void> => undefined;
  // a demo writes into it until it is stopped
  t.after(async () => {
    await stop();
    rmSync(temporary, { recursive: true, force: true });
  });
  const run = (): Promise<Ran> => sightlineIn(temporary, { TMPDIR: temporary }, 'console');
  assert.match((await run()).error, /^No server holds \.sightline: start it with "sightline serve"/);
  const settings = readSettings({
    PORT: '0',
    SIGHTLINE_DATA_DIR: join(temporary, 'sightline-demo-Ab1'),
    SIGHTLINE_SECRET: 'a secret of sixteen',
  });
  const demo = await startService(settings, { log: silent });
  stop = demo.stop;
  // one that ended is passed by
  mkdirSync(join(temporary, 'sightline-demo-Zz9'));
  const link = (await run()).out.split('\n')[0] ?? '';
  assert.ok(link.startsWith(demo.adminUrl), link);
  assert.equal((await follow(link))[0], 200);
  assert.match(
    (await sightlineIn(temporary, { TMPDIR: temporary, SIGHTLINE_DATA_DIR: 'elsewhere' }, 'console')).error,
    /^No server holds elsewhere/,
  );
});

test('sightline console prints a link to the running server that signs in once: the operator, or the holder of an account', async (t) => {
  const service = await startWhole();
  t.after(() => service.stop());
  const environment = { SIGHTLINE_DATA_DIR: service.folder };
  const [account] = await service.admin.listAccounts();
  const accountId = String(account?.accountId);
  const operator = await sightline(environment, 'console');
  assert.match(operator.out, /^http:\/\/127\.0\.0\.1:\d+\/console#code=[\w-]{43}\n\nIt signs in once, until .*Z\.\n$/);
  const link = operator.out.split('\n')[0] ?? '';
  const [status, session] = await follow(link);
  assert.deepEqual([status, session.kind], [200, 'operator']);
  assert.equal((await follow(link))[0], 401, 'used');
  const holder = JSON.parse((await sightline(environment, 'console', '--account', accountId, '--json')).out) as { url: string };
  assert.equal(new URL(holder.url).origin, service.baseUrl);
  assert.deepEqual((await follow(holder.url))[1].accountId, accountId);
  const body = JSON.stringify({ apiKey: service.key });
  const json = { ...OWN_PAGE, 'content-type': 'application/json' };
  const signedIn = await fetch(`${service.baseUrl}/console/api/session`, { method: 'POST', headers: json, body });
  const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0] ?? '';
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const accept = 'application/json, text/event-stream';
  const tools = await fetch(`${service.baseUrl}/mcp`, { method: 'POST', headers: { ...json, cookie, accept }, body: JSON.stringify(call) });
  assert.equal(tools.status, 401, 'MCP takes credentials in headers only');
  await service.admin.suspendAccount({ accountId });
  for (const [id, message] of [
    ['acc_none', 'There is no account acc_none.'],
    [accountId, `The account ${accountId} is suspended, and accepts no sign-in: resume it first.`],
  ] as const) {
    const refused = await sightline(environment, 'console', '--account', id);
    assert.deepEqual([refused.code, refused.out, refused.error.trim()], [1, '', message]);
  }
});

test('sightline console without a running server says what to do', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-console-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { code, error } = await sightline({ SIGHTLINE_DATA_DIR: folder }, 'console');
  assert.deepEqual([code, error], [1, `No server holds ${folder}: start it with "sightline serve", then ask again.\n`]);
});

test('with PostgreSQL the link is made in the store that the gateways share', { skip: BACKENDS[1]?.skip ?? true }, async (t) => {
  const { url, drop } = await makeSchema();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-console-'));
  const environment = { DATABASE_URL: url, SIGHTLINE_DATA_DIR: folder, SIGHTLINE_SECRET: 'a-secret-of-at-least-thirty-two-characters' };
  const service = await startService(readSettings({ ...environment, PORT: '0' }), { log: silent });
  t.after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
    await drop();
  });
  const unknown = await sightline(environment, 'console');
  assert.deepEqual(
    [unknown.code, unknown.error.trim()],
    [1, 'SIGHTLINE_ADMIN_PORT is 0, so that the address of the console is not known here: set it to a fixed port.'],
  );
  const { port } = new URL(service.adminUrl);
  const { out, error } = await sightline({ ...environment, SIGHTLINE_ADMIN_PORT: port }, 'console');
  assert.equal(error, '');
  assert.deepEqual((await follow(out.split('\n')[0] ?? ''))[1].kind, 'operator');
});

test('the demo prints both links, which sign in', async () => {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'demo', '--json'], {
    env: { ...CHILD_ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { console: holder, operatorConsole, baseUrl } = JSON.parse(line) as Record<string, string>;
  assert.equal(new URL(String(holder)).origin, baseUrl);
  assert.equal((await follow(String(holder)))[1].kind, 'account');
  assert.equal((await follow(String(operatorConsole)))[1].kind, 'operator');
  child.kill('SIGTERM');
  await once(child, 'exit');
});
