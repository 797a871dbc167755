import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { PLAN, SELECTORS } from '../src/sources/appmarket/page/elements.ts';
import { readApp, readCategory, readDeveloperPage, readReviews, readSearch } from '../src/sources/appmarket/page/parse.ts';
import { sourceOf } from '../src/sources/html/markup.ts';
import { indexPage } from '../src/sources/html/page.ts';
import type { Outcome } from '../src/sources/outcome.ts';
import type { Answer } from '../src/upstream/answer.ts';

/** How many elements each selector finds through cheerio over htmlparser2. */
export function countsByCheerio(html: string): number[] {
  const $ = load(html, { xml: { xmlMode: false, decodeEntities: true } });
  return PLAN.names.map((name) => $(SELECTORS[name] ?? '').length);
}
/** How many elements each selector finds in the index of the readers. */
export function countsByIndex(html: string): number[] {
  const page = indexPage(sourceOf(Buffer.from(html)), PLAN, false);
  return PLAN.names.map((name) => page?.all(name).length ?? 0);
}

export interface Case {
  readonly file: string;
  readonly html: string;
  /** The complete reader, from the bytes of the answer. */
  readonly reader: () => Outcome;
}

function caseOf(dir: string, file: string): Case {
  const html = readFileSync(join(dir, file), 'utf8');
  const meta = JSON.parse(readFileSync(join(dir, file.replace(/\.html$/, '.meta.json')), 'utf8')) as Pick<
    Answer,
    'url' | 'status' | 'headers'
  >;
  const { url, status, headers = {} } = meta;
  const { pathname, searchParams } = new URL(url);
  const [first = '', second = ''] = pathname.split('/').filter(Boolean);
  const page = Number(searchParams.get('page') ?? 1);
  const answer: Answer = { status, headers, body: Buffer.from(html), url, atMs: 0 };
  const readerOf = (): (() => Outcome) => {
    if (first === 'search') return () => readSearch(answer, { keyword: searchParams.get('q') ?? '', page });
    if (first === 'partners') return () => readDeveloperPage(answer, { handle: second, page });
    if (first === 'categories' || first === 'browse') return () => readCategory(answer, { handle: second, page });
    return second === 'reviews' ? () => readReviews(answer, { handle: first, page }) : () => readApp(answer, { handle: first });
  };
  return { file, html, reader: readerOf() };
}

/** All recorded pages of a folder. */
export const casesOf = (dir: string): Case[] =>
  readdirSync(dir)
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) => caseOf(dir, file));
