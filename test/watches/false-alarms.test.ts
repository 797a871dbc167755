// Own process: it computes for long.
/**
 * Watches never cry wolf: no change is told between a recorded answer and the same answer in another notation, with less of it read, with other
 * counters, with cut lists, or a page that is no answer. Every comparison is another one. Each recording also has a watch of its own, which is
 * checked with every document and meets outages: it says `failing` once an outage and `recovered` once after it, and nothing else.
 * `SIGHTLINE_TEST_ALARMS=100000` makes so many comparisons, of seed `SIGHTLINE_TEST_SEED`.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { OPERATIONS, type Operation, type OperationId } from '../../src/contract/operations/index.ts';
import { READERS } from '../../src/sources/index.ts';
import { type Baseline, failed, found, type WatchState } from '../../src/watches/compare.ts';
import { createRandom } from '../simulation/random.ts';
import { type Mutation, mutationsOf } from '../sources/mutate-answers.ts';
import { type Recorded, recordedAnswers, skipRecordings } from '../sources/recorded-answers.ts';
import { CHALLENGES, FOREIGN } from '../support/foreign-answers.ts';
import { type Answer, lessRead, sameMeaning, withTracking } from './same-meaning.ts';

const LEAST = Number(process.env.SIGHTLINE_TEST_ALARMS ?? 3_000);
const SEED = Number(process.env.SIGHTLINE_TEST_SEED ?? 1);
const NOW = Date.UTC(2026, 10, 22);
const LARGE_BYTES = 60_000;
/** Checks without an answer in a row, of which docs/watches.md says that the last is told. */
const FAILING_AFTER = 3;
const LONGEST_OUTAGE = 8;
const START = { fails: 0, stopped: null, pending: null, absent: null } as const;

type Reader = Awaited<ReturnType<NonNullable<(typeof READERS)[string]>['load']>>;
interface Answered {
  readonly recording: Recorded;
  readonly operation: Operation;
  readonly answerOf: (body: Buffer) => ReturnType<Reader>;
  readonly first: Answer;
  readonly baseline: Baseline | null;
  /** The page with one class renamed. */
  readonly renamed: readonly Mutation[];
}

