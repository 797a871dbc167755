import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createManualClock, settle } from '../../test/support/manual-clock.ts';
import { unavailable } from '../store/unavailable.ts';
import { creditMessage } from './credit-messages.ts';
import type { Journal } from './journal.ts';
import { createLedger } from './ledger.ts';
import { type AccountState, type Op, type Outcome, settlement } from './rules.ts';

const HOLD_MS = 60_000;
const request = { accountId: 'acc', keyId: 'key', amount: 1, operation: 'serp', requestId: 'r', ttlMs: HOLD_MS } as const;
const DONE: Outcome = { code: 'done', amount: 5 };

/** A journal that does as it is told. `outcomeOf`: of an operation; undefined is a defect of the journal. `isBad`: the store refuses its batch. */
function scene() {
  const clock = createManualClock();
  const batches: (readonly Op[])[] = [];
  const logged: unknown[][] = [];
  const state = {
    ...{ away: false, expiries: 0, outlived: 0, tries: 0 },
    latch: null as Promise<void> | null,
    outcomeOf: (_op: Op): Outcome | undefined => DONE,
    isBad: (_op: Op): boolean => false,
    known: true,
  };
  const account: AccountState = { balance: 5, held: 0, seq: 1, head: '', open: new Map(), spent: new Map() };
  const journal: Journal = {
    async settle(ops) {
      state.tries++;
      await state.latch;
      if (state.away) throw unavailable(new Error('gone'));
      if (ops.some(state.isBad)) throw new Error('constraint');
      batches.push(ops);
      return { at: clock.now(), outcomes: ops.map(state.outcomeOf) as Outcome[], states: new Map(state.known ? [['acc', account]] : []) };
    },
    async expired(limit) {
      state.expiries++;
      if (state.away) throw unavailable(new Error('gone'));
      const due = Math.min(limit, state.outlived);
      state.outlived -= due;
      return Array.from({ length: due }, (_, i) => settlement('expire', 'acc', `1.${i}`));
    },
    remaining: () => 5,
    forget() {},
  };
  const ledger = createLedger({ journal, clock, log: (...line) => void logged.push(line), randomBytes, holdMs: HOLD_MS });
  const sizes = () => batches.map((batch) => batch.length);
  return { clock, batches, sizes, state, logged, ledger };
}
/** A promise that stays open until it is told. */
const latch = () => Promise.withResolvers<void>();

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

test('a hold of zero or fractional credits, or without a time limit, is a defect of the caller', async () => {
  const { state, ledger } = scene();
  for (const amount of [0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])
    await assert.rejects(ledger.hold({ ...request, amount }), new RangeError(`a hold of ${amount} credits for 60000 ms`));
  await assert.rejects(ledger.hold({ ...request, ttlMs: Number.POSITIVE_INFINITY }), RangeError);
  assert.equal(state.tries, 0);
  await ledger.close();
});

test('a hold is one operation with the ids of its request, and is named after its row', async () => {
  const { clock, batches, ledger } = scene();
  const hold = await ledger.hold({ ...request, amount: 3, ttlMs: 1000.5 });
  const [{ hold: id = '', ...op } = {} as Op] = batches[0] ?? [];
  assert.deepEqual(op, { kind: 'hold', accountId: 'acc', amount: 3, lifeMs: 1001, keyId: 'key', operation: 'serp', label: 'r' });
  assert.match(id, /^[\da-f]{8}-/);
  assert.deepEqual(hold, { ok: true, holdId: `acc.1.${id}`, remaining: 5, expiresAt: clock.now() + 1000.5 });
  await ledger.hold({ ...request, label: 'mine' });
  assert.equal(batches[1]?.[0]?.label, 'r mine');
  assert.deepEqual(
    { ...ledger.counts },
    { flushes: 2, operations: 2, held: 2, refused: 0, captured: 0, released: 0, expired: 0, late: 0, failed: 0 },
  );
  await ledger.close();
});

