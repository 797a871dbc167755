import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PROOF } from '../../test/support/evidence.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { scripted } from '../../test/support/orchestrator-fakes.ts';
import type { ServiceError } from '../contract/errors.ts';
import type { Input } from '../contract/operations/index.ts';
import {
  blocked,
  changed,
  foreign,
  limited,
  type NotFound,
  notServed,
  refused,
  refusedAccount,
  refusedInput,
  timeout,
  unexplained,
  unreachable,
} from '../sources/outcome.ts';
import type { Ports, Source } from '../sources/source.ts';
import { createSourceBudget } from '../sources/source-budget.ts';
import { createPace } from '../upstream/pace.ts';
import { createBreakers } from './breaker.ts';
import { runChain } from './chain.ts';
import { type Engine, EngineAwayError } from './engine.ts';
import { type Failed, failureOf } from './failure.ts';
import { createLocalEngine } from './local-engine.ts';

const WHAT = 'The registry did something.';
const PLAIN: readonly Exclude<NotFound, { tag: 'absent' }>[] = [
  blocked(WHAT),
  { tag: 'blocked', what: WHAT, final: true },
  limited(WHAT),
  limited(WHAT, 1),
  limited(WHAT, 900_000),
  limited(WHAT, 900_001),
  limited(WHAT, 90_000_000),
  unreachable(WHAT),
  timeout(WHAT),
  changed(WHAT),
  refused(WHAT),
  foreign(WHAT),
  unexplained(WHAT),
  refusedAccount(WHAT),
  refusedAccount(WHAT, undefined, 600_000),
  refusedAccount(WHAT, undefined, 25 * 86_400_000),
];

/** The failure of a chain over one source whose attempts end like this, and where `knowsAbsence` is false. */
async function chainFailure(
  attempt: Engine['attempt'],
  deadlineMs = 30_000,
  breakers = createBreakers(),
  clock = createManualClock(),
  more: Partial<Source> = {},
): Promise<Failed> {
  const parts = { engine: { attempt } as Engine, breakers, clock, random: () => 0 };
  const source = { ...scripted('a', []), knowsAbsence: false, ...more };
  const input: Input<'registration'> = { domain: 'a.com' };
  const running = runChain(parts, [source], { operation: 'registration', input, deadlineMs: clock.now() + deadlineMs });
  await clock.advance(1_000);
  const { outcome } = await running;
  assert.ok(outcome.tag !== 'found' && outcome.tag !== 'absent');
  return outcome;
}

/** Every way in which a lookup ends without an answer: the tags with and without a time, and the states that this service is in itself. */
async function everyFailure(): Promise<readonly Failed[]> {
  const failures: Failed[] = PLAIN.map((outcome) => ({ ...outcome, source: 'registration/rdap' }));
  const always = (outcome: NotFound) => async () => outcome as never;
  for (const outcome of PLAIN) {
    const breakers = createBreakers(() => 0);
    for (let i = 0; i < 12; i++) failures.push(await chainFailure(always(outcome), 30_000, breakers));
  }
  const throwing = (error: Error) => chainFailure(() => Promise.reject(error));
  failures.push(await throwing(new EngineAwayError('The part of the service that asks sources cannot be reached now.', 'no worker')));
  failures.push(await chainFailure(always({ tag: 'absent', evidence: PROOF, what: WHAT })), await chainFailure(always(timeout(WHAT)), 0));
  failures.push({ tag: 'defect', what: WHAT, source: 'a' });

  const clock = createManualClock();
  const resting = createLocalEngine([scripted('a', [limited(WHAT, 60_000)])], { clock, pace: createPace(clock) } as unknown as Ports);
  const work = { source: 'a', operation: 'registration', input: { domain: 'a.com' }, leftMs: 1_000 } as const;
  await resting.attempt(work);
  const rests = await resting.attempt(work);
  const budget = createSourceBudget({ key: 'a', maxRequests: 1, maxUsd: 1, usdEach: 1, settings: 'A_CAP' }, { clock, log: () => {} });
  await budget.take();
  const capped = await budget.take();
  assert.ok(rests.tag === 'limited' && rests.counts === false && capped.tag !== 'taken' && capped.tag !== 'absent');
  return [...failures, { ...rests, source: 'a' }, { ...capped, source: 'a' }];
}

const NO_USE = /will not help/;
const OF_USE = /\b(?:Ask again in|Asking again (?:\w+ )*may help)/;
const TIME = /\b(?:in|next) (\d+) (s|minutes|hours)\b/;
const UNITS: Readonly<Record<string, number>> = { s: 1, minutes: 60, hours: 3600 };

/** What in the message contradicts `retryable`, `Retry-After` or itself. */
function contradictions({ message, retryable, headers }: ServiceError): readonly string[] {
  const after = headers['retry-after'];
  const [, amount = '0', unit = 's'] = TIME.exec(message) ?? [];
  const stated = Number(amount) * (UNITS[unit] ?? Number.NaN);
  const found: string[] = [];
  if (OF_USE.test(message) !== retryable) found.push('retryable, but no advice to ask again, or the reverse');
  if (NO_USE.test(message) === retryable) found.push('asking again will not help, but retryable, or the reverse');
  if (TIME.test(message) !== (after !== undefined)) found.push('a time without Retry-After, or the reverse');
  if (after !== undefined && (stated < Number(after) || stated >= Number(after) + (UNITS[unit] ?? 0)))
    found.push('another time than Retry-After');
  if ((message.match(/\bagain\b/gi) ?? []).length !== 1) found.push('not exactly one advice');
  if (/\b(?:later|soon|a moment|a while)\b/i.test(message)) found.push('a vague time');
  return found.map((fault) => `${fault}: ${message} (retryable ${retryable}, Retry-After ${after})`);
}