test('no change is told for another notation, for what could not be read, for counters and cut lists, or for a page that is no answer', {
  skip: skipRecordings,
}, async () => {
  const alarms = new Map<string, string>();
  const seen = new Set<string>();
  const random = createRandom(SEED);
  const counts = { comparisons: 0, documents: 0, unread: 0, refused: 0 };
  const foreign = Object.entries({ ...CHALLENGES, ...FOREIGN });
  const recordings = (await recordedAnswers()).filter(({ reader }) => READERS[reader]);
  const answers: Answered[] = [];
  for (const recording of recordings) {
    const { operation: id, load } = READERS[recording.reader] ?? assert.fail();
    const read = await load();
    const operation = OPERATIONS[id as OperationId];
    const answerOf = (body: Buffer) => read({ ...recording, body, atMs: NOW }, recording.input);
    const before = answerOf(recording.body);
    if (before.tag !== 'found') continue;
    const first: Answer = { resource: { ...before.resource }, unread: before.unread ?? [] };
    const { baseline } = found(operation, START, null, first, null, false);
    const renamed = recording.body.includes('<html') ? mutationsOf(recording, 60).filter(({ what }) => what.startsWith('class')) : [];
    answers.push({ recording, operation, answerOf, first, baseline, renamed });
  }

  function compare({ recording, operation, baseline, first }: Answered, document: string, what: string, answer: Answer): void {
    const key = hash('sha256', `${recording.id}\0${document}\0${JSON.stringify(answer)}`, 'base64');
    if (seen.has(key)) return;
    seen.add(key);
    counts.comparisons++;
    if (answer.unread.length > 0) counts.unread++;
    // a name that seems free is a change only after a second check
    if (answer.resource.available === true) return;
    const then = found(operation, START, baseline, answer, null, true);
    // what could not be read is compared when it is read again
    const again = found(operation, START, then.baseline, first, null, true);
    counts.comparisons++;
    for (const { kind, field, before: was, after: is } of [...then.changes, ...again.changes])
      alarms.set(
        `${recording.reader}: ${what}: ${kind} ${field}`,
        `${recording.id}: ${JSON.stringify(was)?.slice(0, 80)} → ${JSON.stringify(is)?.slice(0, 80)}`,
      );
  }

  const watches = new Map<Answered, { readonly state: WatchState; readonly missed: number }>();
  const told = { checks: 0, gaps: 0, outages: 0, failing: 0, recovered: 0 };
  /** Of one check of the watch on a recording: the entries of the feed, which are a message where there are any. */
  function check(one: Answered, document: string, outcome: ReturnType<Reader>): void {
    const { state, missed } = watches.get(one) ?? { state: START, missed: 0 };
    const isRead = outcome.tag === 'found';
    // a name that seems free: compare() says why
    if (isRead && 'available' in outcome.resource && outcome.resource.available) return;
    const verdict = isRead
      ? found(one.operation, state, one.baseline, { resource: { ...outcome.resource }, unread: outcome.unread ?? [] }, null, true)
      : failed(state, outcome.tag);
    const now = isRead ? 0 : missed + 1;
    watches.set(one, { state: verdict, missed: now });
    told.checks++;
    if (now === 1) told.gaps++;
    if (now === FAILING_AFTER) told.outages++;
    for (const { kind } of verdict.changes) if (kind === 'failing' || kind === 'recovered') told[kind]++;
    const due = now === FAILING_AFTER ? 'failing' : isRead && missed >= FAILING_AFTER ? 'recovered' : '';
    const said = verdict.changes.map(({ kind }) => kind).join(' ');
    // nothing is gone because of a page that is no answer
    if (said !== due || outcome.tag === 'absent')
      alarms.set(
        `${one.recording.reader}: ${document}: a check`,
        `${one.recording.id}: ${missed} missed, ${outcome.tag}, "${said}" for "${due}"`,
      );
  }

  for (let turn = 0; counts.comparisons < LEAST; turn++)
    for (const [place, one] of answers.entries()) {
      // large pages less often
      if ((turn + place) % Math.ceil(one.recording.body.length / LARGE_BYTES) > 0) continue;
      const { recording, answerOf, first, operation, renamed } = one;
      const { what, body } = ((): { what: string; body: Buffer } => {
        const [name = '', text = ''] = foreign[(turn + place) % foreign.length] ?? [];
        // a third of the pages: a class with another name, so that fields cannot be read
        const notation = (given: Buffer) => sameMeaning({ ...recording, body: given }, random);
        const kind = random.below(10);
        if (kind === 0 && turn < foreign.length) return { what: name, body: Buffer.from(text) };
        if (kind < 4 && renamed.length > 0) {
          const class_ = random.pick(renamed);
          const { what, body } = notation(class_.body());
          return { what: `${class_.what}, ${what}`, body };
        }
        if (kind < 6 && operation.id === 'serp') return { what: 'tracking parameters', body: withTracking(recording, random) };
        return notation(recording.body);
      })();
      const document = hash('sha256', body, 'base64');
      const outcome = answerOf(body);
      counts.documents++;
      check(one, what, outcome);
      if (random.chance(0.1))
        for (let left = 1 + random.below(LONGEST_OUTAGE); left > 0; left--) {
          const [name, text] = random.pick(foreign);
          check(one, name, answerOf(Buffer.from(text)));
        }
      if (outcome.tag !== 'found') {
        counts.refused++;
        if (!seen.has(document)) counts.comparisons++;
        seen.add(document);
        continue;
      }
      const answer: Answer = { resource: { ...outcome.resource }, unread: outcome.unread ?? [] };
      compare(one, document, what, answer);
      for (let i = 0; i < 2; i++) {
        const less = lessRead(operation, random.chance(0.5) ? answer : first, random);
        compare(one, document, `${what}; ${less.what}`, less.answer);
      }
    }
  const { comparisons, documents, unread, refused } = counts;
  console.log(
    `seed ${SEED}: ${comparisons} comparisons of ${documents} documents, ${unread} with unread fields, ${refused} documents not read`,
  );
  // those that had an answer again
  const over = told.outages - [...watches.values()].filter(({ missed }) => missed >= FAILING_AFTER).length;
  console.log(
    `${watches.size} watches, ${told.checks} checks, ${told.gaps} times without an answer, ${told.outages} of them outages: ${told.failing} failing, ${told.recovered} recovered, of ${over} that ended`,
  );
  assert.deepEqual([told.failing, told.recovered], [told.outages, over]);
  assert.ok(told.outages >= 10);
  assert.deepEqual([...alarms].slice(0, 60), []);
});
