// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { createSecureContext, TLSSocket } from 'node:tls';
import { CERTIFICATE, KEY } from '../fleet/certificate.ts';
import { missing, startRedis } from '../fleet/services.ts';

const MAIN = resolve('src/cli/main.ts');
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Root without its privileges is a user like others, who can still read a checkout that only root can. */
const AS_ORDINARY_USER = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

const folder = mkdtempSync(join(tmpdir(), 'sightline-start-'));
let made = 0;
const fresh = (): string => join(folder, `data-${++made}`);
const servers: Server[] = [];
async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
let busy = 0;
before(async () => {
  chmodSync(folder, 0o755);
  busy = await listening(createServer());
});
after(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder that only another user may open. */
function folderOfAnother(): string | null {
  if (isRoot) {
    const theirs = fresh();
    mkdirSync(theirs, { mode: 0o700 });
    chownSync(theirs, NOBODY, NOBODY);
    return theirs;
  }
  try {
    readdirSync('/root');
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? '/root' : null;
  }
}

interface Ran {
  readonly code: number | null;
  readonly lines: readonly string[];
}
async function run(args: readonly string[], environment: Record<string, string> = {}, under: readonly string[] = []): Promise<Ran> {
  const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env;
  const [program = '', ...rest] = [...under, process.execPath, MAIN, ...args];
  const child = spawn(program, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...env, PORT: '0', SIGHTLINE_DATA_DIR: fresh(), SIGHTLINE_LOG_LEVEL: 'silent', ...environment },
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, lines: text.trimEnd().split('\n') };
}
/** One line, no stack, exit code 1. */
function told({ code, lines }: Ran, ...words: readonly RegExp[]): void {
  assert.equal(lines.length, 1, lines.join('\n'));
  for (const word of words) assert.match(lines[0] ?? '', word);
  assert.equal(code, 1);
}

