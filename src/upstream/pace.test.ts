import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createManualClock, settle } from '../../test/support/manual-clock.ts';
import { createPace } from './pace.ts';

const rule = (everyMs: number, burst = 1, key = 'host') => ({ key, everyMs, burst });

test('a burst is sent at once, then one request per interval, in order of arrival', async () => {
  const clock = createManualClock(0);
  const pace = createPace(clock);
  const gone: [number, number][] = [];
  const all = Array.from({ length: 6 }, (_, i) =>
    pace.take(rule(200, 2), Number.POSITIVE_INFINITY).then((waitMs) => {
      assert.equal(waitMs, 0);
      gone.push([i, clock.now()]);
    }),
  );
  await clock.advance(1000);
  await Promise.all(all);
  assert.deepEqual(gone, [
    [0, 0],
    [1, 0],
    [2, 200],
    [3, 400],
    [4, 600],
    [5, 800],
  ]);
});

test('a request that would wait longer than its patience is refused at once and takes no turn', async () => {
  const clock = createManualClock(0);
  const pace = createPace(clock);
  assert.equal(await pace.take(rule(1000), 0), 0);
  assert.equal(await pace.take(rule(1000), 999), 1000);
  const waits = pace.take(rule(1000), 1000);
  assert.equal(await pace.take(rule(1000), 1999), 2000);
  await clock.advance(1000);
  assert.equal(await waits, 0);
});

test('an aborted request gives its turn to the next one and leaves no timer', async () => {
  const clock = createManualClock(0);
  const pace = createPace(clock);
  await pace.take(rule(1000), 0);
  const impatient = new AbortController();
  const first = pace.take(rule(1000), 60_000, impatient.signal);
  const second = pace.take(rule(1000), 60_000);
  impatient.abort();
  assert.ok((await first) > 0);
  await clock.advance(1000);
  assert.equal(await second, 0);
  const last = new AbortController();
  const third = pace.take(rule(1000), 60_000, last.signal);
  last.abort();
  assert.equal(await third, 1000);
  await settle();
  assert.equal(clock.sleepers, 0);
});

test('while a key rests, new and waiting requests get the time left at once; other keys are not affected', async () => {
  const clock = createManualClock(0);
  const pace = createPace(clock);
  await pace.take(rule(100), 0);
  const waits = [pace.take(rule(100), 60_000), pace.take(rule(100), 3000)];
  await pace.rest('host', 5000);
  assert.deepEqual(await Promise.all(waits), [5000, 5000]);
  assert.equal(await pace.take(rule(100), 60_000), 5000);
  assert.equal(await pace.take(rule(100, 1, 'other'), 0), 0);
  await clock.advance(4999);
  assert.equal(await pace.take(rule(100), 60_000), 1);
  await pace.rest('host', 1);
  await clock.advance(1);
  assert.equal(await pace.take(rule(100), 0), 0);
  assert.equal(clock.sleepers, 0);
});

test("waiting requests are served in turns by account: many requests of one account delay another's first by one turn", async () => {
  const clock = createManualClock(0);
  const pace = createPace(clock);
  const by = (account: string) => ({ ...rule(200), account });
  const went: string[] = [];
  const ask = (account: string, patienceMs = 30_000) =>
    pace.take(by(account), patienceMs).then((waitMs) => went.push(waitMs === 0 ? account : `no ${account}`));
  const all = Array.from({ length: 6 }, () => ask('a'));
  await clock.advance(100);
  all.push(ask('b'), ask('b'), ask('c'));
  await clock.advance(2_000);
  await Promise.all(all);
  assert.deepEqual(went, ['a', 'a', 'b', 'c', 'a', 'b', 'a', 'a', 'a']);
});

