import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../test/contract/fakes.ts';
import { createGate, watchEventLoop } from './gate.ts';

test('a late event loop sheds, and stops shedding once it is on time again', () => {
  const clock = fakeClock();
  let p99 = 0;
  const gate = createGate({ clock, eventLoop: { p99Ms: () => p99, stop() {} }, maxDelayMs: 200 });
  assert.equal(gate.refusal(clock.now()), null);
  p99 = 201;
  clock.ms += 250;
  assert.equal(gate.refusal(clock.now())?.failure, 'OVERLOADED');
  assert.ok(gate.refusal(clock.now())?.headers['retry-after']);
  p99 = 200;
  clock.ms += 250;
  assert.equal(gate.refusal(clock.now()), null);
});

test('draining refuses newcomers and ends with the last who is in', async () => {
  const gate = createGate({ clock: fakeClock(), eventLoop: { p99Ms: () => 0, stop() {} }, maxDelayMs: 200 });
  gate.enter();
  gate.enter();
  const drained = gate.drain(1000);
  assert.equal(gate.refusal(0)?.failure, 'OVERLOADED');
  gate.leave();
  gate.leave();
  assert.equal(await drained, true);
});

test('draining gives up after its time', async () => {
  const clock = { ...fakeClock(), sleep: async () => {} };
  const gate = createGate({ clock, eventLoop: { p99Ms: () => 0, stop() {} }, maxDelayMs: 200 });
  gate.enter();
  assert.equal(await gate.drain(1000), false);
});

test('the real event loop is read as a delay, not as a period', () => {
  const loop = watchEventLoop();
  assert.ok(loop.p99Ms() < 1000);
  loop.stop();
});
