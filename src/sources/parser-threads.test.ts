import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begun, latch, open } from '../../test/support/latched-parsers.ts';
import { createManualClock, settle } from '../../test/support/manual-clock.ts';
import { realClock } from '../runtime/clock.ts';
import type { Answer } from '../upstream/answer.ts';
import { createParserThreads } from './parser-threads.ts';
import { type Attempt, type ParserThreads, parse, parsersIn } from './source.ts';

const parser = parsersIn<typeof import('./traffic/model/parse.ts')>(new URL('./traffic/model/parse.ts', import.meta.url));
const RANKS = JSON.stringify({ ranks: [{ date: '2026-10-31', rank: 7 }], domain: 'a.example' });
const answerOf = (text: string): Answer => ({
  status: 200,
  headers: {},
  body: Buffer.from(text),
  url: 'https://tranco-list.eu/x',
  atMs: 1.79e12,
});
const attemptOf = (leftMs: number, signal = new AbortController().signal) => ({ signal, deadlineMs: realClock.now() + leftMs });
const parseRanks = (parserThreads: ParserThreads, text: string, attempt: Attempt) =>
  parse({ parserThreads }, parser('readTranco'), { tag: 'answer', answer: answerOf(text) }, { domain: 'a.example' }, attempt);
const LARGE = RANKS.replace('}]', `,"note":"${'x'.repeat(300_000)}"}]`);

test('a large answer parsed in a thread gives the same outcome as on the calling thread', async (t) => {
  const threads = createParserThreads({ clock: realClock });
  t.after(() => threads.close());
  const here = await parse(
    {},
    parser('readTranco'),
    { tag: 'answer', answer: answerOf(LARGE) },
    { domain: 'a.example' },
    attemptOf(10_000),
  );
  assert.equal(here.tag, 'found');
  const there = await Promise.all([1, 2, 3, 4, 5].map(() => parseRanks(threads, LARGE, attemptOf(10_000))));
  for (const outcome of there) assert.deepEqual(outcome, here);
});

/** A source of its own for each name: its parser holds its thread until the latch is open. */
const latched = (source: string) =>
  parsersIn<typeof import('../../test/support/latched-parsers.ts')>(new URL(`${LATCHED}?${source}`))('behindLatch');
const LATCHED = new URL('../../test/support/latched-parsers.ts', import.meta.url).href;
const until = async (good: () => boolean): Promise<void> => {
  while (!good()) await settle();
};

test('an answer that takes too long gives changed, and the next answer is parsed', async (t) => {
  const clock = createManualClock();
  const threads = createParserThreads({ clock, threadBytes: 0, threads: 1 });
  t.after(() => threads.close());
  const shut = latch();
  const cut = threads.parse(latched('a'), answerOf('a'), shut, attemptOf(20_000));
  await clock.whenSleeping(1);
  await clock.advance(5_000);
  const outcome = await cut;
  assert.ok(typeof outcome === 'object' && outcome.tag === 'changed');
  assert.match(outcome.detail ?? '', /more than 5000 ms/);
  assert.equal((await parseRanks(threads, RANKS, attemptOf(20_000))).tag, 'found');
});

test('the time limit counts parsing alone: neither the start of the thread nor the wait for one', async (t) => {
  const clock = createManualClock();
  const threads = createParserThreads({ clock, threadBytes: 0, threads: 1 });
  t.after(() => threads.close());
  const [first, second] = [latch(), latch()];
  const both = [first, second].map((own) => threads.parse(latched('a'), answerOf('a'), own, attemptOf(20_000)));
  // the thread has not started yet
  await clock.advance(60_000);
  await until(() => begun(first) === 1);
  await clock.whenSleeping(1);
  await clock.advance(4_000);
  open(first);
  await both[0];
  await clock.whenSleeping(1);
  await clock.advance(4_000);
  open(second);
  assert.deepEqual(await Promise.all(both), ['a', 'a']);
});

test('answers that never end keep all threads but one from other sources; the sources take turns, the smaller answer first', async (t) => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0, threads: 2 });
  t.after(() => threads.close());
  const [endless, turns] = [latch(), latch()];
  const attempt = attemptOf(60_000);
  const stuck = Array.from({ length: 8 }, () => threads.parse(latched('a'), answerOf('a'), endless, attempt));
  await until(() => begun(endless) === 1);
  assert.equal((await parseRanks(threads, RANKS, attempt)).tag, 'found');
  assert.equal(begun(endless), 1);

  const order: string[] = [];
  const one = (source: string, text: string) =>
    threads.parse(latched(source), answerOf(text), turns, attempt).then((name) => order.push(String(name)));
  const rest = [
    one('d', 'd'),
    one('b', 'b1'),
    one('b', `b2${' '.repeat(9_000)}`),
    one('b', `b3${' '.repeat(50)}`),
    one('c', `c1${' '.repeat(100)}`),
    one('c', 'c2'),
  ];
  open(turns);
  await Promise.all(rest);
  assert.deepEqual(order, ['d', 'b1', 'c2', 'b3', 'c1', 'b2']);
  open(endless);
  await Promise.all(stuck);
});

test('a large answer is overtaken by eight smaller ones of its source at most', async (t) => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0, threads: 1 });
  t.after(() => threads.close());
  const own = latch();
  const order: string[] = [];
  const texts = ['first', `large${' '.repeat(100)}`, ...Array.from({ length: 12 }, (_, i) => `small ${i}`)];
  const all = texts.map((text) =>
    threads.parse(latched('a'), answerOf(text), own, attemptOf(60_000)).then((name) => order.push(String(name))),
  );
  open(own);
  await Promise.all(all);
  assert.equal(order.indexOf('large'), 9);
});

test('an attempt that ends gives timeout, both for a running and for a queued answer, and the next answer is parsed', async (t) => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0, threads: 1 });
  t.after(() => threads.close());
  const over = new AbortController();
  const both = [1, 2].map(() => parseRanks(threads, RANKS, attemptOf(10_000, over.signal)));
  over.abort('over');
  assert.deepEqual(
    (await Promise.all(both)).map((outcome) => outcome.tag),
    ['timeout', 'timeout'],
  );
  assert.equal((await parseRanks(threads, RANKS, attemptOf(20_000))).tag, 'found');
});

test('an error thrown by a parser in its thread rejects, as on the calling thread', async (t) => {
  const { module, name } = parser('readTranco');
  const threads = createParserThreads({ clock: realClock, threadBytes: 0 });
  t.after(() => threads.close());
  await assert.rejects(threads.parse({ module, name }, answerOf(RANKS), null, attemptOf(20_000)), TypeError);
});

test('close ends running jobs with timeout, and later ones too', async (t) => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0 });
  t.after(() => threads.close());
  const running = parseRanks(threads, RANKS, attemptOf(20_000));
  await threads.close();
  assert.equal((await running).tag, 'timeout');
  assert.equal((await parseRanks(threads, RANKS, attemptOf(20_000))).tag, 'timeout');
});

test('a parser that its module does not export rejects, also one that names a member of Object.prototype', async (t) => {
  const threads = createParserThreads({ clock: realClock });
  t.after(() => threads.close());
  for (const name of ['none', 'constructor', 'toString'])
    await assert.rejects(
      threads.parse({ ...parser('readTranco'), name }, answerOf(RANKS), { domain: 'a.example' }, attemptOf(20_000)),
      /does not export/,
    );
});
