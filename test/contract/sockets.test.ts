import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/contract/errors.ts';
import { KEY, leads, REGISTRATION, refused, rig } from './fakes.ts';

/** Behaviour that needs Node's parser and a real socket. */
const r = rig();
let port = 0;
before(async () => {
  await r.gateway.app.listen({ port: 0 });
  const address = r.gateway.app.server.address();
  assert.ok(address && typeof address === 'object');
  port = address.port;
});
after(() => r.gateway.app.close());

/** Sends bytes; gives everything received until the server closes the connection or the first response is complete. */
async function send(bytes: string | Buffer, to = port): Promise<{ status: number; head: string; text: string; body: unknown }> {
  const socket = connect(to, '127.0.0.1');
  socket.on('error', () => {});
  let all = '';
  const whole = new Promise<void>((done) => {
    socket.on('close', () => done());
    socket.on('data', (data) => {
      all += data.toString('latin1');
      const length = /content-length: (\d+)/i.exec(all)?.[1];
      const end = all.indexOf('\r\n\r\n');
      if (length !== undefined && end >= 0 && all.length >= end + 4 + Number(length)) done();
    });
  });
  await once(socket, 'connect');
  socket.write(bytes);
  await whole;
  socket.destroy();
  const [head = '', text = ''] = all.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, text, body: text.startsWith('{') ? JSON.parse(text) : null };
}
function exact(reply: { status: number; head: string; body: unknown }, status: number, code: string): void {
  assert.equal(reply.status, status, reply.head);
  const body = reply.body as { error: { code: string; message: string } };
  assert.deepEqual(Object.keys(body), ['error']);
  assert.deepEqual(Object.keys(body.error).sort(), ['code', 'message']);
  assert.equal(body.error.code, code);
  assert.match(reply.head, /content-type: application\/json/i);
  assert.match(reply.head, /x-request-id: /i);
}
const get = (path: string, headers = `Host: a\r\nX-API-Key: ${KEY}\r\n`) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;

test('bytes that are not HTTP get the exact error body', async () => {
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n`,
    '\u0016\u0003\u0001\u0002\u0000',
  ])
    exact(await send(bytes), 400, 'INVALID_REQUEST');
  exact(await send('GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n'), 400, 'INVALID_REQUEST');
});

test('another HTTP version is 505, an unknown transfer coding 501, a content coding 415; nothing of the body is read', async () => {
  for (const version of ['HTTP/9.9', 'HTTP/2.0', 'HTTP/0.9']) {
    const reply = await send(`GET ${REGISTRATION} ${version}\r\nHost: a\r\nX-API-Key: ${KEY}\r\n\r\n`);
    exact(reply, 505, 'INVALID_REQUEST');
    assert.match(reply.head, /connection: close/i);
  }
  exact(await send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 505, 'INVALID_REQUEST');
  const asked = r.asked.length;
  for (const coding of ['gzip, chunked', 'gzip', 'chunked, gzip', 'Identity, Chunked']) {
    const reply = await send(`${get(REGISTRATION, `Host: a\r\nX-API-Key: ${KEY}\r\nTransfer-Encoding: ${coding}\r\n`)}0\r\n\r\n`);
    exact(reply, 501, 'INVALID_REQUEST');
    assert.match(reply.head, /connection: close/i, coding);
  }
  for (const path of [REGISTRATION, '/healthz', '/v1/account']) {
    const reply = await send(get(path, `Host: a\r\nX-API-Key: ${KEY}\r\nContent-Encoding: gzip\r\n`));
    exact(reply, 415, 'INVALID_REQUEST');
    assert.match(reply.head, /accept-encoding: identity/i);
  }
  assert.equal(r.asked.length, asked);
  assert.equal((await send(get(REGISTRATION, `Host: a\r\nX-API-Key: ${KEY}\r\nContent-Encoding: identity\r\n`))).status, 200);
});

test('a request without Host, or with two, is rejected with the exact body; HTTP/1.0 without Host is not', async () => {
  exact(await send(get(REGISTRATION, `X-API-Key: ${KEY}\r\n`)), 400, 'INVALID_REQUEST');
  exact(await send(get(REGISTRATION, `Host: a\r\nHost: b\r\nX-API-Key: ${KEY}\r\n`)), 400, 'INVALID_REQUEST');
  assert.equal((await send(`GET ${REGISTRATION} HTTP/1.0\r\nX-API-Key: ${KEY}\r\n\r\n`)).status, 200);
});

test('an overlong URL is 414 and overlong headers are 431, just above the limit and far beyond the parser', async () => {
  for (const size of [8200, 30_000, 60_000]) exact(await send(get(`/v1/forum/search?query=${'a'.repeat(size)}`)), 414, 'REQUEST_TOO_LARGE');
  for (const size of [32_800, 39_000, 60_000])
    exact(await send(get(REGISTRATION, `Host: a\r\nX-Pad: ${'a'.repeat(size)}\r\n`)), 431, 'REQUEST_TOO_LARGE');
  assert.equal((await send(get(REGISTRATION, `Host: a\r\nX-API-Key: ${KEY}\r\nX-Pad: ${'a'.repeat(31_000)}\r\n`))).status, 200);
  const many = (count: number): string => get(REGISTRATION, `Host: a\r\nX-API-Key: ${KEY}\r\n${'X-Many: 1\r\n'.repeat(count)}`);
  assert.equal((await send(many(2_800))).status, 200, 'their number is no limit');
  exact(await send(many(3_000)), 431, 'REQUEST_TOO_LARGE');
});

test('any request target is answered with the exact body, and the server keeps running', async () => {
  const character = fc.constantFrom(...'/v1?&=%+#;:@.~{}[]|\\^`"<>abc019\u0001\u007f\u00ff');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: character, minLength: 1, maxLength: 60 }), async (target) => {
      const reply = await send(Buffer.from(get(target), 'latin1'));
      assert.ok([400, 404].includes(reply.status), `${reply.status}: ${target}`);
      exact(reply, reply.status, reply.status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST');
    }),
    { numRuns: 150 },
  );
});

