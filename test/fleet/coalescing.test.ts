// Few in a process: it waits for servers that it starts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSharedCache } from '../../src/fleet/cache.ts';
import { type Channels, openChannels } from '../../src/fleet/channels.ts';
import { createRedisCoalescing } from '../../src/fleet/coalescing.ts';
import { createLeads } from '../../src/fleet/leads.ts';
import type { Fleet } from '../../src/fleet/membership.ts';
import { publishPurge } from '../../src/fleet/purge.ts';
import { createBullEngine } from '../../src/fleet/queue.ts';
import { PURGES_CHANNEL, placeOf } from '../../src/fleet/wire/keys.ts';
import { type Acceptance, createLocalCache, freshUntil } from '../../src/orchestrator/cache.ts';
import type { Run } from '../../src/orchestrator/coalescing.ts';
import type { CachedAnswer } from '../../src/orchestrator/types.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { PROOF } from '../support/evidence.ts';
import { member, sourceOf, sourceWorkers } from './engine-fixture.ts';
import { missing, type OwnServer, startRedis } from './services.ts';
import { openTcpProxy } from './tcp-proxy.ts';

const answerAt = (at: number): CachedAnswer => ({
  bytes: Buffer.from('{}'),
  etag: 'W/"x"',
  at,
  freshForMs: 60_000,
  keepForMs: 60_000,
  source: 'registration/rdap',
  unread: [],
});
/** Of an ordinary request, and of one that takes only what was read since. */
const ANY: Acceptance = { noCache: false, readSinceMs: 0, freshMs: 0, staleMs: null };
const since = (readSinceMs: number): Acceptance => ({ ...ANY, readSinceMs });
const runOf = (cached: CachedAnswer): Run => ({ cached, error: null, attempts: [], upstreamMs: 1, stored: true });

