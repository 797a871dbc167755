// Own process: it measures CPU time.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Agent } from 'undici';
import { realClock } from '../../src/runtime/clock.ts';
import { Body, transfer } from '../../src/upstream/http/exchange.ts';

const MIB = 1024 * 1024;
const LIMITS = { clock: realClock, headersMs: 20_000, bodyMs: 120_000, maxBytes: 8 * MIB };
/** One object per chunk took 200 bytes: 1.5 GiB for 8 MiB. Socket buffers and uncollected garbage stay within this limit. */
const MAX_USED = 250 * MIB;
const RSS_BEFORE = process.memoryUsage().rss;

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
    ask: (maxBytes = LIMITS.maxBytes) =>
      transfer(
        agent,
        { origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' },
        { ...LIMITS, maxBytes },
        new AbortController().signal,
      ),
    async close() {
      await agent.destroy();
      server.close();
    },
  };
}

/** Complete payload of an answer in chunks of one byte, as sent on the connection. */
function serveBytes(socket: Socket, bytes: number): void {
  const perWrite = 11_000;
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(perWrite));
  socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
  let left = bytes;
  const more = (): void => {
    while (left > 0) {
      const written = Math.min(left, perWrite);
      left -= written;
      if (!socket.write(written === perWrite ? chunks : chunks.subarray(0, written * 6))) return void socket.once('drain', more);
    }
    socket.end('0\r\n\r\n');
  };
  more();
}

for (const [count, bytes] of [
  [1, 8 * MIB],
  [8, MIB],
] as const) {
  test(`${count} at a time: a body of ${bytes / MIB} MiB in chunks of one byte takes memory for its bytes, not for its chunks`, {
    timeout: 180_000,
  }, async (t) => {
    const { ask, close } = await upstream((socket) => serveBytes(socket, bytes));
    t.after(close);
    let most = 0;
    const sample = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const answers = await Promise.all(Array.from({ length: count }, () => ask()));
    clearInterval(sample);
    for (const answer of answers) {
      assert.ok(answer.ok, JSON.stringify(answer));
      assert.equal(answer.body.length, bytes);
    }
    const used = `${Math.round((most - RSS_BEFORE) / MIB)} MiB for ${count} × ${bytes / MIB} MiB of payload`;
    assert.ok(most - RSS_BEFORE < MAX_USED, used);
  });
}

test('a body in any chunks equals the bytes that were sent, in order', () => {
  const sizes = [0, 1, 2, 100, 16_383, 16_384, 65_536, 70_000];
  const body = new Body();
  const sent: Buffer[] = [];
  for (let i = 0; i < 500; i++) {
    const chunk = Buffer.alloc(sizes[(i * 7) % sizes.length] ?? 1, i % 251);
    sent.push(Buffer.from(chunk));
    body.add(chunk);
    // the collector keeps its own copy: the caller may reuse the chunk
  }
  assert.ok(body.join().equals(Buffer.concat(sent)));
  assert.equal(new Body().join().length, 0);
});

test('an upstream that disconnects, exceeds the size limit or does not send HTTP is an outcome, never a throw', {
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
