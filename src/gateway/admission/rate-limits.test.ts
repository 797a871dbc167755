import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Caller } from '../../accounts/types.ts';
import { retryAfter } from '../../contract/errors.ts';
import type { RequestContext } from '../http/request-context.ts';
import {
  addressKey,
  applyLimit,
  callerLimit,
  createCallerLimits,
  createLimiter,
  createTakeLimits,
  type Limit,
  limitField,
  type OneOrMore,
  policyField,
  stepOf,
  type Taken,
  takeOne,
} from './rate-limits.ts';

const taken = (t: Taken | Promise<Taken>): Taken => {
  assert.ok(!(t instanceof Promise));
  return t;
};

test('a burst is allowed at once, then requests at the sustained rate', () => {
  const limiter = createLimiter();
  const rule = { ratePerSecond: 50, burst: 200 };
  for (let i = 0; i < 200; i++) assert.equal(taken(limiter.take('a', rule, 0)).ok, true);
  const refused = taken(limiter.take('a', rule, 0));
  assert.deepEqual([refused.ok, refused.remaining, refused.resetMs], [false, 0, 4000]);
  assert.equal(retryAfter(refused.waitMs), '1');
  assert.equal(taken(limiter.take('a', rule, 19)).ok, false);
  assert.equal(taken(limiter.take('a', rule, 20)).ok, true);
  assert.equal(taken(limiter.take('b', rule, 0)).ok, true, 'another key is not touched');
});

test('in every sliding second at most burst + rate requests are allowed, in any arrival pattern', () => {
  const arrivals = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 30 }), arrivals, (ratePerSecond, burst, gaps) => {
      const limiter = createLimiter();
      const let_in: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        if (taken(limiter.take('a', { ratePerSecond, burst }, now)).ok) let_in.push(now);
      }
      for (const from of let_in) {
        const within = let_in.filter((t) => t >= from && t < from + 1000).length;
        assert.ok(within <= burst + ratePerSecond, `${within} in one second`);
      }
    }),
    { numRuns: 200 },
  );
});

test('a request after Retry-After is allowed, and `remaining` is exact', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 500 }), (ratePerSecond, burst) => {
      const limiter = createLimiter();
      const rule = { ratePerSecond, burst };
      let left = taken(limiter.take('a', rule, 5));
      while (left.ok && left.remaining > 0) {
        const next = taken(limiter.take('a', rule, 5));
        assert.equal(next.ok, true, `${left.remaining} were left`);
        left = next;
      }
      const refused = taken(limiter.take('a', rule, 5));
      assert.equal(refused.ok, false);
      assert.equal(taken(limiter.take('a', rule, 5 + refused.waitMs)).ok, true);
    }),
    { numRuns: 200 },
  );
});

test('memory is bounded: idle keys are removed, and a flood of keys does not grow it', () => {
  const limiter = createLimiter(100);
  for (let i = 0; i < 1000; i++) void limiter.take(`k${i}`, { ratePerSecond: 1, burst: 1 }, i * 5000);
  assert.ok(limiter.size() <= 101);
  for (let i = 0; i < 1000; i++) void limiter.take(`busy${i}`, { ratePerSecond: 1, burst: 1 }, 6_000_000);
  assert.ok(limiter.size() <= 101);
});

test('idle keys are removed at most once a second, and only where room is needed; else the oldest goes', () => {
  const rule = { ratePerSecond: 1, burst: 1 };
  const limiter = createLimiter(2);
  const take = (key: string, nowMs: number) => limiter.take(key, rule, nowMs).ok;
  assert.deepEqual([take('a', 0), take('b', 0), limiter.size()], [true, true, 2]);
  assert.equal(take('c', 500), true); // neither is idle: a, the oldest, goes
  assert.deepEqual([limiter.size(), take('b', 500)], [2, false]);
  assert.equal(take('d', 1_499), true); // b is idle, but it is not a second since the search: b goes as the oldest
  assert.deepEqual([limiter.size(), take('c', 1_499)], [2, false]);
  assert.equal(take('e', 2_499), true); // c and d are idle: both go
  assert.equal(limiter.size(), 1);
  assert.equal(take('f', 2_499), true);
  assert.deepEqual([take('e', 2_499), take('f', 2_499)], [false, false]);
});