describe('coalescing over the gateways of a fleet', { skip: missing('redis') }, () => {
  let redis: OwnServer;
  const fleets: Fleet[] = [];
  const allChannels: Channels[] = [];
  const logged: string[] = [];
  const log = (_level: string, message: string, facts?: Record<string, unknown>): void =>
    void logged.push(`${message} ${JSON.stringify(facts)}`);
  before(async () => {
    redis = await startRedis();
    for (let i = 0; i < 2; i++) {
      fleets.push(await member(redis.url, { gateway: true, sources: [] }));
      allChannels.push(await openChannels(redis.url, log));
    }
  });
  after(async () => {
    for (const channels of allChannels) channels.close();
    for (const fleet of fleets) await fleet.close();
    await redis.close();
  });

  const purges = { count: 0, forget: async () => {}, close: async () => {} };
  const gatewayOf = (i: 0 | 1, fleet = fleets[i] as Fleet) => {
    const channels = allChannels[i] as Channels;
    const leads = createLeads({ fleet, clock: realClock });
    const local = createLocalCache(1_000_000, realClock.now);
    const cache = createSharedCache({
      // the clocks of these tests are one: times of answers come back as they were stored
      fleet: Object.create(fleet, { now: { value: realClock.now } }) as Fleet,
      ...{ clock: realClock, log, own: null, purges, leads, local },
      maxBytes: 10_000_000,
    });
    return { cache, local, coalescing: createRedisCoalescing({ fleet, channels, leads, cache, local, clock: realClock, log }) };
  };
  const sharedKey = async (): Promise<string> => {
    const keys = await (fleets[0] as Fleet).redis.keys('sightline:cache:*registration*');
    return keys[0] as string;
  };

  for (const [name, unreadable] of [
    ['garbage', 'no JSON\n'],
    ['garbage behind the times', `1 ${8e12}\nno JSON\n`],
    ['of an unknown version', `1 ${8e12}\n{"v":99,"at":1}\n{}`],
    ['of the release before', `{"v":5,"at":1,"freshForMs":${8e12},"keepForMs":${8e12}}\n{}`],
  ] as const)
    test(`a shared cache entry that is unreadable (${name}) counts as a miss: its reader leads`, async () => {
      const [one, two] = [gatewayOf(0), gatewayOf(1)];
      const cacheKey = `registration ${name}`;
      try {
        one.cache.set(cacheKey, answerAt(Date.now()));
        await (fleets[0] as Fleet).redis.ping();
        await (fleets[0] as Fleet).redis.set(await sharedKey(), unreadable);
        logged.length = 0;
        const first = await two.coalescing.claim(cacheKey, ANY, Date.now() + 5_000);
        assert.ok('lead' in first && first.known === undefined);
        assert.equal(logged.filter((line) => line.startsWith('fleet: unreadable cache entry')).length, 1, logged.join('\n'));
        const waits = one.coalescing.claim(cacheKey, since(Date.now() + 1), Date.now() + 5_000);
        await (fleets[0] as Fleet).redis.ping();
        first.lead.leave();
        const second = await waits;
        assert.ok('lead' in second, 'leads: the shared cache holds no readable answer');
        second.lead.leave();
        assert.equal(await two.cache.get(cacheKey), undefined);
      } finally {
        await (fleets[0] as Fleet).redis.del(await sharedKey());
        await one.coalescing.close();
        await two.coalescing.close();
      }
    });

  test('a fleet in another database of the same Redis hears nothing of this one', async () => {
    const other = `${redis.url}/1`;
    const fleet = await member(other, { gateway: true, sources: [] });
    const channels = await openChannels(other, log);
    const leads = createLeads({ fleet, clock: realClock });
    const local = createLocalCache(1_000_000, realClock.now);
    const apart = createRedisCoalescing({ fleet, channels, leads, cache: null, local, clock: realClock, log });
    const [one, two] = [gatewayOf(0), gatewayOf(1)];
    const told: Buffer[] = [];
    await channels.listen(PURGES_CHANNEL, (message) => told.push(message));
    await (allChannels[0] as Channels).listen(PURGES_CHANNEL, () => {});
    try {
      const cacheKey = 'registration of two fleets';
      const claim = (coalescing: typeof apart) => coalescing.claim(cacheKey, ANY, Date.now() + 5_000);
      const [ours, theirs] = [await claim(one.coalescing), await claim(apart)];
      assert.ok('lead' in ours && 'lead' in theirs);
      const follows = claim(two.coalescing);
      const { redis: own } = fleets[0] as Fleet;
      const { lead } = placeOf(cacheKey);
      while (((await own.pubsub('NUMSUB', lead)) as [string, number])[1] === 0) await sleep(5);
      theirs.lead.end(runOf({ ...answerAt(Date.now()), source: 'theirs' }));
      await fleet.redis.ping();
      ours.lead.end(runOf({ ...answerAt(Date.now()), source: 'ours' }));
      const heard = await follows;
      assert.equal('run' in heard && heard.run.cached?.source, 'ours');
      assert.equal(await publishPurge(own, 'registration'), 1);
      await fleet.redis.ping();
      assert.equal(told.length, 0);
    } finally {
      await apart.close();
      await one.coalescing.close();
      await two.coalescing.close();
      channels.close();
      await fleet.close();
    }
  });

  test('without an answer a claim leads; the next one follows, and has the answer that was stored before it heard of the end', async () => {
    const [one, two] = [gatewayOf(0), gatewayOf(1)];
    const { redis: redisOne } = fleets[0] as Fleet;
    const leader = () => redisOne.get(placeOf('registration read').lead);
    try {
      const first = await one.coalescing.claim('registration read', ANY, Date.now() + 5_000);
      assert.ok('lead' in first && first.known === undefined);
      assert.match((await leader()) ?? '', /\/0$/, 'the first token: one claim');
      const waits = two.coalescing.claim('registration read', ANY, Date.now() + 5_000);
      assert.equal(await redisOne.exists(placeOf('registration read').entry), 0, 'not yet');
      const answer = answerAt(Date.now());
      first.lead.end(runOf(answer));
      const run = await waits;
      assert.ok('run' in run && run.run.cached?.bytes.equals(answer.bytes), 'it waited: no hit');
      assert.equal(await leader(), 'ended');
      assert.equal(one.local.local('registration read')?.etag, answer.etag);
      const hit = await two.coalescing.claim('registration read', ANY, Date.now() + 5_000);
      assert.ok('cached' in hit && hit.cached.etag === answer.etag);
      assert.equal(await leader(), 'ended', 'nothing is claimed');
    } finally {
      await one.coalescing.close();
      await two.coalescing.close();
    }
  });

  test('a stale answer comes with the lead; one that may be stale, or that was read since, is accepted', async () => {
    const [one, two] = [gatewayOf(0), gatewayOf(1)];
    const { redis: redisOne } = fleets[0] as Fleet;
    const isClaimed = async () => ((await redisOne.get(placeOf('registration stale').lead)) ?? 'ended') !== 'ended';
    const stale = { ...answerAt(Date.now() - 1_000), freshForMs: 900 };
    const claim = (acceptance: Acceptance) => two.coalescing.claim('registration stale', acceptance, Date.now() + 5_000);
    try {
      one.cache.set('registration stale', stale);
      await redisOne.ping();
      const maxStale = await claim({ ...ANY, staleMs: 60_000 });
      assert.ok('cached' in maxStale && maxStale.cached.at === stale.at);
      assert.equal(await isClaimed(), false);
      const lead = await claim(ANY);
      assert.ok('lead' in lead && lead.known?.at === stale.at);
      assert.equal(await isClaimed(), true);
      const answer = answerAt(Date.now());
      lead.lead.end(runOf(answer));
      for (const [acceptance, accepts] of [
        [since(answer.at), true],
        [since(answer.at + 10_000), false],
        [{ ...ANY, freshMs: 30_000 }, true],
        [{ ...ANY, freshMs: 90_000 }, false],
        [{ noCache: true, readSinceMs: answer.at, freshMs: 0, staleMs: null }, true],
      ] as const) {
        const claimed = await claim(acceptance);
        assert.equal('cached' in claimed, accepts, JSON.stringify(acceptance));
        if ('lead' in claimed) claimed.lead.leave();
      }
    } finally {
      await one.coalescing.close();
      await two.coalescing.close();
    }
  });

  test('a claim leads exactly where the answer is no longer fresh by the rule of the orchestrator', async () => {
    const [one, two] = [gatewayOf(0), gatewayOf(1)];
    const { redis: redisOne } = fleets[0] as Fleet;
    try {
      for (const [ageMs, freshForMs] of [
        [0, 60_000],
        [59_000, 3_600_000],
        [3_000, 2_000],
        [30_000, 0],
        [600_000, 540_000],
      ] as const) {
        const cacheKey = `registration aged ${ageMs} ${freshForMs}`;
        const answer = { ...answerAt(Date.now() - ageMs), freshForMs, keepForMs: 7_200_000 };
        one.cache.set(cacheKey, answer);
        await redisOne.ping();
        const claimed = await two.coalescing.claim(cacheKey, ANY, Date.now() + 5_000);
        const name = `${ageMs} ms old, fresh for ${freshForMs}`;
        assert.equal('lead' in claimed, freshUntil(answer) <= Date.now(), name);
        assert.equal('lead' in claimed ? claimed.known?.at : 'cached' in claimed && claimed.cached.at, answer.at, name);
        assert.equal((await redisOne.get(placeOf(cacheKey).lead)) !== null, 'lead' in claimed, name);
      }
    } finally {
      await one.coalescing.close();
      await two.coalescing.close();
    }
  });

  test('a message of an unknown version ends the wait: the follower claims the lead', async () => {
    const [one, two] = [gatewayOf(0), gatewayOf(1)];
    try {
      const first = await one.coalescing.claim('registration newer', ANY, Date.now() + 5_000);
      assert.ok('lead' in first);
      const waits = two.coalescing.claim('registration newer', ANY, Date.now() + 5_000);
      const redisOne = (fleets[0] as Fleet).redis;
      let channel: string | undefined;
      while (!channel) channel = ((await redisOne.pubsub('CHANNELS', 'sightline:lead:*')) as string[])[0];
      logged.length = 0;
      await redisOne.publish(channel, '{"v":99,"kind":"ended"}\n');
      first.lead.leave();
      const second = await waits;
      assert.ok('lead' in second);
      second.lead.leave();
      assert.match(logged.join('\n'), /a coalescing message has version 99, this release reads version 6/);
    } finally {
      await one.coalescing.close();
      await two.coalescing.close();
    }
  });

  test('a gateway whose connection was lost waits for its return: it does not lead what another gateway leads', async () => {
    const proxy = await openTcpProxy(redis.url);
    const fleet = await member(proxy.url, { gateway: true, sources: [] });
    const [lost, two] = [gatewayOf(0, fleet), gatewayOf(1)];
    try {
      const first = await two.coalescing.claim('registration lost', ANY, Date.now() + 5_000);
      assert.ok('lead' in first);
      const event = (name: string) => new Promise<string>((resolve) => fleet.subscribe((each) => each === name && resolve(name)));
      const [down, up] = [event('down'), event('up')];
      proxy.shut();
      // a gateway that was suspended does not know yet that its connection is gone
      const before = lost.coalescing.claim('registration lost', ANY, Date.now() + 5_000);
      await down;
      const after = lost.coalescing.claim('registration lost', ANY, Date.now() + 5_000);
      proxy.open();
      assert.equal(await Promise.race([up, before.then(() => 'before'), after.then(() => 'after')]), 'up');
      const answer = answerAt(Date.now());
      first.lead.end(runOf(answer));
      for (const claimed of await Promise.all([before, after])) {
        const cached = 'run' in claimed ? claimed.run.cached : 'cached' in claimed ? claimed.cached : null;
        assert.ok(cached?.bytes.equals(answer.bytes), 'it does not lead');
      }
    } finally {
      await lost.coalescing.close();
      await two.coalescing.close();
      await fleet.close();
      await proxy.close();
    }
  });

  test('the worker of an attempt renews its leadership until the attempt ends, although the gateway no longer does', async () => {
    const fleet = fleets[0] as Fleet;
    const leads = createLeads({ fleet, clock: realClock });
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const source = sourceOf(async () => {
      asked.resolve();
      await answer.promise;
      return { tag: 'absent', evidence: PROOF, what: 'not there' };
    });
    const working = await sourceWorkers(redis.url, [source]);
    await fleet.refresh();
    const engine = await createBullEngine({ fleet, url: redis.url, clock: realClock, log, leads });
    const { lead: key } = placeOf('registration worked');
    try {
      assert.equal(await leads.claim('registration worked'), 'claimed');
      const work = {
        source: source.id,
        operation: 'registration',
        input: { domain: 'worked.com' },
        cacheKey: 'registration worked',
      } as const;
      const attempt = engine.attempt({ ...work, leftMs: 60_000 });
      await asked.promise;
      await leads.close(); // as a gateway that was killed: nothing renews
      await fleet.redis.pexpire(key, 2_000);
      let leftMs = 2_000;
      while (leftMs > 0 && leftMs <= 2_000) {
        await realClock.sleep(20);
        leftMs = await fleet.redis.pttl(key);
      }
      assert.ok(leftMs > 2_000, `the leadership expired: ${leftMs}`);
      answer.resolve();
      assert.equal((await attempt).tag, 'absent');
      await fleet.redis.pexpire(key, 1_500);
      while ((await fleet.redis.exists(key)) === 1) {
        assert.ok((await fleet.redis.pttl(key)) <= 1_500, 'renewed after its end');
        await realClock.sleep(20);
      }
    } finally {
      await leads.close();
      await engine.close();
      await working.close();
    }
  });
});
