import type { Pagination } from '../../../contract/operations/appmarket.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { unlessCutPage } from '../../cut-answers.ts';
import { hasEndTag, pageText, sourceOf } from '../../html/markup.ts';
import { indexPage, type Page } from '../../html/page.ts';
import { changed, type NotFound, type Outcome, tooComplex, unreachable, withUnread } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { appOf } from './app.ts';
import { PLAN } from './elements.ts';
import { failureOf } from './failures.ts';
import { address, ORIGIN } from './links.ts';
import { categoryOf, type DeveloperPage, developerPageOf, searchOf } from './lists.ts';
import { reviewsOf } from './reviews.ts';

/** A page without any of these words has no format that the parsers know. */
const KNOWN_WORDS = /data-app-card-|adp-|data-merchant-review|arp-reviews|itemListElement|search_page|app-count|\/partners\//;
/** If one of these is outside head and main, the whole page is parsed. */
const OUTSIDE = /data-app-card-|"adp-|data-merchant-review|ld\+json|data-pagination-controls/;
/** Without script, comment or inner `<svg>`, and at most 2,000 tags, for the regular expression's stack: half of a page of reviews. */
const SVG = /<svg\b[^<]*(?:<(?!svg\b|!--|\/?script\b|\/svg\b)[^<]*){0,2000}<\/svg\s*>/gi;

/** Head and main of a page, without menu, footer and dialogs, which are a third of its bytes. The whole page if its structure differs. */
export function relevantParts(html: string): string {
  const headEnd = html.indexOf('</head>');
  const from = headEnd < 0 ? -1 : html.indexOf('<main', headEnd);
  const to = from < 0 ? -1 : html.lastIndexOf('</main>');
  if (to < from || from < 0) return html;
  return OUTSIDE.test(html.slice(headEnd, from)) || OUTSIDE.test(html.slice(to)) ? html : html.slice(0, headEnd) + html.slice(from, to);
}

/** Status first, then the relevant parts of the page, then the whole page if it has a known word. `thing`: `app "acme-reviews"`. */
function read<R>(answer: Answer, thing: string, parsePage: (page: Page) => Outcome<R>): Outcome<R> {
  const html = pageText(answer);
  const failure = failureOf(answer, html, thing);
  if (failure) return failure;
  const parts = relevantParts(html);
  const outcome = readMarkup(answer, parts.replace(SVG, ''), parsePage);
  if (outcome.tag === 'found') return unfitOf(html) ?? outcome;
  if (parts.length === html.length || !KNOWN_WORDS.test(html)) return unlessCutPage(outcome, answer);
  const whole = readMarkup(answer, html, parsePage);
  return whole.tag === 'found' ? (unfitOf(html) ?? whole) : unlessCutPage(whole, answer);
}
const BEGIN = /^\s*(?:<!--[\s\S]{0,500}?-->\s*)*<(?:!doctype html|html|(turbo-frame))\b/i;
const LANGUAGE = /<html\b[^<>]{0,500}?(?<![\w-])lang\s*=\s*["']?([\w-]+)/i;
/** Why a page with known elements is not read: it broke off, or it is in a language in which labels and numbers have unknown forms. */
function unfitOf(html: string): NotFound | null {
  const begin = BEGIN.exec(html);
  const ends = begin?.[1] === undefined ? hasEndTag(html) : hasEndTag(html, 'turbo-frame');
  if (begin && !ends) return unreachable('The page of the app marketplace broke off before its end.', 'no end tag');
  const language = LANGUAGE.exec(html.slice(0, 4_000))?.[1] ?? 'en';
  return /^en\b/i.test(language) ? null : changed('The app marketplace answered in another language than English.', `lang="${language}"`);
}
function readMarkup<R>(answer: Answer, markup: string, parsePage: (page: Page) => Outcome<R>): Outcome<R> {
  const page = indexPage(sourceOf(answer.body, markup), PLAN, false);
  return page === null ? tooComplex() : withUnread(parsePage(page), page.unread.paths);
}

/** `changed` if the page says that it is another one than the one that was asked for. */
function pageAsked<R extends { readonly pagination: Pagination }>(outcome: Outcome<R>, asked: number): Outcome<R> {
  const shown = outcome.tag === 'found' ? outcome.resource.pagination.currentPage : asked;
  return shown === asked
    ? outcome
    : changed('The app marketplace answered with another page of the list.', `page ${shown} instead of ${asked}`);
}

/** `/{handle}` */
export const readApp: Reader<'app'> = (answer, { handle }) => read(answer, `app "${handle}"`, (page) => appOf(page, answer.url, handle));

/** `/{handle}/reviews`: the answer to `app-reviews` and to `appstore-reviews`. */
export const readReviews = (answer: Answer, input: { handle: string; page: number }): ReturnType<typeof reviewsOf> =>
  pageAsked(
    read(answer, `app "${input.handle}"`, (page) => reviewsOf(page, answer.url, input)),
    input.page,
  );

/** `/search?q=`, or the frame of its results alone. */
export const readSearch: Reader<'app-keywords'> = (answer, input) =>
  pageAsked(
    read(answer, 'search for this keyword', (page) => searchOf(page, input)),
    input.page,
  );

/** `/categories/{handle}` and `/categories/{handle}/all` */
export const readCategory: Reader<'appstore-category'> = (answer, input) =>
  pageAsked(
    read(answer, `category "${input.handle}"`, (page) => categoryOf(page, answer.url, input.page)),
    input.page,
  );

/** `/partners/{handle}?page=`: one page of a developer's apps. */
export const readDeveloperPage = (answer: Answer, input: { handle: string; page: number }): Outcome<DeveloperPage> =>
  pageAsked(
    read(answer, `developer "${input.handle}"`, (page) => developerPageOf(page, answer.url, input.page)),
    input.page,
  );

/** The apps of the first page; the connector joins several. */
export const readDeveloper: Reader<'app-developer'> = (answer, { handle }) => {
  const outcome = readDeveloperPage(answer, { handle, page: 1 });
  if (outcome.tag !== 'found') return outcome;
  const { profile, pagination, announced } = outcome.resource;
  const isCut = pagination.hasNextPage || (announced !== null && announced > profile.apps.length);
  return withUnread({ ...outcome, resource: profile }, isCut ? ['apps'] : []);
};

/** The first `<turbo-frame>` whose content is to be fetched; null if there is none. `id` is for the header `turbo-frame`. */
export function readLazyFrame(answer: Answer, input: { page: number }): { path: string; id: string | null } | null {
  const page = indexPage(sourceOf(answer.body, pageText(answer)), PLAN, false);
  for (const frame of page?.all('frame', page.first('main')) ?? []) {
    const url = address(frame.attribs.src);
    if (!url || url.origin !== ORIGIN || page?.first('card', frame)) continue;
    if (input.page > 1 || url.searchParams.has('page')) url.searchParams.set('page', String(input.page));
    return { path: url.pathname + url.search, id: frame.attribs.id ?? null };
  }
  return null;
}
