// Own process: it waits for servers that it starts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisLease } from '../../src/fleet/lease.ts';
import type { Fleet } from '../../src/fleet/membership.ts';
import { createRedisPace } from '../../src/fleet/pace.ts';
import { createRedisLimits } from '../../src/fleet/rate-limits.ts';
import {
  createPenalties,
  type Limit,
  type LimitRule,
  mapEach,
  stepOf,
  type TakeLimits,
  takeOne,
} from '../../src/gateway/admission/rate-limits.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { limit, realTime } from '../support/real-time.ts';
import { member } from './engine-fixture.ts';
import { missing, type OwnServer, startRedis } from './services.ts';

const ever = new AbortController().signal;
/** Limits of a test: their keys are its own. */
function limitsOf(fleet: Fleet, name: string): TakeLimits {
  const takeLimits = createRedisLimits(fleet);
  return (limits, nowMs) =>
    takeLimits(
      mapEach(limits, (limit) => ({ ...limit, key: `${name} ${limit.key}` })),
      nowMs,
    );
}
function limiterOf(fleet: Fleet, name: string) {
  const takeLimits = limitsOf(fleet, name);
  return { take: (key: string, rule: LimitRule, nowMs: number) => takeOne(takeLimits, { limiter: 'address', key, rule }, nowMs) };
}

