import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdminServer } from '../../src/gateway/admin/server.ts';
import { MAX_WAITING_REQUESTS } from '../../src/gateway/http/connections.ts';
import type { GatewayParts } from '../../src/gateway/parts.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { leads, REGISTRATION } from '../contract/fakes.ts';
import { adminHttp, inject, tokenEntrance } from '../support/inject.ts';
import { get, type Listening, latch, listening, Raw } from './raw.ts';

const CONNECT = 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n';
const UPGRADE = ['Connection: upgrade', 'Upgrade: websocket'];
const MALFORMED = 'nonsense\r\n\r\n';
const HALF = 'GET /healthz HTTP/1.1\r\nHost: ';
/** More than the system buffers for a client that does not read. */
const LARGE = 12_000_000;

const open: Listening[] = [];
async function gateway(settings: Record<string, string> = {}, parts: Partial<GatewayParts> = {}): Promise<Listening> {
  const it = await listening({ settings, parts });
  open.push(it);
  return it;
}
afterEach(async () => {
  for (const it of open.splice(0)) {
    it.clock.ms += 600_000;
    await it.gateway.drain();
  }
});

async function empty(it: Listening): Promise<void> {
  for (let i = 0; i < 300 && (await it.connections()) > 0; i++) await sleep(10);
  assert.equal(await it.connections(), 0, 'connections that the server still holds');
}
const steps = (it: Listening): readonly string[] => it.accounts.state.steps;

test('CONNECT followed by a reset does not end the process', async () => {
  const it = await gateway();
  await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const client = new Raw(it.port).send(i % 2 ? CONNECT : CONNECT + MALFORMED);
      if (i % 3 === 0) await client.answers(1).catch(() => []);
      await client.reset();
    }),
  );
  assert.deepEqual(await new Raw(it.port).send(get('/healthz', ['Connection: close'])).answers(1), [200]);
  await empty(it);
});

test('every connection has an error listener for its whole lifetime, also after Node detaches it from the server', async () => {
  const it = await gateway();
  const listeners: number[] = [];
  it.gateway.app.server.prependListener('connect', (_request, socket) => listeners.push(socket.listenerCount('error')));
  const client = new Raw(it.port).send(CONNECT);
  assert.deepEqual(await client.answers(1), [405]);
  assert.deepEqual(listeners, [1]);
});

test('CONNECT is answered with 405 and the connection is closed, even if the client keeps its side open', async () => {
  const it = await gateway();
  const clients = Array.from({ length: 20 }, () => new Raw(it.port, { halfOpen: true }).send(CONNECT));
  for (const client of clients) {
    await client.ended();
    assert.deepEqual(client.statuses, [405]);
    assert.match(client.text, /allow: GET, HEAD/i);
  }
  await empty(it);
  for (const { socket } of clients) socket.destroy();
});

test('an Upgrade header is ignored, and the connection is closed after the answer', async () => {
  const it = await gateway();
  for (const next of [MALFORMED, get('/v1/nosuch'), '']) {
    const client = new Raw(it.port, { halfOpen: true }).send(get('/healthz', UPGRADE), next);
    await client.ended();
    assert.deepEqual(client.statuses, [200]);
    assert.match(client.text, /connection: close/i);
    client.socket.destroy();
  }
  const malformed = new Raw(it.port).send(get('/healthz', [...UPGRADE, 'bad header']));
  assert.deepEqual(await malformed.answers(1), [400]);
  await empty(it);
});

test('an incomplete request is answered with 400 within the limit, and a silent connection is closed', async () => {
  const it = await gateway({ SIGHTLINE_REQUEST_TIMEOUT_MS: '100' });
  const half = new Raw(it.port, { halfOpen: true }).send(HALF);
  const body = new Raw(it.port, { halfOpen: true }).send(`POST /v1/nosuch HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n`);
  const silent = new Raw(it.port, { halfOpen: true });
  for (const client of [half, body, silent]) await client.ended();
  assert.deepEqual([half.statuses, body.statuses], [[400], [404]]);
  await empty(it);
  for (const { socket } of [half, body, silent]) socket.destroy();
});

/** Requests of a client that reads no answer. */
const UNREAD = {
  'one large answer': get(REGISTRATION),
  'many answers': get(REGISTRATION).repeat(25),
  'an answer, then CONNECT': get(REGISTRATION) + CONNECT,
  'an answer, then bytes that are no HTTP': get(REGISTRATION) + MALFORMED,
  'an answer, then half a request': get(REGISTRATION) + HALF,
};
for (const [name, bytes] of Object.entries(UNREAD))
  test(`a client that does not read is disconnected within the limit: ${name}`, async () => {
    const it = await gateway({ SIGHTLINE_REQUEST_TIMEOUT_MS: '100' }, { sendTimeoutMs: 200 });
    it.script = leads(it.clock, { body: { text: 'x'.repeat(LARGE) } });
    const client = new Raw(it.port, { reads: false, halfOpen: true }).send(bytes);
    await once(client.socket, 'connect');
    await empty(it);
    while (steps(it).length < 2) await sleep(1);
    // the client that caused the one lookup pays for it; the other lookups were never started
    assert.deepEqual(steps(it), ['hold 1', 'capture 1']);
    assert.equal(it.accounts.state.usage.length, 1);
    client.socket.destroy();
  });

