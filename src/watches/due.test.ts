import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, dayOf } from '../runtime/clock.ts';
import { OVER } from './compare.ts';
import { daysLeftOf, needsReading, planOf } from './due.ts';

const USUAL = [30, 14, 7, 1];
const at = (text: string): number => Date.parse(text);

test('the nearest threshold that passed is told, and the next one is known', () => {
  const plan = (now: string, told: number | null = null, on = '2027-01-31') => planOf(on, USUAL, told, at(now));
  assert.deepEqual(plan('2026-12-31T23:59:59.999Z'), { tell: null, nextMs: at('2027-01-01') });
  assert.deepEqual(plan('2027-01-01T00:00:00Z'), { tell: 30, nextMs: at('2027-01-17') });
  assert.deepEqual(plan('2027-01-10T12:00:00Z', 30), { tell: null, nextMs: at('2027-01-17') });
  assert.deepEqual(plan('2027-01-26T12:00:00Z', 30), { tell: 5, nextMs: at('2027-01-30') }, 'after downtime only the nearest');
  assert.deepEqual(plan('2027-01-31T12:00:00Z', 1), { tell: null, nextMs: at('2027-02-01') }, 'a day lasts until midnight');
  assert.deepEqual(plan('2027-02-01T00:00:00Z', 1), { tell: OVER, nextMs: null });
  assert.deepEqual(plan('2027-03-01T00:00:00Z', OVER), { tell: null, nextMs: null });
  assert.deepEqual(plan('2027-01-31T12:00:00Z', 1, '2027-01-31T11:00:00.000Z'), { tell: OVER, nextMs: null });
  assert.deepEqual(plan('2027-01-31T10:00:00Z', 1, '2027-01-31T11:00:00.000Z'), { tell: null, nextMs: at('2027-01-31T11:00:00Z') });
  assert.deepEqual(planOf('2027-01-31', [], null, at('2027-01-31')), { tell: null, nextMs: null });
  assert.deepEqual(planOf('2027-01-31', [0], null, at('2027-01-31')), { tell: 0, nextMs: at('2027-02-01') });
});

test('a reading is made again after a day, and where the date was not over yet', () => {
  const read = (readAt: string, now: string) => needsReading({ due_on: '2027-01-31', due_read_at: at(readAt) }, at(now));
  assert.equal(read('2027-01-29T12:00:00Z', '2027-01-30T12:00:00Z'), false);
  assert.equal(read('2027-01-29T12:00:00Z', '2027-01-30T12:00:00.001Z'), true);
  assert.equal(read('2027-01-31T23:00:00Z', '2027-02-01T00:00:00Z'), true);
  assert.equal(read('2027-02-01T00:00:00Z', '2027-02-01T01:00:00Z'), false);
  assert.equal(needsReading({ due_on: null, due_read_at: null }, 0), true);
});

test('looked at whenever it says, every threshold of a date is told once, on its day; looked at late, at most once and never early', () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 8 });
  const date = fc.tuple(fc.integer({ min: 20_000, max: 24_000 }), fc.option(fc.integer({ min: 0, max: DAY_MS - 1 })));
  const pauses = fc.array(fc.integer({ min: 0, max: 90 * DAY_MS }), { maxLength: 40 });
  fc.assert(
    fc.property(days, date, fc.integer({ min: 0, max: 500 * DAY_MS }), pauses, (thresholds, [day, time], aheadMs, late) => {
      const on = time === null ? dayOf(day * DAY_MS) : new Date(day * DAY_MS + time).toISOString();
      for (const pauseMs of [[], late]) {
        const rest = [...pauseMs];
        const told: number[] = [];
        let nowMs: number | null = day * DAY_MS - aheadMs;
        const firstLeft = daysLeftOf(on, nowMs);
        for (let steps = 0; nowMs !== null; steps++) {
          assert.ok(steps < 100);
          const { tell, nextMs } = planOf(on, thresholds, told.at(-1) ?? null, nowMs);
          if (tell !== null) told.push(tell);
          assert.deepEqual(planOf(on, thresholds, told.at(-1) ?? null, nowMs), { tell: null, nextMs }, 'what was told is not told again');
          assert.ok(nextMs === null || nextMs > nowMs);
          nowMs = nextMs === null ? null : nextMs + (rest.pop() ?? 0);
        }
        assert.deepEqual(
          told,
          [...told].sort((a, b) => b - a),
        );
        assert.equal(new Set(told).size, told.length);
        for (const left of told) assert.ok(left === OVER || thresholds.some((days) => days >= left), 'none early');
        if (thresholds.length === 0) assert.deepEqual(told, []);
        else assert.equal(told.at(-1), OVER);
        if (pauseMs.length > 0) continue;
        const endsMs = day * DAY_MS + (time ?? DAY_MS);
        const ahead = thresholds.filter((days) => days < firstLeft && (day - days) * DAY_MS < endsMs).sort((a, b) => b - a);
        assert.deepEqual(told.slice(-ahead.length - 1), thresholds.length === 0 ? [] : [...ahead, OVER]);
      }
    }),
  );
});