test('a refused hold says why, and what is left; an account that does not exist has nothing', async () => {
  const { clock, state, ledger } = scene();
  state.outcomeOf = () => ({ code: 'capDay', amount: 2 });
  const message = creditMessage('capDay', 3, 2, clock.now());
  const refused = { ok: false, error: 'INSUFFICIENT_CREDITS', message } as const;
  assert.deepEqual(await ledger.hold({ ...request, amount: 3 }), { ...refused, remaining: 5 });
  state.known = false;
  assert.deepEqual(await ledger.hold({ ...request, amount: 3 }), { ...refused, remaining: 0 });
  state.outcomeOf = () => DONE;
  assert.equal((await ledger.hold(request)).ok, false, 'without a row there is no hold');
  assert.deepEqual([ledger.counts.refused, ledger.counts.held], [3, 0]);
  await ledger.close();
});

test('captures, releases and renewals name their hold; a capture charges whole credits, and never less than none', async () => {
  const { batches, state, ledger } = scene();
  await ledger.capture('acc.1.h', 2.9);
  await ledger.capture('acc.1.h', -1);
  await ledger.release('acc.1.h');
  assert.equal(await ledger.renew('acc.1.h', 500.2), true);
  const [captured, nothing, released, renewed] = batches.flat();
  assert.deepEqual(captured, settlement('capture', 'acc', '1.h', 2));
  assert.deepEqual(nothing, settlement('capture', 'acc', '1.h', 0));
  assert.deepEqual(released, settlement('release', 'acc', '1.h', 0));
  assert.deepEqual(renewed, settlement('renew', 'acc', '1.h', 0, 501));
  const { captured: captures, released: releases, late } = ledger.counts;
  assert.deepEqual([captures, releases, late], [2, 1, 0]);
  state.outcomeOf = () => ({ code: 'over', amount: 0 });
  assert.equal(await ledger.renew('acc.1.h', 500), false);
  await ledger.close();
});

test('a capture of a hold that is over is logged, unless an earlier try may have written it', async () => {
  const { clock, state, logged, ledger } = scene();
  state.outcomeOf = () => ({ code: 'over', amount: 0 });
  await ledger.capture('acc.1.h', 1);
  assert.deepEqual(logged, [['warn', 'ledger: capture of a hold that is over', { holdId: 'acc.1.h' }]]);
  assert.deepEqual([ledger.counts.late, ledger.counts.captured], [1, 0]);
  state.away = true;
  const retried = ledger.capture('acc.1.h', 1);
  await clock.advance(100);
  state.away = false;
  await clock.advance(300);
  await retried;
  assert.deepEqual([ledger.counts.late, ledger.counts.captured], [1, 0]);
  await ledger.close();
});

test('an outage is logged with its reason when it begins, and when it ends', async () => {
  const { state, logged, ledger } = scene();
  state.away = true;
  await assert.rejects(ledger.hold(request), { failure: 'UNAVAILABLE' });
  assert.deepEqual(logged, [['error', 'store: writes fail', { reason: 'gone' }]]);
  state.away = false;
  assert.equal((await ledger.hold(request)).ok, true, 'without a wait: nothing is tried again');
  assert.equal(logged[1]?.[1], 'store: writes succeed again');
  assert.equal(ledger.counts.failed, 1);
  await ledger.close();

  const idle = scene();
  idle.state.away = true;
  await idle.clock.advance(1_000);
  assert.deepEqual(idle.logged, [['error', 'store: writes fail', { reason: 'gone' }]], 'the search for outlived holds reports it too');
  await idle.ledger.close();
});

test('an operation that the store refuses fails alone', async () => {
  const { state, logged, ledger } = scene();
  state.isBad = ({ amount }) => amount === 7;
  const holds = [1, 2, 7, 3, 4].map((amount) => ledger.hold({ ...request, amount }).then(({ ok }) => ok, String));
  assert.deepEqual(await Promise.all(holds), [true, true, 'Error: constraint', true, true]);
  assert.deepEqual(logged[0], ['error', 'ledger: flush refused', { reason: 'Error: constraint', operations: 5 }]);
  const { failed, held, flushes, operations } = ledger.counts;
  assert.deepEqual([failed, held, flushes, operations], [3, 4, 2, 4]);
  logged.length = 0;
  await ledger.capture('acc.1.h', 7);
  const givenUp = 'ledger: settlements are given up, their holds expire instead';
  assert.deepEqual(logged.at(-1), ['error', givenUp, { reason: 'capture of acc.1.h' }], 'at once: it would be refused again');
  assert.equal(ledger.counts.late, 1);
  await ledger.capture('acc.1.h', 1);
  assert.equal(logged.at(-1)?.[1], 'ledger: settlements are written again');
  await ledger.close();
});