test('shutdown closes every connection: half-open, unread, handed over, with an incomplete request', async () => {
  const it = await gateway();
  it.script = leads(it.clock, { body: { text: 'x'.repeat(LARGE) } });
  const unread = [CONNECT, get(REGISTRATION), get(REGISTRATION) + CONNECT, HALF, get('/healthz', UPGRADE), ''].map((bytes) =>
    new Raw(it.port, { reads: false, halfOpen: true }).send(bytes),
  );
  await Promise.all(unread.map(({ socket }) => socket.connecting && once(socket, 'connect')));
  while (steps(it).length < 2) await sleep(1);
  const drained = it.gateway.drain();
  await sleep(50);
  it.clock.ms += 60_000;
  assert.equal(await drained, true);
  assert.equal(await it.connections(), 0);
  for (const { socket } of unread) socket.destroy();
});

test('pipelined lookups start one after the other, each after the previous answer was sent', async () => {
  const it = await gateway();
  const [first, second] = [latch(), latch()];
  const doors = [first, second];
  it.script = async (request) => {
    await doors[it.asked.length - 1]?.opened;
    return leads(it.clock)(request);
  };
  const client = new Raw(it.port).send(get(REGISTRATION), get(REGISTRATION), get(REGISTRATION));
  while (it.asked.length < 1) await sleep(1);
  await sleep(20);
  assert.equal(it.asked.length, 1);
  first.open();
  await client.answers(1);
  while (it.asked.length < 2) await sleep(1);
  assert.deepEqual(steps(it), ['hold 1', 'capture 1']);
  second.open();
  assert.deepEqual(await client.answers(3), [200, 200, 200]);
});

test('lookups behind unread answers are not started: no hold, no usage row; once read, all are answered and charged', async () => {
  const it = await gateway();
  const lookup = leads(it.clock);
  it.script = async (request) => (it.asked.length <= 3 ? leads(it.clock, { body: { text: 'x'.repeat(LARGE) } })(request) : lookup(request));
  const client = new Raw(it.port, { reads: false }).send(get(REGISTRATION).repeat(28));
  while (steps(it).length < 1) await sleep(1);
  await sleep(100);
  assert.deepEqual([steps(it), it.accounts.state.usage.length], [['hold 1'], 1]);
  client.read();
  assert.equal((await client.answers(28)).length, 28);
  while (it.accounts.state.holds.size > 0) await sleep(1);
  assert.equal(it.accounts.state.balance, 1000 - 28);
});

