import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFailure, holdAnswer, holdOp, waitsToRetry } from './flush-rules.ts';
import type { AccountState } from './rules.ts';
import type { HoldRequest } from './types.ts';

const HOLD = { keepUntil: 0 };
const CAPTURE = { keepUntil: 500 };
const away = { isAway: true, nowMs: 100, closeByMs: Number.POSITIVE_INFINITY };

test('a store that is away loses holds, and keeps settlements while they may live', () => {
  assert.deepEqual(afterFailure([HOLD, CAPTURE], away), { kind: 'sorted', again: [CAPTURE], lost: [HOLD] });
  assert.deepEqual(afterFailure([CAPTURE], { ...away, nowMs: 499 }), { kind: 'sorted', again: [CAPTURE], lost: [] });
  assert.deepEqual(afterFailure([CAPTURE], { ...away, nowMs: 500 }), { kind: 'sorted', again: [], lost: [CAPTURE] });
});

test('a process that ends tries settlements again until its time is over', () => {
  assert.deepEqual(afterFailure([CAPTURE], { ...away, closeByMs: 101 }), { kind: 'sorted', again: [CAPTURE], lost: [] });
  assert.deepEqual(afterFailure([CAPTURE], { ...away, closeByMs: 100 }), { kind: 'sorted', again: [], lost: [CAPTURE] });
});

test('a batch that the store refuses is halved until the refused operation stands alone', () => {
  const refused = { ...away, isAway: false };
  const [a, b, c] = [{ keepUntil: 1 }, { keepUntil: 2 }, { keepUntil: 3 }];
  assert.deepEqual(afterFailure([a, b, c], refused), { kind: 'split', halves: [[a], [b, c]] });
  assert.deepEqual(afterFailure([CAPTURE], refused), { kind: 'sorted', again: [], lost: [CAPTURE] });
});

test('a retry does not wait where a caller waits for the queue', () => {
  assert.equal(waitsToRetry([]), true);
  assert.equal(waitsToRetry([CAPTURE]), true);
  assert.equal(waitsToRetry([CAPTURE, HOLD]), false);
});

const REQUEST: HoldRequest = {
  accountId: 'acc',
  keyId: 'key',
  amount: 4,
  operation: 'serp',
  ttlMs: 1_000.4,
  requestId: 'r',
  label: 'mine',
};

test('a hold lasts whole milliseconds and names its request; credits and time that cannot be stored make none', () => {
  const op = holdOp(REQUEST, 'u1');
  assert.deepEqual(op, {
    ...{ kind: 'hold', accountId: 'acc', id: 'u1', amount: 4, lifeMs: 1_001 },
    keyId: 'key',
    operation: 'serp',
    label: 'r mine',
  });
  assert.equal(holdOp({ ...REQUEST, label: null }, 'u1')?.label, 'r');
  for (const wrong of [{ amount: 0 }, { amount: 1.5 }, { amount: Number.NaN }, { ttlMs: Number.POSITIVE_INFINITY }])
    assert.equal(holdOp({ ...REQUEST, ...wrong }, 'u1'), null);
});

test('the answer to a hold names its row; a refusal says what is left', () => {
  const state: AccountState = { balance: 6, held: 4, seq: 9, head: '', open: new Map(), spent: new Map() };
  const op = holdOp(REQUEST, 'u1');
  assert.ok(op);
  const answer = { atMs: 50, states: new Map([['acc', state]]) };
  const times = { askedMs: 100, ttlMs: 1_000 };
  const held = holdAnswer(op, { code: 'done', amount: 6 }, answer, times);
  assert.deepEqual(held, { ok: true, holdId: 'acc.9.u1', remaining: 6, expiresAt: 1_100 });
  const refused = holdAnswer(op, { code: 'short', amount: 3 }, answer, times);
  assert.ok(!refused.ok && refused.remaining === 6 && refused.error === 'INSUFFICIENT_CREDITS');
  assert.match(refused.message, /\b3\b/);
  const unknown = holdAnswer(op, { code: 'noAccount', amount: 0 }, { ...answer, states: new Map() }, times);
  assert.equal(unknown.ok ? null : unknown.remaining, 0);
});
