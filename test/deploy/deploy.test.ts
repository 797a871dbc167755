import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SETTINGS } from '../../src/settings.ts';
import { SOURCES } from '../../src/sources/index.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const code = (path: string): string => read(path).replace(/^\s*#.*$/gm, '');
const KUBERNETES = globSync('deploy/kubernetes/*.yaml');
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((m) => m[1] ?? '');
/** Variables of the other images and of Compose interpolation, which are not settings of Sightline. */
const OTHERS = /^(POSTGRES_(USER|PASSWORD|DB)|VALKEY_PASSWORD|GRAFANA_PASSWORD|GF_SECURITY_ADMIN_PASSWORD|METRICS_TOKEN|NODE_ENV|PATH)$/;

test('every variable of the deployment files is a setting', () => {
  const files = ['compose.yaml', 'compose.fleet.yaml', 'Dockerfile', ...KUBERNETES];
  const names = files.flatMap((f) => [
    ...all(code(f), /^\s*(?:ENV\s+)?([A-Z][A-Z0-9_]{3,})(?::|=)/gm),
    ...all(code(f), /\$\{([A-Z][A-Z0-9_]+)/g),
  ]);
  const secrets = all(read('deploy/kubernetes/config.yaml'), /--from-literal=([A-Z_]+)=/g);
  assert.ok(names.length > 25 && secrets.length === 4);
  for (const name of [...names, ...secrets]) assert.ok(name in SETTINGS || OTHERS.test(name), name);
});

test('every command of the deployment files exists in the command line, with these options', () => {
  const commands = [
    ...all(code('compose.fleet.yaml'), /command: \[("(?:serve|worker)"[^\]]*)\]/g),
    ...KUBERNETES.flatMap((f) => all(code(f), /args: \[([^\]]*)\]/g)),
    ...all(code('Dockerfile'), /^CMD \[([^\]]*)\]/gm),
  ];
  assert.equal(commands.length, 6);
  for (const text of new Set(commands)) {
    const [command = '', ...options] = JSON.parse(`[${text}]`) as string[];
    const help = spawnSync(process.execPath, ['src/cli/main.ts', command, '--help'], { encoding: 'utf8' });
    assert.equal(help.status, 0, command);
    for (const option of options) assert.ok(help.stdout.includes(option), `${command} ${option}`);
  }
});

test("compose passes on every setting of the sources, and keeps each gateway's data", () => {
  const compose = code('compose.fleet.yaml');
  // a setting of any other group, also of a new one, is of a source
  const general = ['Serving', 'Store', 'Fleet', 'OAuth', 'Outside', 'Credits and limits', 'Lookups', 'Captures'];
  general.push('Log and metrics', 'Command line and client');
  const ofSources = Object.entries(SETTINGS).flatMap(([name, { group }]) => (general.includes(group) ? [] : [name]));
  assert.ok(ofSources.length > 10);
  for (const name of new Set([...ofSources, ...SOURCES.flatMap(({ needs }) => needs), 'SIGHTLINE_SOURCES_OFF']))
    assert.ok(compose.includes(`  ${name}: \${${name}:-}`), name);
  assert.deepEqual(all(compose, /volumes: \["(gateway\d):\/data"\]/g), ['gateway1', 'gateway2']);
  assert.match(read('.gitignore'), /^deploy\/metrics-token$/m);
});

