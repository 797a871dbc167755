import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log } from '../../telemetry/log.ts';
import { createLacking } from './missing-settings-log.ts';

test('the settings that are missing are logged once a minute for each operation', () => {
  const lines: object[] = [];
  let now = 0;
  const log = { warn: (facts: object) => void lines.push(facts) } as unknown as Log;
  const lacking = createLacking(log, () => now);
  lacking('serp', ['SERPAPI_KEY']);
  lacking('serp', ['SERPAPI_KEY']);
  lacking('forum-search', ['REDDIT_CLIENT_ID']);
  now = 60_000;
  lacking('serp', ['SERPAPI_KEY']);
  assert.deepEqual(lines, [
    { operation: 'serp', settings: ['SERPAPI_KEY'] },
    { operation: 'forum-search', settings: ['REDDIT_CLIENT_ID'] },
    { operation: 'serp', settings: ['SERPAPI_KEY'] },
  ]);
});
