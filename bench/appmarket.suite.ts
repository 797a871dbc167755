import { deepEqual } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDocument } from 'htmlparser2';
import { type Case, casesOf, countsByCheerio, countsByIndex } from './appmarket.ts';
import { atLeast, atMost, interleaved, type Row } from './measure.ts';

const RECORDINGS = '../shared/recordings/appmarket';
const ROUNDS = 60;
/** Shorter times are within the noise of the clock. */
const LEAST_BYTES = 5_000;
const PAGES_A_SECOND = 50;
const SECONDS = 2;
const TRIES = 4;

/**
 * Longest event loop delay, ms, while the pages are parsed at PAGES_A_SECOND. The suite takes the minimum of several tries, to exclude
 * single pauses of the machine.
 */
async function longestStall(cases: readonly Case[]): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  for (let i = 0; i < PAGES_A_SECOND * SECONDS; i++) {
    cases[i % cases.length]?.reader();
    await sleep(Math.max(0, began + ((i + 1) * 1000) / PAGES_A_SECOND - performance.now()));
  }
  delay.disable();
  return delay.max / 1e6;
}

/**
 * The whole readers against parsing alone, and against the selections of the same selectors through cheerio, on every recorded page. Both must
 * find as many elements.
 */
export async function suite(): Promise<Row[]> {
  if (!existsSync(RECORDINGS)) return [];
  const all = casesOf(RECORDINGS);
  for (const { html, file } of all) deepEqual(countsByIndex(html), countsByCheerio(html), file);
  const pages = all.filter(({ html, reader }) => html.length >= LEAST_BYTES && reader().tag === 'found');
  const figures: { file: string; parse: number; reader: number; cheerio: number }[] = [];
  for (const { file, html, reader } of pages) {
    figures.push({
      file,
      ...(await interleaved({ parse: () => parseDocument(html), reader, cheerio: () => countsByCheerio(html) }, ROUNDS)),
    });
  }
  const sum = (name: 'parse' | 'reader' | 'cheerio') => figures.reduce((total, figure) => total + figure[name], 0);
  const slowest = figures.reduce((a, b) => (b.reader / b.parse > a.reader / a.parse ? b : a));
  const closest = figures.reduce((a, b) => (b.cheerio / b.reader < a.cheerio / a.reader ? b : a));
  const ms = (n: number): string => `${n.toFixed(2)} ms`;
  let stall = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) stall = Math.min(stall, await longestStall(all));
  return [
    atMost(
      'whole reader, times bare parsing, all pages',
      sum('reader') / sum('parse'),
      1.6,
      `${pages.length} pages, ${ms(sum('reader'))} to ${ms(sum('parse'))}`,
    ),
    atMost(
      'whole reader, times bare parsing, worst page',
      slowest.reader / slowest.parse,
      1.6,
      `${ms(slowest.reader)} to ${ms(slowest.parse)}, ${slowest.file}`,
    ),
    atLeast(
      'faster than the same selectors through cheerio, all pages',
      sum('cheerio') / sum('reader'),
      2,
      `${ms(sum('cheerio'))} to ${ms(sum('reader'))}`,
    ),
    atLeast(
      'faster than the same selectors through cheerio, worst page',
      closest.cheerio / closest.reader,
      2,
      `${ms(closest.cheerio)} to ${ms(closest.reader)}, ${closest.file}`,
    ),
    atMost(
      `longest stall of the event loop, ms, at ${PAGES_A_SECOND} pages a second`,
      stall,
      20,
      `${PAGES_A_SECOND * SECONDS} pages in one thread`,
    ),
  ];
}
