import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERY, EVERY_MS } from '../../contract/account/constants.ts';
import type { Check } from './course.tsx';
import { checksNeeded, isRecent, placeFigures } from './place-figures.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const at = (days: number): string => new Date(NOW - days * 86_400_000).toISOString();
/** Places by the days before now; null: not in the results. */
const checks = (places: Readonly<Record<number, number | null>>, host = 'acme.example'): readonly Check[] =>
  Object.entries(places)
    .map(([days, value]): Check => {
      const series = [{ field: `organic[${host}].rank`, key: null, value }];
      return { at: at(Number(days)), slot: at(Number(days)), outcome: 'same', code: null, credits: 1, source: null, series };
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
const figures = (all: readonly Check[]) => placeFigures(all, NOW).map((stat) => stat.join(' | '));

test('the place now and before, that of up to 30 days ago, and the best since; what is older does not count', () => {
  assert.deepEqual(figures(checks({ 0: 2, 1: 3, 8: 4, 30: 9, 31: 1 })), [
    'acme.example | 2 | place today, 3 yesterday',
    '30 days ago | 9 | 7 places up',
    'Best | 2 | today',
  ]);
  assert.deepEqual(figures(checks({ 1: 5, 8: 4 })), [
    'acme.example | 5 | place yesterday, 4 Nov\u00a018',
    '8 days ago | 4 | 1 place down',
    'Best | 4 | Nov\u00a018',
  ]);
});

test('a site that is not in the results has no place, which is no place 0; one check has no before', () => {
  assert.deepEqual(figures(checks({ 0: null, 3: 4, 6: null })), [
    'acme.example | – | not in the results today, 4 Nov\u00a023',
    '6 days ago | – | not in the results either',
    'Best | 4 | Nov\u00a023',
  ]);
  assert.deepEqual(figures(checks({ 0: null, 3: null })).at(-1), 'Best | – | not in the results');
  assert.deepEqual(figures(checks({ 0: 4 })), ['acme.example | 4 | place today']);
});

test('hosts of one site are one site, at its best place; a check without an answer is left out; a watch about no site has no such figures', () => {
  const [bare, www] = [checks({ 0: null, 1: 7 }), checks({ 0: 3, 1: 9 }, 'www.acme.example')];
  const both = www.map((check, index): Check => ({ ...check, series: [...check.series, ...(bare[index]?.series ?? [])] }));
  const failed: Check = { ...both[0], at: at(0.01), slot: at(0.01), outcome: 'failed', code: 'X', credits: 0, source: null, series: [] };
  assert.deepEqual(figures([failed, ...both])[0], 'acme.example | 3 | place today, 7 yesterday');
  const others = checks({ 0: 1 }).map((check) => ({ ...check, series: [{ field: 'organic.rank', key: 'a', value: 1 }] }));
  assert.deepEqual(figures(others), []);
  assert.deepEqual(figures([]), []);
});

test('the figures of 30 days have the checks of 30 days, however often a watch looks, within what the service gives at once', () => {
  for (const every of EVERY) {
    const days = Math.ceil((checksNeeded(every) * EVERY_MS[every]) / EVERY_MS['1d']);
    assert.ok(days >= 31, `${every}: ${days} days`);
    assert.ok(checksNeeded(every) <= 1000, every);
  }
  assert.equal(checksNeeded('1h'), 744);
  // hourly: the place of 30 days ago, and not that of the hundredth check
  const hourly = Object.fromEntries(Array.from({ length: checksNeeded('1h') }, (_, hour) => [hour / 24, hour >= 720 ? 9 : 2]));
  assert.equal(figures(checks(hourly))[1], '30 days ago | 9 | 7 places up');
  assert.deepEqual(
    [0, 30.4, 30.6].map((days) => isRecent({ at: at(days) }, NOW)),
    [true, true, false],
  );
});
