import { type Answer, textOf } from '../../../upstream/answer.ts';
import { found, type Outcome } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { appOf } from './app.ts';
import { categoryOf } from './category.ts';
import { type DeveloperPage, developerPageOf } from './developer.ts';
import { failureOf } from './failures.ts';
import type { Page } from './html-page.ts';
import { type LazyFrame, lazyFrameOf } from './lazy-frame.ts';
import { readHtml } from './relevant-html.ts';
import { reviewsOf } from './reviews.ts';
import { searchOf } from './search.ts';

/** Interprets the status of the answer first, then its page. `thing` names the resource in the error message: `app "acme-reviews"`. */
function read<R>(answer: Answer, thing: string, parsePage: (page: Page, html: string) => Outcome<R>): Outcome<R> {
  const html = textOf(answer);
  return failureOf(answer, html, thing) ?? readHtml(html, (page) => parsePage(page, html));
}

/** `/{handle}` */
export const readApp: Reader<'app'> = (answer, { handle }) =>
  read(answer, `app "${handle}"`, (page, html) => appOf(page, html, answer.url, handle));

/** `/{handle}/reviews`: the answer to `app-reviews` and to `appstore-reviews`. */
export const readReviews = (answer: Answer, input: { handle: string; page: number }): ReturnType<typeof reviewsOf> =>
  read(answer, `app "${input.handle}"`, (page, html) => reviewsOf(page, html, answer.url, input));

/** `/search?q=`, or the frame of its results alone. */
export const readSearch: Reader<'app-keywords'> = (answer, input) =>
  read(answer, 'search for this keyword', (page, html) => searchOf(page, html, input));

/** `/categories/{handle}` and `/categories/{handle}/all` */
export const readCategory: Reader<'appstore-category'> = (answer, input) =>
  read(answer, `category "${input.handle}"`, (page, html) => categoryOf(page, html, answer.url, input.page));

/** `/partners/{handle}?page=`: one page of a developer's apps. */
export const readDeveloperPage = (answer: Answer, input: { handle: string; page: number }): Outcome<DeveloperPage> =>
  read(answer, `developer "${input.handle}"`, (page, html) => developerPageOf(page, html, answer.url, input.page));

/** The apps of the first page; the connector joins several. */
export const readDeveloper: Reader<'app-developer'> = (answer, { handle }) => {
  const outcome = readDeveloperPage(answer, { handle, page: 1 });
  return outcome.tag === 'found' ? found(outcome.resource.profile, undefined, outcome.unread) : outcome;
};

/** The frame of a page whose content is loaded by a second request. */
export const readLazyFrame = (answer: Answer, input: { page: number }): LazyFrame | null => lazyFrameOf(textOf(answer), input.page);
