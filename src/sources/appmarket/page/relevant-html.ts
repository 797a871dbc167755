import { type Outcome, tooComplex, withUnread } from '../../outcome.ts';
import { openPage, type Page } from './html-page.ts';

/** A page without any of these words has no format that the parsers know. */
const KNOWN_WORDS = [
  'data-app-card-',
  'adp-',
  'data-merchant-review',
  'arp-reviews',
  'itemListElement',
  'search_page',
  'app-count',
  '/partners/',
];
/** If one of these is outside head and main, the whole page is parsed. */
const OUTSIDE = ['data-app-card-', '"adp-', 'data-merchant-review', 'ld+json', 'data-pagination-controls'];

/**
 * An `<svg>` that contains no script, comment or other `<svg>`, and at most 2,000 tags (more would exhaust the stack of the regular
 * expression): the stars of ten reviews are half of their page.
 */
const SVG = /<svg\b[^<]*(?:<(?!svg\b|!--|\/?script\b|\/svg\b)[^<]*){0,2000}<\/svg\s*>/gi;

/** Head and main of a page, without menu, footer and dialogs, which are a third of its bytes. The whole page if its structure differs. */
export function relevantParts(html: string): string {
  const headEnd = html.indexOf('</head>');
  const from = headEnd < 0 ? -1 : html.indexOf('<main', headEnd);
  const to = from < 0 ? -1 : html.lastIndexOf('</main>');
  if (to < from || from < 0) return html;
  const header = html.slice(headEnd, from);
  const footer = html.slice(to);
  return OUTSIDE.some((word) => header.includes(word) || footer.includes(word)) ? html : html.slice(0, headEnd) + html.slice(from, to);
}

/** Parses the relevant parts of a page; if they give no resource and the page has a known word, parses the whole page. */
export function readHtml<R>(html: string, read: (page: Page) => Outcome<R>): Outcome<R> {
  const parts = relevantParts(html);
  const page = openPage(parts.replace(SVG, ''));
  if (page === null) return tooComplex();
  const outcome = withUnread(read(page), page.unread.paths);
  if (outcome.tag === 'found' || parts.length === html.length || !KNOWN_WORDS.some((word) => html.includes(word))) return outcome;
  const whole = openPage(html);
  return whole === null ? tooComplex() : withUnread(read(whole), whole.unread.paths);
}
