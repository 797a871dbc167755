import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../test/chaos/random.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { changed } from '../sources/outcome.ts';
import type { DriftSums } from '../store/drift-sums.ts';
import type { FieldHourRow } from '../store/tables.ts';
import { createDrift, type DriftParts, type ObservedOutcome, WHOLE_ANSWER } from './drift.ts';
import { presenceIn } from './field-presence.ts';

/** The outcome of an attempt that found this resource. */
const foundOf = (resource: object, unread: readonly string[] = []): ObservedOutcome => ({
  tag: 'found',
  resource: { fields: presenceIn(resource) },
  unread,
});
/** How often each field of the simulated source has a value. */
const RATES = { name: 1, rating: 0.95, address: 0.8, website: 0.65, launchedDate: 0.5, pricing: 0.1 };
type Field = keyof typeof RATES;
const FIELDS = Object.keys(RATES) as Field[];

function setup(seed = 1, recorded?: DriftParts['recorded']) {
  const random = createRandom(seed).next;
  const clock = createManualClock(Date.UTC(2026, 10, 22, 10));
  const logged: { level: string; message: string; facts: Record<string, unknown> }[] = [];
  const states: string[] = [];
  const drift = createDrift({
    clock,
    log: (level, message, facts = {}) => void logged.push({ level, message, facts }),
    drifts: (source, field, isDrifting) => void states.push(`${source} ${field} ${isDrifting}`),
    ...(recorded && { recorded }),
  });
  let n = 0;
  const observe = (outcome: ObservedOutcome) =>
    drift.observe({ source: 'appmarket/page', operation: 'app', part: '', outcome, requestId: `r${++n}` });
  const answer = (broken: Partial<Record<Field, 'missing' | 'unread'>> = {}, unreadRate = 0): ObservedOutcome => {
    const resource = Object.fromEntries(FIELDS.map((f) => [f, broken[f] || random() >= RATES[f] ? null : 'value']));
    const unread = FIELDS.filter((f) => broken[f] === 'unread' || (resource[f] === null && random() < unreadRate));
    return foundOf(resource, unread);
  };
  const clean = (count: number, unreadRate = 0) => {
    for (let i = 0; i < count; i++) observe(answer({}, unreadRate));
  };
  /** Answers with a broken field until it drifts; 100 if it does not. */
  const untilAlarm = (field: Field, how: 'missing' | 'unread'): number => {
    for (let i = 1; i <= 100; i++) {
      observe(answer({ [field]: how }));
      if (drift.of('appmarket/page').includes(field)) return i;
    }
    return 100;
  };
  return { clock, drift, logged, states, observe, answer, clean, untilAlarm };
}

test('10,000 clean answers raise no alarm, whatever the rates of their fields', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { clean, logged } = setup(seed);
    clean(10_000, 0.001);
    assert.deepEqual(logged, [], `seed ${seed}`);
  }
});

test('a field that is unread on every page raises an alarm within 20 answers, from the first answer on', () => {
  for (const known of [0, 30, 5_000])
    for (const field of FIELDS) {
      const { clean, untilAlarm } = setup();
      clean(known);
      const answers = untilAlarm(field, 'unread');
      assert.ok(answers <= 20, `${field} after ${known} answers: ${answers}`);
    }
});

test('a field that disappears from every page without a trace raises an alarm within 20 answers, if at least 60 % of the answers had it', () => {
  for (const known of [100, 5_000])
    for (const field of FIELDS.filter((f) => RATES[f] >= 0.6)) {
      const { clean, untilAlarm } = setup();
      clean(known);
      const answers = untilAlarm(field, 'missing');
      assert.ok(answers <= 20, `${field} after ${known} answers: ${answers}`);
    }
});

test('where the recorded presence is known, a field that is missing from the first answer on raises an alarm within 20', () => {
  const recorded = new Map(
    FIELDS.map((field) => [`appmarket/page app\n${field}`, { answers: 40, faults: Math.round(40 * (1 - RATES[field])) }]),
  );
  for (const field of FIELDS.filter((f) => RATES[f] >= 0.6)) {
    const { untilAlarm } = setup(1, recorded);
    const answers = untilAlarm(field, 'missing');
    assert.ok(answers <= 20, `${field}: ${answers}`);
  }
});

test('after 50 answers of its own a source is compared with these, not with the recordings', () => {
  const { observe, logged, untilAlarm } = setup(1, new Map([['appmarket/page app\nrating', { answers: 40, faults: 0 }]]));
  const half = () => {
    for (let i = 0; i < 60; i++) observe(foundOf({ rating: i % 3 === 0 ? null : 4 }));
  };
  half();
  assert.deepEqual(logged, [], 'two of three answers with the field are no break');
  half();
  assert.deepEqual(logged, []);
  assert.ok(untilAlarm('rating', 'missing') <= 20);
});

test('answers of an unknown shape raise an alarm for the whole answer', () => {
  const { drift, clean, observe } = setup();
  clean(100);
  observe(changed('Unknown.'));
  assert.deepEqual(drift.of('appmarket/page'), []);
  for (let i = 0; i < 19; i++) observe(changed('Unknown.'));
  assert.deepEqual(drift.of('appmarket/page'), [WHOLE_ANSWER]);
});

