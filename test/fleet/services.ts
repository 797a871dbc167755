import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { connect as connectTls } from 'node:tls';

/** A server started by the tests on a free port with temporary data, which a test may kill, freeze and restart. */
export interface OwnServer {
  readonly url: string;
  readonly pid: number;
  /** Kills it at once. */
  kill(): Promise<void>;
  /** Restarts it on the same port and data (Redis has no persistence), unless it runs. */
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

const onPath = (name: string): string | null =>
  (process.env.PATH ?? '').split(delimiter).flatMap((dir) => globSync(join(dir, name)))[0] ?? null;
const REDIS = onPath('redis-server') ?? onPath('valkey-server');
const POSTGRES = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? null;

/** Why tests that need the service are skipped; false if it is installed or required. */
export function missing(service: 'redis' | 'postgres'): string | false {
  if (service === 'redis' ? REDIS : POSTGRES) return false;
  if ((process.env.SIGHTLINE_TEST_REQUIRE ?? '').split(',').includes(service)) return false;
  return service === 'redis' ? 'no redis-server here' : 'no PostgreSQL here';
}

/** A port that stays free until it is used, and while its server is down: below those that a system gives to connections and to `listen(0)`. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(10_240, 32_768), '127.0.0.1');
    const listens = await once(server, 'listening').catch(() => null);
    if (!listens) continue;
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }
}

interface Recipe {
  readonly url: string;
  readonly spawn: () => ChildProcess;
  readonly answers: () => boolean | Promise<boolean>;
  readonly clean: () => void;
}

async function serverOf(recipe: Recipe): Promise<OwnServer> {
  let child: ChildProcess | null = null;
  const isUp = async () => {
    for (const until = performance.now() + 60_000; performance.now() < until; ) {
      if (await recipe.answers()) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${recipe.url} does not come up`);
  };
  const server: OwnServer = {
    url: recipe.url,
    get pid() {
      return child?.pid ?? 0;
    },
    async start() {
      if (child && child.exitCode === null && child.signalCode === null) return;
      child = recipe.spawn();
      await isUp();
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      // SIGINT is PostgreSQL's fast shutdown; a SIGKILL of the postmaster alone would leave its backends running
      child.kill(recipe.url.startsWith('redis') ? 'SIGKILL' : 'SIGQUIT');
      child.kill('SIGCONT');
      await gone;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async close() {
      await server.kill();
      recipe.clean();
    },
  };
  await server.start();
  return server;
}

export interface RedisWish {
  /** Command-line options. */
  readonly options?: readonly string[];
  /** TLS only, with this certificate and key; requires this password. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string; readonly password: string };
}
/** Redis (or Valkey) without persistence. */
export async function startRedis({ options = [], tls }: RedisWish = {}): Promise<OwnServer> {
  if (!REDIS) throw new Error('redis-server is not installed');
  const port = await freePort();
  const plain = tls ? '0' : String(port);
  const args = ['--port', plain, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction', ...options];
  if (tls)
    args.push(
      ...['--tls-port', String(port), '--tls-cert-file', tls.certificateFile, '--tls-key-file', tls.keyFile],
      ...['--tls-auth-clients', 'no', '--requirepass', tls.password],
    );
  return serverOf({
    url: tls ? `rediss://:${tls.password}@127.0.0.1:${port}` : `redis://127.0.0.1:${port}`,
    spawn: () => spawn(REDIS, args, { stdio: 'ignore', cwd: tmpdir() }),
    answers: () =>
      new Promise((resolve) => {
        const ask = (): void => void socket.write('PING\r\n');
        const socket = tls ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, ask) : connect(port, '127.0.0.1', ask);
        socket.once('data', (data) => {
          socket.destroy();
          resolve(/^(\+PONG|-NOAUTH)/.test(data.toString()));
        });
        socket.once('error', () => resolve(false));
      }),
    clean: () => {},
  });
}

/** PostgreSQL refuses to run as root: as root it is run as the package's user `postgres`. */
export async function startPostgres(): Promise<OwnServer> {
  if (!POSTGRES) throw new Error('PostgreSQL is not installed');
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const own = userOf('postgres');
  if (own) for (const path of [folder, data]) chownSync(path, own.uid, own.gid);
  const as = own ? { uid: own.uid, gid: own.gid } : {};
  const ran = spawnSync(join(POSTGRES, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'], {
    ...as,
    cwd: folder,
  });
  if (ran.status !== 0) throw new Error(`initdb: ${ran.stderr?.toString() || ran.error?.message}`);
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'max_connections=200',
    '-c',
    'fsync=off',
  ];
  return serverOf({
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    spawn: () => spawn(join(POSTGRES, 'postgres'), args, { ...as, cwd: folder, stdio: 'ignore' }),
    // asynchronous, because the tests' clients and simulated platforms run in this process
    answers: () =>
      new Promise((resolve) => {
        const asked = spawn(join(POSTGRES, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], { cwd: folder, stdio: 'ignore' });
        asked.once('exit', (code) => resolve(code === 0));
        asked.once('error', () => resolve(false));
      }),
    clean: () => rmSync(folder, { recursive: true, force: true }),
  });
}

function userOf(name: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const ids = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim());
  return { uid: ids('-u'), gid: ids('-g') };
}
