// Few in a process: it waits for servers that it starts.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openChannels } from '../../src/fleet/channels.ts';
import { connectRedis } from '../../src/fleet/redis.ts';
import { missing, startRedis } from './services.ts';

test('a connection lost during resubscription raises no error, and the next connection receives messages', {
  skip: missing('redis'),
  timeout: 20_000,
}, async (t) => {
  const redis = await startRedis();
  t.after(() => redis.close());
  const connections: Socket[] = [];
  // the proxy drops the second connection when it subscribes
  const way = createServer((socket) => {
    const second = connections.push(socket) === 2;
    const on = connect(Number(new URL(redis.url).port), '127.0.0.1');
    for (const each of [socket, on]) each.on('error', () => undefined);
    socket.on('data', (data) => {
      if (second && /\bsubscribe\b/i.test(data.toString())) socket.destroy();
      else on.write(data);
    });
    on.on('data', (data) => socket.write(data));
    socket.on('close', () => on.destroy());
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  t.after(() => way.close());

  const channels = await openChannels(`redis://127.0.0.1:${(way.address() as AddressInfo).port}`, () => {});
  t.after(() => channels.close());
  const heard: string[] = [];
  await channels.listen('news', (message) => heard.push(message.toString()));
  connections[0]?.destroy();

  const publisher = connectRedis(redis.url, () => {});
  await publisher.connect();
  t.after(() => publisher.disconnect());
  for (let heardBy = 0; heardBy === 0; heardBy = await publisher.publish('news', 'again')) await sleep(20);
  for (let left = 100; left && !heard.length; left--) await sleep(20);
  assert.deepEqual(heard, ['again']);
  assert.equal(connections.length, 3);
});
