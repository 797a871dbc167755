import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../settings.ts';
import { sourceTable } from './sources.ts';

test('the table says who learns of whom where requests of page sources are signed, and nothing of it where they are not', async () => {
  const table = (environment: Record<string, string>) => sourceTable(readSettings(environment), Date.UTC(2026, 10, 22));
  const SIGHTLINE_PUBLIC_URL = 'https://lookups.acme-widgets.com/api';
  assert.doesNotMatch(await table({ SIGHTLINE_PUBLIC_URL }), /signed/);
  assert.match(
    await table({ SIGHTLINE_PUBLIC_URL, SIGHTLINE_SIGN_REQUESTS: '1' }),
    /are signed: every site that is asked sees that they come from https:\/\/lookups\.acme-widgets\.com,/,
  );
});

test('the table of a start lists each source with the word of its state and its missing settings', async () => {
  const lines = (await sourceTable(readSettings({ SERPAPI_KEY: 'k', SIGHTLINE_SERP_SOURCES: 'serpapi' }), Date.UTC(2026, 10, 22))).split(
    '\n',
  );
  const line = (source: string): string => lines.find((l) => l.startsWith(`${source} `)) ?? '';
  assert.match(line('SerpApi'), /serp +In use$/);
  assert.match(line('registration/rdap'), /In use$/);
  assert.match(line('DataForSEO'), /Off: SIGHTLINE_SERP_SOURCES, DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD$/);
  assert.match(line('forum/api'), /No key: REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET$/);
});
