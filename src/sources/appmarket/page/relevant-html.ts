import { type Outcome, tooComplex } from '../../outcome.ts';
import { openPage, type Page } from './html-page.ts';

/** A page that holds none of these words is none that we can read. */
const WORDS = [
  'data-app-card-',
  'adp-',
  'data-merchant-review',
  'arp-reviews',
  'itemListElement',
  'search_page',
  'app-count',
  '/partners/',
];
/** What must not stand outside of head and main, lest it be overlooked. */
const OUTSIDE = ['data-app-card-', '"adp-', 'data-merchant-review', 'ld+json', 'data-pagination-controls'];

/** A drawing: the stars of ten reviews are half of their page. None that a script, a comment or another drawing begins in, and none of more than 2,000 tags: a regular expression without that limit exhausts the stack. */
const DRAWING = /<svg\b[^<]*(?:<(?!svg\b|!--|\/?script\b|\/svg\b)[^<]*){0,2000}<\/svg\s*>/gi;

/** Head and main of a page: menu, footer and dialogs are a third of its bytes and state nothing about it. Else the whole page. */
export function relevantParts(html: string): string {
  const headEnd = html.indexOf('</head>');
  const from = headEnd < 0 ? -1 : html.indexOf('<main', headEnd);
  const to = from < 0 ? -1 : html.lastIndexOf('</main>');
  if (to < from || from < 0) return html;
  const header = html.slice(headEnd, from);
  const footer = html.slice(to);
  return OUTSIDE.some((word) => header.includes(word) || footer.includes(word)) ? html : html.slice(0, headEnd) + html.slice(from, to);
}

/** Reads the relevant parts of a page, and the whole page where they give nothing and it holds a word of ours at all. */
export function readHtml<R>(html: string, read: (page: Page) => Outcome<R>): Outcome<R> {
  const parts = relevantParts(html);
  const page = openPage(parts.replace(DRAWING, ''));
  if (page === null) return tooComplex();
  const outcome = read(page);
  if (outcome.tag === 'found' || parts.length === html.length || !WORDS.some((word) => html.includes(word))) return outcome;
  const whole = openPage(html);
  return whole === null ? tooComplex() : read(whole);
}
