import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { charge, registered } from '../../test/support/orchestrator-fakes.ts';
import { readSettings } from '../settings.ts';
import { found, type Outcome } from '../sources/outcome.ts';
import type { Ports, Source } from '../sources/source.ts';
import { createPace } from '../upstream/pace.ts';
import { createBreakers } from './breaker.ts';
import { createLocalCache } from './cache.ts';
import type { SharedCoalescing } from './coalescing.ts';
import { createLocalEngine } from './local-engine.ts';
import { createOrchestrator } from './lookup.ts';
import { ORDINARY } from './types.ts';

const DOMAIN = 'acme-widgets.com';

/** A source that answers when the test says so, and counts the attempts that were aborted. */
function createLookups(sharedCoalescing?: SharedCoalescing) {
  const clock = createManualClock();
  const state = { asked: 0, aborted: 0, answer: (_: Outcome) => {} };
  const source: Source = {
    id: 'a',
    operations: ['registration'],
    needs: [],
    knowsAbsence: true,
    about: 'a script',
    open: () => ({
      registration: (_input: unknown, attempt: { signal: AbortSignal }) => {
        state.asked++;
        attempt.signal.addEventListener('abort', () => state.aborted++);
        return new Promise<Outcome>((resolve) => {
          state.answer = resolve;
        });
      },
    }),
  } as unknown as Source;
  const settings = readSettings({});
  const ports = { settings, clock, pace: createPace(clock), random: () => 0.5, log: () => {} } as unknown as Ports;
  const breakers = createBreakers(clock.now);
  const orchestrator = createOrchestrator({
    sources: [source],
    settings,
    cache: createLocalCache(1_000_000, clock.now),
    engine: createLocalEngine([source], ports),
    breakers,
    clock,
    random: () => 0.5,
    ...(sharedCoalescing && { sharedCoalescing }),
  });
  const ask = (signal?: AbortSignal, noStore = false) => {
    const paid = charge();
    const result = orchestrator.lookup({
      operation: 'registration',
      input: { domain: DOMAIN },
      freshness: { ...ORDINARY, noStore },
      charge: paid,
      deadlineMs: clock.now() + 30_000,
      requestId: 'r',
      ...(signal && { signal }),
    });
    return { paid, result };
  };
  return { state, ask, breakers };
}
const turn = () => new Promise(setImmediate);

test('a cancelled lookup is answered at once, returns its credits, and aborts the attempt at the source', async () => {
  for (const noStore of [false, true]) {
    const { state, ask, breakers } = createLookups();
    const cancel = new AbortController();
    const { paid, result } = ask(cancel.signal, noStore);
    await turn();
    assert.equal(state.asked, 1);
    cancel.abort();
    assert.equal((await result).ok, false);
    await turn();
    assert.deepEqual([state.aborted, paid.released], [1, 1]);
    assert.equal(breakers.stateOf('a').state, 'closed');
  }
});

test('a coalescing with other gateways that throws ends its lookups as a defect, and the next lookup is tried again', async () => {
  const broken = {
    calls: 0,
    claim: () => Promise.reject(new TypeError(`call ${++broken.calls}`)),
    close: async () => {},
  };
  const { ask } = createLookups(broken);
  const both = await Promise.all([ask().result, ask().result]);
  assert.deepEqual(
    both.map((result) => !result.ok && result.refusal.error.failure),
    ['INTERNAL_ERROR', 'INTERNAL_ERROR'],
  );
  await ask().result;
  assert.equal(broken.calls, 2);
});

test('a lookup that was cancelled before it began asks no source and holds nothing', async () => {
  const { state, ask } = createLookups();
  const { paid, result } = ask(AbortSignal.abort());
  assert.equal((await result).ok, false);
  assert.deepEqual([state.asked, paid.holds], [0, 0]);
});

test('a cancelled lookup goes on for the others that wait for it, and the same question can be asked again after all have left', async () => {
  const { state, ask } = createLookups();
  const cancel = new AbortController();
  const first = ask(cancel.signal);
  await turn();
  const second = ask();
  await turn();
  cancel.abort();
  assert.equal((await first.result).ok, false);
  await turn();
  assert.deepEqual([state.asked, state.aborted], [1, 0]);
  state.answer(found(registered(DOMAIN)));
  const answered = await second.result;
  assert.ok(answered.ok && !answered.answer.leads);

  const again = createLookups();
  const leaving = [new AbortController(), new AbortController()];
  const left = leaving.map(({ signal }) => again.ask(signal));
  await turn();
  for (const controller of leaving) controller.abort();
  const next = again.ask();
  await Promise.all(left.map(({ result }) => result));
  await turn();
  assert.deepEqual([again.state.asked, again.state.aborted], [2, 1]);
  again.state.answer(found(registered(DOMAIN)));
  assert.equal((await next.result).ok, true);
  assert.equal(next.paid.holds, 1);
});

test('ten cancelled lookups do not open the breaker of the source', async () => {
  const { ask, breakers } = createLookups();
  for (let i = 0; i < 10; i++) {
    const cancel = new AbortController();
    const { result } = ask(cancel.signal);
    await turn();
    cancel.abort();
    await result;
    await turn();
  }
  assert.equal(breakers.stateOf('a').state, 'closed');
});
