// Own process: every client of Redis in it runs scripts that count their branches.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSharedCache, purgeShared } from '../../src/fleet/cache.ts';
import { type Channels, openChannels } from '../../src/fleet/channels.ts';
import { createRedisCoalescing } from '../../src/fleet/coalescing.ts';
import { createLeads } from '../../src/fleet/leads.ts';
import { createRedisLease } from '../../src/fleet/lease.ts';
import type { Fleet } from '../../src/fleet/membership.ts';
import { createRedisPace } from '../../src/fleet/pace.ts';
import { listenForPurges } from '../../src/fleet/purge.ts';
import { createRedisLimits } from '../../src/fleet/rate-limits.ts';
import { createRedisSpending } from '../../src/fleet/spending.ts';
import {
  CACHE_KEYS,
  EPOCHS_KEY,
  laneKey,
  leaseKeys,
  limitKey,
  MEMBERS_KEY,
  paceKeys,
  placeOf,
  spendingKey,
} from '../../src/fleet/wire/keys.ts';
import { createPenalties, createTakeLimits, type Limit, type TakeLimits } from '../../src/gateway/admission/rate-limits.ts';
import { type Acceptance, type AnswerCache, createLocalCache } from '../../src/orchestrator/cache.ts';
import { createCoalescing, type Joining, type Run, type SharedCoalescing } from '../../src/orchestrator/coalescing.ts';
import { type CachedAnswer, FREE } from '../../src/orchestrator/types.ts';
import { DAY_MS, realClock } from '../../src/runtime/clock.ts';
import { createSpending } from '../../src/spending/spending.ts';
import { createPace } from '../../src/upstream/pace.ts';
import type { Lease, Pace, Spending } from '../../src/upstream/ports.ts';
import { member } from './engine-fixture.ts';
import { countBranches } from './lua-branches.ts';
import { missing, type OwnServer, startRedis } from './services.ts';

interface Backend {
  readonly limits: TakeLimits;
  readonly pace: Pace;
  readonly cache: AnswerCache;
  readonly coalescing: SharedCoalescing | undefined;
  readonly spending: Spending;
  /** Null: one process needs none. */
  readonly lease: Lease | null;
}

const BUDGET = 40_000;
const answerOf = (more: Partial<CachedAnswer> = {}): CachedAnswer => ({
  ...{ bytes: Buffer.from('{}'), etag: 'W/"x"', at: Date.now(), freshForMs: 60_000, keepForMs: 60_000 },
  ...{ source: 'registration/rdap', unread: [] },
  ...more,
});
const runOf = (cached: CachedAnswer): Run => ({ cached, error: null, attempts: [], upstreamMs: 1, stored: true });
const ANY: Acceptance = { noCache: false, readSinceMs: 0, freshMs: 0, staleMs: null };

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(20)) if (await isSo()) return;
  throw new Error('it does not come to that');
}

