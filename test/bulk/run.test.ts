import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineAnswer, LineResult } from '../../src/bulk/lines.ts';
import { type RunEnd, type RunOptions, run } from '../../src/bulk/run.ts';
import { createManualClock } from '../support/manual-clock.ts';

const found: LineAnswer = {
  result: { status: 200, ok: true, resource: '{}', credits: 1, source: 's', cache: 'miss' },
  retryAfterMs: null,
  lost: false,
};
const failed = (code: string, status: number, retryable: boolean, more: Partial<LineAnswer> = {}): LineAnswer => ({
  result: { status, ok: false, error: { code, message: `${code}.`, retryable }, credits: 0, source: null, cache: null },
  retryAfterMs: null,
  lost: false,
  ...more,
});

/** A run of so many lines; `answer` gets the number of the line and of the attempt. */
function start(lines: number, answer: (line: number, attempt: number) => LineAnswer, options: Partial<RunOptions<number>> = {}) {
  const clock = createManualClock();
  const asked: { line: number; at: number }[] = [];
  const attempts = new Map<number, number>();
  const written: (LineResult & { readonly line: number })[] = [];
  const paused: { reason: string; until: number }[] = [];
  let active = 0;
  let most = 0;
  const begun = clock.now();
  const ended = run({
    async ask(line) {
      most = Math.max(most, ++active);
      asked.push({ line, at: clock.now() - begun });
      const attempt = (attempts.get(line) ?? 0) + 1;
      attempts.set(line, attempt);
      await clock.sleep(10);
      active--;
      return answer(line, attempt);
    },
    todo: Array.from({ length: lines }, (_, index) => index),
    concurrency: 4,
    priceOf: () => 1,
    write: (line, result) => void written.push({ line, ...result }),
    clock,
    random: () => 0.5,
    giveUpMs: 300_000,
    onPause: (reason, untilMs) => void paused.push({ reason, until: untilMs - begun }),
    stop: new AbortController().signal,
    ...options,
  });
  /** Lets time pass until the run has ended. */
  async function end(): Promise<RunEnd> {
    let over = false;
    const watch = () => {
      over = true;
    };
    ended.then(watch, watch);
    while (!over) await clock.advance(100);
    return ended;
  }
  return { end, asked, written, paused, clock, most: () => most };
}

test('as many lines at a time as allowed, each written once', async () => {
  const { end, written, most } = start(50, () => found);
  assert.deepEqual(await end(), { stopped: null, cause: null, lost: false });
  assert.deepEqual(
    written.map(({ line }) => line).sort((a, b) => a - b),
    Array.from({ length: 50 }, (_, n) => n),
  );
  assert.equal(most(), 4);
});

test('after 429 nothing is asked before the time that the service states, then the line is asked again', async () => {
  const { end, asked, written } = start(20, (line, attempt) =>
    line === 3 && attempt === 1 ? failed('RATE_LIMITED', 429, true, { retryAfterMs: 7_000 }) : found,
  );
  await end();
  assert.equal(written.length, 20);
  const times = asked.map(({ at }) => at);
  assert.deepEqual(
    times.filter((at) => at > 10 && at < 7_000),
    [],
  );
  assert.ok(times.some((at) => at >= 7_000));
});

test('a line whose source fails is asked four times, then written as failed, while others go on', async () => {
  const { end, asked, written } = start(10, (line) => (line === 2 ? failed('UPSTREAM_TIMEOUT', 502, true) : found));
  assert.equal((await end()).stopped, null);
  assert.equal(asked.filter(({ line }) => line === 2).length, 4);
  assert.deepEqual(
    written.filter(({ ok }) => !ok).map(({ line, error }) => [line, error?.code, error?.retryable]),
    [[2, 'UPSTREAM_TIMEOUT', true]],
  );
});

test('what a retry does not cure is written at once', async () => {
  const { end, asked, written } = start(3, () => failed('NOT_FOUND', 404, false));
  await end();
  assert.deepEqual([asked.length, written.length], [3, 3]);
});

test('credits that are used up, and credentials that are refused, stop the run: nothing is written for what was not answered', async () => {
  for (const code of ['INSUFFICIENT_CREDITS', 'UNAUTHORIZED', 'FORBIDDEN']) {
    const { end, asked, written } = start(100, (line) => (line < 8 ? found : failed(code, 402, false)));
    assert.match((await end()).stopped ?? '', new RegExp(code));
    assert.deepEqual([written.length, asked.length <= 12], [8, true]);
  }
});

test('--max-credits is never exceeded, and answers from the cache leave room for more', async () => {
  const paid = start(100, () => found, { maxCredits: 10 });
  assert.match((await paid.end()).stopped ?? '', /10 of --max-credits 10 are spent/);
  assert.equal(paid.written.length, 10);
  const free = start(100, () => ({ ...found, result: { ...found.result, credits: 0 } }), { maxCredits: 2 });
  assert.equal((await free.end()).stopped, null);
  assert.equal(free.written.length, 100);
});

test('--rate spaces the lookups', async () => {
  const { end, asked } = start(5, () => found, { rate: 2 });
  await end();
  assert.deepEqual(
    asked.map(({ at }) => at),
    [0, 500, 1000, 1500, 2000],
  );
});

test('a service that cannot be reached is waited for, with fewer lines at a time; after giveUpMs the run stops', async () => {
  const down = () => failed('CONNECTION_FAILED', 0, true, { lost: true });
  const back = start(20, (_, attempt) => (attempt < 4 ? down() : found));
  assert.deepEqual(await back.end(), { stopped: null, cause: null, lost: true });
  assert.equal(back.written.length, 20);
  const never = start(20, down);
  const { stopped } = await never.end();
  assert.match(stopped ?? '', /no lookup was answered for 300 s; the last refusal: CONNECTION_FAILED/);
  assert.equal(never.written.length, 0);
  assert.ok(never.asked.length < 200, `${never.asked.length} attempts`);
});

