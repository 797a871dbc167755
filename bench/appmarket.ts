import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheerioAPI, load } from 'cheerio';
import type { Element as DomElement } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { appOf } from '../src/sources/appmarket/app.ts';
import { categoryOf } from '../src/sources/appmarket/category.ts';
import { developerPageOf } from '../src/sources/appmarket/developer.ts';
import { cssOf, type Mark } from '../src/sources/appmarket/marks.ts';
import { besideBreaks, type Page } from '../src/sources/appmarket/page.ts';
import { readHtml } from '../src/sources/appmarket/parts.ts';
import { reviewsOf } from '../src/sources/appmarket/reviews.ts';
import { searchOf } from '../src/sources/appmarket/search.ts';
import { judge } from '../src/sources/appmarket/walls.ts';
import type { Outcome } from '../src/sources/outcome.ts';

const isBreak = (node: unknown): boolean => (node as DomElement | null)?.name === 'br';

/** The same questions, the same selectors, answered by cheerio over htmlparser2. */
export function cheerioPage(html: string): Page {
  const $: CheerioAPI = load(html, { xml: { xmlMode: false, decodeEntities: true } });
  const find = (mark: Mark, within?: DomElement) => (within ? $(within).find(cssOf(mark)) : $(cssOf(mark)));
  const raw = (element: DomElement): string => {
    if (element.name === 'script') return $(element).html() ?? '';
    if ($(element).find('br, script, style').length === 0) return $(element).text();
    let text = '';
    for (const node of $(element).contents().toArray()) {
      if (node.type === 'text') text += besideBreaks(node.data, isBreak(node.prev), isBreak(node.next));
      else if (node.type === 'tag') text += isBreak(node) ? '\n' : raw(node);
    }
    return text;
  };
  const page = {
    all: (mark: Mark, within?: DomElement) => find(mark, within).toArray(),
    first: (mark: Mark, within?: DomElement) => find(mark, within).get(0) ?? null,
    contains: (outer: DomElement, inner: DomElement) => $.contains(outer, inner),
    parent: (element: DomElement) => $(element).parent().get(0) ?? null,
    next: (element: DomElement) => $(element).next().get(0) ?? null,
    attribute: (element: DomElement, name: string) => $(element).attr(name) ?? null,
    raw,
    isLeaf: (element: DomElement) => $(element).children(':not(svg)').length === 0,
  };
  return page as unknown as Page; // the elements that come back are those that went out
}

interface Case {
  readonly file: string;
  readonly html: string;
  readonly url: string;
  readonly read: (page: Page) => Outcome;
  readonly judged: () => unknown;
}

function caseOf(dir: string, file: string): Case {
  const html = readFileSync(join(dir, file), 'utf8');
  const meta = JSON.parse(readFileSync(join(dir, file.replace(/\.html$/, '.meta.json')), 'utf8')) as { url: string; status: number };
  const url = new URL(meta.url);
  const [first = '', second] = url.pathname.split('/').filter(Boolean);
  const page = Number(url.searchParams.get('page') ?? 1);
  const answer = { status: meta.status, headers: {}, body: new Uint8Array(), url: meta.url, at: 0 };
  const read = (tree: Page): Outcome => {
    if (first === 'search') return searchOf(tree, html, { keyword: url.searchParams.get('q') ?? '', page });
    if (first === 'partners') return developerPageOf(tree, html, meta.url, page);
    if (first === 'categories' || first === 'browse') return categoryOf(tree, html, meta.url, page);
    return second === 'reviews' ? reviewsOf(tree, html, meta.url, { handle: first, page }) : appOf(tree, html, meta.url, first);
  };
  return { file, html, url: meta.url, read, judged: () => judge(answer, html, 'page') };
}
export const casesOf = (dir: string): Case[] =>
  readdirSync(dir)
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) => caseOf(dir, file));

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
function timed(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

export interface ReaderFigures {
  readonly file: string;
  readonly bytes: number;
  readonly readerMs: number;
  readonly parseMs: number;
  readonly cheerioMs: number;
}

/** Whole reader, bare parsing and the cheerio twin, interleaved; the two readers' outputs are asserted equal. Medians of `runs`. */
export function benchReaders(dir: string, runs = 40): ReaderFigures[] {
  const cases = casesOf(dir);
  const rows = cases.map((c) => ({ c, reader: [] as number[], parse: [] as number[], cheerio: [] as number[] }));
  for (const { c } of rows) {
    const ours = JSON.stringify(readHtml(c.html, c.read));
    const twin = JSON.stringify(c.read(cheerioPage(c.html)));
    if (ours !== twin) throw new Error(`${c.file}: the readers differ:\n${ours}\n${twin}`);
  }
  for (let run = -5; run < runs; run++) {
    for (const { c, reader, parse, cheerio } of rows) {
      const times = [
        timed(() => parseDocument(c.html)),
        timed(() => c.judged() ?? readHtml(c.html, c.read)),
        timed(() => c.judged() ?? c.read(cheerioPage(c.html))),
      ];
      if (run < 0) continue; // warming up
      parse.push(times[0] ?? 0);
      reader.push(times[1] ?? 0);
      cheerio.push(times[2] ?? 0);
    }
  }
  return rows.map(({ c, reader, parse, cheerio }) => ({
    file: c.file,
    bytes: c.html.length,
    readerMs: median(reader),
    parseMs: median(parse),
    cheerioMs: median(cheerio),
  }));
}
