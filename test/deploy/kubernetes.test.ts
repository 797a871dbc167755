// Own process: it waits for processes that it starts.
// In the gate alone: packages of test/outside with a lock file of their own.
/**
 * deploy/kubernetes with processes of this machine, each container as its manifest has it: arguments, ConfigMap and Secret, the image's
 * variables, probes from another address than loopback, memory, grace period. Not run here: images, networks, policies.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HOSTS, SANDBOX_SETTINGS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { until } from '../faults/service-process.ts';
import { freePort, missing, startRedis } from '../fleet/services.ts';
import { makeSchema, noPostgres } from '../ledger/backends.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const noOutside = process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('outside')
  ? false
  : 'SIGHTLINE_TEST_REQUIRE does not name "outside": a YAML reader with a lock file of its own';
const skip = noOutside || missing('redis') || noPostgres;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: number };
  readonly periodSeconds?: number;
  readonly initialDelaySeconds?: number;
  readonly failureThreshold?: number;
}
interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly readinessProbe?: Probe;
  readonly livenessProbe: Probe;
  readonly resources: Readonly<Record<'requests' | 'limits', { readonly memory: string }>>;
}
interface Manifest {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: { readonly terminationGracePeriodSeconds: number; readonly containers: readonly Container[] } };
  };
}
interface Yaml {
  parseAllDocuments(text: string): readonly { toJS(): Manifest }[];
}
interface Pod {
  readonly container: Container;
  readonly graceMs: number;
  readonly child: ChildProcess;
  readonly env: Readonly<Record<string, string>>;
  /** Of a port of the container, that of this machine. */
  readonly portOf: (containerPort: number) => number;
}

