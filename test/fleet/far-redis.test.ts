// Few in a process: it waits for servers that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fleet, joinFleet } from '../../src/fleet/membership.ts';
import { queueOf } from '../../src/fleet/wire/keys.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { missing, type OwnServer, startRedis } from './services.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Delay in each direction. */
const DELAY_MS = 300;

describe('a Redis with a round trip of 600 ms', { skip: missing('redis') }, () => {
  let redis: OwnServer;
  let proxy: TcpProxy;
  let gateway: Fleet;
  let worker: Fleet;
  before(async () => {
    redis = await startRedis();
    proxy = await openTcpProxy(redis.url, DELAY_MS);
    const join = (part: { gateway: boolean; sources: string[] }, id: string) =>
      joinFleet({ url: proxy.url, clock: realClock, log: () => {}, part, newId: () => id });
    [gateway, worker] = await Promise.all([join({ gateway: true, sources: [] }, 'g'), join({ gateway: false, sources: ['a'] }, 'w')]);
  });
  after(async () => {
    await Promise.all([gateway?.close(), worker?.close()]);
    await proxy?.close();
    await redis?.close();
  });

  test('no process is reported as lost while all are connected', async () => {
    await Promise.all([gateway.refresh(), worker.refresh()]);
    const gone: string[] = [];
    const unwatch = [
      gateway.subscribe((event) => {
        if (event === 'down') gone.push('Redis');
        else if (!gateway.isServed(queueOf(['a']))) gone.push('worker');
      }),
      worker.subscribe((event) => {
        if (event === 'down') gone.push('Redis');
        else if (!worker.hasGateway('g')) gone.push('gateway');
      }),
    ];
    await sleep(5_000);
    for (const end of unwatch) end();
    assert.deepEqual(gone, []);
    assert.deepEqual(gateway.seen, { gateways: 1, workers: 1 });
  });

  test('a stopped process is reported as lost, and no longer counted', async () => {
    await worker.close();
    for (const until = performance.now() + 8_000; gateway.seen.workers > 0 && performance.now() < until; ) await sleep(50);
    assert.deepEqual([gateway.seen, gateway.workers, gateway.isServed(queueOf(['a']))], [{ gateways: 1, workers: 0 }, 1, false]);
  });
});
