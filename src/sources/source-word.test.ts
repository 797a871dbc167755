import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../settings.ts';
import { withEntered } from './credentials.ts';
import type { Source } from './source.ts';
import { sourceWords } from './source-word.ts';

const NOW = Date.UTC(2026, 10, 27);
const CALM = {
  breaker: 'closed',
  restingUntil: null,
  drifting: [],
  last24h: { attempts: 0, found: 0, absent: 0, failures: {}, successShare: null, medianMs: null, hours: [] },
} as const;
type Health = NonNullable<ReturnType<NonNullable<Parameters<typeof sourceWords>[3]>>>;
const source = (id: string, more: Partial<Source> = {}): Source => ({
  ...{ id, operations: ['traffic'], needs: [], knowsAbsence: true, about: '', open: () => ({}) },
  ...more,
});
const sunset = { date: '2027-03-01', what: '', instead: '', reference: '' };

function wordsOf(sources: readonly Source[], health: Readonly<Record<string, Partial<Health>>> = {}, environment = {}): string[] {
  const words = sourceWords(sources, readSettings(environment), NOW, ({ id }) => (health[id] ? { ...CALM, ...health[id] } : null));
  return sources.map((each) => words.get(each) ?? 'none');
}

test('the first source of an operation is in use, those behind it stand by until one is asked', () => {
  const sources = [source('a'), source('b'), source('c', { operations: ['traffic', 'serp'] })];
  assert.deepEqual(wordsOf(sources), ['in_use', 'standing_by', 'in_use']);
  assert.deepEqual(wordsOf(sources, { b: { last24h: { ...CALM.last24h, attempts: 1 } } }), ['in_use', 'in_use', 'in_use']);
});

test('a source without its key has no key, one behind a switch is off, and neither is asked first', () => {
  const sources = [source('a', { needs: ['SIMILARWEB_API_KEY'] }), source('b'), source('c', { needs: ['SIGHTLINE_APPMARKET_SEARCH'] })];
  assert.deepEqual(wordsOf(sources), ['no_key', 'in_use', 'off']);
  assert.deepEqual(wordsOf(sources, {}, { SIMILARWEB_API_KEY: 'k', SIGHTLINE_SOURCES_OFF: 'b' }), ['environment', 'off', 'off']);
  assert.deepEqual(wordsOf(sources, {}, { SIGHTLINE_SOURCES_OFF: 'a' }), ['off', 'in_use', 'off']);
});

test('a source whose credentials the environment states says so, one with entered credentials is in use or stands by', () => {
  const ofSetting = source('a', { needs: ['SIMILARWEB_API_KEY'] });
  const ofRecipe = source('recipe/b', { keys: [{ variable: 'A_KEY_OF_NO_RECIPE', value: () => 'k' }] });
  const both = source('c', { needs: ['SIMILARWEB_API_KEY', 'X_BEARER_TOKEN'] });
  const environment = { SIMILARWEB_API_KEY: 'k' };
  const settings = withEntered(
    readSettings(environment),
    new Map([
      ['X_BEARER_TOKEN', 'k'],
      ['SIMILARWEB_API_KEY', 'other'],
    ]),
  );
  const words = sourceWords([ofRecipe, ofSetting, both], settings, NOW);
  assert.deepEqual([...words.values()], ['in_use', 'environment', 'standing_by']);
  const entered = withEntered(readSettings({}), new Map([['SIMILARWEB_API_KEY', 'k']]));
  assert.deepEqual([...sourceWords([ofSetting], entered, NOW).values()], ['in_use']);
  assert.deepEqual(wordsOf([ofSetting], { a: { restingUntil: '2026-11-28T00:00:00Z' } }, environment), ['resting']);
  assert.deepEqual(wordsOf([source('d', { needs: ['SIMILARWEB_API_KEY'], sunset })], {}, environment), ['ending']);
  process.env.A_KEY_OF_NO_RECIPE = 'k';
  assert.deepEqual([...sourceWords([ofRecipe], settings, NOW).values()], ['environment']);
  delete process.env.A_KEY_OF_NO_RECIPE;
});

test('the worst state is named: failing or refused, resting, drifting, ending', () => {
  const of = (health: Partial<Health>): string | undefined => wordsOf([source('a', { sunset })], { a: health })[0];
  const failures = { attempts: 10, found: 0, absent: 0, successShare: 0.2, medianMs: 1, hours: [] };
  assert.equal(of({}), 'ending');
  assert.equal(of({ drifting: ['organic'] }), 'drifting');
  assert.equal(of({ drifting: ['organic'], restingUntil: '2026-11-28T00:00:00Z' }), 'resting');
  assert.equal(of({ restingUntil: '2026-11-28T00:00:00Z', last24h: { ...failures, failures: { timeout: 8 } } }), 'failing');
  assert.equal(of({ last24h: { ...failures, failures: { refused: 7, timeout: 1 } } }), 'refused');
  assert.equal(of({ breaker: 'open' }), 'failing');
  assert.equal(of({ last24h: { ...failures, attempts: 4, failures: { refused: 4 } } }), 'ending', 'too few attempts to say so');
});
