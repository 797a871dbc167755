import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realClock } from '../runtime/clock.ts';
import type { Answer } from '../upstream/answer.ts';
import { createParserThreads } from './parser-threads.ts';
import { parse, parsersIn } from './parsers.ts';
import type { Attempt, ParserThreads } from './source.ts';

const parser = parsersIn<typeof import('./traffic/model/parse.ts')>(new URL('./traffic/model/parse.ts', import.meta.url));
const RANKS = JSON.stringify({ ranks: [{ date: '2026-10-31', rank: 7 }], domain: 'a.example' });
const answerOf = (text: string): Answer => ({
  status: 200,
  headers: {},
  body: Buffer.from(text),
  url: 'https://tranco-list.eu/x',
  at: 1.79e12,
});
const attemptOf = (leftMs: number, signal = new AbortController().signal) => ({ signal, deadlineMs: realClock.now() + leftMs });
const parseRanks = (parserThreads: ParserThreads, text: string, attempt: Attempt) =>
  parse({ parserThreads }, parser('readTranco'), answerOf(text), { domain: 'a.example' }, attempt);
const LARGE = RANKS.replace('}]', `,"note":"${'x'.repeat(300_000)}"}]`);

test('a large answer parsed in a thread gives the same outcome as on the calling thread', async () => {
  const threads = createParserThreads({ clock: realClock });
  const here = await parse({}, parser('readTranco'), answerOf(LARGE), { domain: 'a.example' }, attemptOf(10_000));
  assert.equal(here.tag, 'found');
  const there = await Promise.all([1, 2, 3, 4, 5].map(() => parseRanks(threads, LARGE, attemptOf(10_000))));
  for (const outcome of there) assert.deepEqual(outcome, here);
  await threads.close();
});

test('an answer that takes too long gives changed, an attempt that ends gives timeout, and the next answer is parsed', async () => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0, threads: 1, maxMs: 1 });
  // no thread can start and parse within a millisecond
  const cut = await parseRanks(threads, RANKS, attemptOf(10_000));
  assert.equal(cut.tag, 'changed');
  assert.match(cut.tag === 'changed' ? (cut.detail ?? '') : '', /more than 1 ms/);
  await threads.close();

  const patient = createParserThreads({ clock: realClock, threadBytes: 0, threads: 1 });
  assert.equal((await parseRanks(patient, RANKS, attemptOf(1))).tag, 'timeout');
  assert.equal((await parseRanks(patient, RANKS, attemptOf(20_000))).tag, 'found');
  await patient.close();
});

test('aborting an attempt gives timeout, both for a running and for a queued job', async () => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0, threads: 1 });
  const over = new AbortController();
  const both = [1, 2].map(() => parseRanks(threads, RANKS, attemptOf(10_000, over.signal)));
  over.abort('over');
  assert.deepEqual(
    (await Promise.all(both)).map((outcome) => outcome.tag),
    ['timeout', 'timeout'],
  );
  assert.equal((await parseRanks(threads, RANKS, attemptOf(20_000))).tag, 'found');
  await threads.close();
});

test('an error thrown by a parser in its thread rejects, as on the calling thread', async () => {
  const { module, name } = parser('readTranco');
  const threads = createParserThreads({ clock: realClock, threadBytes: 0 });
  await assert.rejects(threads.parse({ module, name }, answerOf(RANKS), null, attemptOf(20_000)), TypeError);
  await threads.close();
});

test('close ends running jobs with timeout, and later ones too', async () => {
  const threads = createParserThreads({ clock: realClock, threadBytes: 0 });
  const running = parseRanks(threads, RANKS, attemptOf(20_000));
  await threads.close();
  assert.equal((await running).tag, 'timeout');
  assert.equal((await parseRanks(threads, RANKS, attemptOf(20_000))).tag, 'timeout');
});

test('a parser that its module does not export rejects, also one that names a member of Object.prototype', async () => {
  const threads = createParserThreads({ clock: realClock });
  for (const name of ['none', 'constructor', 'toString'])
    await assert.rejects(
      threads.parse({ ...parser('readTranco'), name }, answerOf(RANKS), { domain: 'a.example' }, attemptOf(20_000)),
      /does not export/,
    );
  await threads.close();
});
