import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../../test/contract/fakes.ts';
import { createLoadShedder, type LoadShedder, measureEventLoop } from './load-shedder.ts';

const punctual = { turnMs: () => 0, measure: () => ({ waitMs: 0, usage: 0 }), stop() {} };

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

/** A shedder whose event loop has these values, after half a second with them. */
function shedderOf(values: { lateMs: number; waitMs: number; usage: number }, inFlight: number) {
  const loadShedder = createLoadShedder({
    clock: fakeClock(),
    eventLoop: { turnMs: () => values.lateMs, measure: () => ({ waitMs: values.waitMs, usage: values.usage }), stop() {} },
    maxDelayMs: 8,
  });
  for (let i = 0; i < inFlight; i++) loadShedder.enter();
  for (let nowMs = 0; nowMs <= 500; nowMs += 35) loadShedder.refusal(nowMs);
  return loadShedder;
}

test('one long turn of the event loop sheds no request; a much longer one sheds the requests that waited for its end', () => {
  const values = { lateMs: 80, waitMs: 0, usage: 1 };
  const loadShedder = shedderOf(values, 5);
  assert.equal(loadShedder.refusal(1_000), null);
  values.lateMs = 81;
  const refusal = loadShedder.refusal(1_010);
  assert.deepEqual([refusal?.failure, refusal?.headers['retry-after']], ['OVERLOADED', '2']);
  values.lateMs = 0;
  assert.equal(loadShedder.refusal(1_020), null);
});

test('one interval with a long wait, as a first compilation makes it, limits nothing; two of them do', () => {
  const values = { lateMs: 0, waitMs: 0, usage: 1 };
  const loadShedder = shedderOf(values, 5);
  values.waitMs = 60;
  assert.equal(loadShedder.refusal(535), null);
  values.waitMs = 0;
  assert.equal(loadShedder.refusal(570), null);
  values.waitMs = 60;
  loadShedder.refusal(605);
  assert.equal(loadShedder.refusal(640)?.failure, 'OVERLOADED');
});

test('a delay of the event loop sheds nothing while this process uses half a core or less, and never one of four requests', () => {
  const late = { lateMs: 5_000, waitMs: 400 };
  assert.equal(shedderOf({ ...late, usage: 0.5 }, 1_000).refusal(1_000), null);
  assert.equal(shedderOf({ ...late, usage: 1 }, 4).refusal(1_000), null);
  assert.equal(shedderOf({ ...late, usage: 1 }, 1_000).refusal(1_000)?.failure, 'OVERLOADED');
});

