/**
 * PostgreSQL, Redis and wrk (the load generator of the bench) for development and tests: `npm run services` installs them from Debian if they
 * are missing and starts the servers on loopback with temporary data; `npm run services -- --stop` stops the services started by it. A service
 * that already answers on its usual port is used unchanged. Prints the lines to set: eval "$(npm run -s services)". Runs on Node 20 too,
 * without any package.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HOME = join(tmpdir(), `sightline-services-${process.getuid()}`);
const STATE = join(HOME, 'state.json');
const HOST = '127.0.0.1';
const say = (text) => process.stderr.write(`${text}\n`);

/** Sends bytes and returns the first bytes of the answer; empty if there is no answer. */
const ask = (port, bytes) =>
  new Promise((resolve) => {
    const socket = net.connect({ port, host: HOST }, () => socket.write(bytes));
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2000, () => end(Buffer.alloc(0)));
    socket.on('error', () => end(Buffer.alloc(0)));
    socket.on('close', () => resolve(Buffer.alloc(0)));
    socket.on('data', end);
  });

/** A start-up message of protocol 3.0 for postgres/postgres. */
function postgresHello() {
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from('user\0postgres\0database\0postgres\0\0')]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

const SERVICES = {
  postgres: {
    port: 5432,
    package: 'postgresql',
    /** Trusts every connection on loopback, as the tests need. */
    answers: async (port) => (await ask(port, postgresHello())).subarray(0, 9).equals(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])),
    binary: () => newestPostgres('postgres') ?? onPath('postgres'),
    start(port, data, log) {
      const as = unprivileged();
      const initdb = newestPostgres('initdb') ?? onPath('initdb');
      if (!initdb) fail('initdb was not found beside postgres.');
      const made = spawnSync(initdb, ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8'], {
        ...as,
        encoding: 'utf8',
        cwd: '/',
      });
      if (made.status !== 0) fail(`initdb failed: ${made.stderr || made.error}`);
      const options = ['-D', data, '-p', String(port), '-c', `listen_addresses=${HOST}`, '-c', `unix_socket_directories=${data}`];
      return background(this.binary(), options, log, as);
    },
    lines: (port) => [
      `SIGHTLINE_TEST_POSTGRES=postgres://postgres@${HOST}:${port}/postgres`,
      `DATABASE_URL=postgres://postgres@${HOST}:${port}/postgres`,
    ],
  },
  redis: {
    port: 6379,
    package: 'redis-server',
    answers: async (port) => (await ask(port, 'PING\r\n')).toString().startsWith('+PONG'),
    binary: () => onPath('redis-server') ?? onPath('valkey-server'),
    start(port, data, log) {
      const options = [
        '--port',
        String(port),
        '--bind',
        HOST,
        '--dir',
        data,
        '--save',
        '',
        '--appendonly',
        'no',
        '--maxmemory-policy',
        'noeviction',
      ];
      return background(this.binary(), options, log, {});
    },
    lines: (port) => [`SIGHTLINE_TEST_REDIS=redis://${HOST}:${port}`, `REDIS_URL=redis://${HOST}:${port}`],
  },
};

function fail(message) {
  say(message);
  process.exit(1);
}
function onPath(name) {
  for (const folder of [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']) {
    try {
      accessSync(join(folder, name), 1);
      return join(folder, name);
    } catch {
      // not in this folder
    }
  }
  return null;
}
function newestPostgres(name) {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((v) => join(root, v, 'bin', name)).find((path) => existsSync(path)) ?? null;
}
/** PostgreSQL refuses to run as root: it runs as its package's user. */
function unprivileged() {
  if (process.getuid() !== 0) return {};
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (!uid) fail('There is no user postgres, and PostgreSQL does not run as root.');
  return { uid: Number(uid), gid: Number(gid) };
}
function background(binary, options, log, as) {
  const out = openSync(log, 'a');
  const child = spawn(binary, options, { ...as, cwd: '/', detached: true, stdio: ['ignore', out, out] });
  child.unref();
  return child.pid;
}
/** The load generator of the bench: without it everything else works. */
function bringWrk() {
  if (!onPath('wrk') && !debian('wrk')) say('wrk could not be installed: npm run bench needs it (Debian package wrk).');
}
/** Installs a Debian package; false if that fails. */
function debian(name) {
  const root = process.getuid() === 0;
  const apt = (...args) =>
    spawnSync(root ? 'apt-get' : 'sudo', [...(root ? [] : ['-n', 'apt-get']), ...args], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    }).status === 0;
  say(`installing ${name} …`);
  return apt('install', '-y', '--no-install-recommends', name) || (apt('update') && apt('install', '-y', '--no-install-recommends', name));
}
function install(name) {
  if (!debian(name)) fail(`${name} could not be installed. Install it yourself (apt-get install ${name}) and run this again.`);
}
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject).listen(0, HOST, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
const isFree = (port) =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false)).listen(port, HOST, () => server.close(() => resolve(true)));
  });

/**
 * Whether the process id still belongs to the started process: ids are reused. Redis overwrites its command line, but stays in its folder.
 */
function isOurs({ pid, data }) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) || readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false; // it has exited
  }
}
const readState = () => (existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {});
const writeState = (state) => writeFileSync(STATE, JSON.stringify(state));

/** `--postgres-port=N`, `--redis-port=N`: ports other than the usual ones. */
const usualPort = (name) => Number(process.argv.find((a) => a.startsWith(`--${name}-port=`))?.split('=')[1] ?? SERVICES[name].port);

async function bring(name, state) {
  const service = SERVICES[name];
  const usual = usualPort(name);
  const ours = state[name];
  if (ours && isOurs(ours) && (await service.answers(ours.port))) return ours.port;
  if (await service.answers(usual)) return usual;
  if (!service.binary()) install(service.package);
  if (!service.binary()) fail(`${service.package} is installed, but its program was not found.`);
  const port = (await isFree(usual)) ? usual : await freePort();
  const data = join(HOME, `${name}-${process.pid}`);
  mkdirSync(data, { mode: 0o700 });
  const { uid, gid } = name === 'postgres' ? unprivileged() : {};
  if (uid) chownSync(data, uid, gid);
  const log = join(HOME, `${name}.log`);
  const pid = service.start(port, data, log);
  state[name] = { pid, port, data };
  writeState(state);
  for (let tries = 0; tries < 150; tries++) {
    if (await service.answers(port)) {
      say(`${name} started on port ${port}, process ${pid}`);
      return port;
    }
    await sleep(200);
  }
  fail(`${name} does not answer on port ${port}: see ${log}`);
}

async function stop(state) {
  for (const [name, ours] of Object.entries(state)) {
    if (isOurs(ours)) {
      process.kill(ours.pid, 'SIGINT'); // PostgreSQL's fast shutdown; Redis also exits on it
      for (let tries = 0; tries < 100 && isOurs(ours); tries++) await sleep(100);
      say(`${name} stopped`);
    }
    rmSync(ours.data, { recursive: true, force: true });
  }
  rmSync(STATE, { force: true });
}

mkdirSync(HOME, { recursive: true, mode: 0o755 });
const state = readState();
if (process.argv.includes('--stop')) await stop(state);
else {
  for (const name of Object.keys(SERVICES))
    for (const line of SERVICES[name].lines(await bring(name, state))) console.log(`export ${line}`);
  bringWrk();
}
