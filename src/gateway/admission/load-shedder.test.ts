import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../../test/contract/fakes.ts';
import { watchEventLoop } from './event-loop.ts';
import { createLoadShedder, type LoadShedder } from './load-shedder.ts';

const punctual = { turnMs: () => 0, waitMs: () => 0, stop() {} };

test('draining refuses new requests and ends with the last request in flight', async () => {
  const loadShedder = createLoadShedder({ clock: fakeClock(), eventLoop: punctual, maxDelayMs: 8 });
  loadShedder.enter();
  loadShedder.enter();
  const drained = loadShedder.drain(1000);
  assert.equal(loadShedder.refusal(0)?.failure, 'OVERLOADED');
  loadShedder.leave();
  loadShedder.leave();
  assert.equal(await drained, true);
});

test('draining ends after its time limit', async () => {
  const clock = { ...fakeClock(), sleep: async () => {} };
  const loadShedder = createLoadShedder({ clock, eventLoop: punctual, maxDelayMs: 8 });
  loadShedder.enter();
  assert.equal(await loadShedder.drain(1000), false);
});

test('one long turn of the event loop sheds no request; a much longer one sheds the requests that waited for its end', () => {
  let lateMs = 80;
  const loadShedder = createLoadShedder({
    clock: fakeClock(),
    eventLoop: { turnMs: () => lateMs, waitMs: () => 0, stop() {} },
    maxDelayMs: 8,
  });
  loadShedder.enter();
  assert.equal(loadShedder.refusal(1_000), null);
  lateMs = 81;
  const refusal = loadShedder.refusal(1_010);
  assert.deepEqual([refusal?.failure, refusal?.headers['retry-after']], ['OVERLOADED', '2']);
  lateMs = 0;
  assert.equal(loadShedder.refusal(1_020), null);
});

/** Model of an event loop: work that is due at the start of a turn is done in it. Times in ms. */
interface Plant {
  /** CPU time of a request at arrival, when it is refused, and once its source has answered. */
  readonly atDoorMs: number;
  readonly refusedMs: number;
  readonly answeredMs: number;
  readonly sourceMs: number;
}
const PLANT: Plant = { atDoorMs: 0.3, refusedMs: 0.1, answeredMs: 3, sourceMs: 50 };

class Loop {
  lateMs = 0;
  nowMs = 0;
  #squares = 0;
  #askedMs = 0;
  ended(turnMs: number): void {
    this.#squares += turnMs ** 2;
  }
  turnMs(): number {
    return this.lateMs;
  }
  stop(): void {}
  waitMs(): number {
    const waitMs = this.#squares / (2 * Math.max(1, this.nowMs - this.#askedMs));
    this.#squares = 0;
    this.#askedMs = this.nowMs;
    return waitMs;
  }
}

function simulate(
  loadShedder: LoadShedder,
  loop: Loop,
  plant: Plant,
  load: { fromMs: number; seconds: number; perSecond: number; countFromMs?: number },
) {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const endMs = load.fromMs + load.seconds * 1000;
  let nextMs = load.fromMs;
  let nowMs = load.fromMs;
  let beforeMs = 0;
  const atSource: { cameMs: number; dueMs: number }[] = [];
  const took: number[] = [];
  let refused = 0;
  while (nowMs < endMs || atSource.length) {
    const startMs = nowMs;
    while (atSource[0] && atSource[0].dueMs <= startMs) {
      const { cameMs } = atSource.shift() as { cameMs: number; dueMs: number };
      nowMs += plant.answeredMs;
      if (cameMs - load.fromMs >= (load.countFromMs ?? 0)) took.push(nowMs - cameMs);
      loadShedder.leave();
    }
    const polledMs = nowMs;
    for (; nextMs <= polledMs && nextMs < endMs; nextMs -= (Math.log(1 - random()) * 1000) / load.perSecond) {
      loop.nowMs = nowMs;
      loop.lateMs = beforeMs + nowMs - startMs;
      loadShedder.enter();
      if (loadShedder.refusal(nowMs)) {
        nowMs += plant.refusedMs;
        refused++;
        loadShedder.leave();
      } else {
        nowMs += plant.atDoorMs;
        atSource.push({ cameMs: nextMs, dueMs: nowMs + plant.sourceMs });
      }
    }
    beforeMs = nowMs - startMs;
    loop.ended(beforeMs);
    // idle until the next event
    nowMs = Math.max(nowMs, Math.min(atSource[0]?.dueMs ?? Number.POSITIVE_INFINITY, nextMs < endMs ? nextMs : Number.POSITIVE_INFINITY));
    if (nowMs === Number.POSITIVE_INFINITY) nowMs = endMs;
  }
  const sorted = took.sort((a, b) => a - b);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, perSecond: took.length / load.seconds, refused, atMs: nowMs };
}

for (const [what, plant] of [
  ['parse heavily', PLANT],
  ['are light', { atDoorMs: 0.3, refusedMs: 0.05, answeredMs: 0.4, sourceMs: 50 }],
  ['wait long', { ...PLANT, sourceMs: 1_500 }],
] as const) {
  test(`at 3× capacity with lookups that ${what}, after half a second the p99 of admitted requests stays within 3× of the idle p99`, () => {
    const loop = new Loop();
    const loadShedder = createLoadShedder({ clock: fakeClock(), eventLoop: loop, maxDelayMs: 8 });
    const capacity = 1000 / (plant.atDoorMs + plant.answeredMs);
    const quiet = simulate(loadShedder, loop, plant, { fromMs: 10_000, seconds: 5, perSecond: capacity * 0.2 });
    assert.equal(quiet.refused, 0);
    const busy = simulate(loadShedder, loop, plant, { fromMs: quiet.atMs + 100, seconds: 10, perSecond: capacity * 3, countFromMs: 500 });
    assert.ok(busy.p99 <= 3 * quiet.p99, `p99 ${busy.p99.toFixed(0)} ms against ${quiet.p99.toFixed(0)} ms`);
    assert.ok(busy.perSecond > capacity / 4, `${busy.perSecond.toFixed(0)} of ${capacity.toFixed(0)} a second`);
    const after = simulate(loadShedder, loop, plant, { fromMs: busy.atMs + 2_000, seconds: 5, perSecond: capacity * 0.2 });
    assert.equal(after.refused, 0);
  });
}

test('at 70 % of capacity almost no request is shed', () => {
  const loop = new Loop();
  const loadShedder = createLoadShedder({ clock: fakeClock(), eventLoop: loop, maxDelayMs: 8 });
  const ran = simulate(loadShedder, loop, PLANT, { fromMs: 10_000, seconds: 20, perSecond: (0.7 * 1000) / 3.3 });
  assert.ok(ran.refused < ran.perSecond * 20 * 0.05, `${ran.refused} refused`);
});

test('the real event loop: idle means no delay, and the length of a turn is measured', () => {
  const loop = watchEventLoop();
  assert.ok(loop.turnMs() < 1_000);
  const until = performance.now() + 30;
  while (performance.now() < until);
  assert.ok(loop.turnMs() >= 30);
  loop.stop();
});

test('an idle event loop has no delay, a long turn does', async () => {
  const loop = watchEventLoop();
  loop.turnMs();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(loop.turnMs() < 250);
  loop.waitMs();
  const until = performance.now() + 100;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const waitMs = loop.waitMs();
  assert.ok(waitMs > 20, `half of a turn of 100 ms, for nearly all who came: ${waitMs}`);
  loop.stop();
});