test('a stop signal lets the lines that run end, and starts no more', async () => {
  const stopping = new AbortController();
  const { end, asked, written } = start(
    100,
    (line) => {
      if (line === 5) stopping.abort();
      return found;
    },
    { stop: stopping.signal },
  );
  assert.equal((await end()).stopped, 'it was stopped');
  assert.equal(written.length, asked.length);
  assert.ok(asked.length < 20);
});

test('a source that fails for ten lines in a row pauses the run, says why and until when, and no line is lost when it answers again', async () => {
  let openAt = Number.POSITIVE_INFINITY;
  const { end, asked, written, paused, clock } = start(100, (line) => {
    if (line === 20 && openAt === Number.POSITIVE_INFINITY) openAt = clock.now() + 60_000;
    return line >= 20 && clock.now() < openAt ? failed('UPSTREAM_BLOCKED', 502, false) : found;
  });
  assert.equal((await end()).stopped, null);
  assert.deepEqual(
    written.map(({ line, ok }) => ok && line).sort((a, b) => Number(a) - Number(b)),
    Array.from({ length: 100 }, (_, n) => n),
  );
  assert.match(paused[0]?.reason ?? '', /^10 lines in a row failed at the source; the last one: UPSTREAM_BLOCKED/);
  assert.ok(
    paused.every(({ until }, n) => until >= 30_000 * (n + 1)),
    JSON.stringify(paused),
  );
  assert.ok(asked.length < 130, `${asked.length} attempts`);
});

test('a daily cap stops the run at once with everything to continue: no line is written as failed', async () => {
  const { end, asked, written } = start(400, (line) =>
    line < 44 ? found : failed('UPSTREAM_RATE_LIMITED', 502, false, { retryAfterMs: 8 * 3_600_000 }),
  );
  const { stopped } = await end();
  assert.match(stopped ?? '', /^10 lines in a row failed at the source.*The source opens at \d{4}-/);
  assert.deepEqual([written.length, written.every(({ ok }) => ok)], [44, true]);
  assert.ok(asked.length < 70, `${asked.length} attempts`);
});

test('a source that never answers again stops the run after giveUpMs, with its lines left', async () => {
  const { end, asked, written, paused } = start(1000, () => failed('UPSTREAM_UNREACHABLE', 502, true));
  assert.match((await end()).stopped ?? '', /lines in a row failed at the source; the last one: UPSTREAM_UNREACHABLE/);
  assert.deepEqual([written.length, paused.length > 1, asked.length < 60], [0, true, true]);
});

test('lines of one dead source between others are written as failed, and the last ones too', async () => {
  const { end, written, paused } = start(60, (line) => (line % 6 === 0 || line === 59 ? failed('UPSTREAM_CHANGED', 502, false) : found));
  assert.equal((await end()).stopped, null);
  assert.deepEqual([written.length, written.filter(({ ok }) => !ok).length, paused.length], [60, 11, 0]);
});

test('a source that opens within minutes is waited for: the lines are asked after its Retry-After', async () => {
  const { end, asked, written, paused } = start(30, (line, attempt) =>
    line < 15 && attempt === 1 ? failed('UPSTREAM_RATE_LIMITED', 502, true, { retryAfterMs: 120_000 }) : found,
  );
  assert.equal((await end()).stopped, null);
  assert.deepEqual([written.length, written.every(({ ok }) => ok), paused.length > 0], [30, true, true]);
  assert.ok(asked.filter(({ line, at }) => line < 10 && at > 1000).every(({ at }) => at >= 120_000));
});

test('an output that cannot be written ends the run with its error', async () => {
  const { end } = start(10, () => found, {
    write() {
      throw new Error('ENOSPC');
    },
  });
  await assert.rejects(end(), /ENOSPC/);
});

test('why a run ended is a tag: stopped, limit, refusal, a source that opens later, no answer', async () => {
  const causeOf = async (answer: Parameters<typeof start>[1], options: Parameters<typeof start>[2] = {}) =>
    (await start(20, answer, options).end()).cause;
  const stopping = new AbortController();
  const stops = () => {
    stopping.abort();
    return found;
  };
  assert.deepEqual(await causeOf(stops, { stop: stopping.signal }), { kind: 'asked', code: null, untilMs: null });
  assert.deepEqual(await causeOf(() => found, { maxCredits: 5 }), { kind: 'limit', code: null, untilMs: null });
  const poor = () => failed('INSUFFICIENT_CREDITS', 402, false);
  assert.deepEqual(await causeOf(poor), { kind: 'refused', code: 'INSUFFICIENT_CREDITS', untilMs: null });
  const closed = await causeOf(() => failed('UPSTREAM_RATE_LIMITED', 503, true, { retryAfterMs: 3_600_000 }));
  assert.deepEqual([closed?.kind, closed?.code, (closed?.untilMs ?? 0) > 0], ['source', 'UPSTREAM_RATE_LIMITED', true]);
  const away = await causeOf(() => failed('CONNECTION_FAILED', 0, true));
  assert.deepEqual([away?.kind, away?.code], ['unanswered', 'CONNECTION_FAILED']);
});

test('a line that is still being written counts as one that runs', async () => {
  const { clock, asked } = start(10, () => found, { concurrency: 2, write: () => new Promise(() => {}) });
  for (let turn = 0; turn < 20; turn++) await clock.advance(100);
  assert.equal(asked.length, 2);
});