test('an alarm is logged once, with the field, its usual rate and the latest requests; so is its end', () => {
  const { drift, clean, observe, answer, logged, states } = setup();
  clean(500);
  for (let i = 0; i < 50; i++) observe(answer({ rating: 'unread' }));
  assert.deepEqual(drift.of('appmarket/page'), ['rating']);
  assert.equal(logged.length, 1);
  const { level, message, facts } = logged[0] as (typeof logged)[0];
  assert.deepEqual(
    [level, message, facts.source, facts.operation, facts.field],
    ['warn', 'source drifts', 'appmarket/page', 'app', 'rating'],
  );
  assert.match(String((facts.requestIds as string[]).at(-1)), /^r50\d$/);
  clean(100);
  assert.deepEqual(drift.of('appmarket/page'), []);
  assert.deepEqual(
    logged.map((line) => line.message),
    ['source drifts', 'source no longer drifts'],
  );
  assert.deepEqual(states, ['appmarket/page rating true', 'appmarket/page rating false']);
});

test('a field that is unread and then vanishes drifts until it has a value again, whichever fault came first', () => {
  for (const before of [0, 10, 200]) {
    const { drift, clean, observe, answer, logged } = setup();
    clean(before);
    for (let i = 0; i < 60; i++) observe(answer({ rating: 'unread' }));
    assert.deepEqual(drift.of('appmarket/page'), ['rating']);
    // the platform renames the key: no value, and no trace of one
    for (let i = 0; i < 400; i++) observe(answer({ rating: 'missing' }));
    assert.deepEqual(drift.of('appmarket/page'), ['rating'], `after ${before} clean answers`);
    assert.ok(!logged.some((line) => line.message === 'source no longer drifts'));
    clean(200);
    assert.deepEqual(drift.of('appmarket/page'), []);
  }
});

test('answers in which a field is unread do not teach that the field is usually missing', () => {
  const { drift, clean, observe, answer, untilAlarm } = setup();
  for (let i = 0; i < 60; i++) observe(answer({ rating: 'unread' }));
  clean(200);
  assert.deepEqual(drift.of('appmarket/page'), []);
  assert.ok(untilAlarm('rating', 'missing') < 20);
});

test('a break does not become the usual rate: it is an alarm for as long as it lasts', () => {
  const { drift, clean, observe, answer } = setup();
  clean(200);
  for (let i = 0; i < 5_000; i++) observe(answer({ rating: 'missing' }));
  assert.deepEqual(drift.of('appmarket/page'), ['rating']);
});

test('rates are kept by part: a registry without a field is no alarm for another', () => {
  const { drift } = setup();
  const observe = (part: string, name: string | null) =>
    drift.observe({
      source: 'registration/whois',
      operation: 'registration',
      part,
      outcome: foundOf({ registrar: name }),
      requestId: null,
    });
  for (let i = 0; i < 200; i++) observe('se', 'A Registrar');
  for (let i = 0; i < 200; i++) observe('de', null);
  assert.deepEqual(drift.of('registration/whois'), []);
  for (let i = 0; i < 20; i++) observe('se', null);
  assert.deepEqual(drift.of('registration/whois'), ['registrar']);
});

test('hourly sums are stored when the hour is over and at the end, and give a new process its rates', async () => {
  const stored: FieldHourRow[] = [];
  const sums: Pick<DriftSums, 'add' | 'load'> = { add: async (rows) => void stored.push(...rows), load: async () => stored };
  const first = setup();
  await first.drift.keep(sums);
  first.clean(60);
  await first.clock.advance(3_600_000);
  first.clean(10);
  await first.drift.close();
  const named = stored.filter((sum) => sum.field === 'name');
  assert.deepEqual(
    named.map(({ stream, answers, missing, unread, drifting }) => [stream, answers, missing, unread, drifting]),
    [
      ['appmarket/page app', 60, 0, 0, 0],
      ['appmarket/page app', 10, 0, 0, 0],
    ],
  );
  stored.splice(0, stored.length, { ...(named[0] as FieldHourRow), answers: 70 });
  const second = setup();
  await second.drift.keep(sums);
  assert.ok(second.untilAlarm('name', 'missing') <= 20, 'no 50 answers are needed to learn the rate again');
});

test('no answer is lost or counted twice where the clock is set back over an hour', async () => {
  const stored: number[] = [];
  const { drift, clean, clock, observe } = setup();
  const add = async (rows: readonly FieldHourRow[]) =>
    void stored.push(...rows.flatMap((row) => (row.field === 'name' ? [row.answers] : [])));
  await drift.keep({ load: async () => [], add });
  clean(3);
  await clock.advance(3_600_000);
  observe(changed('unknown'));
  await clock.advance(-3_600_000);
  clean(5);
  await drift.close();
  assert.deepEqual(stored, [3, 5]);
});

test('sums that cannot be stored are logged and cost nothing else', async () => {
  const { drift, clean, logged } = setup();
  await drift.keep({ load: async () => [], add: async () => Promise.reject(new Error('disk full')) });
  clean(10);
  await drift.close();
  assert.deepEqual(logged, [{ level: 'warn', message: 'drift: an hour could not be stored', facts: { error: 'disk full' } }]);
});