describe('an error at the start is one line that names setting, value and remedy, and exit code 1', { concurrency: 2 }, () => {
  test('a port that another process uses', async () => {
    told(await run(['serve'], { PORT: String(busy) }), /^PORT is \d+, but another process listens/, /set PORT to a free port/);
    told(await run(['serve'], { SIGHTLINE_ADMIN_PORT: String(busy) }), /^SIGHTLINE_ADMIN_PORT is \d+/, /set SIGHTLINE_ADMIN_PORT/);
  });

  test('the same in a demo, which leaves no files', async () => {
    const temporary = fresh();
    mkdirSync(temporary);
    told(await run(['demo', '--port', String(busy)], { TMPDIR: temporary }), /^PORT is \d+/);
    assert.deepEqual(readdirSync(temporary), []);
    told(await run(['demo'], { TMPDIR: temporary, SIGHTLINE_RATE_BURST: 'many' }), /^SIGHTLINE_RATE_BURST is "many"/);
    assert.deepEqual(readdirSync(temporary), []);
  });

  test('an address that this machine does not have', async () => {
    told(
      await run(['serve'], { HOST: '192.0.2.1', SIGHTLINE_PUBLIC_URL: 'https://api.example' }),
      /^HOST is "192\.0\.2\.1", which is no address of this machine/,
    );
  });

  test('a data folder that is a file, or is below a file', async () => {
    const file = fresh();
    writeFileSync(file, '');
    told(await run(['serve'], { SIGHTLINE_DATA_DIR: file }), /^SIGHTLINE_DATA_DIR is "/, /set it to a folder/);
    told(await run(['keys', 'list'], { SIGHTLINE_DATA_DIR: join(file, 'below') }), /^SIGHTLINE_DATA_DIR is "/, /set it to a folder/);
  });

  test('a data folder that cannot be made is refused at once', async () => {
    told(await run(['serve'], { SIGHTLINE_DATA_DIR: '/proc/x' }), /^SIGHTLINE_DATA_DIR is "\/proc\/x", which cannot be used \(ENOENT\)/);
  });

  test('a port, a folder and a socket of another user', async (t) => {
    const own = folderOfAnother();
    if (!own) return t.skip('no folder of another user is closed to this one');
    if (Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) > 80)
      told(await run(['serve'], { PORT: '80' }, AS_ORDINARY_USER), /^PORT is 80, but this user may not/, /set PORT to 1024 or above/);
    told(
      await run(['serve'], { SIGHTLINE_DATA_DIR: own }, AS_ORDINARY_USER),
      /^SIGHTLINE_DATA_DIR is "/,
      new RegExp(`this user \\(${process.getuid?.()}\\)`),
      /run as the user of the service/,
    );
    told(
      await run(['keys', 'list'], { SIGHTLINE_DATA_DIR: own }, AS_ORDINARY_USER),
      /run this command as the user that runs the service|run as the user/,
    );
  });

  test('PostgreSQL refuses: connection, password, user, database', async () => {
    const cases: [code: string, words: RegExp][] = [
      ['28P01', /refuses the password of user "mine"/],
      ['3D000', /has no database "books": create it/],
    ];
    for (const [code, words] of cases) {
      const port = await listening(refusing(code));
      const DATABASE_URL = `postgresql://mine:hidden@127.0.0.1:${port}/books`;
      told(await run(['serve'], { DATABASE_URL }), /^PostgreSQL at 127\.0\.0\.1:\d+ \(DATABASE_URL\)/, words, /^((?!hidden).)*$/);
    }
    told(await run(['keys', 'list'], { DATABASE_URL: 'postgresql://127.0.0.1:1/x' }), /refuses the connection: start it/);
  });

  test('Redis refuses: connection, password', async () => {
    told(await run(['worker'], { REDIS_URL: 'redis://127.0.0.1:1' }), /^Redis at 127\.0\.0\.1:1 \(REDIS_URL\) refuses the connection/);
    const port = await listening(withPassword());
    for (const user of ['', ':wrong@'])
      told(
        await run(['worker'], { REDIS_URL: `redis://${user}127.0.0.1:${port}` }),
        /refuses the password: correct user and password in REDIS_URL/,
      );
  });

  /** A URL of Redis in this setting, wrong about TLS in each way. */
  async function mistakenTls(setting: string, command: readonly string[], others: Record<string, string> = {}): Promise<void> {
    const [silent, strict] = [await listening(createServer()), await listening(withTlsAlone())];
    const mistake = async (url: string, words: RegExp) =>
      told(
        await run(command, { ...others, [setting]: url }),
        new RegExp(`^Redis at 127\\.0\\.0\\.1:\\d+ \\(${setting}\\) `),
        words,
        HIDDEN,
      );
    await mistake(`rediss://:hidden@127.0.0.1:${silent}`, /if it takes no TLS, write redis:\/\/ in place of rediss:\/\//);
    await mistake(`redis://:hidden@127.0.0.1:${strict}`, /if it takes TLS alone, write rediss:\/\/ in place of redis:\/\//);
    await mistake(
      `rediss://:hidden@127.0.0.1:${strict}`,
      /certificate that is refused \(self-signed certificate\): set NODE_EXTRA_CA_CERTS/,
    );
  }
  const PURGE = ['cache', 'purge', 'registration'];

  test('Redis and TLS at one end only, or a certificate that is not trusted', async () => {
    await mistakenTls('REDIS_URL', ['worker']);
    await mistakenTls('REDIS_URL', PURGE);
  });

  test('the same of the Redis of the cache', { skip: missing('redis') }, async (t) => {
    const redis = await startRedis();
    t.after(() => redis.close());
    await mistakenTls('SIGHTLINE_CACHE_URL', ['serve'], { REDIS_URL: redis.url });
    await mistakenTls('SIGHTLINE_CACHE_URL', PURGE, { REDIS_URL: redis.url });
  });

  test('PostgreSQL and TLS at one end only, a certificate that is not trusted, a file that is not there', async () => {
    const [plain, strict] = [await listening(withoutTls()), await listening(withTlsAlone())];
    const postgres = async (port: number, query: string, ...words: readonly RegExp[]) =>
      told(await run(['keys', 'list'], { DATABASE_URL: `postgresql://mine:hidden@127.0.0.1:${port}/x${query}` }), ...words, HIDDEN);
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])
      await postgres(plain, `?sslmode=${mode}`, /takes no TLS: .* or remove sslmode from DATABASE_URL/);
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
      await postgres(
        strict,
        `?sslmode=${mode}&application_name=x`,
        /certificate that is refused \(self-signed certificate\): set NODE_EXTRA_CA_CERTS/,
      );
    await postgres(await listening(refusing('28000')), '', /if the server takes TLS alone, add sslmode=verify-full to DATABASE_URL/);
    for (const file of ['sslrootcert', 'sslcert', 'sslkey'])
      await postgres(
        plain,
        `?sslmode=verify-full&${file}=/nowhere.pem`,
        /\/nowhere\.pem cannot be read \(ENOENT\): correct the file in DATABASE_URL/,
      );
  });

  test('an invalid setting', async () => {
    told(await run(['serve'], { SIGHTLINE_TRUST_PROXY: '300.1.1.1' }), /^SIGHTLINE_TRUST_PROXY is "300\.1\.1\.1", but it has /);
  });

  test('an admin token that others can read', async () => {
    const SIGHTLINE_DATA_DIR = fresh();
    mkdirSync(SIGHTLINE_DATA_DIR, { mode: 0o700 });
    writeFileSync(join(SIGHTLINE_DATA_DIR, 'admin-token'), 'abc\n', { mode: 0o644 });
    told(await run(['serve'], { SIGHTLINE_DATA_DIR }), /admin-token \(SIGHTLINE_DATA_DIR\) can be read by others: delete it/);
  });

  test('a store of a newer version', async () => {
    const SIGHTLINE_DATA_DIR = fresh();
    mkdirSync(SIGHTLINE_DATA_DIR, { mode: 0o700 });
    const db = new DatabaseSync(join(SIGHTLINE_DATA_DIR, 'sightline.db'));
    db.exec(
      "create table kysely_migration (name text not null, timestamp text not null); insert into kysely_migration values ('0099_later', '')",
    );
    db.close();
    told(await run(['serve'], { SIGHTLINE_DATA_DIR }), /^The store \(SIGHTLINE_DATA_DIR\) has schema 1, .*: run the newer version/);
  });
});

test('a usage error is exit code 2, and the message names the option', async () => {
  const twice = await run(['lookup', 'registration', 'example.com', '--domain', 'example.com']);
  assert.deepEqual(twice, { code: 2, lines: ['Give domain once: as an argument or as --domain.'] });
  const missing = await run(['lookup', 'registration']);
  assert.equal(missing.code, 2);
  assert.match(missing.lines.join(' '), /--domain/);
  const reader = await run(['lookup', 'appReviews', 'acme', '--page', 'x']);
  assert.equal(reader.code, 2);
  assert.match(reader.lines.join(' '), /page/);
});

test('only serve creates a store: a command with a mistyped folder reports that there is no store and creates nothing', async () => {
  for (const command of [['keys', 'list'], ['migrate']]) {
    const SIGHTLINE_DATA_DIR = fresh();
    told(await run(command, { SIGHTLINE_DATA_DIR }), /^SIGHTLINE_DATA_DIR is "/, /where there is no store: .*sightline serve/);
    assert.ok(!readdirSync(folder).includes(SIGHTLINE_DATA_DIR.slice(folder.length + 1)));
  }
});

/** A PostgreSQL that answers the start-up message with an error of this SQLSTATE. */
const refusing = (sqlstate: string): Server =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlstate}\0Mrefused\0\0`);
      const head = Buffer.alloc(5);
      head.write('E');
      head.writeInt32BE(fields.length + 4, 1);
      socket.end(Buffer.concat([head, fields]));
    });
  });

/** A Redis that requires a password and rejects every one. */
const withPassword = (): Server =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      for (const command of bytes.toString().matchAll(/^\*\d+\r\n\$\d+\r\n(\w+)/gm))
        socket.write(
          /^auth$/i.test(command[1] ?? '') ? '-WRONGPASS invalid username-password pair\r\n' : '-NOAUTH Authentication required.\r\n',
        );
    });
  });

const HIDDEN = /^((?!hidden).)*$/;

/** A PostgreSQL that declines TLS. */
const withoutTls = (): Server =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write('N'));
  });

/** Redis or PostgreSQL behind a certificate that nobody trusts; what comes without TLS is cut off. */
const withTlsAlone = (): Server => {
  const secureContext = createSecureContext({ key: KEY, cert: CERTIFICATE });
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      const isSslRequest = first.length === 8;
      if (isSslRequest) socket.write('S');
      else if (first[0] !== TLS_HANDSHAKE) return socket.destroy();
      else socket.pause().unshift(first);
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
    });
  });
};
const TLS_HANDSHAKE = 22;