/** What holds for one process and for a fleet. */
function conformance(name: string, skip: string | false, backendOf: () => Backend): void {
  describe(name, { skip }, () => {
    const limitOf = (key: string, more: Partial<Limit> = {}): Limit => ({
      ...{ limiter: 'account', key, rule: { ratePerSecond: 0.01, burst: 2 } },
      ...more,
    });

    test('limits: a burst, then a wait; counted in order up to the first that refuses; a read counts nothing', async () => {
      const { limits } = backendOf();
      const take = async (...of: Parameters<TakeLimits>[0]) => limits(of, Date.now());
      const seen = [];
      for (let i = 0; i < 3; i++) seen.push(...(await take(limitOf('a'))));
      assert.deepEqual(
        seen.map(({ ok, remaining }) => [ok, remaining]),
        [
          [true, 1],
          [true, 0],
          [false, 0],
        ],
      );
      const waitMs = seen.at(-1)?.waitMs ?? 0;
      assert.ok(waitMs > 80_000 && waitMs <= 100_000, `${waitMs}`);
      const both = await take(limitOf('b'), limitOf('a'), limitOf('c'));
      assert.deepEqual(
        both.map(({ ok }) => ok),
        [true, false],
        'the third is not counted',
      );
      for (let i = 0; i < 3; i++) assert.equal((await take(limitOf('d', { isRead: true })))[0]?.remaining, 2);
      const one = limitOf('e', { rule: { ratePerSecond: 0.01, burst: 1 } });
      assert.equal((await take(one))[0]?.ok, true);
      assert.equal((await take({ ...one, isRead: true }))[0]?.ok, false);
    });

    test('penalties: failures beyond the burst lengthen the wait, up to the overrun', async () => {
      const { limits } = backendOf();
      const penalties = createPenalties('wrong', limits, 'address', { ratePerSecond: 0.01, burst: 1, overrun: 2 });
      const waits = [];
      for (let i = 0; i < 5; i++) waits.push(Math.round((await penalties.penalize('k', Date.now())).waitMs / 1_000));
      assert.deepEqual(waits, [100, 200, 300, 300, 300]);
      assert.ok(penalties.waitMs('k', Date.now()) > 290_000);
    });

    test('pace: a burst, then one at a time; refused beyond the patience, while it rests, and where the caller leaves', async () => {
      const { pace } = backendOf();
      const slow = { key: 'slow', everyMs: 10_000, burst: 2 };
      assert.deepEqual([await pace.take(slow, 0), await pace.take(slow, 0)], [0, 0]);
      const refused = await pace.take(slow, 0);
      assert.ok(refused > 0 && refused <= 10_000, `${refused}`);
      const rule = { key: 'pace', everyMs: 150, burst: 1 };
      assert.equal(await pace.take(rule, 0), 0);
      assert.equal(await pace.take(rule, 5_000), 0, 'it waits');
      const gone = new AbortController();
      const [first, leaves] = [pace.take({ ...rule, account: 'a' }, 5_000), pace.take({ ...rule, account: 'b' }, 5_000, gone.signal)];
      await sleep(20);
      gone.abort();
      assert.ok((await leaves) > 0);
      assert.equal(await first, 0);
      await pace.rest('pace', 60_000);
      await pace.rest('pace', 100);
      assert.ok((await pace.resting('pace')) > 30_000, 'the longer one');
      assert.ok((await pace.take(rule, 5_000)) > 30_000);
      assert.equal(await pace.take({ key: 'free', everyMs: 0, burst: 1 }, 0), 0);
    });

    test('pace: waiting requests are served in turns by account', async () => {
      const { pace } = backendOf();
      const served: string[] = [];
      const ask = async (account: string) => {
        assert.equal(await pace.take({ key: 'turns', everyMs: 100, burst: 1, account }, 10_000), 0);
        served.push(account);
      };
      const many = Array.from({ length: 8 }, () => ask('many'));
      await sleep(60);
      await Promise.all([...many, ask('one')]);
      assert.ok(served.indexOf('one') < 8, served.join());
    });

    test('cache: an answer is there until it expires, is deleted or purged, or has to make room', async () => {
      const { cache } = backendOf();
      const keyOf = (n: string) => `registration ${n}`;
      cache.set(keyOf('a'), answerOf());
      assert.equal((await cache.get(keyOf('a')))?.etag, 'W/"x"');
      cache.delete(keyOf('a'));
      cache.delete(keyOf('never'));
      assert.equal(await cache.get(keyOf('a')), undefined);
      cache.set(keyOf('short'), answerOf({ freshForMs: 0, keepForMs: 30 }));
      cache.set(keyOf('over'), answerOf({ freshForMs: 0, keepForMs: 0 }));
      await sleep(60);
      assert.deepEqual([await cache.get(keyOf('short')), await cache.get(keyOf('over'))], [undefined, undefined]);
      for (let i = 0; i < 12; i++) cache.set(keyOf(`fill ${i}`), answerOf({ bytes: Buffer.alloc(4_000) }));
      await sleep(50);
      const left = await Promise.all(Array.from({ length: 12 }, (_, i) => cache.get(keyOf(`fill ${i}`))));
      assert.ok(left.filter(Boolean).length < 12, 'not all have room');
      assert.ok(left.at(-1), 'the last one has');
      cache.set('serp other', answerOf());
      await sleep(20);
      cache.purge('registration');
      await sleep(50);
      assert.equal(await cache.get(keyOf('fill 11')), undefined);
      assert.ok(await cache.get('serp other'));
      cache.purge('serp', 'serp other');
      await sleep(50);
      assert.equal(await cache.get('serp other'), undefined);
    });

    test('leads: one of the requests for the same leads, the others have its result; one that leaves lets the next lead', async () => {
      const { cache, coalescing: shared } = backendOf();
      const coalescing = createCoalescing({ cache, clock: realClock, shared });
      let runs = 0;
      const joining = (more: Partial<Joining> = {}): Joining => ({
        ...{
          cacheKey: 'registration led',
          charge: FREE,
          acceptance: ANY,
          untilMs: Date.now() + 5_000,
          known: undefined,
          signal: undefined,
        },
        async lead() {
          runs++;
          await sleep(30);
          return runOf(answerOf({ etag: `W/"${runs}"` }));
        },
        ...more,
      });
      const all = await Promise.all([1, 2, 3].map(() => coalescing.join(joining())));
      assert.equal(runs, 1);
      assert.deepEqual(
        all.map((one) => one.ok && 'result' in one && [one.leads, one.joined, one.result.cached?.etag]),
        [
          [true, false, 'W/"1"'],
          [false, true, 'W/"1"'],
          [false, true, 'W/"1"'],
        ],
      );
      assert.equal((await cache.get('registration led'))?.etag, 'W/"1"', 'the lead stores its answer');
      const unpaid = { ...FREE, hold: () => Promise.reject(new Error('no credits')) };
      const [refused, next] = await Promise.all([
        coalescing.join(joining({ cacheKey: 'registration unpaid', charge: unpaid })),
        coalescing.join(joining({ cacheKey: 'registration unpaid' })),
      ]);
      assert.equal(refused.ok, false);
      assert.ok(next.ok && 'result' in next && next.leads);
      const alone = await coalescing.join(joining({ cacheKey: null }));
      assert.ok(alone.ok && 'result' in alone && alone.leads);
    });

    test('spending: requests and money up to the caps of the day; what was counted too much is given back', async () => {
      const { spending } = backendOf();
      const rule = { key: 'paid', maxRequests: 3, maxUsd: 1 };
      const taken = [];
      for (let i = 0; i < 4; i++) taken.push((await spending.take(rule, 0.1)).taken);
      assert.deepEqual(taken, [true, true, true, false]);
      const { day } = await spending.today('paid');
      assert.equal((await spending.correct('paid', day, -0.1, 0.2)).spentUsd, 0.2);
      assert.equal((await spending.correct('paid', day - 1, -0.1)).usd, (await spending.today('paid')).usd, 'another day');
      assert.equal((await spending.take({ key: 'dear', maxRequests: 9, maxUsd: 0.15 }, 0.1)).taken, true);
      assert.equal((await spending.take({ key: 'dear', maxRequests: 9, maxUsd: 0.15 }, 0.1)).taken, false);
    });

    test('lease: one holder at a time, in the order of arrival; who gives up has not held it', async (t) => {
      const { lease } = backendOf();
      if (!lease) return t.skip('one process needs none');
      const steps: string[] = [];
      const work = (name: string) => async () => {
        steps.push(`${name} in`);
        await sleep(80);
        steps.push(`${name} out`);
        return name;
      };
      const ever = new AbortController().signal;
      const first = lease.alone('l', work('a'), ever);
      await sleep(20);
      const second = lease.alone('l', work('b'), ever);
      assert.equal(await lease.alone('l', work('c'), AbortSignal.timeout(20)), null);
      assert.deepEqual(await Promise.all([first, second]), ['a', 'b']);
      assert.deepEqual(steps, ['a in', 'a out', 'b in', 'b out']);
    });
  });
}

