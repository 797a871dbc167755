import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arrivalAfter, gcra, waitMsOf } from './gcra.ts';

const rates = fc.record({ everyMs: fc.double({ min: 0.1, max: 1e7, noNaN: true }), burst: fc.integer({ min: 1, max: 1_000 }) });

test('who waits as long as it was told is served then: no wait is lengthened by rounding', () => {
  fc.assert(
    fc.property(rates, fc.double({ min: 0, max: 2e12, noNaN: true }), fc.integer({ min: 1, max: 50 }), (rate, startMs, events) => {
      let nowMs = startMs;
      let arrivalMs = 0;
      for (let i = 0; i < events; i++) {
        for (let tries = 0; waitMsOf(arrivalMs, rate, nowMs) > 0; tries++) {
          assert.ok(tries < 2, `${waitMsOf(arrivalMs, rate, nowMs)} ms are left after the wait`);
          nowMs += waitMsOf(arrivalMs, rate, nowMs);
        }
        arrivalMs = arrivalAfter(arrivalMs, rate.everyMs, nowMs);
      }
    }),
  );
});

test('of events at one moment as many conform as the burst says, and beyond them as many are counted as the overrun says', () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 0, max: 5 }), (rate, overrun) => {
      let stored: number | undefined;
      const seen = Array.from({ length: rate.burst + overrun + 2 }, () => {
        const step = gcra(stored, rate, overrun, 1_000, false);
        stored = step.arrivalMs;
        return step;
      });
      assert.deepEqual(
        seen.map(({ ok }) => ok),
        seen.map((_, i) => i < rate.burst),
      );
      const longestMs = rate.everyMs * (overrun + 1);
      assert.ok(Math.abs((seen.at(-1)?.waitMs ?? 0) - longestMs) <= 0.02 + longestMs * 1e-9, `${seen.at(-1)?.waitMs} of ${longestMs}`);
    }),
  );
});