test("a request that others' turns move beyond its patience is refused at once", async () => {
  const clock = createManualClock(0);
  const pace = createPace(clock);
  const by = (account: string) => ({ ...rule(1000), account });
  await pace.take(by('a'), 0);
  const first = pace.take(by('a'), 1000);
  const second = pace.take(by('a'), 2500);
  void pace.take(by('b'), 5000);
  assert.equal(await second, 3000);
  await clock.advance(1000);
  assert.equal(await first, 0);
  await clock.advance(5000);
});

test('a process that stood still while requests waited sends one burst when it goes on, and then one per interval', async () => {
  let [nowMs, wake] = [0, (): void => {}];
  const sleep = () => new Promise<void>((resolve) => (wake = resolve));
  const pace = createPace({ now: () => nowMs, sleep });
  let gone = 0;
  for (let i = 0; i < 8; i++) void pace.take(rule(200, 2), 60_000).then(() => gone++);
  await settle();
  assert.equal(gone, 2);
  for (const [ms, all] of [
    [10_000, 4],
    [10_200, 5],
    [20_000, 7],
  ] as const) {
    nowMs = ms;
    wake();
    await settle();
    assert.equal(gone, all, `at ${ms} ms`);
  }
});

test('a rule without an interval causes no wait, unless its key rests', async () => {
  const pace = createPace(createManualClock(0));
  for (let i = 0; i < 100; i++) assert.equal(await pace.take(rule(0), 0), 0);
  assert.equal(pace.keys, 0);
  await pace.rest('host', 10);
  assert.equal(await pace.take(rule(0), 0), 10);
});

test('keys at their full burst are deleted', async () => {
  const clock = createManualClock(0);
  const pace = createPace(clock);
  for (let i = 0; i < 20_000; i++) {
    await pace.take(rule(100, 1, `host ${i}`), 0);
    if (i % 100 === 0) await clock.advance(100);
  }
  assert.ok(pace.keys <= 1100, `${pace.keys} keys`);
});

test('a clock that is set back delays no request for longer than the rule', async () => {
  let now = 1e12;
  const pace = createPace({ now: () => now, sleep: async () => {} });
  await pace.take(rule(200, 5), 0);
  now -= 3_600_000;
  assert.ok((await pace.take(rule(200, 5), 0)) <= 200);
});

test('any window of a second has at most burst + rate requests, with any arrivals, aborts and rests', async () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 0, max: 700 }),
    count: fc.integer({ min: 1, max: 8 }),
    patienceMs: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 2000 })),
    leaves: fc.boolean(),
    restMs: fc.option(fc.integer({ min: 1, max: 900 }), { freq: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 10 }),
      fc.array(step, { maxLength: 12 }),
      async (rate, burst, steps) => {
        const clock = createManualClock(0);
        const pace = createPace(clock);
        const went: number[] = [];
        const rests: [number, number][] = [];
        const asked: Promise<void>[] = [];
        const leaving: AbortController[] = [];
        for (const { afterMs, count, patienceMs, leaves, restMs } of steps) {
          await clock.advance(afterMs);
          for (const l of leaving.splice(0)) l.abort();
          if (restMs !== null) {
            rests.push([clock.now(), clock.now() + restMs]);
            await pace.rest('host', restMs);
          }
          const signal = new AbortController();
          if (leaves) leaving.push(signal);
          for (let i = 0; i < count; i++)
            asked.push(
              pace.take(rule(1000 / rate, burst), patienceMs, signal.signal).then((waitMs) => {
                if (waitMs === 0) went.push(clock.now());
                else assert.ok(waitMs > 0);
              }),
            );
        }
        await clock.advance(200_000);
        await Promise.all(asked);
        assert.equal(clock.sleepers, 0);
        for (const from of went) {
          const within = went.filter((t) => t >= from && t < from + 1000).length;
          assert.ok(within <= burst + rate, `${within} in a second, ${burst} + ${rate} allowed`);
        }
        for (const [from, until] of rests) assert.equal(went.filter((t) => t > from && t < until - 1e-6).length, 0);
      },
    ),
    { numRuns: 150 },
  );
});