test('ports and paths are those on which the program listens', () => {
  const served = read('src/gateway/routes/health.ts') + read('src/gateway/admin/server.ts');
  const paths = [
    ...KUBERNETES.flatMap((f) => all(code(f), /path: (\/\w+z)/g)),
    ...all(code('deploy/prometheus.yml'), /metrics_path: (\S+)/g),
  ];
  assert.ok(paths.length >= 5);
  for (const path of paths) assert.ok(served.includes(`'${path}'`), path);
  const port = String(/PORT: "?(\d+)/.exec(code('deploy/kubernetes/config.yaml'))?.[1]);
  const metrics = String(/SIGHTLINE_ADMIN_PORT: "?(\d+)/.exec(code('deploy/kubernetes/config.yaml'))?.[1]);
  for (const f of KUBERNETES)
    for (const p of all(code(f), /(?:containerPort|targetPort|\bport): (\d+)/g)) assert.ok([port, metrics, '80'].includes(p), `${f} ${p}`);
  for (const p of all(code('deploy/prometheus.yml'), /(?:gateway\d:|port: )(\d+)/g)) assert.ok([port, metrics].includes(p), p);
  assert.ok(new RegExp(`EXPOSE ${port} ${metrics}`).test(code('Dockerfile')));
  for (const p of [
    ...all(code('compose.fleet.yaml'), /"127\.0\.0\.1:808\d:(\d+)"/g),
    ...all(code('deploy/nginx.conf'), /(?:listen |gateway\d:)(\d+)/g),
  ])
    assert.equal(p, port);
});

test('every file that is mounted or copied exists', () => {
  const mounted = all(code('compose.fleet.yaml'), /- \.\/([^:]+):/g).filter((f) => f !== 'deploy/metrics-token');
  const copied = all(code('Dockerfile'), /^COPY (?!--from)(.*) \S+$/gm).flatMap((files) => files.split(' '));
  const included = all(read('.dockerignore'), /^!(.*)$/gm);
  assert.ok(mounted.length === 6 && copied.length >= 4 && included.length >= 11);
  for (const path of [...mounted, ...copied, ...included.filter((path) => !path.includes('*'))]) assert.ok(existsSync(path), path);
  for (const path of copied) assert.ok(path === '.' || included.includes(path), `${path} is kept out by .dockerignore`);
});

test('every container is read-only and without capabilities and new privileges, and its image is named by exact version', () => {
  const compose = code('compose.fleet.yaml');
  const services = compose
    .slice(compose.indexOf('\nservices:'), compose.indexOf('\nnetworks:'))
    .split(/^ {2}(?=\w+:$)/m)
    .slice(1);
  assert.equal(services.length, 8);
  for (const service of services) assert.match(service, /^ {4}<<: \*(?:hardened|sightline)$/m);
  const hardened = /^x-hardened: .*\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? '';
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]'])
    assert.ok(hardened.includes(line), line);
  assert.match(compose, /^x-sightline: .*\n {2}<<: \*hardened$/m);
  const alone = code('compose.yaml');
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]', 'tmpfs: [/tmp]'])
    assert.ok(alone.includes(`\n    ${line}\n`), line);
  assert.doesNotMatch(compose, /privileged|seccomp|apparmor/);
  for (const image of all(compose, /image: (\S+)/g)) assert.match(image, /:v?\d+\.\d+(?:\.\d+)?$/);
  for (const f of KUBERNETES.filter((file) => code(file).includes('containers:')))
    for (const line of [
      'seccompProfile: { type: RuntimeDefault }',
      'runAsNonRoot: true',
      'allowPrivilegeEscalation: false',
      'readOnlyRootFilesystem: true',
      'capabilities: { drop: [ALL] }',
      'kind: NetworkPolicy',
    ])
      assert.ok(code(f).includes(line), `${f}: ${line}`);
});

test('X-Forwarded-For is trusted from the proxy alone; the queue and the dashboard have passwords', () => {
  const compose = code('compose.fleet.yaml');
  assert.equal(/SIGHTLINE_TRUST_PROXY: (\S+)/.exec(compose)?.[1], /ipv4_address: ([\d.]+)/.exec(compose)?.[1]);
  assert.match(compose, /"--requirepass", "\$\{VALKEY_PASSWORD:\?\}"/);
  assert.match(compose, /GF_SECURITY_ADMIN_PASSWORD: \$\{GRAFANA_PASSWORD:\?\}/);
  const prefix = /SIGHTLINE_TRUST_PROXY: "[\d.]+\/(\d+)"/.exec(code('deploy/kubernetes/config.yaml'))?.[1];
  assert.ok(Number(prefix) >= 24, `/${prefix}`);
});

test('compose.yaml is one service with one volume, whose ports are those of this machine alone', () => {
  const alone = code('compose.yaml');
  assert.deepEqual(all(alone, /^ {2}(\w+):$/gm), ['sightline', 'data']);
  assert.deepEqual(all(alone, /- "([\d.:]+)"/g), ['127.0.0.1:8080:8080', '127.0.0.1:9090:9090']);
  assert.match(alone, /volumes: \["data:\/data"\]/);
  assert.equal(/image: sightline:(\S+)/.exec(alone)?.[1], JSON.parse(read('package.json')).version);
  assert.ok(Number(/stop_grace_period: (\d+)s/.exec(alone)?.[1]) * 1000 > SETTINGS.SIGHTLINE_DRAIN_MS.default);
});

test("the queue's Redis never evicts, and a pod has enough time to drain", () => {
  assert.match(code('compose.fleet.yaml'), /"--maxmemory-policy", "noeviction"/);
  const drainMs = Number(/SIGHTLINE_DRAIN_MS: "(\d+)"/.exec(code('deploy/kubernetes/config.yaml'))?.[1]);
  const graces = KUBERNETES.flatMap((f) => all(code(f), /terminationGracePeriodSeconds: (\d+)/g));
  assert.equal(graces.length, 2);
  for (const seconds of graces) assert.ok(Number(seconds) * 1000 > drainMs);
  assert.ok(Number(/stop_grace_period: (\d+)s/.exec(code('compose.fleet.yaml'))?.[1]) * 1000 > SETTINGS.SIGHTLINE_DRAIN_MS.default);
});

test('the dashboard and the alert rules use existing metrics', () => {
  const source = ['src/telemetry/metrics.ts', 'src/gateway/server.ts', 'src/cli/serve.ts', 'src/cli/service-fleet.ts', 'src/cli/worker.ts']
    .map(read)
    .join('');
  const board = JSON.parse(read('deploy/grafana/sightline.json')) as { panels: { targets: { expr: string }[] }[] };
  const names = board.panels.flatMap((p) => p.targets.flatMap((t) => all(t.expr, /\b(sightline_\w+)/g)));
  const alerted = all(read('deploy/alerts.yml'), /\b(sightline_\w+)/g);
  assert.ok(names.length >= 10 && alerted.length >= 6);
  names.push(...alerted);
  for (const name of names) assert.ok(source.includes(`'${name.replace(/_(bucket|count|sum)$/, '')}'`), name);
});
