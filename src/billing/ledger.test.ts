import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONE, request, scene } from '../../test/support/ledger-scene.ts';
import { settle } from '../../test/support/manual-clock.ts';
import { creditMessage } from './credit-messages.ts';
import { type Op, type Outcome, settlement } from './rules.ts';

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
  const [{ id = '', ...op } = {} as Op] = batches[0] ?? [];
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
  const outcome: Outcome = { code: 'capDay', amount: 2, cap: { credits: 20, spent: 18 } };
  state.outcomeOf = () => outcome;
  const message = creditMessage(outcome, 3, clock.now());
  assert.match(
    message,
    /^The key has used 18 of its 20 credits of today \(UTC\), and this lookup costs 3 credits\. Its cap opens again at /,
  );
  const refused = { ok: false, error: 'INSUFFICIENT_CREDITS', message, capLeft: 2 } as const;
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

test('a batch has a thousand operations at most', async () => {
  const { sizes, ledger } = scene();
  await Promise.all(Array.from({ length: 2_500 }, () => ledger.hold(request)));
  assert.deepEqual(sizes(), [1_000, 1_000, 500]);
  assert.equal(ledger.counts.held, 2_500);
  await ledger.close();
});

test('callers of a batch go on while the next one is written', async () => {
  const { state, sizes, ledger } = scene();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
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

test('outlived holds are ended in portions until none is left; only those that were open are counted', async () => {
  const { clock, sizes, state, ledger } = scene();
  state.outlived = 500 + 500 + 3;
  for (let turns = 0; turns < 8; turns++) await clock.advance(turns === 0 ? 1_000 : 1);
  assert.deepEqual(sizes(), [500, 500, 3]);
  assert.deepEqual([state.expiries, ledger.counts.expired], [3, 1_003]);
  state.outlived = 3;
  state.outcomeOf = ({ id }) => (id === '1.1' ? { code: 'over', amount: 0 } : DONE);
  assert.equal(await ledger.reap(), 2);
  assert.equal(ledger.counts.expired, 1_005);
  await ledger.close();
});
