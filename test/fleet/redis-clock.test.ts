// Few in a process: it waits for servers that it starts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Fleet } from '../../src/fleet/membership.ts';
import { createRedisPace } from '../../src/fleet/pace.ts';
import { createRedisLimits } from '../../src/fleet/rate-limits.ts';
import { takeOne } from '../../src/gateway/admission/rate-limits.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { member } from './engine-fixture.ts';
import { missing, type OwnServer, startRedis } from './services.ts';

const HOUR_MS = 3_600_000;

/** Shifts Redis' clock for the scripts of a process, which are sent as text with another TIME. Returns how to set the shift. */
function shiftClock({ redis }: Fleet): (ms: number) => void {
  let shiftMs = 0;
  const call = redis.call.bind(redis) as (command: string, lua: string, ...rest: unknown[]) => Promise<unknown>;
  const shifted = (lua: string): string =>
    lua.replaceAll("redis.call('TIME')", `(function() local t = redis.call('TIME') return {t[1] + ${shiftMs / 1000}, t[2]} end)()`);
  redis.call = ((command: string, lua: string, ...rest: unknown[]) =>
    command === 'evalsha'
      ? Promise.reject(new Error('NOSCRIPT: sent as text'))
      : call(command, shifted(lua), ...rest)) as typeof redis.call;
  return (ms) => {
    shiftMs = ms;
  };
}

describe('the clock of Redis is set', { skip: missing('redis') }, () => {
  let redis: OwnServer;
  let one: Fleet;
  let two: Fleet;
  let shiftAll: (ms: number) => void;
  before(async () => {
    redis = await startRedis();
    const part = { gateway: true, sources: ['a'] };
    [one, two] = await Promise.all([member(redis.url, part), member(redis.url, part)]);
    const shifts = [one, two].map(shiftClock);
    shiftAll = (ms) => {
      for (const shift of shifts) shift(ms);
    };
    await Promise.all([one.refresh(), two.refresh()]);
    await one.refresh();
    shiftAll(HOUR_MS);
    const before = one.now();
    await one.refresh();
    assert.ok(one.now() - before > HOUR_MS / 2, 'the clock is shifted');
    shiftAll(0);
    await Promise.all([one.refresh(), two.refresh()]);
  });
  after(async () => {
    await Promise.all([one.close(), two.close()]);
    await redis.close();
  });

  for (const [name, jumpMs] of [
    ['back by an hour', -HOUR_MS],
    ['forward by an hour', HOUR_MS],
  ] as const) {
    test(`${name}: a used-up limit is neither prolonged by the difference nor exceeded by more than a burst`, async () => {
      shiftAll(0);
      const limits = createRedisLimits(one);
      const rule = { ratePerSecond: 0.1, burst: 3 };
      const take = () => takeOne(limits, { limiter: 'account', key: `limit ${name}`, rule }, 0);
      for (let i = 0; i < 3; i++) assert.equal((await take()).ok, true);
      const before = await take();
      assert.equal(before.ok, false);
      shiftAll(jumpMs);
      const next = [await take(), await take(), await take(), await take()];
      assert.equal(next.filter(({ ok }) => ok).length, jumpMs > 0 ? 3 : 0);
      const waitMs = next.at(-1)?.waitMs ?? 0;
      assert.ok(waitMs > 5_000 && waitMs <= 10_000, `${waitMs} ms`);
    });

    test(`${name}: the pace of a source goes on, with at most one burst more`, async () => {
      shiftAll(0);
      const pace = createRedisPace({ fleet: one, clock: realClock });
      const rule = { key: `pace ${name}`, everyMs: 20_000, burst: 1 };
      assert.equal(await pace.take(rule, 0), 0);
      assert.ok((await pace.take(rule, 0)) > 15_000);
      await pace.rest(`rest ${name}`, 30_000);
      shiftAll(jumpMs);
      const waits = [await pace.take(rule, 0), await pace.take(rule, 0)];
      assert.equal(waits[0] === 0, jumpMs > 0);
      assert.ok((waits[1] ?? 0) > 15_000 && (waits[1] ?? 0) <= 20_000, `${waits} ms`);
      // the rest is stored in the process, too, whose own clock did not move
      const restMs = await pace.resting(`rest ${name}`);
      assert.ok(restMs > 25_000 && restMs <= 30_000, `${restMs} ms`);
    });

    test(`${name}: a member that was killed before is noticed`, async () => {
      shiftAll(0);
      const third = await member(redis.url, { gateway: false, sources: ['c'] });
      await one.refresh();
      assert.equal(one.queueFor('c') !== null, true);
      third.redis.disconnect();
      await third.close();
      for (let ms = 0; ms <= 1_500; ms += 150) {
        shiftAll(jumpMs + ms);
        await two.refresh();
        await one.refresh();
      }
      assert.deepEqual([one.queueFor('c') !== null, one.queueFor('a') !== null, one.seen.gateways], [false, true, 2]);
    });

    test(`${name}: the members stay, and one that is killed is noticed`, async () => {
      shiftAll(0);
      const third = await member(redis.url, { gateway: false, sources: ['b'] });
      const shiftThird = shiftClock(third);
      await third.refresh();
      await one.refresh();
      assert.equal(one.queueFor('b') !== null, true);
      shiftAll(jumpMs);
      shiftThird(jumpMs);
      await third.refresh();
      await two.refresh();
      await one.refresh();
      assert.deepEqual(
        [one.up, one.seen, one.queueFor('a') !== null, one.queueFor('b') !== null],
        [true, { gateways: 2, workers: 3 }, true, true],
      );
      assert.ok(Math.abs(one.now() - (Date.now() + jumpMs)) < 1_000, 'the shared time follows');
      third.redis.disconnect();
      await third.close();
      // time passes for the others, a heartbeat at a time
      for (let ms = 150; ms <= 1_500; ms += 150) {
        shiftAll(jumpMs + ms);
        await two.refresh();
        await one.refresh();
      }
      assert.equal(one.queueFor('b') !== null, false);
    });
  }
});
