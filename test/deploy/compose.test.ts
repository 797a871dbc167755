// Own process: it waits for processes that it starts.
// In the gate alone: it builds or installs packages.
/**
 * compose.fleet.yaml with processes of this machine: its environment, its commands and its proxy (nginx from Debian). Not run here: the images, the
 * network and the volumes of Docker, Prometheus and Grafana. The Dockerfile: `npm run image`.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { HOSTS, SANDBOX_SETTINGS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { until } from '../faults/service-process.ts';
import { freePort, missing, startRedis } from '../fleet/services.ts';
import { makeSchema, noPostgres } from '../ledger/backends.ts';
import { connectWith, contentOf, exampleCalls, SDKS } from '../mcp/mcp-client.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { noNginx, startNginx } from './nginx.ts';

const skip = missing('redis') || noPostgres || noNginx;

const compose = readFileSync('compose.fleet.yaml', 'utf8');
/** The variables of a block, with the values that an operator sets, or the defaults that the file states. */
function environmentOf(block: string, given: Readonly<Record<string, string>>): Record<string, string> {
  const text = new RegExp(`^${block}: .*\\n((?:  .*\\n)+)`, 'm').exec(compose)?.[1] ?? '';
  const lines = [...text.matchAll(/^ {2}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const);
  const filled = lines.map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, key: string, kind: string, other: string) => {
      if (kind === '?') assert.ok(given[key], `${key} is required`);
      return given[key] ?? other;
    }),
  ]);
  assert.ok(filled.length > 3, block);
  return Object.fromEntries(filled);
}
async function metricsOf(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: 'Bearer change-me' } });
  assert.equal(answer.status, 200);
  return await answer.text();
}
const commandOf = (service: string): string[] =>
  JSON.parse(new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    command: (\\[.*\\])`, 'm').exec(compose)?.[1] ?? '[]');

describe('compose.fleet.yaml with processes of this machine', { skip }, () => {
  const box = mkdtempSync(join(tmpdir(), 'sightline-compose-'));
  const running: ChildProcess[] = [];
  const closing: (() => unknown)[] = [];
  let environment: Record<string, string>;
  let baseUrl: string;
  let ports: number[];

  const start = async (service: string, env: Record<string, string>, ready: RegExp) => {
    const folder = join(box, service);
    mkdirSync(folder);
    const child = spawn(process.execPath, ['src/cli/main.ts', ...commandOf(service)], {
      env: { ...CHILD_ENVIRONMENT, ...env, SIGHTLINE_DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    for await (const line of createInterface(child.stdout)) if (ready.test(line)) break;
    child.stdout.resume();
  };
  before(async () => {
    const redis = await startRedis();
    closing.push(() => redis.close());
    const schema = await makeSchema();
    closing.push(() => schema.drop());
    const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
    closing.push(() => sandbox.close());
    ports = [await freePort(), await freePort(), await freePort()];
    baseUrl = `http://127.0.0.1:${ports[2]}`;
    const given = {
      ...SANDBOX_SETTINGS,
      POSTGRES_PASSWORD: 'compose',
      METRICS_TOKEN: 'change-me',
      SIGHTLINE_SECRET: 'a-secret-that-is-long-enough-for-this-test',
      SIGHTLINE_PUBLIC_URL: baseUrl,
      SIGHTLINE_CORS_ORIGINS: 'https://app.example.com',
      SIGHTLINE_PRICES: '{"registration":3}',
      SIGHTLINE_RATE_PER_SECOND: '40',
      SIGHTLINE_RATE_BURST: '60',
    };
    const proxyAddress = /ipv4_address: ([\d.]+)/.exec(compose)?.[1];
    const ofThisMachine = {
      DATABASE_URL: schema.url,
      REDIS_URL: redis.url,
      HOST: '127.0.0.1',
      SIGHTLINE_HOSTS: sandbox.mapFile,
      SIGHTLINE_LOG_LEVEL: 'silent',
      // a process that has just started on a busy machine would refuse some of eight requests at once
      SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
      ...SANDBOX_SETTINGS,
    };
    const shared = environmentOf('x-environment', given);
    const own = environmentOf('x-gateway', given);
    assert.equal(own.SIGHTLINE_TRUST_PROXY, proxyAddress, 'the proxy is trusted, and no other container');
    environment = { ...shared, ...own, ...ofThisMachine, SIGHTLINE_TRUST_PROXY: '127.0.0.1' };
    await start('gateway1', { ...environment, PORT: String(ports[0]) }, /SOURCE/);
    await start('gateway2', { ...environment, PORT: String(ports[1]) }, /SOURCE/);
    await start('worker', { ...shared, ...ofThisMachine, SIGHTLINE_ADMIN_PORT: '0' }, /./);
    const proxy = await startNginx(ports[2] ?? 0, [ports[0] ?? 0, ports[1] ?? 0]);
    closing.push(proxy.close);
    // a gateway learns of a worker when it next reads the members of the fleet
    for (const port of ports.slice(0, 2))
      await until(`a worker, seen on port ${port}`, async () => /^sightline_fleet\{what="workers"\} 1$/m.test(await metricsOf(port)));
  });
  after(async () => {
    for (const child of running.reverse()) {
      if (child.exitCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    for (const close of closing.reverse()) await close();
    rmSync(box, { recursive: true, force: true });
  });

  /** A command inside of the first gateway, as the comment at the head of the file has it. */
  function inGateway(...args: string[]): string {
    assert.match(compose, /^# +docker compose -f compose\.fleet\.yaml exec gateway1 sightline accounts create/m);
    const env = { ...CHILD_ENVIRONMENT, ...environment, PORT: String(ports[0]), SIGHTLINE_DATA_DIR: join(box, 'gateway1') };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...args], { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  test('an account of the administrator, its prices, both gateways behind the proxy, the address of the client and CORS', async () => {
    const account = JSON.parse(inGateway('accounts', 'create', 'mine', '--credits', '1000', '--json')) as { accountId: string };
    const { key } = JSON.parse(inGateway('keys', 'create', '--account', account.accountId, '--json')) as { key: string };
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': key, ...headers } });

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('/v1/website/whois/domains/acme-widgets.com', { origin: 'https://app.example.com' })),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]), bodies.join('\n'));
    assert.equal(answers[0]?.headers.get('access-control-allow-origin'), 'https://app.example.com');
    const charged = answers.reduce((sum, answer) => sum + Number(answer.headers.get('x-credits-charged')), 0);
    assert.equal(charged, 3, 'one lookup at the price of the environment, the others share it');

    const limited = await ask('/v1/account');
    assert.match(limited.headers.get('ratelimit-policy') ?? '', /;q=60;w=2\b/);
    await limited.arrayBuffer();

    for (const text of await Promise.all(ports.slice(0, 2).map(metricsOf)))
      assert.match(text, /sightline_request_duration_seconds_count\{.*operation="registration"/);
  });

  test('a request of HTTP/1.0 without a Host field is answered through the proxy', async () => {
    const socket = connect(ports[2] ?? 0, '127.0.0.1', () => socket.write('GET /healthz HTTP/1.0\r\n\r\n'));
    assert.match(await text(socket), /^HTTP\/1\.\d 200 /);
  });

  test('official clients call a tool through the proxy, and a message of 60 kB reaches the service', async (t) => {
    const account = JSON.parse(inGateway('accounts', 'create', 'agents', '--credits', '100', '--json')) as { accountId: string };
    const { key } = JSON.parse(inGateway('keys', 'create', '--account', account.accountId, '--json')) as { key: string };
    for (const sdk of SDKS) {
      const agent = await connectWith(sdk, { url: `${baseUrl}/mcp`, headers: { 'x-api-key': key } });
      t.after(() => agent.close());
      const [call] = exampleCalls.filter(({ name }) => name === 'registration');
      assert.ok(call);
      assert.ok(contentOf(await agent.callTool(call)).data, sdk);
    }
    const headers = { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    for (const [size, status] of [
      [60_000, 400],
      [70_000, 413],
    ] as const) {
      const answer = await fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body: `"${'a'.repeat(size)}"` });
      assert.equal(answer.status, status);
      assert.match(answer.headers.get('content-type') ?? '', /json/, 'the service answers, not the proxy');
      await answer.arrayBuffer();
    }
  });

  test("a key that is bound to addresses sees the client's, not the proxy's", async () => {
    const account = JSON.parse(inGateway('accounts', 'create', 'bound', '--credits', '10', '--json')) as { accountId: string };
    const { key } = JSON.parse(inGateway('keys', 'create', '--account', account.accountId, '--addresses', '192.0.2.0/24', '--json')) as {
      key: string;
    };
    // whatever a client writes into the header, the proxy replaces it
    const answer = await fetch(`${baseUrl}/v1/account`, { headers: { 'x-api-key': key, 'x-forwarded-for': '192.0.2.1' } });
    assert.equal(answer.status, 403);
    const direct = await fetch(`http://127.0.0.1:${ports[0]}/v1/account`, {
      headers: { 'x-api-key': key, 'x-forwarded-for': '192.0.2.1' },
    });
    assert.equal(direct.status, 200, 'the gateway believes the proxy');
  });
});