test('no message of a failed lookup contradicts itself: time, Retry-After and retryable agree for every outcome and cause', async () => {
  const failures = await everyFailure();
  const errors = failures.map((failed) => failureOf(failed));
  assert.deepEqual(errors.flatMap(contradictions), []);
  const tags = new Set(failures.map(({ tag }) => tag));
  assert.deepEqual([...tags].sort(), 'away blocked changed defect inconclusive limited refused timeout unreachable'.split(' '));
  const retryable = errors.filter((e) => e.retryable).map((e) => e.failure);
  assert.ok(!retryable.includes('UPSTREAM_BLOCKED') && !retryable.includes('UPSTREAM_CHANGED'));
});

test('the message names the cause, the source by its neutral id, and the time of the next attempt', () => {
  const source = 'registration/rdap';
  const words = (outcome: NotFound) => failureOf({ ...outcome, source } as Failed);
  assert.equal(words(timeout(WHAT)).message, 'The registry did something. (Source: registration/rdap.) Asking again may help.');
  const soon = words(limited(WHAT, 30_000));
  assert.deepEqual([soon.retryable, soon.headers['retry-after']], [true, '30']);
  assert.match(soon.message, /Ask again in 30 s\.$/);
  const far = words(limited(WHAT, 7_200_000));
  assert.deepEqual([far.retryable, far.headers['retry-after']], [false, '7200']);
  assert.match(far.message, /Asking again will not help in the next 2 hours\.$/);
});

test('sources and the parts below them state what happened; the advice comes from one place', () => {
  const advice = /'[^'\n]*\b(?:again (?:in|soon|later)|ask(?:ing|ed)? again|try again|in a moment)\b[^'\n]*'/i;
  // patterns of a platform's own words
  const patterns = ['src/orchestrator/failure.ts'];
  const files = globSync('src/{sources,upstream,orchestrator,fleet,spending}/**/*.ts').filter(
    (f) => !/\.test\.ts$/.test(f) && !patterns.includes(f),
  );
  assert.ok(files.length > 100);
  assert.deepEqual(
    files.filter((file) => advice.test(readFileSync(file, 'utf8'))),
    [],
  );
});

test('what is refused because of what was asked sends nobody to a log', () => {
  const source = 'registration/whois';
  const message = (outcome: Failed): string => failureOf(outcome).body.error.message;
  assert.equal(
    message({ ...refusedInput('The registry does not accept this name.', 'invalid domain name'), source } as Failed),
    'The registry does not accept this name. (Source: registration/whois.) Asking again will not help.',
  );
  assert.match(message({ ...refused('It was refused.'), source } as Failed), /before the operator has looked at the log\.$/);
});

test('a region or language that no source has is 501 and named; an advice of the source takes the place of the usual one', () => {
  const lacking = failureOf({ ...notServed('The data provider does not have this location.', 'code 40501'), source: 'A' } as Failed, {
    location: 'AQ',
    language: 'en',
  });
  assert.equal(lacking.code, 'NOT_IMPLEMENTED');
  assert.match(lacking.message, /location "AQ", language "en"/);
  const shorter = failureOf({
    ...changed('The instance lists 24 results.'),
    advice: 'A depth of at most 24 is answered.',
    source: 'A',
  } as Failed);
  assert.match(shorter.message, /24 results\. \(Source: A\.\) A depth of at most 24 is answered\.$/);
});

test('after the end of an interface no failure of it advises to ask again soon, before it and without a date every one is as usual', async () => {
  const sunset = { what: 'It ends.', instead: 'a relay', reference: 'https://platform.example/' };
  const day = Date.UTC(2027, 2, 1);
  const messageOf = async (outcome: NotFound, date: string | null, nowMs: number) => {
    const source = { sunset: { ...sunset, date } };
    return failureOf(await chainFailure(async () => outcome as never, 30_000, createBreakers(), createManualClock(nowMs), source));
  };
  const failures = [...PLAIN, { tag: 'absent', evidence: PROOF, what: WHAT } as const];
  for (const outcome of failures) {
    const usual = await messageOf(outcome, null, day);
    assert.deepEqual(contradictions(usual), []);
    for (const nowMs of [day - 400 * 86_400_000, day - 86_400_000, day]) {
      const before = await messageOf(outcome, '2027-03-01', nowMs);
      assert.deepEqual([before.message, before.headers], [usual.message, usual.headers], outcome.tag);
    }
    const after = await messageOf(outcome, '2027-03-01', day + 86_400_000);
    assert.deepEqual(contradictions(after), []);
    const isClosed = /The platform closed this interface on 2027-03-01\. What remains: a relay\./.test(after.message);
    // a limit, a statement about one item, and an answer without evidence say that the interface lives
    const lives = outcome.tag === 'limited' || outcome.tag === 'absent' || (outcome.tag === 'blocked' && outcome.final);
    assert.equal(isClosed, !lives, after.message);
    if (isClosed) assert.deepEqual([after.retryable, OF_USE.test(after.message), after.headers['retry-after']], [false, false, '86400']);
  }
});

test('the advice follows from what happened: no update cures what is not of the platform, and the operator what is of our account', () => {
  const source = 'microblog/syndication';
  const told = (outcome: NotFound): string => failureOf({ ...outcome, source } as Failed).message;
  assert.match(told(changed(WHAT)), /before the service is updated\.$/);
  for (const outcome of [foreign(WHAT), unexplained(WHAT)]) assert.doesNotMatch(told(outcome), /updated/);
  assert.match(told(refusedAccount(WHAT)), /before the operator has renewed this service's credentials or credits/);
  assert.match(
    told(refusedAccount(WHAT, undefined, 7_200_000)),
    /in the next 2 hours, unless the operator raises the limit or renews the credentials there\.$/,
  );
});