describe('state shared by the processes of a fleet', { skip: missing('redis') }, () => {
  let redis: OwnServer;
  let one: Fleet;
  let two: Fleet;
  before(async () => {
    redis = await startRedis();
    const part = { gateway: true, sources: ['a'] };
    [one, two] = await Promise.all([member(redis.url, part), member(redis.url, part)]);
    // both have received each other's heartbeat, and bursts are allowed
    while (!(one.gateways === 2 && two.gateways === 2 && one.workers === 2 && two.workers === 2)) await sleep(10);
    await sleep(1_100);
  });
  after(async () => {
    await Promise.all([one.close(), two.close()]);
    await redis.close();
  });

  test(
    'every process knows all members',
    realTime(50, async () => {
      assert.deepEqual(
        [one.gateways, two.workers, one.queueFor('a') !== null, one.queueFor('b') !== null, one.hasGateway(two.id)],
        [2, 2, true, false, true],
      );
      assert.ok(Math.abs(one.now() - two.now()) < 5);
    }),
  );

  test('a worker that is silent for some seconds gets no attempts and stays a divisor of shares, so that no reserve grows', async () => {
    const silent = JSON.stringify(['silent', 0, 'its-queue', null, 'c']);
    await one.redis.zadd('sightline:fleet', one.now() - 6_000, silent);
    await one.refresh();
    assert.deepEqual([one.seen.workers, one.workers, one.queueFor('c')], [2, 3, null]);
    await one.redis.zrem('sightline:fleet', silent);
    await one.refresh();
    assert.equal(one.workers, 2);
  });

  test(
    'the pace of a source applies to all workers together, in any second',
    realTime(50, async () => {
      const paces = [one, two].map((fleet) => createRedisPace({ fleet, clock: realClock }));
      const rule = { key: 'host', everyMs: 20, burst: 5 };
      // by Redis' clock: an answer may reach this process late, and the next one on time
      const calls = await one.redis.monitor();
      const turns = new Map<string, number>();
      const ended = Promise.withResolvers<void>();
      calls.on('monitor', (seconds: string, [command, ...args]: readonly string[], source: string) => {
        const ticket = args.find((arg) => [one, two].some(({ id }) => arg.startsWith(`${id}/`)));
        if (command === 'evalsha' && source !== 'lua' && ticket) turns.set(ticket, Number(seconds) * 1_000);
        if (command === 'echo') ended.resolve();
      });
      const waits = await Promise.all(Array.from({ length: 80 }, (_, i) => paces[i % 2]?.take(rule, 5_000)));
      assert.deepEqual(new Set(waits), new Set([0]));
      await one.redis.echo('all have gone');
      await ended.promise;
      calls.disconnect();
      const went = [...turns.values()];
      assert.equal(went.length, 80);
      for (const from of went) {
        const within = went.filter((t) => t >= from && t < from + 500).length;
        // a slot may be used a little late, and the next one on time
        assert.ok(within <= 5 + 25 + 1, `${within} in half a second`);
      }
      const tookMs = Math.max(...went) - Math.min(...went);
      assert.ok(tookMs > 75 * 20 - 30 && tookMs < 75 * 20 + limit(400), `${tookMs} ms`);
    }),
  );

  test(
    'take() beyond its maximum wait returns the wait and takes no slot; a rest applies to all processes',
    realTime(50, async () => {
      const [a, b] = [one, two].map((fleet) => createRedisPace({ fleet, clock: realClock })) as [
        ReturnType<typeof createRedisPace>,
        ReturnType<typeof createRedisPace>,
      ];
      const rule = { key: 'impatient', everyMs: 400, burst: 1 };
      assert.equal(await a.take(rule, 0), 0);
      for (let i = 0; i < 5; i++) {
        const wait = await b.take(rule, 100);
        assert.ok(wait > 250 && wait <= 400, `${wait}`);
      }
      await a.rest('resting', 300);
      const wait = await b.take({ ...rule, key: 'resting' }, 2_000);
      assert.ok(wait > 200 && wait <= 300, `${wait}`);
      assert.ok((await b.resting('resting')) > 100);
      await sleep(Math.ceil(wait) + 1);
      assert.equal(await b.take({ ...rule, key: 'resting' }, 0), 0);
    }),
  );

  test(
    'a rest that is set while a request waits rejects that request; an aborted wait ends at once',
    realTime(50, async () => {
      const pace = createRedisPace({ fleet: one, clock: realClock });
      const rule = { key: 'later', everyMs: 150, burst: 1 };
      assert.equal(await pace.take(rule, 0), 0);
      const waits = pace.take(rule, 2_000);
      const gone = new AbortController();
      const leaves = pace.take(rule, 2_000, gone.signal);
      await pace.rest('later', 400);
      gone.abort();
      assert.ok((await leaves) > 0);
      assert.ok((await waits) > 200);
    }),
  );

  test(
    'waiting requests take slots by account, over all processes',
    realTime(50, async () => {
      const [a, b] = [one, two].map((fleet) => createRedisPace({ fleet, clock: realClock })) as [
        ReturnType<typeof createRedisPace>,
        ReturnType<typeof createRedisPace>,
      ];
      const rule = { key: 'fair', everyMs: 60, burst: 1 };
      assert.equal(await a.take(rule, 0), 0);
      const went: string[] = [];
      const ask = async (pace: typeof a, account: string) => {
        assert.equal(await pace.take({ ...rule, account }, 5_000), 0);
        went.push(account);
      };
      const all = Array.from({ length: 8 }, () => ask(a, 'many'));
      await sleep(20);
      all.push(ask(b, 'few'), ask(b, 'few'));
      await Promise.all(all);
      const places = went.flatMap((account, i) => (account === 'few' ? [i] : []));
      assert.ok((places[0] ?? 9) <= 2 && (places[1] ?? 9) <= 4, went.join(' '));
    }),
  );

  test(
    'one process holds the lease at a time, in order of arrival over all processes; an aborted wait returns null',
    realTime(50, async () => {
      const leases = [one, two].map((fleet) => createRedisLease({ fleet, clock: realClock }));
      let holders = 0;
      const order: number[] = [];
      const { promise: allWait, resolve: begin } = Promise.withResolvers<void>();
      const work = (i: number) =>
        leases[i % 2]?.alone(
          'x',
          async () => {
            assert.equal(++holders, 1);
            order.push(i);
            await allWait;
            await sleep(30);
            holders--;
            return i;
          },
          ever,
        );
      const all = [];
      for (let i = 0; i < 6; i++) {
        all.push(work(i));
        for (let waits = 0; (await one.redis.zcard('sightline:lease:x:queue')) <= i; waits++) {
          assert.ok(waits < 2_000, 'it is not in the queue');
          await sleep(5);
        }
      }
      begin();
      const gone = new AbortController();
      const left = leases[0]?.alone('x', async () => 'never', gone.signal);
      gone.abort();
      assert.equal(await left, null);
      assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4, 5]);
      assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
    }),
  );

  test('one process holds the lease at a time even if the clock of Redis is set back', async () => {
    const [a, b] = [one, two].map((fleet) => createRedisLease({ fleet, clock: realClock }));
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const began: string[] = [];
    const first = a?.alone('back', () => over, ever);
    await sleep(50);
    // simulates that everything in Redis was written an hour ahead of now
    for (const part of ['queue', 'seen']) await one.redis.zadd(`sightline:lease:back:${part}`, Date.now() + 3_600_000, `${one.id}/0`);
    const second = b?.alone('back', async () => void began.push('b'), ever);
    await sleep(200);
    assert.deepEqual(began, []);
    end();
    await Promise.all([first, second]);
    assert.deepEqual(began, ['b']);
  });

  test('request limits count over all gateways, by the same rule as in one process', async () => {
    const limiters = [one, two].map((fleet) => limiterOf(fleet, 'test'));
    // slow enough that no request is earned back during the test, whatever else runs on this machine
    const rule = { ratePerSecond: 0.01, burst: 8 };
    const began = performance.now();
    const taken = [];
    for (let i = 0; i < 9; i++) taken.push(await limiters[i % 2]?.take('k', rule, 0));
    const tookMs = performance.now() - began;
    assert.deepEqual(
      taken.map((t) => t?.ok),
      [true, true, true, true, true, true, true, true, false],
    );
    const alone = stepOf(undefined, rule, 0);
    assert.deepEqual([taken[0]?.remaining, Math.round(taken[0]?.resetMs ?? 0)], [alone.remaining, alone.resetMs]);
    const waitMs = taken[8]?.waitMs ?? 0;
    assert.ok(waitMs <= 100_000 && waitMs >= 100_000 - tookMs - 1, `${waitMs}, ${tookMs} ms after the first`);
  });

  test('limits taken in one step count as one after the other: none after the first that refuses', async () => {
    const takeLimits = createRedisLimits(one);
    const limit = (limiter: Limit['limiter'], key: string, burst: number): Limit => ({
      limiter,
      key,
      rule: { ratePerSecond: 0.01, burst },
    });
    const limits: Parameters<TakeLimits>[0] = [
      limit('address', 'step', 3),
      limit('account', 'step key', 2),
      limit('account', 'step account', 9),
    ];
    const taken = [];
    for (let i = 0; i < 4; i++) taken.push(await takeLimits(limits, 0));
    assert.deepEqual(
      taken.map((results) => results.map(({ ok, remaining }) => [ok, remaining])),
      [
        [
          [true, 2],
          [true, 1],
          [true, 8],
        ],
        [
          [true, 1],
          [true, 0],
          [true, 7],
        ],
        [
          [true, 0],
          [false, 0],
        ],
        [[false, 0]],
      ],
    );
    const { remaining } = await takeOne(takeLimits, limit('account', 'step account', 9), 0);
    assert.equal(remaining, 6, 'the same limit, taken alone');
  });

  test(
    'a request that is retried after the stated wait is admitted, at any gateway',
    realTime(50, async () => {
      const limiters = [one, two].map((fleet) => limiterOf(fleet, 'again'));
      const rule = { ratePerSecond: 10, burst: 1 };
      assert.equal((await limiters[0]?.take('k', rule, 0))?.ok, true);
      const wait = (await limiters[0]?.take('k', rule, 0))?.waitMs ?? 0;
      await sleep(Math.ceil(wait) + 1); // a timer may fire up to a millisecond early
      assert.equal((await limiters[1]?.take('k', rule, 0))?.ok, true);
    }),
  );

  test('events counted only afterwards may exceed the burst up to `overrun`, and extend the wait', async () => {
    const limiter = limiterOf(one, 'overrun');
    const rule = { ratePerSecond: 0.01, burst: 2, overrun: 3 };
    const taken = [];
    let tat: number | undefined;
    for (let i = 0; i < 7; i++) {
      const alone = stepOf(tat, rule, 0);
      tat = alone.arrivalMs;
      const shared = await limiter.take('k', rule, 0);
      assert.equal(shared.ok, alone.ok);
      assert.ok(Math.abs(shared.waitMs - alone.waitMs) < 50_000, `${shared.waitMs} and ${alone.waitMs}`);
      taken.push([alone.ok, alone.waitMs / 100_000]);
    }
    assert.deepEqual(taken, [
      [true, 0],
      [true, 1],
      [false, 2],
      [false, 3],
      [false, 4],
      [false, 4],
      [false, 4],
    ]);
  });

  test('a penalty found by one gateway applies to all, and further failures are rejected at each of them', async () => {
    const at = (fleet: Fleet) => createPenalties('wrong', limitsOf(fleet, 'strikes'), 'address', { ratePerSecond: 0.01, burst: 3 });
    const [a, b] = [at(one), at(two)];
    for (const penalties of [a, b, a]) assert.equal((await penalties.penalize('k', Date.now())).ok, true);
    const isLong = (waitMs = 0) => assert.ok(waitMs > 90_000 && waitMs <= 100_010, `${waitMs}`);
    for (const [fleet, penalties] of [[one, a] as const, [two, b] as const]) {
      const [read] = await limitsOf(fleet, 'strikes')([penalties.limitOf('k')], Date.now());
      assert.equal(read?.ok, false);
      isLong(read?.waitMs);
    }
    isLong(a.waitMs('k', Date.now()));
    assert.equal(a.waitMs('another', Date.now()), 0);
    assert.equal((await b.penalize('k', Date.now())).ok, false, 'one that was under way when the third was counted');
    isLong(b.waitMs('k', Date.now()));
  });

  test('a process that was suspended joins again before it takes a turn of a pace: the others use the whole of it', async () => {
    const rule = { key: 'suspended', everyMs: 60_000, burst: 1 };
    assert.equal(await createRedisPace({ fleet: two, clock: realClock }).take(rule, 0), 0);
    let isUp = false;
    const hasRejoined = async (): Promise<boolean> => (isUp = true);
    const fleet = { ...one, id: one.id, upForMs: one.upForMs, workers: 2, hasRejoined } as Fleet;
    Object.defineProperty(fleet, 'up', { get: () => isUp });
    assert.ok((await createRedisPace({ fleet, clock: realClock }).take(rule, 0)) > 0);
  });

  describe('a process that reads late which turns of a pace it has', () => {
    const LATE_MS = 700;
    /** Reads so many replies late: Redis has given the turn meanwhile. */
    const readsLate = (replies: number, lateMs = LATE_MS): Fleet => {
      let left = replies;
      const call = async (...args: unknown[]) => {
        const reply = await (one.redis.call as (...all: unknown[]) => Promise<unknown>)(...args);
        if (left-- > 0) await sleep(lateMs);
        return reply;
      };
      return Object.create(one, { redis: { value: Object.create(one.redis, { call: { value: call } }) } }) as Fleet;
    };
    const paceOf = (fleet: Fleet) => createRedisPace({ fleet, clock: realClock });

    for (const times of [1, 2])
      test(
        `asks again where it was late ${times === 1 ? 'once' : 'twice in a row'}: what it has not used is not sent beside what others were given meanwhile`,
        realTime(100, async () => {
          const rule = { key: `stale ${times}`, everyMs: 300, burst: 2 };
          const wentMs: number[] = [];
          const take = async (fleet: Fleet) => {
            assert.equal(await paceOf(fleet).take(rule, 10_000), 0);
            wentMs.push(performance.now());
          };
          const late = readsLate(2 * times);
          const takes = [take(late), take(late)];
          await sleep(times * LATE_MS - 50);
          await Promise.all([...takes, take(two), take(two)]);
          for (const from of wentMs) {
            const within = wentMs.filter((ms) => ms >= from && ms < from + 250).length;
            assert.ok(within <= 2, `${within} of a burst of 2`);
          }
        }),
      );

    test('asks twice more only: one that is always slow has its turns, too', async () => {
      const rule = { key: 'slow', everyMs: 20_000, burst: 3 };
      assert.equal(await paceOf(readsLate(9)).take(rule, 5_000), 0);
      assert.ok((await paceOf(two).take(rule, 0)) > 0, 'two turns are lost');
    });

    test('uses a turn that is not later than the next one was due', async () => {
      const rule = { key: 'soon', everyMs: 1_000, burst: 2 };
      assert.equal(await paceOf(readsLate(1, 100)).take(rule, 0), 0);
      assert.equal(await paceOf(two).take(rule, 0), 0, 'one turn was taken');
    });
  });

  test(
    'while Redis is away every process applies its share of the limits: neither unlimited nor closed',
    realTime(50, async () => {
      const limiter = limiterOf(one, 'away');
      const pace = createRedisPace({ fleet: one, clock: realClock });
      await redis.kill();
      while (one.up) await sleep(5);
      const rule = { ratePerSecond: 10, burst: 8 };
      const taken = await Promise.all(Array.from({ length: 8 }, () => limiter.take('k', rule, 1_000)));
      assert.equal(taken.filter((t) => t.ok).length, 4);
      assert.equal((await limiter.take('k', rule, 1_201)).ok, true, 'one more each 200 ms: half of the rate');
      const penalties = createPenalties('wrong', limitsOf(one, 'away too'), 'address', rule);
      const struck = await Promise.all(Array.from({ length: 8 }, () => penalties.penalize('k', 1_000)));
      assert.deepEqual([struck.filter(({ ok }) => ok).length, penalties.waitMs('k', 1_000)], [4, 200]);
      assert.equal(await pace.take({ key: 'p', everyMs: 100, burst: 4 }, 0), 0);
      const wait = await pace.take({ key: 'p', everyMs: 100, burst: 4 }, 0);
      assert.ok(wait > 150 && wait <= 200, `${wait}`);
      await redis.start();
      const until = performance.now() + 60_000;
      while (!(one.up && two.up) && performance.now() < until) await sleep(10);
      assert.ok(one.up && two.up);
      assert.equal((await limiter.take('fresh', rule, 0)).remaining, 7);
    }),
  );
});
