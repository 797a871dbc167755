// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLimiter, createPenalties, createTakeLimits } from '../../src/gateway/admission/rate-limits.ts';
import { createBreakers } from '../../src/orchestrator/breaker.ts';
import { createLocalCache, freshUntil } from '../../src/orchestrator/cache.ts';
import type { CachedAnswer } from '../../src/orchestrator/types.ts';
import { blocked, found } from '../../src/sources/outcome.ts';
import { createPace } from '../../src/upstream/pace.ts';
import { createRobots } from '../../src/upstream/robots.ts';
import { createManualClock } from '../support/manual-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 1);
/** Jumps of the clock: back, forward, and forward with the correction that follows. */
const JUMPS: Readonly<Record<string, readonly number[]>> = {
  'an hour back': [-HOUR],
  'a day back': [-DAY],
  'a day forward': [DAY],
  'a day forward and corrected': [DAY, -DAY],
  'an hour back and corrected': [-HOUR, HOUR],
};

for (const [name, jumps] of Object.entries(JUMPS))
  describe(`the clock goes ${name}`, () => {
    test('a client within its limit is rejected for no longer than the limit itself states', () => {
      const limiter = createLimiter();
      const rule = { ratePerSecond: 20, burst: 40 };
      let now = NOW;
      const take = () => limiter.take('k', rule, now) as { ok: boolean; waitMs: number; resetMs: number };
      for (let i = 0; i < 10; i++) assert.equal(take().ok, true);
      for (const jump of jumps) {
        now += jump;
        const taken = take();
        assert.equal(taken.ok, true);
        assert.equal(taken.waitMs, 0);
        assert.ok(taken.resetMs <= (rule.burst / rule.ratePerSecond) * 1000 + 1, `reset ${taken.resetMs} ms`);
        now += 50;
        assert.equal(take().ok, true, 'a request for each that is earned back');
      }
    });

    test('a limit still applies after the jump', () => {
      const limiter = createLimiter();
      const rule = { ratePerSecond: 1, burst: 5 };
      let now = NOW;
      const let_in = () => Array.from({ length: 20 }, () => limiter.take('k', rule, now) as { ok: boolean }).filter((t) => t.ok).length;
      let_in();
      for (const jump of jumps) {
        now += jump;
        assert.ok(let_in() <= rule.burst);
      }
    });

    test('a client with too many failures waits no longer than before the jump', async () => {
      const penalties = createPenalties('wrong', createTakeLimits(), 'address', { ratePerSecond: 0.1, burst: 3 });
      let now = NOW;
      for (let i = 0; i < 3; i++) await penalties.penalize('a', now);
      const before = penalties.waitMs('a', now);
      assert.equal(before, 10_000);
      for (const jump of jumps) {
        now += jump;
        assert.ok(penalties.waitMs('a', now) <= before);
      }
      now += before;
      assert.equal(penalties.waitMs('a', now), 0);
    });

    test('a cached answer is never considered younger than it is', () => {
      let now = NOW;
      const cache = createLocalCache(1_000_000, () => now);
      const cached: CachedAnswer = {
        bytes: Buffer.from('{}'),
        etag: '',
        at: now,
        freshForMs: 300_000,
        keepForMs: 600_000,
        source: 'a',
        unread: [],
      };
      cache.set('q', cached);
      for (const jump of jumps) {
        now += jump;
        const given = cache.local('q');
        assert.ok(given === undefined || freshUntil(given) - now <= 300_000, 'fresh for longer than it was kept for');
      }
    });

    test('a robots.txt is cached for no longer than a day', async () => {
      let now = NOW;
      let fetched = 0;
      const http = {
        async ask() {
          fetched++;
          return { tag: 'answer' as const, answer: { status: 200, headers: {}, body: new Uint8Array(), url: '', atMs: now } };
        },
      };
      const robots = createRobots(http, { now: () => now, sleep: async () => {} });
      const may = () =>
        robots.mayFetch('https://a.example/', 'a', { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY });
      await may();
      for (const jump of jumps) now += jump;
      await may();
      // after a jump of an hour back and forth the same copy may be used
      if (jumps.reduce((sum, jump) => sum + jump, 0) !== 0) assert.equal(fetched, 2);
    });
  });

describe('limits on a monotonic clock', () => {
  test('a pace and its rests do not use the system clock', async () => {
    const steady = createManualClock(0);
    const pace = createPace(steady);
    const rule = { key: 'host', everyMs: 1000, burst: 1 };
    assert.equal(await pace.take(rule, 0), 0);
    await pace.rest('host', 60_000);
    assert.equal(await pace.resting('host'), 60_000);
    await steady.advance(60_000);
    assert.equal(await pace.resting('host'), 0);
    assert.equal(await pace.take(rule, 0), 0);
  });

  test('a circuit breaker opens for 30 s, independent of Date', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: NOW });
    let ms = 0;
    const breakers = createBreakers(() => ms);
    let asked = 0;
    const ask = async () => {
      const { outcome } = await breakers.callSource('a', { operation: 'x', cacheKey: 'x' }, async () => {
        asked++;
        return asked > 5 ? found(1) : blocked('Block page.');
      });
      return outcome;
    };
    for (let i = 0; i < 5; i++) await ask();
    t.mock.timers.setTime(NOW - DAY);
    ms += 29_999;
    assert.equal((await ask()).tag, 'blocked');
    assert.equal(asked, 5);
    ms += 1;
    assert.equal((await ask()).tag, 'found');
    t.mock.timers.setTime(NOW + DAY);
    assert.equal((await ask()).tag, 'found');
  });
});