test('a clock that is set back by more than a second takes the counts along; requests out of order do not', () => {
  const rule = { ratePerSecond: 1, burst: 4 };
  const limiter = createLimiter();
  const left = (key: string, nowMs: number) => {
    const { ok, remaining } = limiter.take(key, rule, nowMs);
    return ok ? remaining : 'none';
  };
  assert.deepEqual([left('a', 100_000), left('a', 100_000), left('a', 99_000), left('a', 100_000)], [3, 2, 0, 0]);
  assert.equal(left('a', 100_000), 'none');
  assert.deepEqual([left('b', 100_000), left('b', 50_000), left('b', 50_000)], [3, 2, 1]);
  assert.deepEqual([left('b', 51_000), left('b', 50_500), left('b', 51_000)], [1, 'none', 0]);
});

test('after the clock was set back idle keys are found again', () => {
  const rule = { ratePerSecond: 1, burst: 1 };
  const limiter = createLimiter(1);
  limiter.take('a', rule, 100_000);
  limiter.take('b', rule, 100_000);
  limiter.take('c', rule, 10_000);
  limiter.take('d', rule, 11_001);
  assert.equal(limiter.size(), 1);
});

test('the search for idle keys goes on after the clock was set back, and spares the others', () => {
  const [fast, slow] = [
    { ratePerSecond: 1, burst: 1 },
    { ratePerSecond: 0.001, burst: 1 },
  ];
  const limiter = createLimiter(2);
  for (const key of ['x', 'y', 'z']) limiter.take(key, fast, 100_000);
  assert.equal(limiter.take('busy', slow, 10_000).ok, true);
  limiter.take('w', fast, 10_500);
  limiter.take('v', fast, 12_000); // w is idle and goes, not busy, which is older
  assert.equal(limiter.size(), 2);
  assert.equal(limiter.take('busy', slow, 12_000).ok, false);
});

test('what is over by a hundredth of a millisecond is allowed, waits no time, and is counted', () => {
  const rule = { ratePerSecond: 100_000, burst: 1 };
  assert.equal(stepOf(0.01, rule, 0).ok, true);
  assert.equal(stepOf(0.015, { ...rule, ratePerSecond: 50_000 }, 0).ok, false);
  assert.equal(stepOf(0.01, rule, 0, true).waitMs, 0);
  assert.equal(stepOf(1_000.01, { ratePerSecond: 1, burst: 1, overrun: 1 }, 0).resetMs, 2_000.01);
});

test('events that are counted after the fact lengthen the wait up to the overrun', () => {
  const rule = { ratePerSecond: 10, burst: 1, overrun: 2 };
  let tat: number | undefined;
  const counted = Array.from({ length: 5 }, () => {
    const step = stepOf(tat, rule, 0);
    tat = step.arrivalMs;
    return [step.ok, step.waitMs, step.resetMs];
  });
  assert.deepEqual(counted, [
    [true, 100, 100],
    [false, 200, 200],
    [false, 300, 300],
    [false, 300, 300],
    [false, 300, 300],
  ]);
  assert.equal(stepOf(10_000, rule, 0).waitMs, 300, 'a time further ahead than the rule allows is one of another clock');
});

test('the limits of a request are counted in order, up to the first that refuses it', async () => {
  const rule = { ratePerSecond: 1, burst: 1 };
  const takeLimits = createTakeLimits();
  const limits: OneOrMore<Limit> = [
    { limiter: 'address', key: 'a', rule: { ratePerSecond: 1, burst: 2 } },
    { limiter: 'account', key: 'a', rule },
    { limiter: 'account', key: 'b', rule },
  ];
  const oks = () => takeLimits(limits, 0).map(({ ok }) => ok);
  assert.deepEqual([oks(), oks(), oks()], [[true, true, true], [true, false], [false]]);
  assert.equal((await takeOne(takeLimits, { limiter: 'account', key: 'c', rule }, 0)).ok, true);
});