conformance('one process', false, () => {
  const cache = createLocalCache(BUDGET, realClock.now);
  return {
    limits: createTakeLimits(),
    pace: createPace({ now: () => performance.now(), sleep: realClock.sleep }),
    ...{ cache, coalescing: undefined, spending: createSpending(realClock), lease: null },
  };
});

describe('a fleet', { skip: missing('redis') }, () => {
  const branches = countBranches();
  let redis: OwnServer;
  let fleet: Fleet;
  let channels: Channels;
  const closers: (() => unknown)[] = [];
  const log = (): void => {};
  before(async () => {
    redis = await startRedis();
    closers.push(() => redis.close());
    fleet = await member(redis.url, { gateway: true, sources: ['a'] });
    closers.push(() => fleet.close());
    channels = await openChannels(redis.url, log);
    closers.push(() => channels.close());
    await sleep(1_100); // no burst is allowed in the first second
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
    branches.restore();
  });

  const local = createLocalCache(BUDGET, realClock.now);
  const cacheOn = async (maxBytes: number, of = local) => {
    const leads = createLeads({ fleet, clock: realClock });
    const purges = await listenForPurges({ fleet, channels, local: of, clock: realClock, log });
    const cache = createSharedCache({ fleet, clock: realClock, log, local: of, own: null, purges, maxBytes, leads });
    const coalescing = createRedisCoalescing({ fleet, channels, leads, cache, local: of, clock: realClock, log });
    closers.push(() => purges.close());
    closers.push(() => coalescing.close());
    return { cache, coalescing };
  };
  let shared: Awaited<ReturnType<typeof cacheOn>>;
  before(async () => {
    shared = await cacheOn(BUDGET);
  });
  conformance('through Redis', false, () => ({
    limits: createRedisLimits(fleet),
    pace: createRedisPace({ fleet, clock: realClock }),
    ...shared,
    spending: createRedisSpending({ fleet }),
    lease: createRedisLease({ fleet, clock: realClock }),
  }));

  test('times ahead of the clock of Redis, which was set back, are moved back with it', async () => {
    const now = fleet.now();
    const limit: Limit = { limiter: 'account', key: 'back', rule: { ratePerSecond: 1, burst: 2 } };
    await fleet.redis.set(limitKey(limit), `${now + 9e6 + 1_000} ${now + 9e6}`);
    assert.equal((await createRedisLimits(fleet)([limit], 0))[0]?.ok, true);
    await fleet.redis.set(limitKey({ ...limit, key: 'far' }), `${now + 9e6} ${now}`);
    const [far] = await createRedisLimits(fleet)([{ ...limit, key: 'far', isRead: true }], 0);
    assert.ok(far && !far.ok && far.waitMs <= 2_000, 'no rule of this release allows so much');
    await fleet.redis.hset(laneKey('back'), { tat: now + 9e6, rest: 0, cold: 0, at: now + 9e6, round: 1 });
    assert.equal(await createRedisPace({ fleet, clock: realClock }).take({ key: 'back', everyMs: 10, burst: 1 }, 0), 0);
    const { queue, seen } = leaseKeys('back');
    await fleet.redis.zadd(queue, now + 9e6, 'silent');
    await fleet.redis.zadd(seen, now + 9e6, 'silent');
    const held = createRedisLease({ fleet, clock: realClock }).alone('back', async () => 'held', new AbortController().signal);
    await sleep(100);
    await fleet.redis.zadd(seen, now - 60_000, 'silent');
    assert.equal(await held, 'held', 'after the other one was silent for three seconds');
    const future = placeOf('registration future');
    await fleet.redis.set(future.entry, `${now + 9e6} ${now + 9e6 + 1_000}\nx`);
    const claimed = await shared.coalescing.claim('registration future', ANY, Date.now() + 5_000);
    assert.ok('lead' in claimed);
    claimed.lead.leave();
    await fleet.redis.zadd(MEMBERS_KEY, now + 9e6, JSON.stringify(['ahead', 0, 'q', 'c']));
    await fleet.redis.zadd(MEMBERS_KEY, now - 9e6, JSON.stringify(['gone', 0, 'q', 'c']));
    await fleet.refresh();
    assert.deepEqual(
      (await fleet.redis.zrange(MEMBERS_KEY, '0', '-1')).filter((entry) => entry.includes('gone')),
      [],
    );
    await fleet.redis.zrem(MEMBERS_KEY, JSON.stringify(['ahead', 0, 'q', 'c']));
  });

  test('a Redis that lost its data learns the count of the day and the epochs from who knows them', async () => {
    const spending = createRedisSpending({ fleet });
    const rule = { key: 'lost', maxRequests: 3, maxUsd: 1 };
    await spending.take(rule, 0.1);
    await spending.take(rule, 0.1);
    await fleet.redis.del(spendingKey('lost'));
    assert.equal((await spending.today('lost')).requests >= 2, true);
    await fleet.redis.hset(spendingKey('old'), { day: Math.floor(fleet.now() / DAY_MS) - 1, turn: 9, requests: 9, nano: 9, spent: 9 });
    assert.equal((await spending.today('old')).requests, 0);
    await spending.close();
    await fleet.redis.del(EPOCHS_KEY);
    const epochOf = async (operation: string) => Number(await fleet.redis.hget(EPOCHS_KEY, operation));
    await until(async () => (await epochOf('registration')) > 0);
    await fleet.redis.hset(EPOCHS_KEY, 'serp', '1');
    await until(async () => (await epochOf('serp')) > 1);
  });

  test('the rest: what is too large, a leadership of another, a wait, one that is over, one that left', async () => {
    const small = await cacheOn(4_000, createLocalCache(0, realClock.now));
    small.cache.set('registration large', answerOf({ bytes: Buffer.alloc(3_000) }));
    await sleep(30);
    assert.equal(await fleet.redis.exists(placeOf('registration large').entry), 0);
    // an entry whose size was lost with the hash of sizes makes room as well as it can
    await fleet.redis.hset(CACHE_KEYS.sizes, 'total', 10_000_000);
    small.cache.set('registration room', answerOf());
    await sleep(30);
    await fleet.redis.del(CACHE_KEYS.sizes, CACHE_KEYS.order);

    const [leads, others] = [createLeads({ fleet, clock: realClock }), createLeads({ fleet, clock: realClock })];
    assert.equal(await leads.claim('registration mine'), 'claimed');
    assert.equal(await others.claim('registration mine'), 'other leads');
    // a renewal sets the time anew
    await fleet.redis.pexpire(placeOf('registration mine').lead, 60_000);
    await until(async () => (await fleet.redis.pttl(placeOf('registration mine').lead)) <= 3_000);
    await fleet.redis.set(placeOf('registration mine').lead, 'another');
    await until(async () => !(await branches.missing(fleet.redis)).some((branch) => branch.startsWith('lead-renew')));
    assert.equal(await fleet.redis.get(placeOf('registration mine').lead), 'another');
    leads.end('registration mine', Buffer.from('x'));
    await sleep(20);
    assert.equal(await fleet.redis.get(placeOf('registration mine').lead), 'another', 'not ours to end');
    await fleet.redis.set(placeOf('registration mine').lead, 'ended');
    assert.equal(await leads.claim('registration mine'), 'again');
    const follows = shared.coalescing.claim('registration mine', ANY, Date.now() + 5_000);
    await sleep(50);
    leads.end('registration mine', Buffer.from('no message'));
    const follower = await follows;
    assert.ok('lead' in follower);
    follower.lead.end(runOf(answerOf()));
    await leads.close();
    await others.close();
    await purgeShared(fleet.redis, 'registration', 'registration mine');

    const other = await cacheOn(BUDGET, createLocalCache(BUDGET, realClock.now));
    shared.cache.set('registration hit', answerOf());
    assert.ok('cached' in (await other.coalescing.claim('registration hit', ANY, Date.now() + 5_000)));

    const pace = createRedisPace({ fleet, clock: realClock });
    await pace.rest('rests', 500);
    await fleet.redis.pexpire(laneKey('rests'), 60_000);
    await pace.rest('rests', 100);
    const cold = createRedisPace({ fleet: Object.create(fleet, { upForMs: { value: 1 } }) as Fleet, clock: realClock });
    assert.equal(await cold.take({ key: 'cold', everyMs: 10_000, burst: 5 }, 0), 0);
    assert.ok((await cold.take({ key: 'cold', everyMs: 10_000, burst: 5 }, 0)) > 0, 'no burst in the first second');
    const waits = pace.take({ key: 'silent', everyMs: 10_000, burst: 1 }, 0);
    assert.equal(await waits, 0);
    const { queue, calls } = paceKeys('silent');
    await fleet.redis.zadd(queue, 1, 'silent ticket');
    await fleet.redis.zadd(calls, 1, 'silent ticket');
    assert.ok((await pace.take({ key: 'silent', everyMs: 10_000, burst: 1 }, 0)) > 0);
    assert.equal(await fleet.redis.zscore(queue, 'silent ticket'), null);
    const observer = await member(redis.url, { gateway: false, sources: [] });
    await observer.close();
    await fleet.retire();
    const dear = createRedisSpending({ fleet });
    for (let i = 0; i < 2; i++) assert.equal((await dear.take({ key: 'reserve', maxRequests: 1_000, maxUsd: 100 }, 0.001)).taken, true);
    await dear.close();
  });

  test('every branch of every script has run', async (t) => {
    const left = await branches.missing(fleet.redis);
    t.diagnostic(`${branches.count} branches of Lua`);
    assert.ok(branches.count > 70, `${branches.count}`);
    assert.deepEqual(left, []);
  });
});