const METRICS_TOKEN = 'of-the-scraper';
/** As the comment at the head of config.yaml makes it; those of this machine stand in `before`. */
const SECRET = { SIGHTLINE_METRICS_TOKEN: METRICS_TOKEN, SIGHTLINE_SECRET: 'a-secret-that-is-long-enough-for-this-test' };
/** The variables that the image sets. */
const IMAGE = Object.fromEntries(
  [...readFileSync('Dockerfile', 'utf8').matchAll(/^(?:ENV)? +((?:SIGHTLINE|NODE)_[A-Z_]+)=(\S+)/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const MIB = 2 ** 20;
const bytesOf = (memory: string): number => Number(/^(\d+)Mi$/.exec(memory)?.[1]) * MIB;
/** Where a kubelet asks from: not loopback, where there is another. */
const address =
  Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address ?? '127.0.0.2';
const statusOf = async (port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
  const answer = await fetch(`http://${address}:${port}${path}`, { headers: { 'user-agent': 'kube-probe/1.34', ...headers } }).catch(
    () => null,
  );
  await answer?.arrayBuffer();
  return answer?.status ?? 0;
};
/** The most memory that a process ever held, bytes. */
const peakOf = ({ pid }: ChildProcess): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

describe('the containers of deploy/kubernetes as processes of this machine', { skip }, () => {
  const box = mkdtempSync(join(tmpdir(), 'sightline-kubernetes-'));
  const closing: (() => unknown)[] = [];
  const pods = new Map<string, Pod>();
  const podOf = (name: string): Pod => pods.get(name) ?? assert.fail(name);

  before(async () => {
    const { parseAllDocuments } = createRequire(resolve('test/outside/package.json'))('yaml') as Yaml;
    const manifests = globSync('deploy/kubernetes/*.yaml').flatMap((file) =>
      parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS()),
    );
    const config = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const redis = await startRedis();
    closing.push(() => redis.close());
    const schema = await makeSchema();
    closing.push(() => schema.drop());
    const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
    closing.push(() => sandbox.close());
    for (const { spec } of manifests) {
      if (!spec?.template) continue;
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      for (const container of containers) {
        const free = new Map<number, number>();
        for (const port of [Number(config.PORT), Number(config.SIGHTLINE_ADMIN_PORT)]) free.set(port, await freePort());
        const portOf = (port: number): number => free.get(port) ?? assert.fail(`nothing listens on ${port}`);
        const env = { ...CHILD_ENVIRONMENT, ...IMAGE, ...config, ...SECRET, DATABASE_URL: schema.url, REDIS_URL: redis.url };
        const ofThisMachine = {
          PORT: String(portOf(Number(config.PORT))),
          SIGHTLINE_ADMIN_PORT: String(portOf(Number(config.SIGHTLINE_ADMIN_PORT))),
          SIGHTLINE_DATA_DIR: mkdtempSync(join(box, container.name)),
          SIGHTLINE_HOSTS: sandbox.mapFile,
          // a process that has just started on a busy machine would refuse requests
          SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
          ...SANDBOX_SETTINGS,
        };
        const whole = { ...env, ...ofThisMachine };
        const child = spawn(process.execPath, ['src/cli/main.ts', ...container.args], {
          env: whole,
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        pods.set(container.name, { container, graceMs: terminationGracePeriodSeconds * 1000, child, env: whole, portOf });
      }
    }
    assert.deepEqual([...pods.keys()].sort(), ['gateway', 'worker']);
  });
  after(async () => {
    for (const { child } of pods.values()) {
      if (child.exitCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    for (const close of closing.reverse()) await close();
    rmSync(box, { recursive: true, force: true });
  });

  test('every probe is answered from another address, by the port that its manifest names', async () => {
    for (const [name, { container, portOf }] of pods) {
      const ports = container.ports.map(({ containerPort }) => containerPort);
      for (const probe of [container.readinessProbe, container.livenessProbe]) {
        if (!probe) continue;
        const { path, port } = probe.httpGet;
        assert.ok(ports.includes(port), `${name} ${port}`);
        await until(`${name} answers ${path}`, async () => (await statusOf(portOf(port), path)) === 200);
      }
    }
  });

  test('figures are given to the scraper with its token, to nobody without', async () => {
    for (const [name, { container, portOf }] of pods) {
      const port = portOf(container.ports[0]?.containerPort ?? 0);
      assert.equal(await statusOf(port, '/metrics', { authorization: `Bearer ${METRICS_TOKEN}` }), 200, name);
      assert.equal(await statusOf(port, '/metrics'), 401, name);
    }
  });

  test('lookups of a gateway are made by a worker, within the memory of both; on SIGTERM each ends by itself in its grace period', async () => {
    const [gateway, worker] = [podOf('gateway'), podOf('worker')];
    const ask = (path: string, headers: Readonly<Record<string, string>>) =>
      fetch(`http://${address}:${gateway.portOf(8080)}${path}`, { headers });
    const scraped = async (): Promise<string> => (await ask('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })).text();
    await until('a worker is seen', async () => /^sightline_fleet\{what="workers"\} 1$/m.test(await scraped()));
    const inGateway = (...args: string[]): unknown => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...args, '--json'], {
        env: gateway.env,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      return JSON.parse(stdout);
    };
    const { accountId } = inGateway('accounts', 'create', 'mine', '--credits', '1000') as { accountId: string };
    const { key } = inGateway('keys', 'create', '--account', accountId) as { key: string };
    for (const domain of ['acme-widgets.com', 'quartzfitness.com', 'bluebirdlooms.com', 'pinewoodaudio.com']) {
      const answer = await ask(`/v1/website/whois/domains/${domain}`, { 'x-api-key': key });
      assert.equal(answer.status, 200, await answer.text());
    }
    for (const { container, child } of pods.values())
      assert.ok(peakOf(child) < bytesOf(container.resources.limits.memory), `${container.name}: ${Math.round(peakOf(child) / MIB)} MiB`);
    for (const { child, graceMs } of [gateway, worker]) {
      const began = performance.now();
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      assert.equal(code, 0);
      assert.ok(performance.now() - began < graceMs);
    }
  });
});
