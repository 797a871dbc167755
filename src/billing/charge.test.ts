import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, PAYER, scene } from '../../test/support/charge-scene.ts';
import { ServiceError } from '../contract/errors.ts';
import { holdLifeOf } from './charge.ts';

test('the price is held once, under the names of the request, until the deadline and the time to write the answer', async () => {
  const { charge, hold, told, clock } = scene();
  await clock.advance(5_000);
  assert.deepEqual([charge.amount, charge.receipt, charge.nearlyExpired], [0, null, false]);
  await charge.hold();
  await charge.hold();
  assert.deepEqual(hold.requests, [{ ...PAYER, amount: 3, operation: 'serp', requestId: 'r', label: 'l', ttlMs: 45_000 }]);
  assert.deepEqual([charge.amount, charge.receipt], [0, 'acc.1.h']);
  assert.deepEqual(told, [['held', 0, 'held']]);
  const late = scene({ deadlineMs: -1 });
  await late.charge.hold();
  assert.equal(late.hold.requests[0]?.ttlMs, 30_000, 'a deadline that has passed takes nothing off');
});

test('nothing is held above the limit of the request, while the account waits, or where the ledger refuses', async () => {
  const poor = scene({ maxCredits: 2 });
  await assert.rejects(poor.charge.hold(), { failure: 'INSUFFICIENT_CREDITS', message: /costs 3 credits, and X-Max-Credits allows 2/ });
  assert.equal(poor.hold.requests.length, 0);
  const exact = scene({ maxCredits: 3 });
  await exact.charge.hold();
  assert.equal(exact.charge.receipt, 'acc.1.h');
  const waiting = scene();
  waiting.state.waitMs = 1_500;
  await assert.rejects(waiting.charge.hold(), { failure: 'RATE_LIMITED', headers: { 'retry-after': '2' } });
  assert.equal(waiting.hold.requests.length, 0);
  for (const [error, headers] of [
    ['INSUFFICIENT_CREDITS', {}],
    ['UNAVAILABLE', { 'retry-after': '5' }],
  ] as const) {
    const refused = scene();
    refused.state.refused = { ok: false, error, message: 'why', remaining: 1 };
    await assert.rejects(refused.charge.hold(), { failure: error, message: 'why', headers });
    assert.equal(refused.charge.receipt, null);
    assert.deepEqual(refused.told, [['held', 0, 'refused']]);
    refused.charge.cancel();
    assert.deepEqual(refused.settled(), [], 'no source was asked');
  }
});

test('the leader pays for what was delivered, at most what is held; others and answers from the cache are free', async () => {
  for (const [answer, amount] of [
    [answerOf(), 3],
    [answerOf({ delivered: 12 }), 2],
    [answerOf({ delivered: 0 }), 1],
    [answerOf({ leads: false }), 0],
    [answerOf({ leads: false, cacheStatus: { how: 'hit' } }), 0],
  ] as const) {
    const { charge } = scene();
    await charge.hold();
    await charge.decide(answer);
    assert.equal(charge.amount, amount);
  }
  const unheld = scene();
  await unheld.charge.decide(answerOf());
  assert.deepEqual([unheld.charge.amount, unheld.hold.requests.length], [0, 0]);
});

test('where answers from the cache are charged, they are held and cost their price; who joined a lookup is free', async () => {
  const hit = scene({}, { chargeCacheHits: true });
  await hit.charge.decide(answerOf({ leads: false, delivered: 12, cacheStatus: { how: 'hit' } }));
  assert.deepEqual([hit.charge.amount, hit.hold.requests[0]?.amount], [2, 2]);
  const joined = scene({}, { chargeCacheHits: true });
  await joined.charge.decide(answerOf({ leads: false }));
  assert.deepEqual([joined.charge.amount, joined.hold.requests.length], [0, 0]);
});

test('the amount is captured once; after a failure the hold expires, and the log says so', async () => {
  const { charge, told, settled, captures } = scene();
  charge.capture();
  await charge.hold();
  await charge.decide(answerOf());
  charge.capture();
  charge.capture();
  assert.equal(captures.size, 1);
  await Promise.all(captures);
  assert.equal(captures.size, 0);
  assert.deepEqual(settled(), [['capture', 'acc.1.h', 3]]);
  assert.deepEqual(told.slice(1), [
    ['settled', 'captured'],
    ['charged', 'serp', 3],
  ]);
  assert.deepEqual([charge.receipt, charge.amount], [null, 3]);

  const lost = scene();
  await lost.charge.hold();
  await lost.charge.decide(answerOf());
  const err = new Error('away');
  lost.state.fails = err;
  lost.charge.capture();
  await Promise.all(lost.captures);
  assert.deepEqual(lost.told.slice(1), [
    ['settled', 'lost'],
    ['error', { err, holdId: 'acc.1.h', requestId: 'r' }, 'a capture failed: the hold will expire'],
  ]);
});

