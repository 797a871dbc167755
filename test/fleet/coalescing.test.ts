// Few in a process: it waits for servers that it starts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSharedCache } from '../../src/fleet/cache.ts';
import { placeOf } from '../../src/fleet/cache-codec.ts';
import { type Channels, openChannels } from '../../src/fleet/channels.ts';
import { createRedisCoalescing } from '../../src/fleet/coalescing.ts';
import { createLeads } from '../../src/fleet/leads.ts';
import type { Fleet } from '../../src/fleet/membership.ts';
import { createBullEngine } from '../../src/fleet/queue.ts';
import { createLocalCache, freshUntil } from '../../src/orchestrator/cache.ts';
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
    const cache = createSharedCache({
      // the clocks of these tests are one: times of answers come back as they were stored
      fleet: Object.create(fleet, { now: { value: realClock.now } }) as Fleet,
      ...{ clock: realClock, log, own: null, purges, leads },
      local: createLocalCache(1_000_000, realClock.now),
      maxBytes: 10_000_000,
    });
    return { cache, coalescing: createRedisCoalescing({ fleet, channels, leads, latest: cache.latest, clock: realClock, log }) };
  };
  const sharedKey = async (): Promise<string> => {
    const keys = await (fleets[0] as Fleet).redis.keys('sightline:cache:*registration*');
    return keys[0] as string;
  };

  for (const [name, unreadable] of [
    ['garbage', 'no JSON\n'],
    ['of an unknown version', '{"v":99,"at":1}\n{}'],
  ] as const)
    test(`a shared cache entry that is unreadable (${name}) counts as a miss, and the leader gives up the lead`, async () => {
      const [one, two] = [gatewayOf(0), gatewayOf(1)];
      const cacheKey = `registration ${name}`;
      try {
        // a lookup has just ended, so the next leader reads the cache again
        const first = await one.coalescing.enter(cacheKey, 0, Date.now() + 5_000);
        assert.ok('lead' in first);
        one.cache.set(cacheKey, answerAt(Date.now()));
        first.lead.end(runOf(answerAt(Date.now())));
        await (fleets[0] as Fleet).redis.ping();
        await (fleets[0] as Fleet).redis.set(await sharedKey(), unreadable);

        logged.length = 0;
        const since = Date.now() + 1;
        const second = await two.coalescing.enter(cacheKey, since, Date.now() + 5_000);
        assert.ok('lead' in second);
        assert.equal(logged.filter((line) => line.startsWith('fleet: unreadable cache entry')).length, 1, logged.join('\n'));
        const waits = one.coalescing.enter(cacheKey, since, Date.now() + 5_000);
        second.lead.end(runOf(answerAt(Date.now())));
        const third = await waits;
        assert.ok('lead' in third, 'leads: the shared cache holds no readable answer');
        third.lead.leave();
        assert.equal(await two.cache.get(cacheKey), undefined);
      } finally {
        await (fleets[0] as Fleet).redis.del(await sharedKey());
        await one.coalescing.close();
        await two.coalescing.close();
      }
    });

  test('a leader that cannot read the shared cache releases the lead, which is not renewed', async () => {
    const [fleet, channels] = [fleets[0] as Fleet, allChannels[0] as Channels];
    const leads = createLeads({ fleet, clock: realClock });
    const latest = async (): Promise<CachedAnswer | undefined> => {
      throw new Error('the cache cannot be read');
    };
    const [failing, two] = [createRedisCoalescing({ fleet, channels, leads, latest, clock: realClock, log }), gatewayOf(1)];
    try {
      const first = await failing.enter('registration failing', 0, Date.now() + 5_000);
      assert.ok('lead' in first);
      first.lead.leave();
      const second = await failing.enter('registration failing', 0, Date.now() + 5_000);
      assert.ok('lead' in second);
      second.lead.leave();
      await fleet.redis.ping();
      assert.equal(await fleet.redis.get(placeOf('registration failing').lead), 'ended');
      const third = await two.coalescing.enter('registration failing', 0, Date.now() + 5_000);
      assert.ok('lead' in third, 'another gateway leads');
      third.lead.leave();
    } finally {
      await failing.close();
      await two.coalescing.close();
    }
  });

  test('a read without a fresh answer claims the lead, once for all requests of a gateway; a fresh answer claims nothing', async () => {
    const [one, two] = [gatewayOf(0), gatewayOf(1)];
    const { redis: redisOne } = fleets[0] as Fleet;
    const leader = () => redisOne.get(placeOf('registration read').lead);
    try {
      const reads = await Promise.all(Array.from({ length: 5 }, () => one.cache.get('registration read', true)));
      assert.deepEqual(reads, Array(5).fill(undefined));
      const first = await one.coalescing.enter('registration read', Date.now(), Date.now() + 5_000);
      assert.ok('lead' in first);
      assert.match((await leader()) ?? '', /\/0$/, 'the first token: one claim');
      assert.equal(await two.cache.get('registration read', true), undefined);
      const waits = two.coalescing.enter('registration read', Date.now(), Date.now() + 5_000);
      const answer = answerAt(Date.now());
      one.cache.set('registration read', answer);
      assert.equal(await redisOne.exists(placeOf('registration read').entry), 0, 'not yet');
      first.lead.end(runOf(answer));
      const run = await waits;
      assert.ok('run' in run && run.run.cached?.bytes.equals(answer.bytes), 'stored before the followers hear of the end');
      assert.equal(await leader(), 'ended');
      assert.equal((await two.cache.get('registration read', true))?.etag, answer.etag);
      assert.equal(await leader(), 'ended');
    } finally {
      await one.coalescing.close();
      await two.coalescing.close();
    }
  });

  test('a stale answer is returned with the lead; a lead that is not taken at once is given up', async () => {
    const [one, two] = [gatewayOf(0), gatewayOf(1)];
    const { redis: redisOne } = fleets[0] as Fleet;
    const stale = { ...answerAt(Date.now() - 1_000), freshForMs: 900 };
    try {
      one.cache.set('registration stale', stale);
      await redisOne.ping();
      assert.equal((await two.cache.get('registration stale', true))?.at, stale.at);
      assert.match((await redisOne.get(placeOf('registration stale').lead)) ?? '', /\/0$/);
      await new Promise((resolve) => setImmediate(resolve));
      await (fleets[1] as Fleet).redis.ping();
      assert.equal(await redisOne.get(placeOf('registration stale').lead), 'ended');
    } finally {
      await one.coalescing.close();
      await two.coalescing.close();
    }
  });

  test('the read claims the lead exactly where the answer is no longer fresh by the rule of the orchestrator', async () => {
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
        assert.equal((await two.cache.get(cacheKey, true))?.at, answer.at);
        const isClaimed = (await redisOne.get(placeOf(cacheKey).lead)) !== null;
        assert.equal(isClaimed, freshUntil(answer) <= Date.now(), `${ageMs} ms old, fresh for ${freshForMs}`);
      }
    } finally {
      await one.coalescing.close();
      await two.coalescing.close();
    }
  });

  test('a message of an unknown version ends the wait: the follower claims the lead', async () => {
    const [one, two] = [gatewayOf(0), gatewayOf(1)];
    try {
      const first = await one.coalescing.enter('registration newer', 0, Date.now() + 5_000);
      assert.ok('lead' in first);
      const waits = two.coalescing.enter('registration newer', 0, Date.now() + 5_000);
      const redisOne = (fleets[0] as Fleet).redis;
      let channel: string | undefined;
      while (!channel) channel = ((await redisOne.pubsub('CHANNELS', 'sightline:lead:*')) as string[])[0];
      logged.length = 0;
      await redisOne.publish(channel, '{"v":99,"kind":"ended"}\n');
      first.lead.leave();
      const second = await waits;
      assert.ok('lead' in second);
      second.lead.leave();
      assert.match(logged.join('\n'), /a coalescing message has version 99, this release reads version 5/);
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
      const first = await two.coalescing.enter('registration lost', 0, Date.now() + 5_000);
      assert.ok('lead' in first);
      const event = (name: string) => new Promise<string>((resolve) => fleet.watch((each) => each === name && resolve(name)));
      const [down, up] = [event('down'), event('up')];
      proxy.shut();
      // a gateway that was suspended does not know yet that its connection is gone
      const before = lost.coalescing.enter('registration lost', 0, Date.now() + 5_000);
      await down;
      const after = lost.coalescing.enter('registration lost', 0, Date.now() + 5_000);
      proxy.open();
      assert.equal(await Promise.race([up, before.then(() => 'before'), after.then(() => 'after')]), 'up');
      const answer = answerAt(Date.now());
      two.cache.set('registration lost', answer);
      first.lead.end(runOf(answer));
      for (const entered of await Promise.all([before, after]))
        assert.ok('run' in entered && entered.run.cached?.bytes.equals(answer.bytes));
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