test('the limit recovers within three seconds, however few requests arrive', () => {
  const values = { lateMs: 0, waitMs: 0, usage: 1 };
  const loadShedder = shedderOf(values, 40);
  values.waitMs = 100;
  for (const nowMs of [535, 570, 605]) loadShedder.refusal(nowMs);
  assert.equal(loadShedder.refusal(606)?.failure, 'OVERLOADED');
  values.waitMs = 4;
  let nowMs = 605;
  do nowMs += 900;
  while (loadShedder.refusal(nowMs));
  assert.ok(nowMs <= 605 + 3_000, `${nowMs - 605} ms`);
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
  /** CPU time of this process. */
  cpuMs = 0;
  #squares = 0;
  #askedMs = 0;
  #askedCpuMs = 0;
  ended(turnMs: number): void {
    this.#squares += turnMs ** 2;
  }
  turnMs(): number {
    return this.lateMs;
  }
  stop(): void {}
  measure() {
    const elapsedMs = Math.max(1, this.nowMs - this.#askedMs);
    const measured = { waitMs: this.#squares / (2 * elapsedMs), usage: (this.cpuMs - this.#askedCpuMs) / elapsedMs };
    this.#squares = 0;
    this.#askedMs = this.nowMs;
    this.#askedCpuMs = this.cpuMs;
    return measured;
  }
}

/** CPU time after which the operating system runs the neighbours. */
const SLICE_MS = 3;

function simulate(
  loadShedder: LoadShedder,
  loop: Loop,
  plant: Plant,
  load: { fromMs: number; seconds: number; perSecond: number; countFromMs?: number; seed?: number },
  /** Time that neighbours compute in each turn of the loop: after every slice, and at most, at random, before it wakes. */
  neighbours: { sliceMs: number; wakeMs: number } = { sliceMs: 0, wakeMs: 0 },
) {
  let seed = load.seed ?? 7;
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
  let sliceMs = 0;
  const work = (cpuMs: number): void => {
    loop.cpuMs += cpuMs;
    nowMs += cpuMs;
    for (sliceMs += cpuMs; sliceMs >= SLICE_MS; sliceMs -= SLICE_MS) nowMs += neighbours.sliceMs;
  };
  while (nowMs < endMs || atSource.length) {
    const startMs = nowMs;
    while (atSource[0] && atSource[0].dueMs <= startMs) {
      const { cameMs } = atSource.shift() as { cameMs: number; dueMs: number };
      work(plant.answeredMs);
      if (cameMs - load.fromMs >= (load.countFromMs ?? 0)) took.push(nowMs - cameMs);
      loadShedder.leave();
    }
    const polledMs = nowMs;
    for (; nextMs <= polledMs && nextMs < endMs; nextMs -= (Math.log(1 - random()) * 1000) / load.perSecond) {
      loop.nowMs = nowMs;
      loop.lateMs = beforeMs + nowMs - startMs;
      loadShedder.enter();
      if (loadShedder.refusal(nowMs)) {
        work(plant.refusedMs);
        refused++;
        loadShedder.leave();
      } else {
        work(plant.atDoorMs);
        atSource.push({ cameMs: nextMs, dueMs: nowMs + plant.sourceMs });
      }
    }
    beforeMs = nowMs - startMs;
    loop.ended(beforeMs);
    // idle until the next event
    const dueMs = Math.min(atSource[0]?.dueMs ?? Number.POSITIVE_INFINITY, nextMs < endMs ? nextMs : Number.POSITIVE_INFINITY);
    if (dueMs === Number.POSITIVE_INFINITY) nowMs = Math.max(nowMs, endMs);
    else if (dueMs > nowMs) nowMs = dueMs + (neighbours.wakeMs && random() * neighbours.wakeMs);
  }
  const sorted = took.sort((a, b) => a - b);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, perSecond: took.length / load.seconds, refused, atMs: nowMs };
}

for (const [what, plant] of [
  ['parse heavily', PLANT],
  ['are light', { atDoorMs: 0.3, refusedMs: 0.05, answeredMs: 0.4, sourceMs: 50 }],
  ['wait long', { ...PLANT, sourceMs: 1_500 }],
] as const) {
  test(`a process that uses a third of a core sheds nothing while neighbours compute, with lookups that ${what}`, () => {
    for (const neighbours of [
      { sliceMs: 3, wakeMs: 20 },
      { sliceMs: 5, wakeMs: 30 },
    ]) {
      const loop = new Loop();
      const loadShedder = createLoadShedder({ clock: fakeClock(), eventLoop: loop, maxDelayMs: 8 });
      const perSecond = 1000 / (plant.atDoorMs + plant.answeredMs) / 3;
      assert.equal(simulate(loadShedder, loop, plant, { fromMs: 10_000, seconds: 60, perSecond }, neighbours).refused, 0);
    }
  });

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

test('at 70 % of capacity one request in twenty is shed', () => {
  let refused = 0;
  let answered = 0;
  for (const seed of [7, 11, 23, 99, 1234]) {
    const loop = new Loop();
    const loadShedder = createLoadShedder({ clock: fakeClock(), eventLoop: loop, maxDelayMs: 8 });
    const ran = simulate(loadShedder, loop, PLANT, { fromMs: 10_000, seconds: 20, perSecond: (0.7 * 1000) / 3.3, seed });
    refused += ran.refused;
    answered += ran.perSecond * 20;
  }
  assert.ok(refused / (refused + answered) < 0.055, `${refused} refused, ${answered} answered`);
});

test('the real event loop: idle means no delay, and the length of a turn is measured', () => {
  const loop = measureEventLoop();
  assert.ok(loop.turnMs() < 1_000);
  const until = performance.now() + 30;
  while (performance.now() < until);
  assert.ok(loop.turnMs() >= 30);
  loop.stop();
});

test('an idle event loop has no delay, a long turn does', async () => {
  const loop = measureEventLoop();
  loop.turnMs();
  let shortest = Number.POSITIVE_INFINITY; // another process may take the core for some of these, not for all
  for (let times = 0; times < 30 && shortest >= 5; times++) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    shortest = Math.min(shortest, loop.turnMs());
  }
  assert.ok(shortest < 5, `${shortest} ms`);
  loop.measure();
  const began = process.threadCpuUsage().user;
  while (process.threadCpuUsage().user - began < 100_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const busy = loop.measure();
  assert.ok(busy.waitMs > 20, `half of a turn of 100 ms, for nearly all who came: ${busy.waitMs}`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const idle = loop.measure();
  assert.ok(busy.usage > 2 * idle.usage && busy.usage <= 1.05, `${busy.usage} of a core, then ${idle.usage}`);
  loop.stop();
});
