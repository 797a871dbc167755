import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '../settings.ts';
import { showSources, sourceTable } from './sources.ts';

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
  assert.match(line('SerpApi'), /serp +Environment$/);
  assert.match(line('registration/rdap'), /In use$/);
  assert.match(line('DataForSEO'), /Off: SIGHTLINE_SERP_SOURCES, DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD$/);
  assert.match(line('forum/api'), /No key: REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET$/);
});

test('what a key alone switches on is listed with what is free, the most lasting first, providers that are built in among them', async (t) => {
  const lines: string[] = [];
  t.mock.method(process.stdout, 'write', (text: string) => lines.push(...text.split('\n')) > 0);
  process.env.SIGHTLINE_DATA_DIR = mkdtempSync(join(tmpdir(), 'sightline-sources-'));
  t.after(() => {
    rmSync(String(process.env.SIGHTLINE_DATA_DIR), { recursive: true });
    delete process.env.SIGHTLINE_DATA_DIR;
  });
  await showSources({});
  t.mock.restoreAll();
  const offers = lines.slice(lines.indexOf('A key alone switches on:') + 1).filter((line) => /=…/.test(line));
  assert.match(offers[0] ?? '', /^(?:SERPAPI_KEY|SCRAPINGDOG_KEY)=… {2}serp by .* Free: .*month/);
  const free = (name: string): string => offers.find((line) => line.startsWith(`${name}=…`)) ?? '';
  assert.match(free('SERPAPI_KEY'), /by SerpApi\. Free: 250 searches a month\./);
  assert.match(free('SERPER_KEY'), /by Serper\. Free: 2,500 searches once/);
  const unknown = offers.findIndex((line) => line.includes('Free: see the provider'));
  assert.ok(unknown > 0 && offers.slice(unknown).every((line) => line.includes('Free: see the provider')), offers.join('\n'));
});
