import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createWebServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import tls from 'node:tls';
import { CERTIFICATE, KEY } from '../../../test/support/certificate.ts';
import { answerOf, detailOf, outside } from '../../../test/support/upstream-fixture.ts';
import { bodyText } from '../answer.ts';
import type { Lookup } from './guard.ts';

tls.setDefaultCACertificates([CERTIFICATE]);

async function listening(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
const leadTo = (address: string) => {
  const asked: string[] = [];
  const lookup: Lookup = async (name) => {
    asked.push(name);
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
  return { lookup, asked };
};
async function direct(t: TestContext, lookup: Lookup, environment: Record<string, string> = {}) {
  const ports = await outside({ unmapped: true, lookup, environment });
  t.after(() => ports.close());
  return ports;
}
const hello = (req: IncomingMessage, res: ServerResponse) => {
  res.end(`hello ${req.method} ${req.url} ${req.headers.host}`);
};

test('a public name that resolves to a private address is refused before any connection', async (t) => {
  let connected = 0;
  const port = await listening(
    t,
    createWebServer(hello).on('connection', () => connected++),
  );
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254']) {
    const { ask } = await direct(t, leadTo(address).lookup);
    for (const url of ['http://public.com/', 'https://public.com/', 'http://public.com:8080/']) {
      const reply = await ask(url);
      assert.equal(reply.tag, 'refused', `${url} at ${address}`);
      assert.match(detailOf(reply), /leads to/);
    }
    assert.equal((await ask(`http://127.0.0.1:${port}/`)).tag, 'refused');
  }
  assert.equal(connected, 0);
});

test('a name that does not resolve is unreachable', async (t) => {
  const { ask } = await direct(t, () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })));
  assert.equal((await ask('https://public.com/')).tag, 'unreachable');
});

test('an origin that a setting names may be private: exactly this host and port, and its redirects are still checked', async (t) => {
  const port = await listening(
    t,
    createWebServer((req, res) => {
      if (req.url === '/away') res.writeHead(302, { location: 'http://public.com/' }).end();
      else if (req.url === '/port') res.writeHead(302, { location: `http://127.0.0.1:${port + 1}/` }).end();
      else if (req.url === '/inside') res.writeHead(302, { location: '/' }).end();
      else if (req.url === '/who') res.end(req.headers.authorization);
      else hello(req, res);
    }),
  );
  const { ask } = await direct(t, leadTo('127.0.0.1').lookup);
  const own = `http://127.0.0.1:${port}`;
  assert.equal(bodyText(answerOf(await ask(`${own}/`, { named: true }))), `hello GET / 127.0.0.1:${port}`);
  assert.equal((await ask(`${own}/inside`, { named: true })).tag, 'answer');
  assert.equal((await ask(`http://search.lan:${port}/`, { named: true })).tag, 'answer');
  assert.equal(bodyText(answerOf(await ask(`http://user:p%40ss@127.0.0.1:${port}/who`, { named: true }))), `Basic ${btoa('user:p@ss')}`);
  for (const path of ['/away', '/port']) assert.equal((await ask(own + path, { named: true })).tag, 'refused', path);
  assert.equal((await ask(`${own}/`)).tag, 'refused');
});

test('TLS verifies the name of the URL, not the address, and a name is resolved once per connection', async (t) => {
  const names: unknown[] = [];
  const server = createSecureServer({ key: KEY, cert: CERTIFICATE }, hello);
  server.on('secureConnection', (socket: tls.TLSSocket) => names.push(socket.servername));
  const port = await listening(t, server);
  const { lookup, asked } = leadTo('127.0.0.1');
  const { ask } = await direct(t, lookup);
  for (let i = 0; i < 3; i++) assert.equal((await ask(`https://secure.com:${port}/${i}`, { named: true })).tag, 'answer');
  assert.deepEqual(asked, names, 'one resolution a connection');
  assert.ok(names.length < 3, 'connections are kept');
  assert.deepEqual(new Set(names), new Set(['secure.com']));
  assert.equal((await ask(`https://impostor.com:${port}/`, { named: true })).tag, 'unreachable');
});

