// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BACKENDS, makeSchema } from '../ledger/backends.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { type Running, startWhole } from './service.ts';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';
const PATH = '/v1/website/whois/domains/acme-widgets.com';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}
/** Runs `sightline <args>` in a child process. */
function sightline(environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/cli/main.ts', ...args], { env: { ...CHILD_ENVIRONMENT, ...environment } }, (failed, out, error) =>
      resolve({ code: failed ? Number(failed.code) : 0, out, error }),
    );
  });
}

describe('operator commands take effect on a running server at once', () => {
  let service: Running;
  let accountId = '';
  let keyId = '';
  let key = '';
  const environment = (): Record<string, string> => ({ SIGHTLINE_DATA_DIR: service.folder, SIGHTLINE_SECRET: SECRET });
  async function json<T>(...args: string[]): Promise<T> {
    const { code, out, error } = await sightline(environment(), ...args, '--json');
    assert.equal(code, 0, `${args.join(' ')}: ${out}${error}`);
    return JSON.parse(out) as T;
  }
  const status = async () => (await service.get(PATH, { 'x-api-key': key })).status;
  before(async () => {
    service = await startWhole({ SIGHTLINE_SECRET: SECRET, SIGHTLINE_PRICES: '{"registration":7}' });
    ({ accountId } = await json<{ accountId: string }>('accounts', 'create', 'Acme', '--credits', '100'));
    ({ keyId, key } = await json<{ keyId: string; key: string }>('keys', 'create', '--account', accountId));
  });
  after(() => service?.stop());

  test('SIGHTLINE_PRICES sets the price of a lookup: in its headers, the balance and the OpenAPI description', async () => {
    const first = await service.get(PATH, { 'x-api-key': key });
    assert.deepEqual([first.status, first.headers.get('x-credits-charged'), first.headers.get('x-credits-remaining')], [200, '7', '93']);
    const { body } = await service.get('/openapi.json', {});
    assert.match(JSON.stringify(body.paths['/v1/website/whois/domains/{domain}']), /7 credits/);
    const short = await service.get(PATH.replace('acme-widgets', 'other'), { 'x-api-key': key, 'x-max-credits': '6' });
    assert.equal(short.status, 402);
  });

  test('accounts rename, suspend, resume', async () => {
    assert.equal((await json<{ name: string }>('accounts', 'rename', accountId, 'Acme Ltd')).name, 'Acme Ltd');
    await json('accounts', 'suspend', accountId);
    assert.equal(await status(), 401);
    await json('accounts', 'resume', accountId);
    assert.equal(await status(), 200);
  });

  test('keys edit sets and removes a limit', async () => {
    const edited = await json<{ creditsPerDay: number; label: string }>(
      'keys',
      'edit',
      keyId,
      '--operations',
      'traffic',
      '--label',
      'edited',
    );
    assert.equal(edited.label, 'edited');
    assert.equal(await status(), 403);
    await json('keys', 'edit', keyId, '--operations', 'none');
    assert.equal(await status(), 200);
  });

  test('accounts ledger and accounts usage list the charges, as JSON and as a table', async () => {
    const { entries } = await json<{ entries: { kind: string; credits: number }[] }>('accounts', 'ledger', accountId);
    assert.ok(entries.some((entry) => entry.kind === 'capture' && entry.credits === -7));
    const table = await sightline(environment(), 'accounts', 'ledger', accountId, '--limit', '1');
    assert.match(table.out, /^AT +KIND +CREDITS.*\n.*\n?More: --after /s);
    const usage = await sightline(environment(), 'accounts', 'usage', accountId);
    assert.match(usage.out, /^DAY +OPERATION/);
    assert.equal((await sightline(environment(), 'accounts', 'usage', accountId, '--from', 'yesterday')).code, 1);
  });

  test('an anchor verifies the ledger and the audit log, and a changed anchor is a fault with exit code 1', async () => {
    const anchor = await sightline(environment(), 'ledger', 'anchor');
    assert.equal(anchor.code, 0, anchor.error);
    const file = join(service.folder, 'anchors');
    writeFileSync(file, anchor.out);
    for (const what of ['ledger', 'audit']) {
      assert.deepEqual((await json<{ faults: string[] }>(what, 'verify', '--anchor', file)).faults, []);
      writeFileSync(
        `${file}.changed`,
        anchor.out.replace(/"signature":"./, (text) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`),
      );
      const changed = await sightline(environment(), what, 'verify', '--anchor', `${file}.changed`);
      assert.deepEqual([changed.code, /does not fit its signature/.test(changed.out)], [1, true]);
    }
  });

  test('accounts delete revokes the keys, removes the credits and the account', async () => {
    const { creditsTaken } = await json<{ creditsTaken: number }>('accounts', 'delete', accountId);
    assert.ok(creditsTaken > 0 && creditsTaken < 100);
    assert.equal(await status(), 401);
    const gone = await sightline(environment(), 'accounts', 'rename', accountId, 'x');
    assert.deepEqual([gone.code, gone.error.trim()], [1, `There is no account ${accountId}.`]);
  });
});

test('serve on an empty PostgreSQL prints the link of the setup, once for its gateways, until a key exists', {
  skip: BACKENDS[1]?.skip ?? true,
}, async () => {
  const { url, drop } = await makeSchema();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-hint-'));
  const environment = { DATABASE_URL: url, SIGHTLINE_DATA_DIR: folder, SIGHTLINE_SECRET: SECRET, PORT: '0', SIGHTLINE_LOG_LEVEL: 'info' };
  const start = async (): Promise<string> => {
    const child = spawn(process.execPath, ['src/cli/main.ts', 'serve'], {
      env: { ...CHILD_ENVIRONMENT, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    // logged after everything is printed
    child.stderr.setEncoding('utf8').on('data', (part: string) => part.includes('"listening"') && child.kill('SIGTERM'));
    await once(child, 'close');
    return out;
  };
  assert.match(
    await start(),
    /Nobody has claimed this installation yet.*\n\n {2}http:\/\/127\.0\.0\.1:\d+\/setup#[A-Z2-9]{4}-[A-Z2-9]{4}\n/,
  );
  assert.equal((await sightline(environment, 'accounts', 'create', 'first', '--credits', '5')).code, 0);
  assert.match(await start(), /the link that another process of this store printed/);
  assert.equal((await sightline(environment, 'keys', 'create')).code, 0);
  assert.doesNotMatch(await start(), /claimed|setup/);
  rmSync(folder, { recursive: true });
  await drop();
});