test('a batch has a thousand operations at most', async () => {
  const { sizes, ledger } = scene();
  await Promise.all(Array.from({ length: 2_500 }, () => ledger.hold(request)));
  assert.deepEqual(sizes(), [1_000, 1_000, 500]);
  assert.equal(ledger.counts.held, 2_500);
  await ledger.close();
});

test('callers of a batch go on while the next one is written', async () => {
  const { state, sizes, ledger } = scene();
  const [first, second] = [latch(), latch()];
  state.latch = first.promise;
  const told: string[] = [];
  const before = ledger.hold(request).then(() => told.push('first'));
  await settle();
  const after = ledger.hold(request).then(() => told.push('second'));
  state.latch = second.promise;
  first.resolve();
  await before;
  assert.deepEqual([told, sizes()], [['first'], [1]]);
  second.resolve();
  await after;
  assert.deepEqual(sizes(), [1, 1]);
  await ledger.close();
});

test('an operation without an outcome fails, and the others of its batch do not', async () => {
  const { state, ledger } = scene();
  state.outcomeOf = ({ amount }) => (amount === 7 ? undefined : DONE);
  const bad = assert.rejects(ledger.hold({ ...request, amount: 7 }), TypeError);
  assert.equal((await ledger.hold(request)).ok, true);
  await bad;
  await ledger.close();
});

test('a full queue takes no more holds, and gives captures up', async () => {
  const { state, ledger } = scene();
  const full = latch();
  state.latch = full.promise;
  const waiting = Array.from({ length: 50_000 }, () => ledger.hold(request));
  await assert.rejects(ledger.hold(request), ({ cause }: Error) => (cause as Error).message === 'the ledger takes no more');
  await ledger.capture('acc.1.h', 1);
  assert.equal(ledger.counts.late, 1);
  full.resolve();
  await Promise.all(waiting);
  assert.equal(ledger.counts.held, 50_000);
  await ledger.close();
});

test('what waits for the store is tried every 250 ms until its hold is over; a hold that arrives is refused without that pause', async () => {
  const { clock, state, ledger } = scene();
  state.away = true;
  const capture = ledger.capture('acc.1.h', 1);
  await clock.advance(999);
  assert.equal(state.tries, 4);
  const answer = latch();
  state.latch = answer.promise;
  await clock.advance(1);
  const refused = assert.rejects(ledger.hold(request), { failure: 'UNAVAILABLE' });
  state.latch = null;
  answer.resolve();
  await refused;
  assert.equal(state.tries, 6);
  await clock.advance(HOLD_MS - 1_001);
  assert.equal(ledger.counts.late, 0);
  await clock.advance(1);
  await capture;
  assert.equal(ledger.counts.late, 1);
  await ledger.close();
});

test('outlived holds are ended in portions until none is left; only those that were open are counted', async () => {
  const { clock, sizes, state, ledger } = scene();
  state.outlived = 500 + 500 + 3;
  for (let turns = 0; turns < 8; turns++) await clock.advance(turns === 0 ? 1_000 : 1);
  assert.deepEqual(sizes(), [500, 500, 3]);
  assert.deepEqual([state.expiries, ledger.counts.expired], [3, 1_003]);
  state.outlived = 3;
  state.outcomeOf = ({ hold }) => (hold === '1.1' ? { code: 'over', amount: 0 } : DONE);
  assert.equal(await ledger.reap(), 2);
  assert.equal(ledger.counts.expired, 1_005);
  await ledger.close();
});

test('a close writes what waits if the store is back within two seconds, and takes nothing after that', async () => {
  const { clock, state, ledger } = scene();
  state.away = true;
  const capture = ledger.capture('acc.1.h', 1);
  await clock.advance(100);
  const closed = ledger.close();
  await clock.advance(1_500);
  state.away = false;
  await clock.advance(300);
  await Promise.all([capture, closed]);
  assert.deepEqual([ledger.counts.captured, ledger.counts.late], [1, 0]);
  await assert.rejects(ledger.hold(request), { failure: 'UNAVAILABLE' });
  await ledger.capture('acc.1.h', 1);
  assert.deepEqual([ledger.counts.captured, ledger.counts.late], [1, 1]);
});
