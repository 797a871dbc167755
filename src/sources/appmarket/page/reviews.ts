import type { AppReviewPage } from '../../../contract/operations/appmarket.ts';
import { found, type Outcome } from '../../outcome.ts';
import { unknownPage } from './failures.ts';
import type { Element, Page } from './html-page.ts';
import { statedFacts } from './json-ld.ts';
import { appHandleIn, appUrl } from './links.ts';
import { paginationOf } from './pagination.ts';
import { attributeOf, dayIn, isBlank, lines, textOf, wholeNumber } from './text.ts';

type Review = AppReviewPage['reviews'][number];
export const REVIEWS_A_PAGE = 10;

/** The text of a review, paragraphs separated by a blank line; `""` for a rating without text, null if the block has no text element. */
function contentOf(page: Page, copy: Element | undefined): string | null {
  if (!copy) return null;
  const paragraphs = page.all('p', copy);
  return lines((paragraphs.length > 0 ? paragraphs : [copy]).map((p) => lines(page.raw(p))).join('\n\n'));
}

const isDate = (text: string): boolean => /^(?:Edited )?[A-Z][a-z]+ \d{1,2}, \d{4}$/.test(text);
const isTenure = (text: string): boolean => /\busing the app$/i.test(text);

function readReview(page: Page, block: Element, app: Pick<Review, 'appUrl' | 'appName'>): Review {
  const reply = page.first('reply', block);
  const own = (element: Element): boolean => !reply || (element !== reply && !page.contains(reply, element));
  const copy = page.all('copy', block).find(own);
  const stars = page.all('stars', block).find(own);
  // the button that copies the link also has a title
  const name = page.all('titled', block).find((element) => own(element) && page.attribute(element, 'data-review-share-link') === null);
  const words: { text: string; element: Element }[] = [];
  for (const element of page.all('div', block)) {
    if (element === name || !own(element) || !page.isLeaf(element)) continue;
    const text = copy && (element === copy || page.contains(copy, element)) ? null : textOf(page, element);
    if (text !== null) words.push({ text, element });
  }
  const plain = words.map(({ text }) => text);
  // the country has no attribute: it is the text beside the name that is neither date nor tenure
  const side = name ? besideName(page, block, name) : block;
  const place = words.find(({ text, element }) => page.contains(side, element) && !isTenure(text) && !isDate(text));
  const rating = /^([1-5])(?:\.0)? out of 5 stars$/.exec(attributeOf(page, stars ?? null, 'aria-label') ?? '')?.[1];
  const { unread } = page;
  // values beside the name have no label: a missing one is an element without text, or a text of an unknown form
  const blank = () => page.all('div', side).find((element) => own(element) && isBlank(page, element));
  return {
    ...app,
    reviewer: unread.of('reviews.reviewer', name ? (attributeOf(page, name, 'title') ?? textOf(page, name)) : null, block),
    reviewCreatedDate: unread.of('reviews.reviewCreatedDate', dayIn(plain.find(isDate) ?? null), block),
    reviewerLocation: unread.of('reviews.reviewerLocation', name ? (place?.text ?? null) : null, blank),
    reviewerLatestUsedDate: unread.of('reviews.reviewerLatestUsedDate', plain.find(isTenure) ?? null, blank),
    reviewContent: unread.of('reviews.reviewContent', contentOf(page, copy), block),
    reviewId: attributeOf(page, block, 'data-review-content-id'),
    rating: unread.of('reviews.rating', rating ? Number(rating) : null, block),
  };
}

/** The box of the reviewer: the largest element around the name without the stars and the text. */
function besideName(page: Page, block: Element, name: Element): Element {
  let box = name;
  for (let outer = page.parent(name); outer && outer !== block; outer = page.parent(outer)) {
    if (page.first('stars', outer) || page.first('copy', outer)) break;
    box = outer;
  }
  return box;
}

/** Number of reviews by stars, five first, from the labels: only they hold exact numbers. */
function summaryOf(page: Page): AppReviewPage['summary'] {
  const rows = new Map<string, number>();
  for (const link of [...page.all('totals'), ...page.all('total')]) {
    const label = /[?&]ratings(?:%5B%5D|\[\])=([1-5])\b/i.exec(page.attribute(link, 'href') ?? '')?.[1];
    const count = wholeNumber(/^([\d,]+) total/.exec(attributeOf(page, link, 'aria-label') ?? '')?.[1]);
    if (label && count !== null && !rows.has(label)) rows.set(label, count);
  }
  return [...rows].sort(([a], [b]) => Number(b) - Number(a)).map(([label, count]) => ({ label, count }));
}

/** One page of reviews. A page after the last one is found and empty; a page that should have reviews but has none is not. */
export function reviewsOf(page: Page, html: string, url: string, input: { handle: string; page: number }): Outcome<AppReviewPage> {
  const section = page.first('reviewsPage');
  const stated = statedFacts(page);
  const blocks = page.all('review').filter((block) => page.attribute(block, 'data-review-content-id') !== null);
  const summary = summaryOf(page);
  const appName = stated?.name ?? textOf(page, section && page.first('h1', section));
  if (page.first('hero') || appName === null || (!section && blocks.length === 0))
    return unknownPage(html, 'reviews', 'no list of reviews, or no name of the app');
  const total = summary.reduce((sum, row) => sum + (row.count ?? 0), 0);
  if (blocks.length === 0) {
    const frame = page.all('frame', section ?? undefined).some((one) => page.attribute(one, 'src') !== null);
    if (frame || input.page * REVIEWS_A_PAGE <= total || (input.page === 1 && total > 0))
      return unknownPage(html, 'reviews', frame ? 'the list is in a lazy frame' : 'the list is missing');
  }
  const app = { appUrl: appUrl(appHandleIn(url) ?? input.handle), appName };
  return found({
    reviews: blocks.map((block) => readReview(page, block, app)),
    summary,
    pagination: paginationOf(page, input.page),
  });
}
