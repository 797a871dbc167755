import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../contract/operations/index.ts';
import { readSettings } from '../settings.ts';
import { SOURCES } from '../sources/index.ts';
import { notConfigured } from './failure.ts';

test('501 of a search names licensed providers first, then the ways without an account and what speaks against them', () => {
  const read = OPERATIONS.serp.readInput([['keyword', 'tea']]);
  assert.ok(read.ok);
  const { error, lacking } = notConfigured(SOURCES, readSettings({}), 'serp', read.value, 0);
  assert.match(
    error.message,
    /^No source is configured .*DataForSEO, SerpApi.* own SearXNG or own browser .*robots\.txt and terms exclude.*sightline sources.*Nothing was charged\.$/,
  );
  assert.doesNotMatch(error.message, /google|bing/i);
  assert.equal(lacking[0], 'DATAFORSEO_LOGIN');
  const other = notConfigured(SOURCES, readSettings({}), 'app-keywords', { keyword: 'tea', page: 1 }, 0);
  assert.doesNotMatch(other.error.message, /SearXNG/);
});
