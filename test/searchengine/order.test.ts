import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../src/settings.ts';
import { inOrder, missingSettings } from '../../src/sources/availability.ts';
import { SOURCES } from '../../src/sources/index.ts';

const serp = SOURCES.filter((s) => s.operations.includes('serp'));
const namesOf = (environment: Record<string, string>): (string | undefined)[] => {
  const settings = readSettings(environment);
  return inOrder(SOURCES, settings)
    .filter((s) => s.operations.includes('serp') && !missingSettings(s, settings).length)
    .map((s) => s.listed?.as);
};
const ALL = {
  DATAFORSEO_LOGIN: 'l',
  DATAFORSEO_PASSWORD: 'p',
  SERPAPI_KEY: 'k',
  SEARXNG_URL: 'https://searx.example',
  SIGHTLINE_BROWSER_URL: 'http://127.0.0.1:9222',
};

test('sources of search results are requested in the order of the setting, and a source that it omits is off', () => {
  assert.deepEqual(namesOf(ALL), ['dataforseo', 'serpapi', 'browser', 'searxng']);
  assert.deepEqual(namesOf({ ...ALL, SIGHTLINE_SERP_SOURCES: 'searxng,browser' }), ['searxng', 'browser']);
  assert.deepEqual(namesOf({}), []);
  const settings = readSettings({ ...ALL, SIGHTLINE_SERP_SOURCES: 'searxng' });
  assert.deepEqual(
    serp.find((s) => s.listed?.as === 'serpapi') && missingSettings(serp.find((s) => s.listed?.as === 'serpapi') as never, settings),
    ['SIGHTLINE_SERP_SOURCES'],
  );
});
test('the order of the other sources is as listed', () => {
  const settings = readSettings({ SIGHTLINE_SERP_SOURCES: 'searxng,browser' });
  const others = (list: typeof SOURCES) => list.filter((s) => !s.listed);
  assert.deepEqual(others(inOrder(SOURCES, settings)), others(SOURCES));
  assert.equal(inOrder(SOURCES, settings).length, SOURCES.length);
});