test('an error gives all back; a lookup that asked a source and is not charged is counted once', async () => {
  const { charge, told, settled, clock } = scene({}, { known: 97 });
  await clock.advance(7);
  await charge.hold();
  await charge.decide(answerOf());
  assert.equal(charge.remaining, 97, '97 are free, 3 are held, 3 will be charged');
  assert.equal(charge.cancel(), 100);
  assert.deepEqual([charge.amount, charge.receipt, charge.remaining], [0, null, 100]);
  charge.cancel();
  await clock.advance(0);
  assert.deepEqual(settled(), [
    ['uncharged', 'acc', 7],
    ['release', 'acc.1.h'],
  ]);
  assert.deepEqual(told.slice(1), [['settled', 'released']]);
  assert.equal(charge.remaining, 97, 'the ledger knows the release');

  const unasked = scene();
  await unasked.charge.hold();
  unasked.charge.sourceNotAsked();
  unasked.charge.waive();
  assert.deepEqual(unasked.settled(), [['release', 'acc.1.h']]);

  const failing = scene();
  await failing.charge.hold();
  const err = new Error('away');
  failing.state.fails = err;
  failing.charge.release();
  await failing.clock.advance(0);
  assert.deepEqual(failing.told.at(-1), ['warn', { err, holdId: 'acc.1.h', requestId: 'r' }, 'a release failed: the hold will expire']);
});

test('what is left is what the process knows, else what the hold left; unknown where neither is', async () => {
  const { charge } = scene();
  assert.equal(charge.remaining, null);
  assert.equal(charge.cancel(), null);
  await charge.hold();
  assert.equal(charge.remaining, 100);
  await charge.decide(answerOf({ delivered: 12 }));
  assert.equal(charge.remaining, 98);
});

test('a hold that is confirmed after its release is released at once; a later hold stays', async () => {
  const { charge, hold, settled, clock } = scene();
  let confirm = (): void => {};
  hold.until = new Promise((resolve) => (confirm = resolve));
  const held = charge.hold();
  await clock.advance(0);
  charge.release();
  assert.deepEqual(settled(), []);
  confirm();
  await held;
  assert.deepEqual([settled(), charge.receipt], [[['release', 'acc.1.h']], null]);
  await charge.hold();
  assert.equal(charge.receipt, 'acc.1.h');
});

test('a hold with little time left is renewed; where that fails nothing is sent, and nothing is held', async () => {
  assert.deepEqual(holdLifeOf(30_000), { marginMs: 30_000, renewBelowMs: 25_000, captureAfterMs: 20_000 });
  const { charge, clock, settled } = scene();
  await charge.hold();
  await clock.advance(24_999);
  assert.equal(charge.nearlyExpired, false);
  await charge.renew();
  assert.deepEqual(settled(), []);
  await clock.advance(1);
  assert.equal(charge.nearlyExpired, true);
  await charge.renew();
  assert.deepEqual([settled(), charge.nearlyExpired], [[['renew', 'acc.1.h', 30_000]], false]);

  const gone = scene();
  await gone.charge.hold();
  await gone.charge.decide(answerOf());
  await gone.clock.advance(25_000);
  gone.state.renews = false;
  await assert.rejects(gone.charge.renew(), (error) => error instanceof ServiceError && error.failure === 'UNAVAILABLE');
  assert.deepEqual([gone.charge.receipt, gone.charge.nearlyExpired], [null, false]);
  assert.equal(gone.charge.cancel(), 97, 'nothing is held any more');
});

test('a hold that is renewed too late twice in a row is given up', async () => {
  const slow = scene();
  await slow.charge.hold();
  await slow.clock.advance(25_000);
  slow.state.renewMs = 26_000;
  const rejected = assert.rejects(slow.charge.renew(), { failure: 'UNAVAILABLE' });
  for (let i = 0; i < 3; i++) await slow.clock.advance(26_000);
  await rejected;
  assert.equal(slow.settled().filter(([name]) => name === 'renew').length, 2);
});

test('an answer that is read slowly is charged before its hold expires; one that was read is not charged again', async () => {
  const { charge, clock, settled } = scene();
  await charge.hold();
  await charge.decide(answerOf());
  charge.captureSlowRead(new AbortController().signal);
  await clock.advance(19_999);
  assert.deepEqual(settled(), []);
  await clock.advance(1);
  assert.deepEqual(settled(), [['capture', 'acc.1.h', 3]]);
  charge.capture();
  assert.equal(settled().length, 1);
});

test('what costs nothing holds nothing', async () => {
  const { charge, hold } = scene({}, { prices: { serp: 0 } });
  await charge.hold();
  assert.deepEqual([hold.requests.length, charge.receipt], [0, null]);
});
