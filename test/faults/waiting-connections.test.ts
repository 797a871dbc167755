// Few in a process: it waits for a thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { rig } from '../contract/fakes.ts';

const CONNECTIONS = 60;
/** Connects and sends a request on each connection, says so, and then what each got. */
const CLIENTS = `
const { connect } = require('node:net');
const { workerData: { port, sent, count }, parentPort } = require('node:worker_threads');
const flag = new Int32Array(sent);
const got = Array.from({ length: count }, () => new Promise((done) => {
  let text = '';
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /v1/nowhere HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => {
    if (Atomics.add(flag, 0, 1) + 1 === count) Atomics.notify(flag, 0);
  }));
  socket.on('data', (data) => { text += data; });
  socket.on('error', (error) => done(error.code));
  socket.on('close', () => done(text.slice(9, 12)));
}));
Promise.all(got).then((all) => parentPort.postMessage(all));
`;

test('connections that wait to be accepted when the service is to end, as after a suspension, are answered, not reset', async () => {
  const it = rig();
  await it.gateway.app.listen({ port: 0 });
  const address = it.gateway.app.server.address();
  assert.ok(address && typeof address === 'object');
  const sent = new SharedArrayBuffer(4);
  const flag = new Int32Array(sent);
  const clients = new Worker(CLIENTS, { eval: true, workerData: { port: address.port, sent, count: CONNECTIONS } });
  const answers = new Promise<readonly string[]>((resolve, reject) => clients.once('message', resolve).once('error', reject));
  // this thread stands still until all have sent their request
  for (let seen = 0; seen < CONNECTIONS; seen = Atomics.load(flag, 0)) Atomics.wait(flag, 0, seen, 1_000);
  await it.gateway.drain();
  const got = await answers;
  assert.deepEqual([...new Set(got)], ['503'], String(got));
  assert.equal(got.length, CONNECTIONS);
  await clients.terminate();
});
