import assert from 'node:assert/strict';
import type { SearchResult } from '../../src/contract/operations/serp/operation.ts';
import { readGooglePage } from '../../src/sources/searchengine/google/parse.ts';

/** A page of results as the engine sends it to a desktop, read. */
export function found(body: string, keyword = 'tea') {
  const outcome = readGooglePage(
    {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: Buffer.from(`<!doctype html><html><body>${body}</body></html>`),
      url: 'https://www.google.com/search?q=tea',
      atMs: 1_700_000_000_000,
    },
    { keyword, location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' },
  );
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome;
}
export const read = (body: string, keyword?: string): SearchResult => found(body, keyword).resource;
export const urls = (body: string): string[] => read(body).organic.map((entry) => entry.url);
export const column = (...entries: string[]): string => `<div id="search"><div id="rso">${entries.join('')}</div></div>`;
export const entry = (url: string, title: string, shown = url): string =>
  `<div><div data-snc="1"><a href="${url}"><h3>${title}</h3><div><span>Site</span><cite>${shown}</cite></div></a>
   <div data-sncf="1"><span>What the page says about ${title}.</span></div></div></div>`;
export const TEA = entry('https://tea.example/', 'Tea');
/** The heading of a generated answer. */
export const LABEL = '<div role="heading" aria-level="2"><strong>AI Overview</strong></div>';