test('behind a proxy names are checked; loopback and exempted hosts are direct; the proxy credentials are not logged', async (t) => {
  const asked: string[] = [];
  const secure = await listening(t, createSecureServer({ key: KEY, cert: CERTIFICATE }, hello));
  const proxy = createWebServer((req, res) => {
    asked.push(`${req.url} ${req.headers['proxy-authorization'] ?? ''}`);
    res.end('by proxy');
  });
  proxy.on('connect', (req, socket: Socket) => {
    asked.push(`${req.url} ${req.headers['proxy-authorization'] ?? ''}`);
    if (req.url !== 'secure.com:443') return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const on = connect(secure, '127.0.0.1');
    on.on('error', () => socket.destroy());
    socket.on('error', () => on.destroy());
    on.pipe(socket).pipe(on);
  });
  const at = `http://user:secret@127.0.0.1:${await listening(t, proxy)}`;
  const { lookup, asked: lookedUp } = leadTo('10.0.0.1');
  const { ask } = await direct(t, lookup, { HTTP_PROXY: at, HTTPS_PROXY: at, NO_PROXY: 'exempt.com, *.below.com' });
  const basic = `Basic ${Buffer.from('user:secret').toString('base64')}`;
  assert.equal(bodyText(answerOf(await ask('http://public.com/x'))), 'by proxy');
  assert.equal(bodyText(answerOf(await ask('https://secure.com/y'))), 'hello GET /y secure.com');
  assert.deepEqual(asked, [`http://public.com/x ${basic}`, `secure.com:443 ${basic}`]);
  assert.deepEqual(lookedUp, []);
  const denied = await ask('https://denied.com/');
  assert.equal(denied.tag, 'unreachable');
  assert.doesNotMatch(JSON.stringify(denied), /secret|dXNlc/);
  for (const url of ['http://localhost/', 'https://10.0.0.1/', 'http://db/', 'http://a.internal/'])
    assert.equal((await ask(url)).tag, 'refused', url);
  for (const url of ['https://exempt.com/', 'https://www.exempt.com/', 'http://www.below.com/'])
    assert.match(detailOf(await ask(url)), /10\.0\.0\.1/, url);
  const own = await listening(t, createWebServer(hello));
  assert.match(bodyText(answerOf(await ask(`http://127.0.0.1:${own}/`, { named: true }))), /^hello/);
  assert.equal(asked.length, 3);
});

test('NO_PROXY exempts a host with its subdomains, its subdomains only, a port, or everything; each scheme has its own proxy', async (t) => {
  const through: string[] = [];
  const proxy = createWebServer((req, res) => {
    through.push(String(req.url));
    res.end();
  });
  proxy.on('connect', (req, socket: Socket) => {
    through.push(`https://${req.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const at = `127.0.0.1:${await listening(t, proxy)}`;
  const { lookup } = leadTo('10.0.0.1');
  const isProxied = async (settings: Record<string, string>, url: string): Promise<boolean> => {
    const { ask } = await direct(t, lookup, settings);
    through.length = 0;
    const reply = await ask(url);
    // a direct request ends at the guard
    assert.equal(through.length === 0, /10\.0\.0\.1/.test(JSON.stringify(reply)), url);
    return through.length > 0;
  };
  const table: [entry: string, exempt: string[], proxied: string[]][] = [
    [
      'a.com',
      ['https://a.com/', 'http://x.a.com/', 'https://a.com:8443/', 'https://A.com./'],
      ['https://ba.com/', 'https://a.com.evil.net/'],
    ],
    ['.a.com', ['https://x.a.com/', 'https://a.com/'], ['https://ba.com/']],
    ['*.a.com', ['https://x.a.com/'], ['https://a.com/']],
    ['a.com:8443', ['https://a.com:8443/'], ['https://a.com/']],
    ['a.com:443', ['https://a.com/'], ['http://a.com/']],
    ['*', ['https://any.com/'], []],
    ['*:80', ['http://any.com/'], ['https://any.com/']],
    ['.', [], ['https://any.com/']],
  ];
  for (const [entry, exempt, proxied] of table) {
    const settings = { HTTP_PROXY: at, HTTPS_PROXY: at, NO_PROXY: `other.net, ${entry}` };
    for (const url of exempt) assert.equal(await isProxied(settings, url), false, `${entry}: ${url}`);
    for (const url of proxied) assert.equal(await isProxied(settings, url), true, `${entry}: ${url}`);
  }
  for (const [name, http, https] of [
    ['http_proxy', true, false],
    ['HTTPS_PROXY', false, true],
  ] as const) {
    assert.equal(await isProxied({ [name]: at }, 'http://a.com/'), http, name);
    assert.equal(await isProxied({ [name]: at }, 'https://a.com/'), https, name);
  }
});
