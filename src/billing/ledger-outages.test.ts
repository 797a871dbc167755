import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { DONE, HOLD_MS, request, scene } from '../../test/support/ledger-scene.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { unavailable } from '../store/unavailable.ts';
import type { Journal } from './journal.ts';
import { createLedger } from './ledger.ts';
import { type Outcome, settlement } from './rules.ts';

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

/** Two gateways on one store that holds are in. A call that the store cannot answer fails after `timeoutMs`, as a connection does. */
function twoGateways(timeoutMs: number) {
  const clock = createManualClock();
  const state = { away: false };
  const open = new Map<string, number>();
  const reached = async (): Promise<void> => {
    if (!state.away) return;
    await clock.sleep(timeoutMs);
    throw unavailable(new Error('gone'));
  };
  const journal: Journal = {
    isShared: true,
    ping: reached,
    async settle(ops) {
      await reached();
      const outcomes = ops.map(({ kind, id }): Outcome => {
        if (kind === 'hold') open.set(`1.${id}`, clock.now() + HOLD_MS);
        return kind === 'hold' || open.delete(id) ? DONE : { code: 'over', amount: 0 };
      });
      const account = { balance: 5, held: 0, seq: 1, head: '', open: new Map(), spent: new Map() };
      return { atMs: clock.now(), outcomes, states: new Map([['acc', account]]) };
    },
    // known in memory: the store is not asked
    expired: async () => [...open].filter(([, until]) => until <= clock.now()).map(([hold]) => settlement('expire', 'acc', hold)),
    remaining: () => 5,
    forget() {},
  };
  const gateway = () => createLedger({ journal, clock, log: () => {}, randomBytes, holdLifeMs: 10 * HOLD_MS });
  return { clock, state, open, gateways: [gateway(), gateway()] as const };
}

test('where the store is away until a hold is over, the capture of one gateway goes before the expiry by the other', async () => {
  for (const timeoutMs of [0, 700, 2_000])
    for (let lateMs = 0; lateMs < 3_000; lateMs += 130) {
      const { clock, state, open, gateways } = twoGateways(timeoutMs);
      const [first, second] = gateways;
      const hold = await first.hold(request);
      assert.ok(hold.ok);
      state.away = true;
      void first.capture(hold.holdId, 1);
      await clock.advance(HOLD_MS + lateMs);
      state.away = false;
      await clock.advance(6_000);
      assert.equal(open.size, 0);
      assert.deepEqual([first.counts.captured, second.counts.expired], [1, 0], `back ${lateMs} ms late, timeout ${timeoutMs} ms`);
      await Promise.all([first.close(), second.close()]);
    }
});

test('the hold of a gateway that was lost expires within seconds of the return of a shared store', async () => {
  const { clock, state, open, gateways } = twoGateways(0);
  const [first, second] = gateways;
  assert.ok((await first.hold(request)).ok);
  state.away = true;
  await clock.advance(HOLD_MS + 1_000);
  state.away = false;
  await clock.advance(3_000);
  assert.equal(open.size, 1);
  await clock.advance(3_000);
  assert.equal(open.size, 0);
  await Promise.all([first.close(), second.close()]);
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
  const full = Promise.withResolvers<void>();
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
  const answer = Promise.withResolvers<void>();
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
