/**
 * Runs the image of dist/sightline-image-<arch>.tar as `docker run --read-only --user 1000:1000 -v …:/data --tmpfs /tmp` does, without Docker: its
 * layers as the root directory, mounted read-only in a mount namespace of its own, with its configuration. `--arch arm64` on another processor
 * runs it under Debian's qemu-user-static, once. Needs root.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { MIGRATIONS } from '../../src/store/migrate.ts';
import { PROJECT } from './app-folder.ts';
import { nodeVersion, packageOf } from './node-of.ts';
import { checkBill, type Launch, runOnce, tryProgram } from './try-program.ts';

const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch } } });
const archive = join(PROJECT, `dist/sightline-image-${values.arch}.tar`);

interface Config {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, object>>;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

const box = mkdtempSync(join(tmpdir(), 'sightline-run-'));
const root = join(box, 'root');
const OWNER = [1000, 1000, 0o700];

/** The root directory of the image, and its configuration. */
function unpack(): Config {
  const files = join(box, 'archive');
  for (const folder of [root, files]) mkdirSync(folder);
  execFileSync('tar', ['-xf', archive, '-C', files]);
  const [manifest] = JSON.parse(readFileSync(join(files, 'manifest.json'), 'utf8')) as { Config: string; Layers: string[] }[];
  assert.ok(manifest);
  for (const layer of manifest.Layers) execFileSync('tar', ['--numeric-owner', '-xpf', join(files, layer), '-C', root]);
  return (JSON.parse(readFileSync(join(files, manifest.Config), 'utf8')) as { config: Config }).config;
}

/** An empty volume, as Docker makes it: with owner and mode of the folder in the image. */
function makeVolume(name: string): string {
  const folder = join(box, name);
  mkdirSync(folder);
  const { uid, gid, mode } = statSync(join(root, 'data'));
  assert.deepEqual([uid, gid, mode & 0o777], OWNER);
  chmodSync(folder, mode);
  chownSync(folder, uid, gid);
  return folder;
}

const SLOW = 'acme-widgets.com';
/** The simulated platforms, of which the registry answers the first request after two seconds. */
async function simulated() {
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  sandbox.faults.next(new RegExp(SLOW), { kind: 'slow-headers', ms: 2_000 });
  return { ...sandbox, [Symbol.asyncDispose]: sandbox.close };
}

const MOUNT = `set -e; root=$1; volume=$2; user=$3; shift 3
/bin/mount --bind "$root" "$root"; /bin/mount -o remount,bind,ro "$root"; /bin/mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"; /bin/mount --bind "$volume" "$root/data"
exec /usr/sbin/chroot --userspec="$user" "$root" "$@"`;

try {
  const config = unpack();
  const environment = Object.fromEntries(config.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  const inside = (volume: string, program: readonly string[], env: Readonly<Record<string, string>> = {}): Launch => ({
    command: ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', MOUNT, 'sh', root, volume, config.User, ...program],
    env: { ...environment, ...env },
  });
  const [entry = '', ...rest] = config.Entrypoint;
  const program = [`/usr/local/bin/${entry}`, ...rest];
  assert.deepEqual(
    [config.User, config.Cmd, Object.keys(config.Volumes), config.StopSignal],
    ['1000:1000', ['serve'], ['/data'], 'SIGTERM'],
  );

  const licensed = ['libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6', 'node'];
  assert.deepEqual(readdirSync(join(root, 'usr/share/doc')).sort(), licensed, 'the licenses of Node and of the libraries');
  for (const name of licensed) assert.match(readFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'utf8'), /copyright/i, name);
  const node = values.arch === 'arm64' ? 'arm64' : 'x64';
  checkBill(readFileSync(`${archive}.sbom.json`, 'utf8'), join(root, 'app'), `${packageOf(node)}@${nodeVersion(node)}`);
  const volume = makeVolume('volume');
  const launch = inside(volume, program, { HOST: '127.0.0.1', SIGHTLINE_PUBLIC_URL: '' });
  const isForeign = values.arch !== process.arch;
  if (isForeign) {
    assert.equal(runOnce(launch, ['demo', '--once']).status, 0);
    console.log(`image of ${values.arch}: the demo answers under qemu`);
  } else await tryProgram('image', launch);
  const touch = runOnce(inside(volume, ['/usr/local/bin/node', '-e', "require('fs').writeFileSync('/app/x', '')"]), []);
  assert.match(touch.stderr, /EROFS/, 'the root is read-only');

  if (!isForeign) {
    const port = '18080';
    const [kind, ...check] = config.Healthcheck.Test;
    assert.equal(kind, 'CMD');
    const health = inside(volume, [`/usr/local/bin/${check[0]}`, ...check.slice(1)], { PORT: port, SIGHTLINE_ADMIN_PORT: '' });
    assert.notEqual(runOnce(health, []).status, 0);
    // a volume with the store of the first schema
    const old = makeVolume('old-volume');
    const db = new DatabaseSync(join(old, 'sightline.db'));
    const first = Object.keys(MIGRATIONS)[0] ?? '';
    db.exec('create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)');
    for (const statement of MIGRATIONS[first]?.embedded ?? []) db.exec(statement);
    db.prepare('insert into kysely_migration values (?, ?)').run(first, new Date(0).toISOString());
    db.close();
    await using platforms = await simulated();
    copyFileSync(platforms.mapFile, join(old, 'hosts.json'));
    for (const file of readdirSync(old)) chownSync(join(old, file), 1000, 1000);
    const { command, env } = inside(old, [...program, ...config.Cmd, '--json'], {
      PORT: port,
      SIGHTLINE_ADMIN_PORT: '0',
      SIGHTLINE_LOG_LEVEL: 'info',
      SIGHTLINE_HOSTS: '/data/hosts.json',
    });
    const serving = spawn(command[0], command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    serving.stderr.on('data', (chunk) => (log += chunk));
    const line = await new Promise<string>((resolve) => createInterface(serving.stdout).once('line', resolve));
    assert.match(log, /store: migrated/);
    assert.equal(runOnce(health, []).status, 0);
    const { baseUrl, apiKey } = JSON.parse(line) as { baseUrl: string; apiKey: string };
    const exit = once(serving, 'exit');
    const lookup = fetch(`${baseUrl}/v1/website/whois/domains/${SLOW}`, { headers: { 'x-api-key': apiKey } });
    const isAsked = (): boolean => platforms.requests.some(({ url }) => url.includes(SLOW));
    for (let looks = 0; looks < 500 && !isAsked(); looks++) await sleep(20);
    serving.kill('SIGTERM');
    const answer = await lookup;
    assert.deepEqual([answer.status, ((await answer.json()) as { domain: string }).domain], [200, SLOW], 'a lookup in work is answered');
    assert.deepEqual(await exit, [0, null]);
    assert.notEqual(runOnce(health, []).status, 0);
    console.log(
      'image: read-only root, health check, a volume of the first schema is brought up to date, SIGTERM ends it after the lookup in work',
    );
  }
} finally {
  rmSync(box, { recursive: true, force: true });
}
