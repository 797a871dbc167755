import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROOF } from '../../test/support/evidence.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createDrift } from '../monitoring/drift.ts';
import { createSourceHealth } from '../monitoring/source-health.ts';
import { readSettings } from '../settings.ts';
import { absent, found, unreachable } from '../sources/outcome.ts';
import type { Source } from '../sources/source.ts';
import { createSpending } from '../spending/spending.ts';
import { createPace } from '../upstream/pace.ts';
import { createBreakers } from './breaker.ts';
import { sourceStates } from './source-states.ts';

const HOUR_MS = 3_600_000;
const NOT_ASKED = Array.from({ length: 24 }, () => ({ attempts: 0, good: 0 }));
const source: Source = {
  id: 'registration/rdap',
  operations: ['registration'],
  needs: [],
  knowsAbsence: true,
  partOf: (_, input) => ('domain' in input ? (input.domain.split('.').at(-1) ?? '') : ''),
  limitedByPart: true,
  dailyCap: () => ({ key: 'paid', maxRequests: 10, maxUsd: 1, usdEach: 0, settings: '' }),
  about: '',
  open: () => ({}),
};
const lacking: Source = { id: 'other', operations: ['serp'], needs: ['SERPAPI_KEY'], knowsAbsence: true, about: '', open: () => ({}) };

function setup() {
  const clock = createManualClock(Date.UTC(2026, 10, 22, 10));
  const pace = createPace(clock);
  const spending = createSpending(clock);
  const breakers = createBreakers(clock.now);
  const health = createSourceHealth(clock, () => 0.5);
  const drift = createDrift({ clock, log: () => {} });
  const settings = readSettings({});
  const states = (sources = [source, lacking]) => sourceStates({ sources, settings, breakers, health, drift, pace, spending, clock });
  return { clock, pace, spending, breakers, health, drift, states };
}

test('a source that nobody asked is closed, rests not and has no success share', async () => {
  const { states } = setup();
  const [first, second] = await states();
  assert.deepEqual([first?.area, first?.configured, first?.breaker, first?.restingUntil], ['registration', true, 'closed', null]);
  assert.deepEqual(first?.last24h, {
    attempts: 0,
    found: 0,
    absent: 0,
    failures: {},
    successShare: null,
    medianMs: null,
    hours: NOT_ASKED,
  });
  assert.deepEqual(first?.spending, { requestsToday: 0, maxRequestsPerDay: 10, usdToday: 0, maxUsdPerDay: 1 });
  assert.deepEqual([second?.configured, second?.lacking, second?.spending], [false, ['SERPAPI_KEY'], null]);
  assert.deepEqual([first?.state, second?.state], ['in_use', 'no_key']);
});

test('two sources of one name are one, with the operations of both', async () => {
  const { states } = setup();
  const listed = await states([source, { ...lacking, id: source.id, needs: [] }]);
  assert.deepEqual(
    listed.map(({ name, operations }) => [name, operations]),
    [['registration/rdap', ['registration', 'serp']]],
  );
});

test('of two sources of one name the one that is off answers nothing; where both are off, both are stated', async () => {
  const { states } = setup();
  const listed = async (first: Source['needs'], second: Source['needs']) =>
    (
      await states([
        { ...source, needs: first },
        { ...lacking, id: source.id, needs: second },
      ])
    ).map(({ operations, configured }) => [operations, configured]);
  assert.deepEqual(await listed([], lacking.needs), [[['registration'], true]]);
  assert.deepEqual(await listed(lacking.needs, []), [[['serp'], true]]);
  assert.deepEqual(await listed(lacking.needs, lacking.needs), [[['registration', 'serp'], false]]);
});

test('one open part opens the source, and turns half-open after the pause; the rest of a part is that of the source', async () => {
  const { clock, pace, breakers, states } = setup();
  for (let i = 0; i < 5; i++)
    await breakers.callSource('registration/rdap com', { operation: 'registration', cacheKey: String(i) }, async () => unreachable('gone'));
  await breakers.callSource('registration/rdap net', { operation: 'registration', cacheKey: 'x' }, async () => absent(PROOF, 'none'));
  await pace.rest('source registration/rdap net', 60_000);
  const state = async () => (await states())[0];
  assert.equal((await state())?.breaker, 'open');
  assert.equal((await state())?.restingUntil, '2026-11-22T10:01:00.000Z');
  await clock.advance(31_000);
  assert.equal((await state())?.breaker, 'half-open');
});

test('fields that drift are named with their source', async () => {
  const { drift, states } = setup();
  const fields = { present: [], missing: ['registrar'] };
  const outcome = found({ bytes: Buffer.alloc(0), etag: '', freshForMs: 0, fields }, undefined, ['registrar']);
  for (let i = 0; i < 20; i++)
    drift.observe({ source: 'registration/rdap', operation: 'registration', part: 'com', outcome, requestId: null });
  assert.deepEqual(
    (await states()).map(({ drifting }) => drifting),
    [['registrar'], []],
  );
});

test('attempts of the last 24 hours are counted by outcome, older ones are dropped', async () => {
  const { clock, health, states } = setup();
  const watch = (tag: string, ms: number) => health.onAttempt('registration/rdap', { tag, ms });
  watch('timeout', 9_000);
  await clock.advance(23 * HOUR_MS);
  for (const ms of [10, 20, 30]) watch('found', ms);
  watch('absent', 40);
  watch('blocked', 50);
  health.onAttempt('registration/rdap', null);
  const counted = async () => {
    const found = (await states())[0]?.last24h;
    assert.ok(found);
    const { hours, ...last24h } = found;
    assert.equal(
      hours.reduce((sum, { attempts }) => sum + attempts, 0),
      last24h.attempts,
    );
    return last24h;
  };
  assert.deepEqual(await counted(), {
    attempts: 6,
    found: 3,
    absent: 1,
    failures: { timeout: 1, blocked: 1 },
    successShare: 4 / 6,
    medianMs: 40,
  });
  await clock.advance(HOUR_MS);
  assert.deepEqual((await counted()).failures, { blocked: 1 });
});

test('the durations kept of an hour are bounded', () => {
  const { health } = setup();
  for (let i = 0; i < 10_000; i++) health.onAttempt('x', { tag: 'found', ms: i < 5_000 ? 1 : 3 });
  const { attempts, medianMs } = health.of('x');
  assert.equal(attempts, 10_000);
  assert.ok(medianMs === 1 || medianMs === 3);
});

test('spending of today is shown with its caps', async () => {
  const { spending, states } = setup();
  const { day } = await spending.take({ key: 'paid', maxRequests: 10, maxUsd: 1 }, 0.01);
  await spending.correct('paid', day, 0, 0.01);
  assert.deepEqual((await states())[0]?.spending, { requestsToday: 1, maxRequestsPerDay: 10, usdToday: 0.01, maxUsdPerDay: 1 });
});