test('a body is rejected without being read, and the connection is closed', async () => {
  const reply = await send(`${get(REGISTRATION, `Host: a\r\nX-API-Key: ${KEY}\r\nContent-Length: 1000000\r\n`)}abc`);
  exact(reply, 413, 'REQUEST_TOO_LARGE');
  assert.match(reply.head, /connection: close/i);
});

test('unknown methods and expectations get the exact body', async () => {
  const head = `Host: a\r\nContent-Length: 0\r\n\r\n`;
  for (const method of ['POST', 'DELETE', 'PURGE', 'MKCOL', 'LINK', 'QUERY', 'M-SEARCH']) {
    const reply = await send(`${method} ${REGISTRATION} HTTP/1.1\r\n${head}`);
    exact(reply, 405, 'METHOD_NOT_ALLOWED');
    assert.match(reply.head, /allow: GET, HEAD/i);
  }
  exact(await send('CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n'), 405, 'METHOD_NOT_ALLOWED');
  exact(await send('OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'), 404, 'NOT_FOUND');
  assert.equal(
    (await send(get(REGISTRATION, `Host: a\r\nX-API-Key: ${KEY}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n`))).status,
    200,
  );
  exact(await send(`GET ${REGISTRATION} HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n`), 400, 'INVALID_REQUEST');
});

test('two Authorization headers are not a valid credential', async () => {
  const reply = await send(get(REGISTRATION, `Host: a\r\nAuthorization: Bearer ${KEY}\r\nAuthorization: Bearer other\r\n`));
  exact(reply, 401, 'UNAUTHORIZED');
});

test('a request id or key cannot inject a header', async () => {
  const reply = await send(get(REGISTRATION, `Host: a\r\nX-API-Key: ${KEY}\r\nX-Request-Id: a\tb\r\n`));
  assert.equal(reply.status, 200);
  assert.doesNotMatch(reply.head, /a\tb/);
});

test('pipelined requests are answered in order', async () => {
  const socket = connect(port, '127.0.0.1');
  let all = '';
  const both = new Promise<void>((done) => {
    socket.on('data', (data) => {
      all += data.toString('latin1');
      if (all.split('HTTP/1.1 ').length === 3 && all.endsWith('}')) done();
    });
  });
  socket.write(get(REGISTRATION) + get('/v1/nosuch'));
  await both;
  socket.destroy();
  assert.deepEqual(all.match(/HTTP\/1\.1 (\d+)/g), ['HTTP/1.1 200', 'HTTP/1.1 404']);
});

test('a shutdown finishes requests in flight, rejects new ones, and waits for captures', async () => {
  const own = rig();
  let go: () => void = () => {};
  const wait = new Promise<void>((done) => {
    go = done;
  });
  let asked: () => void = () => {};
  const running = new Promise<void>((done) => {
    asked = done;
  });
  own.script = async (request) => {
    asked();
    await wait;
    return leads(own.clock)(request);
  };
  await own.gateway.app.listen({ port: 0 });
  const address = own.gateway.app.server.address();
  assert.ok(address && typeof address === 'object');
  const first = send(get(REGISTRATION), address.port);
  await running;
  const drained = own.gateway.drain();
  const late = await send(get(REGISTRATION), address.port);
  exact(late, 503, 'OVERLOADED');
  assert.match(late.head, /connection: close/i);
  assert.equal((await send('nonsense\r\n\r\n', address.port)).status, 503);
  go();
  assert.equal((await first).status, 200);
  assert.equal(await drained, true);
  assert.deepEqual(own.accounts.state.steps, ['hold 1', 'capture 1']);
  assert.equal(own.gateway.app.server.listening, false);
});

test('behind a trusted proxy clients are counted by X-Forwarded-For; from other addresses the header is ignored', async () => {
  const settings = { SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 1, burst: 1 } }) };
  const from = (it: ReturnType<typeof rig>, address: string) => it.get(REGISTRATION, { 'x-forwarded-for': address });
  const behind = rig({ settings: { ...settings, SIGHTLINE_TRUST_PROXY: '127.0.0.0/8' } });
  const seen = [await from(behind, '192.0.2.1'), await from(behind, '192.0.2.2'), await from(behind, '192.0.2.1')];
  assert.deepEqual(
    seen.map((reply) => reply.status),
    [401, 401, 429],
  );
  const open = rig({ settings });
  assert.deepEqual([(await from(open, '192.0.2.1')).status, (await from(open, '192.0.2.2')).status], [401, 429]);
});

test('an error with an invalid header value does not hang the request', async () => {
  const own = rig();
  own.script = async () => refused(new ServiceError('UPSTREAM_FAILED', 'Broken.', { 'x-bad': 'a\nb' }));
  assert.equal((await own.get(REGISTRATION)).status, 500);
});

test('a request whose error response fails is closed, and the process keeps running', async () => {
  const own = rig();
  own.accounts.record = () => {
    throw new Error('the usage buffer is broken');
  };
  await own.gateway.app.listen({ port: 0 });
  const address = own.gateway.app.server.address();
  assert.ok(address && typeof address === 'object');
  assert.equal((await send(get(REGISTRATION), address.port)).status, 200);
  assert.equal((await send(get('/healthz'), address.port)).status, 200);
  assert.ok(own.logged.some((l) => l.level === 'error'));
  await own.gateway.drain();
});
