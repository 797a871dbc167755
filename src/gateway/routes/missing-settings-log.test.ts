import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMissingSettingsLog } from './missing-settings-log.ts';

test('missing settings are logged once a minute for each operation', () => {
  const lines: object[] = [];
  let now = 0;
  const log = { warn: (facts: object) => void lines.push(facts) };
  const logMissing = createMissingSettingsLog(log, () => now);
  logMissing('serp', ['SERPAPI_KEY']);
  logMissing('serp', ['SERPAPI_KEY']);
  logMissing('forum-search', ['REDDIT_CLIENT_ID']);
  now = 60_000;
  logMissing('serp', ['SERPAPI_KEY']);
  assert.deepEqual(lines, [
    { operation: 'serp', settings: ['SERPAPI_KEY'] },
    { operation: 'forum-search', settings: ['REDDIT_CLIENT_ID'] },
    { operation: 'serp', settings: ['SERPAPI_KEY'] },
  ]);
});
