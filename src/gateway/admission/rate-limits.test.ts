import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { retryAfter } from '../../contract/errors.ts';
import { addressKey, createLimiter, limitField, policyField, type Taken } from './rate-limits.ts';

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
  assert.equal(addressKey(undefined), 'unknown');
});
