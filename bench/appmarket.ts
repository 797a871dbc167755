import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheerioAPI, load } from 'cheerio';
import type { Element as DomElement } from 'domhandler';
import { appOf } from '../src/sources/appmarket/page/app.ts';
import { categoryOf } from '../src/sources/appmarket/page/category.ts';
import { developerPageOf } from '../src/sources/appmarket/page/developer.ts';
import { failureOf } from '../src/sources/appmarket/page/failures.ts';
import { besideBreaks, type Page } from '../src/sources/appmarket/page/html-page.ts';
import { readApp, readCategory, readDeveloperPage, readReviews, readSearch } from '../src/sources/appmarket/page/parse.ts';
import { reviewsOf } from '../src/sources/appmarket/page/reviews.ts';
import { searchOf } from '../src/sources/appmarket/page/search.ts';
import { cssOf, type SelectorName } from '../src/sources/appmarket/page/selectors.ts';
import type { Outcome } from '../src/sources/outcome.ts';
import { UnreadFields } from '../src/sources/unread-fields.ts';
import { type Answer, textOf } from '../src/upstream/answer.ts';

const isBreak = (node: unknown): boolean => (node as DomElement | null)?.name === 'br';

/** The page interface of the readers, implemented with cheerio over htmlparser2 and the same selectors. */
export function cheerioPage(html: string): Page {
  const $: CheerioAPI = load(html, { xml: { xmlMode: false, decodeEntities: true } });
  const find = (mark: SelectorName, within?: DomElement) => (within ? $(within).find(cssOf(mark)) : $(cssOf(mark)));
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
    unread: new UnreadFields(),
    all: (mark: SelectorName, within?: DomElement) => find(mark, within).toArray(),
    first: (mark: SelectorName, within?: DomElement) => find(mark, within).get(0) ?? null,
    contains: (outer: DomElement, inner: DomElement) => $.contains(outer, inner),
    parent: (element: DomElement) => $(element).parent().get(0) ?? null,
    next: (element: DomElement) => $(element).next().get(0) ?? null,
    attribute: (element: DomElement, name: string) => $(element).attr(name) ?? null,
    raw,
    isLeaf: (element: DomElement) => $(element).children(':not(svg)').length === 0,
  };
  // the cast is safe: a reader passes in only elements that this page returned
  return page as unknown as Page;
}

export interface Case {
  readonly file: string;
  readonly html: string;
  /** The complete reader, from the bytes of the answer. */
  readonly reader: () => Outcome;
  /** The same readers over the cheerio page. */
  readonly cheerioReader: () => Outcome;
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
  const answer: Answer = { status, headers, body: Buffer.from(html), url, at: 0 };
  const made = (reader: () => Outcome, read: (tree: Page, text: string) => Outcome): Case => {
    const cheerioReader = () => {
      const text = textOf(answer);
      return failureOf(answer, text, 'page') ?? read(cheerioPage(text), text);
    };
    return { file, html, reader, cheerioReader };
  };
  if (first === 'search') {
    const input = { keyword: searchParams.get('q') ?? '', page };
    return made(
      () => readSearch(answer, input),
      (tree, text) => searchOf(tree, text, input),
    );
  }
  if (first === 'partners') {
    return made(
      () => readDeveloperPage(answer, { handle: second, page }),
      (tree, text) => developerPageOf(tree, text, url, page),
    );
  }
  if (first === 'categories' || first === 'browse') {
    return made(
      () => readCategory(answer, { handle: second, page }),
      (tree, text) => categoryOf(tree, text, url, page),
    );
  }
  if (second === 'reviews') {
    return made(
      () => readReviews(answer, { handle: first, page }),
      (tree, text) => reviewsOf(tree, text, url, { handle: first, page }),
    );
  }
  return made(
    () => readApp(answer, { handle: first }),
    (tree, text) => appOf(tree, text, url, first),
  );
}

/** All recorded pages of a folder. */
export const casesOf = (dir: string): Case[] =>
  readdirSync(dir)
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) => caseOf(dir, file));
