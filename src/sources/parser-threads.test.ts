import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realClock } from '../runtime/clock.ts';
import type { Answer } from '../upstream/answer.ts';
import { createParserThreads } from './parser-threads.ts';
import { parseHere } from './parsers.ts';

const RANKS = JSON.stringify({ ranks: [{ date: '2026-10-31', rank: 7 }], domain: 'a.example' });
const answerOf = (text: string): Answer => ({
  status: 200,
  headers: {},
  body: Buffer.from(text),
  url: 'https://tranco-list.eu/x',
  at: 1.79e12,
});
const attemptOf = (leftMs: number, signal = new AbortController().signal) => ({ signal, deadlineMs: realClock.now() + leftMs });
const LARGE = RANKS.replace('}]', `,"note":"${'x'.repeat(300_000)}"}]`);

test('a large answer is read in a thread to the same outcome as on the thread at hand', async () => {
  const threads = createParserThreads({ clock: realClock });
  const input = { domain: 'a.example' };
  const here = await parseHere('traffic/tranco', answerOf(LARGE), input);
  assert.equal(here.tag, 'found');
  const there = await Promise.all([1, 2, 3, 4, 5].map(() => threads.parse('traffic/tranco', answerOf(LARGE), input, attemptOf(10_000))));
  for (const outcome of there) assert.deepEqual(outcome, here);
  await threads.close();
});

test('an answer that takes too long is changed, one whose attempt ends is a timeout, and the next one is read', async () => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0, threads: 1, maxMs: 1 });
  const input = { domain: 'a.example' };
  // no thread starts and reads within a millisecond
  const cut = await threads.parse('traffic/tranco', answerOf(RANKS), input, attemptOf(10_000));
  assert.equal(cut.tag, 'changed');
  assert.match(cut.tag === 'changed' ? (cut.detail ?? '') : '', /more than 1 ms/);
  await threads.close();

  const patient = createParserThreads({ clock: realClock, threadBytes: 0, threads: 1 });
  assert.equal((await patient.parse('traffic/tranco', answerOf(RANKS), input, attemptOf(1))).tag, 'timeout');
  assert.equal((await patient.parse('traffic/tranco', answerOf(RANKS), input, attemptOf(20_000))).tag, 'found');
  await patient.close();
});

test('an attempt that is over ends its reading and its place in the queue as a timeout', async () => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0, threads: 1 });
  const over = new AbortController();
  const input = { domain: 'a.example' };
  const both = [1, 2].map(() => threads.parse('traffic/tranco', answerOf(RANKS), input, attemptOf(10_000, over.signal)));
  over.abort('over');
  assert.deepEqual(
    (await Promise.all(both)).map((outcome) => outcome.tag),
    ['timeout', 'timeout'],
  );
  assert.equal((await threads.parse('traffic/tranco', answerOf(RANKS), input, attemptOf(20_000))).tag, 'found');
  await threads.close();
});

test('a parser that throws in its thread is a defect, as it is on the thread at hand', async () => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0 });
  await assert.rejects(
    threads.parse('traffic/tranco', answerOf(RANKS), null as unknown as { domain: string }, attemptOf(20_000)),
    TypeError,
  );
  await threads.close();
});

test('closing ends what is read', async () => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0 });
  const reading = threads.parse('traffic/tranco', answerOf(RANKS), { domain: 'a.example' }, attemptOf(20_000));
  await threads.close();
  assert.equal((await reading).tag, 'timeout');
  assert.equal((await threads.parse('traffic/tranco', answerOf(RANKS), { domain: 'a.example' }, attemptOf(20_000))).tag, 'timeout');
});
