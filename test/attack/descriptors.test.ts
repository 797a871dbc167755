// Own process: it counts the descriptors of its process.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { ServiceProcesses, until } from '../faults/service-process.ts';

/** Random starts. */
const RANDOM = 2_000;
/** Total number of malformed or reset connections, each start at least twice, and how many at a time. `SIGHTLINE_TEST_STARTS=100000` makes a longer run. */
const STARTS = Number(process.env.SIGHTLINE_TEST_STARTS ?? 2 * RANDOM);
const AT_ONCE = 400;

const processes = new ServiceProcesses();
after(() => processes.close());

const PIECES = [
  'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/website/whois/domains/a.com HTTP/1.1\r\nHost: a\r\nX-API-Key: sl_wrong\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /docs HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  'POST /v1/nosuch HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc',
  'POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n',
  'GET /a HTTP/1.1\r\nHost: ',
  'nonsense\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000',
  '\r\n\r\n',
  '\u0000',
];
/** Parts of requests for one connection, the last one possibly cut, and how the client disconnects. */
const start = fc.record({
  pieces: fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }),
  cut: fc.nat(60),
  leaves: fc.constantFrom('reset at once', 'reset after an answer', 'end', 'destroy'),
});
type Start = typeof start extends fc.Arbitrary<infer T> ? T : never;

function begin(port: number, { pieces, cut, leaves }: Start): Promise<void> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.once('close', () => done());
    const text = pieces.join('');
    socket.once('connect', () => {
      socket.write(text.slice(0, Math.max(1, text.length - cut)) || 'G', 'latin1');
      if (leaves === 'reset at once') socket.resetAndDestroy();
      else if (leaves === 'destroy') socket.destroy();
      else if (leaves === 'end') socket.end();
      // the server answers, or the client times out
      else {
        socket.once('data', () => socket.resetAndDestroy());
        setTimeout(() => socket.resetAndDestroy(), 5).unref();
      }
    });
    socket.resume();
  });
}

test(`${STARTS} random resets and malformed starts: the process keeps running with the same number of descriptors`, async (t) => {
  // the thread of captures starts a minute later, with descriptors of its own
  const settings = { SIGHTLINE_REQUEST_TIMEOUT_MS: '1000', SIGHTLINE_CAPTURE: 'off' };
  const served = await processes.serve(processes.folder(), settings);
  const port = Number(new URL(served.baseUrl).port);
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const descriptors = (): number => readdirSync(`/proc/${served.pid}/fd`).length;
  const idle = descriptors();
  const starts = fc.sample(start, { seed, numRuns: RANDOM });
  await Promise.all(starts.slice(0, 500).map((one) => begin(port, one)));
  // allows for the keep-alive connection of the test and for descriptors that are opened on first use
  await until('the first ones are gone', () => descriptors() <= idle + 8, 20_000);
  const before = descriptors();
  let begun = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (begun < STARTS) await begin(port, starts[begun++ % starts.length] as Start);
    }),
  );
  await until('no more descriptors than before', () => descriptors() <= before, 20_000);
  assert.equal((await served.get('/healthz')).status, 200);
  assert.equal(await processes.end(served), 0);
  assert.doesNotMatch(served.log(), /"level":50/);
});
