import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWhole } from './service.ts';

test('a restart of the service does not reset the daily cap of a paid source', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-cap-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const statuses: number[] = [];
  let headers: Record<string, string> | null = null;
  for (const keywords of [['one', 'two'], ['three', 'four'], ['five']]) {
    const service = await startWhole({
      SIGHTLINE_DATA_DIR: folder,
      SIGHTLINE_SERP_SOURCES: 'dataforseo',
      DATAFORSEO_LOGIN: 'demo',
      DATAFORSEO_PASSWORD: 'demo-secret',
      SIGHTLINE_DAILY_CAPS: JSON.stringify({ dataforseo: { requests: 3 } }),
    });
    headers ??= { 'x-api-key': service.key };
    for (const keyword of keywords) statuses.push((await service.get(`/v1/searchengine/serp?keyword=${keyword}`, headers)).status);
    await service.stop();
  }
  assert.deepEqual(statuses, [200, 200, 200, 502, 502]);
});
