import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { unavailable } from '../store/unavailable.ts';
import type { Journal } from './journal.ts';
import { createLedger } from './ledger.ts';
import { type AccountState, type Op, settlement } from './rules.ts';

const HOLD_MS = 60_000;
const request = { accountId: 'acc', keyId: 'key', amount: 1, operation: 'serp', requestId: 'r', ttlMs: HOLD_MS } as const;

/** A journal that accepts every batch or rejects every batch. */
function scene() {
  const clock = createManualClock();
  const batches: (readonly Op[])[] = [];
  const state = { away: false, expiries: 0, outlived: 0 };
  const account: AccountState = { balance: 5, held: 0, seq: 1, head: '', open: new Map(), spent: new Map() };
  const journal: Journal = {
    async settle(ops) {
      if (state.away) throw unavailable(new Error('gone'));
      batches.push(ops);
      return { at: clock.now(), outcomes: ops.map(() => ({ code: 'done', amount: 5 })), states: new Map([['acc', account]]) };
    },
    async expired() {
      state.expiries++;
      return Array.from({ length: state.outlived }, (_, i) => settlement('expire', 'acc', `1.${i}`));
    },
    remaining: () => 5,
    forget() {},
  };
  const ledger = createLedger({ journal, clock, log: () => {}, randomBytes, holdMs: HOLD_MS });
  return { clock, batches, state, ledger };
}

test('expired holds are released within seconds of a start, and of a failed write', async () => {
  const { clock, state, ledger } = scene();
  await clock.advance(1_500);
  assert.equal(state.expiries, 1);
  state.away = true;
  await assert.rejects(ledger.hold(request), { failure: 'UNAVAILABLE' });
  state.away = false;
  await clock.advance(1_000);
  assert.equal(state.expiries, 2);
  await ledger.close();
});

test('a capture that waited for the store is written before holds expire', async () => {
  const { clock, batches, state, ledger } = scene();
  const hold = await ledger.hold(request);
  assert.ok(hold.ok);
  state.away = true;
  ledger.capture(hold.holdId, 1);
  await clock.advance(5_000);
  assert.equal(state.expiries, 0);
  state.away = false;
  await clock.advance(2_000);
  assert.equal(batches.at(-1)?.[0]?.kind, 'capture');
  assert.ok(state.expiries > 0);
  await ledger.close();
});

test('while the store is unavailable holds are refused at once and captures wait; both recover without a restart', async () => {
  const { clock, batches, state, ledger } = scene();
  const hold = await ledger.hold(request);
  assert.ok(hold.ok);
  state.away = true;
  let captured = false;
  ledger.capture(hold.holdId, 1).then(() => {
    captured = true;
  });
  await assert.rejects(ledger.hold(request), { failure: 'UNAVAILABLE' });
  await clock.advance(5_000);
  assert.equal(captured, false);
  state.away = false;
  await clock.advance(300);
  assert.equal(captured, true);
  assert.equal(batches.at(-1)?.[0]?.kind, 'capture');
  assert.equal((await ledger.hold(request)).ok, true);
  assert.equal(ledger.counts.late, 0);
  await ledger.close();
});

test('a capture is dropped once its hold must have expired', async () => {
  const { clock, state, ledger } = scene();
  const hold = await ledger.hold(request);
  assert.ok(hold.ok);
  state.away = true;
  const capture = ledger.capture(hold.holdId, 1);
  await clock.advance(HOLD_MS + 1_000);
  await capture;
  assert.equal(ledger.counts.late, 1);
  await ledger.close();
});

test('close does not wait forever for an unavailable store', async () => {
  const { clock, state, ledger } = scene();
  const hold = await ledger.hold(request);
  assert.ok(hold.ok);
  state.away = true;
  ledger.capture(hold.holdId, 1);
  const closed = ledger.close();
  await clock.advance(3_000);
  await closed;
  await assert.rejects(ledger.hold(request), { failure: 'UNAVAILABLE' });
});

test('operations of one turn of the event loop form one batch, operations during a commit form the next', async () => {
  const { batches, ledger } = scene();
  const first = Promise.all([ledger.hold(request), ledger.hold(request), ledger.hold(request)]);
  await first;
  assert.deepEqual(
    batches.map((b) => b.length),
    [3],
  );
  assert.equal(await ledger.remaining('acc'), 5);
  await ledger.close();
});

test('a hold of zero or fractional credits is a defect of the caller', async () => {
  const { ledger } = scene();
  for (const amount of [0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])
    await assert.rejects(ledger.hold({ ...request, amount }), RangeError);
  await ledger.close();
});
