// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../../src/fleet/membership.ts';
import { queueOf } from '../../src/fleet/wire/keys.ts';
import { limit, realTime } from '../support/real-time.ts';
import { member } from './engine-fixture.ts';
import { missing, type OwnServer, startRedis } from './services.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** One heartbeat late is no loss. */
const TOLERATES_MS = 150;

/** How long the event loop is blocked, as under a burst of work. */
function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

describe('a process whose event loop is blocked', { skip: missing('redis') }, () => {
  let redis: OwnServer;
  let proxy: TcpProxy;
  let gateway: Fleet;
  let worker: Fleet;
  const events: string[] = [];
  before(async () => {
    redis = await startRedis();
    proxy = await openTcpProxy(redis.url);
    gateway = await member(redis.url, { gateway: true, sources: [] });
    worker = await member(proxy.url, { gateway: false, sources: ['a'] });
    gateway.subscribe((event) => {
      if (event !== 'members') events.push(event);
      else if (!gateway.isServed(queueOf(['a']))) events.push('no worker');
    });
    await until(() => gateway.queueFor('a') !== null);
    events.length = 0;
  });
  after(async () => {
    await Promise.all([gateway.close(), worker.close()]);
    await proxy.close();
    await redis.close();
  });

  async function until(good: () => boolean): Promise<number> {
    const began = performance.now();
    for (; performance.now() < began + limit(8_000); await sleep(5)) if (good()) return performance.now() - began;
    return assert.fail('it never came');
  }
  /** Runs the function at the next heartbeat, right after the heartbeat's command is queued. */
  function atBeat(run: () => void): Promise<void> {
    const { redis: connection } = gateway;
    const real = connection.call;
    return new Promise((done) => {
      connection.call = ((...args: Parameters<typeof real>) => {
        connection.call = real;
        const asked = real.apply(connection, args);
        run();
        done();
        return asked;
      }) as typeof real;
    });
  }

  for (const [where, soon] of Object.entries({
    'before the beat is written': (run: () => void) => process.nextTick(run),
    'while the answer is on its way': (run: () => void) => setImmediate(() => setImmediate(run)),
  })) {
    test(
      `a second without a turn ${where} does not make the process report Redis as lost`,
      realTime(TOLERATES_MS, async () => {
        const { id } = gateway;
        await atBeat(() => soon(() => block(1_000)));
        await sleep(1_500);
        assert.deepEqual(events, []);
        assert.deepEqual([gateway.up, gateway.id], [true, id]);
      }),
    );
  }

  test(
    'nor a worker whose heartbeats it could not read in that time',
    realTime(TOLERATES_MS, async () => {
      for (const offsetMs of [0, 40, 80, 120]) {
        await sleep(offsetMs);
        block(1_000);
        await sleep(400);
      }
      assert.deepEqual(events, []);
    }),
  );

  test(
    'a lost worker is noticed within a second, also by a process that was blocked meanwhile',
    realTime(TOLERATES_MS, async () => {
      for (const stillMs of [0, 900]) {
        proxy.shut();
        await sleep(1); // its connection is closed
        block(stillMs);
        const ms = stillMs + (await until(() => !(gateway.queueFor('a') !== null)));
        assert.ok(ms < limit(1_300), `${ms} ms`);
        proxy.open();
        await until(() => gateway.queueFor('a') !== null);
      }
      events.length = 0;
    }),
  );

  for (const [turnMs, withinMs] of [
    [0, 1_200],
    [50, 2_500],
  ] as const) {
    test(
      `a frozen Redis is noticed within ${withinMs} ms where turns of the event loop take ${turnMs} ms`,
      realTime(TOLERATES_MS, async () => {
        await until(() => gateway.up);
        let busy = true;
        const work = (): void => {
          block(turnMs);
          if (busy) setImmediate(work);
        };
        if (turnMs) work();
        redis.freeze();
        const ms = await until(() => !gateway.up);
        busy = false;
        redis.thaw();
        await until(() => gateway.up);
        assert.ok(ms < limit(withinMs), `${ms} ms`);
      }),
    );
  }
});
