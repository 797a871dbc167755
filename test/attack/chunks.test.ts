import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Agent } from 'undici';
import { realClock } from '../../src/runtime/clock.ts';
import { Body } from '../../src/upstream/http/body.ts';
import { transfer } from '../../src/upstream/http/exchange.ts';

const MIB = 1024 * 1024;
const PATIENCE = { clock: realClock, headersMs: 20_000, bodyMs: 20_000, maxBytes: 8 * MIB };

/** An upstream on a real socket that answers each request as `serve` does. */
async function upstream(serve: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => serve(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const agent = new Agent();
  return {
    ask: (maxBytes = PATIENCE.maxBytes) =>
      transfer(
        agent,
        { origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' },
        { ...PATIENCE, maxBytes },
        new AbortController().signal,
      ),
    async close() {
      await agent.destroy();
      server.close();
    },
  };
}

test('a body in chunks of one byte costs memory for its bytes, not for its chunks', { timeout: 120_000 }, async () => {
  // 64 kB of the wire: some eleven thousand chunks of one byte
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(11_000));
  const bytes = 2 * MIB;
  const { ask, close } = await upstream((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    let left = Math.ceil(bytes / 11_000);
    const more = (): void => {
      while (left-- > 0) if (!socket.write(chunks)) return void socket.once('drain', more);
      socket.end('0\r\n\r\n');
    };
    more();
  });
  let most = 0;
  const before = process.memoryUsage().rss;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const got = await ask();
  clearInterval(look);
  assert.ok(got.ok);
  assert.equal(got.body.length, Math.ceil(bytes / 11_000) * 11_000);
  assert.ok(most - before < 200 * MIB, `${Math.round((most - before) / MIB)} MiB for ${bytes / MIB} MiB of payload`);
  await close();
});

test('a body of any chunks is the bytes that were sent, in their order', () => {
  const sizes = [0, 1, 2, 100, 16_383, 16_384, 65_536, 70_000];
  const body = new Body();
  const sent: Buffer[] = [];
  for (let i = 0; i < 500; i++) {
    const chunk = Buffer.alloc(sizes[(i * 7) % sizes.length] ?? 1, i % 251);
    sent.push(Buffer.from(chunk));
    body.add(chunk);
    // what is held is our own: the caller's chunk may be used again
  }
  assert.ok(body.join().equals(Buffer.concat(sent)));
  assert.equal(new Body().join().length, 0);
});

test('an upstream that breaks off, sends more than is allowed or sends no HTTP is an outcome, never a throw', {
  timeout: 60_000,
}, async () => {
  const hostile: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['resets', (socket) => socket.resetAndDestroy()],
    ['breaks off within a chunk', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nabc')],
    [
      'states a chunk of 2^60 bytes',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1000000000000000\r\nabc'),
    ],
    ['sends a size that is none', (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\nabc')],
    ['sends fewer bytes than it states', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc')],
    ['states more than is allowed', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\nabc')],
    ['sends more than is allowed', (socket) => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${'x'.repeat(2 * MIB)}`)],
    ['sends headers without end', (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}`)],
    ['speaks another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n')],
    ['switches protocols', (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc')],
  ];
  for (const [name, serve] of hostile) {
    const { ask, close } = await upstream(serve);
    const got = await ask(MIB);
    assert.equal(got.ok, false, name);
    await close();
  }
});