test('each limit adds its fields before those of the one before it, and refuses with the time to wait', () => {
  const context = { rateLimit: null } as unknown as RequestContext;
  const limit = (name: 'key' | 'account') => callerLimit(name, 'k', { ratePerSecond: 2, burst: 4 });
  const good = { ok: true, remaining: 3, resetMs: 500, waitMs: 0 };
  assert.equal(applyLimit(context, limit('account'), good), null);
  assert.deepEqual(context.rateLimit, { fields: '"account";r=3;t=1', policies: '"account";q=4;w=2' });
  const error = applyLimit(context, limit('key'), { ok: false, remaining: 0, resetMs: 2_000, waitMs: 1_200 });
  assert.deepEqual(context.rateLimit, { fields: '"key";r=0;t=2, "account";r=3;t=1', policies: '"key";q=4;w=2, "account";q=4;w=2' });
  assert.equal(error?.failure, 'RATE_LIMITED');
  assert.equal(
    error?.message,
    'Too many requests: this key may send 2 a second, 4 at once. Ask again after the time that Retry-After says.',
  );
  assert.equal(error?.headers['retry-after'], '2');
});

test('the fields have the form of the draft', () => {
  const rule = { ratePerSecond: 50, burst: 200 };
  assert.equal(policyField('account', rule), '"account";q=200;w=4');
  assert.equal(limitField('account', taken(createLimiter().take('a', rule, 1_000))), '"account";r=199;t=1');
});

test('an IPv6 client is counted by its /64, an IPv4 client by its address, mapped to IPv6 or not', () => {
  assert.equal(addressKey('192.0.2.7'), '192.0.2.7');
  assert.equal(addressKey('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(addressKey('2001:db8:1:2::9'), addressKey('2001:0db8:0001:0002:ffff::1'));
  assert.equal(addressKey('::1'), '0:0:0:0::/64');
  assert.equal(addressKey('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(addressKey('fe80::'), 'fe80:0:0:0::/64');
  assert.equal(addressKey('2001::3:4:5:6:7:8'), '2001:0:3:4::/64');
  assert.equal(addressKey('::ffff:c000:207'), '0:0:0:0::/64');
  assert.equal(addressKey('1:2:3:4:5:6:7:8::9'), '1:2:3:4::/64', 'no address, and no error');
  assert.equal(addressKey(undefined), 'unknown');
});

test('a read keeps nothing, and a full limiter forgets no key for one that it knows', () => {
  const limiter = createLimiter(2);
  const once = { ratePerSecond: 1, burst: 1 };
  assert.equal(taken(limiter.take('a', once, 0, true)).ok, true);
  assert.equal(limiter.size(), 0);
  for (const key of ['a', 'b']) assert.equal(taken(limiter.take(key, once, 0)).ok, true);
  for (const key of ['b', 'a']) assert.equal(taken(limiter.take(key, once, 0)).ok, false, key);
});

test('a key with limits of its own is counted by them before its account, under the first key that it replaces; others by their account alone', () => {
  const account = { ratePerSecond: 50, burst: 200 };
  const { limitsOf, ruleOf } = createCallerLimits(account);
  const caller = { accountId: 'acc_a', keyId: 'key_b', operations: null, ratePerSecond: null, rateBurst: null };
  const shown = (one: Caller) => limitsOf(one).map(({ name, key, rule }) => [name, key, rule.ratePerSecond, rule.burst]);
  assert.deepEqual(shown(caller), [['account', 'acc_a', 50, 200]]);
  assert.equal(ruleOf(caller), account);
  const own = { ...caller, ratePerSecond: 2 };
  assert.deepEqual(shown(own), [
    ['key', 'key key_b', 2, 200],
    ['account', 'acc_a', 50, 200],
  ]);
  assert.deepEqual(shown({ ...own, rateBurst: 4, countedAs: 'key_a' })[0], ['key', 'key key_a', 2, 4]);
  assert.deepEqual(ruleOf({ ...caller, rateBurst: 4 }), { ratePerSecond: 50, burst: 4 });
  assert.equal(limitsOf(own), limitsOf(own), 'made once');
});