for (const [name, tail, status] of [
  ['bytes that are no HTTP', MALFORMED, 400],
  ['a malformed header', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX-Pad: ${'a'.repeat(60_000)}`, 431],
  ['CONNECT', CONNECT, 405],
  ['an expectation', get('/healthz', ['Expect: a-miracle']), 400],
] as const)
  test(`lookups followed by ${name} in one packet: all are answered, in order, and each is charged once`, async () => {
    const it = await gateway();
    const answering = latch();
    it.script = async (request) => {
      await answering.opened;
      return leads(it.clock)(request);
    };
    const client = new Raw(it.port).send(get(REGISTRATION), get(REGISTRATION), tail);
    while (it.asked.length < 1) await sleep(1);
    client.send(MALFORMED);
    await sleep(20);
    assert.deepEqual(client.statuses, []);
    answering.open();
    assert.deepEqual((await client.answers(3)).slice(0, 3), [200, 200, status]);
    assert.deepEqual(steps(it), ['hold 1', 'capture 1', 'hold 1', 'capture 1']);
    client.socket.destroy();
  });

test('a lookup behind an answer that closes the connection is never started', async () => {
  const it = await gateway();
  const ends = [
    get('/healthz', ['Connection: close']),
    `GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc`,
    get('/healthz', UPGRADE),
  ];
  for (const first of ends) {
    const client = new Raw(it.port).send(first, get(REGISTRATION));
    await client.ended();
    assert.equal(client.statuses.length, 1);
  }
  const drained = new Raw(it.port);
  const answering = latch();
  it.script = async (request) => {
    await answering.opened;
    return leads(it.clock)(request);
  };
  drained.send(get(REGISTRATION), get(REGISTRATION));
  while (it.asked.length < 1) await sleep(1);
  const end = it.gateway.drain();
  answering.open();
  await drained.ended();
  assert.deepEqual(drained.statuses, [200]);
  await end;
  assert.deepEqual(steps(it), ['hold 1', 'capture 1']);
});

test('lookups on a connection that is reset before their turn are never started', async () => {
  const it = await gateway();
  const answering = latch();
  it.script = async (request) => {
    await answering.opened;
    return leads(it.clock)(request);
  };
  const client = new Raw(it.port).send(get(REGISTRATION).repeat(5));
  while (it.asked.length < 1) await sleep(1);
  await client.reset();
  await empty(it);
  answering.open();
  while (steps(it).length < 2) await sleep(1);
  assert.deepEqual([it.asked.length, steps(it)], [1, ['hold 1', 'capture 1']]);
});

test('pipelined requests are read only as fast as they are answered, and all are answered in order', async () => {
  const it = await gateway();
  const answering = latch();
  it.script = async (request) => {
    await answering.opened;
    return leads(it.clock)(request);
  };
  let server: Socket | null = null;
  it.gateway.app.server.once('connection', (socket) => {
    server = socket;
  });
  const request = `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`;
  const count = 20_000;
  const client = new Raw(it.port).send(get(REGISTRATION), request.repeat(count));
  while (it.asked.length < 1) await sleep(1);
  await sleep(100);
  const read = (server as Socket | null)?.bytesRead ?? 0;
  assert.ok(read > MAX_WAITING_REQUESTS * request.length && read < 200_000, `${read} bytes read of ${count * request.length}`);
  answering.open();
  assert.deepEqual(new Set(await client.answers(count + 1)), new Set([200]));
});

test('malformed bytes get one error response, however many packets follow', async () => {
  const it = await gateway();
  const client = new Raw(it.port).send(MALFORMED);
  for (let i = 0; i < 5; i++) client.send(MALFORMED);
  await client.ended();
  assert.deepEqual(client.statuses, [400]);
});

test('the admin listener survives CONNECT and resets, and an incomplete request does not delay its shutdown', async () => {
  const admin = createAdminServer({ http: adminHttp(createMetrics({ version: '0.0.0' })), version: '0.0.0' });
  await admin.listen({ port: 0, host: '127.0.0.1' });
  const { port } = admin.server.address() as AddressInfo;
  for (const bytes of [CONNECT, MALFORMED, HALF]) await new Raw(port).send(bytes).reset();
  const half = new Raw(port, { halfOpen: true }).send(HALF);
  await once(half.socket, 'connect');
  assert.deepEqual(await new Raw(port).send(get('/healthz', ['Connection: close'])).answers(1), [200]);
  await admin.close();
  await half.ended();
  half.socket.destroy();
});

test('the admin listener answers an incomplete request with 400 within its limit, and closes the connection', async () => {
  const metrics = createMetrics({ version: '0.0.0' });
  const admin = createAdminServer({ http: adminHttp(metrics), version: '0.0.0', requestTimeoutMs: 100 });
  await admin.listen({ port: 0, host: '127.0.0.1' });
  const { port } = admin.server.address() as AddressInfo;
  for (const bytes of [HALF, 'POST /accounts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nabc']) {
    const client = new Raw(port, { halfOpen: true }).send(bytes);
    await client.ended();
    assert.match(String(client.statuses[0]), /^4\d\d$/, client.text);
    client.socket.destroy();
  }
  await admin.close();
});

test('the admin listener of a service answers to localhost and to addresses alone, with metrics too; a worker, to every Host', async () => {
  const metrics = createMetrics({ version: '0.0.0' });
  const manage = { actions: {} as never, entrance: tokenEntrance('the-token') };
  const [admin, worker] = [
    createAdminServer({ http: adminHttp(metrics), version: '0.0.0', manage }),
    createAdminServer({ http: adminHttp(metrics), version: '0.0.0' }),
  ];
  const ask = async (app: typeof admin, host: string) => {
    const reply = await inject(app, { url: '/metrics', headers: { host } });
    return { status: reply.statusCode, text: reply.body };
  };
  for (const host of ['localhost:9090', '127.0.0.1:9090', '[::1]:9090', 'LOCALHOST', '127.0.0.1', '10.0.0.7', '[fd00::7]:9090'])
    assert.equal((await ask(admin, host)).status, 200, host);
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:9090', '10.0.0.7.evil.example', 'a@localhost']) {
    const { status, text } = await ask(admin, host);
    assert.equal(status, 403, host);
    assert.match(text, /"code":"FORBIDDEN","message":"Host is /);
  }
  assert.equal((await ask(worker, 'sightline-worker.monitoring.svc:9090')).status, 200);
  for (const path of ['/', '/console', '/v1/account', '/accounts', '/nosuch'])
    assert.equal(
      (await inject(admin, { url: path, headers: { host: 'evil.example', authorization: 'Bearer the-token' } })).statusCode,
      403,
      path,
    );
  await Promise.all([admin.close(), worker.close()]);
});
