import type { AppReviewPage } from '../../../contract/operations/app-reviews/operation.ts';
import { type Element, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { rawText } from '../../html/text.ts';
import { found, foundNothing, type Outcome } from '../../outcome.ts';
import { paginationOf } from './cards.ts';
import { dayIn, fold, foldedText, isBlank, isLeaf, lines, numberIn, reviewsIn, saysNoReviews, statedFacts } from './elements.ts';
import { evidence, unknownPage } from './failures.ts';
import { appHandleIn, appUrl } from './links.ts';
import { noticeOf } from './notice.ts';

type Review = AppReviewPage['reviews'][number];
export const REVIEWS_A_PAGE = 10;
const NO_REVIEWS = evidence('no reviews');
const PAST_LAST_REVIEW = evidence('past the last review');

/** The text of a review, paragraphs separated by a blank line; `""` for a rating without text, null if the block has no text element. */
function contentOf(page: Page, copy: Element | undefined): string | null {
  if (!copy) return null;
  const paragraphs = page.all('p', copy);
  return lines((paragraphs.length > 0 ? paragraphs : [copy]).map((p) => lines(rawText(p))).join('\n\n'));
}

const isDate = (text: string): boolean => /^(?:Edited )?[A-Z][a-z]+ \d{1,2}, \d{4}$/.test(text);
const isTenure = (text: string): boolean => /\busing the app$/i.test(text);

function readReview(page: Page, block: Element, app: Pick<Review, 'appUrl' | 'appName'>): Review {
  const { unread } = page;
  const reply = page.first('reply', block);
  const isOwn = (element: Element): boolean => !reply || !within(element, reply);
  const copy = page.all('copy', block).find(isOwn);
  const stars = page.all('stars', block).find(isOwn);
  // the button that copies the link also has a title
  const name = page.all('titled', block).find((element) => isOwn(element) && element.attribs['data-review-share-link'] === undefined);
  const words = page.all('div', block).flatMap((element) => {
    if (element === name || !isOwn(element) || !isLeaf(element) || (copy && within(element, copy))) return [];
    const text = foldedText(element);
    return text === null ? [] : { text, element };
  });
  const plain = words.map(({ text }) => text);
  // pages of some years have the day in a span
  const spans = page.all('span', block).filter((element) => element !== name && isOwn(element) && !(copy && within(element, copy)));
  const day = [...plain, ...spans.map((element) => foldedText(element) ?? '')].find(isDate);
  // the country has no attribute: it is the text beside the name that has neither numbers nor the words of a tenure
  const side = name ? besideName(page, block, name) : block;
  const beside = words.filter(({ text, element }) => element !== side && within(element, side) && !isTenure(text) && !isDate(text));
  const places = beside.filter(({ text }) => !/\d|\busing\b/i.test(text));
  // of several texts, which one is the country is not known
  const isOne = new Set(places.map(({ text }) => text)).size <= 1;
  const place = isOne ? places[0] : undefined;
  const rating = /^([1-5])(?:\.0)? out of 5 stars$/.exec(fold(stars?.attribs['aria-label']) ?? '')?.[1];
  // values beside the name have no label: a missing one is an element without text, or a text of an unknown form
  const blank = () => page.all('div', side).find((element) => isOwn(element) && isBlank(element));
  return {
    ...app,
    reviewer: unread.of('reviews.reviewer', name ? (fold(name.attribs.title) ?? foldedText(name)) : null, block),
    reviewCreatedDate: unread.of('reviews.reviewCreatedDate', dayIn(day ?? null), block),
    reviewerLocation: unread.of('reviews.reviewerLocation', name ? (place?.text ?? null) : null, isOne ? blank : name),
    reviewerLatestUsedDate: unread.of(
      'reviews.reviewerLatestUsedDate',
      plain.find(isTenure) ?? null,
      () => beside.find(({ text }) => text !== place?.text) ?? blank(),
    ),
    reviewContent: unread.of('reviews.reviewContent', contentOf(page, copy), block),
    reviewId: unread.of('reviews.reviewId', fold(block.attribs['data-review-content-id']), block),
    rating: unread.of('reviews.rating', rating ? Number(rating) : null, block),
  };
}

/** The box of the reviewer: the largest element around the name without the stars and the text. */
function besideName(page: Page, block: Element, name: Element): Element {
  let box = name;
  for (let outer = name.parent; outer && outer !== block; outer = outer.parent) {
    if (page.first('stars', outer) || page.first('copy', outer)) break;
    box = outer;
  }
  return box;
}

const BY_STARS = /[?&]ratings(?:%5B%5D|\[\])=([1-5])\b/i;
/** Number of reviews by stars, five first: from the label, or as printed if that is not rounded. */
function summaryOf(page: Page): { readonly summary: AppReviewPage['summary']; readonly isWhole: boolean } {
  const rows = new Map<string, number>();
  let isWhole = true;
  for (const link of page.all('link')) {
    const { href = '', 'aria-label': said } = link.attribs;
    const label = BY_STARS.exec(href)?.[1];
    const isLabelled = said !== undefined && / total reviews?$/.test(said);
    // a link with more parameters is a filter, or leads to another page of one
    if (!label || (!isLabelled && href.includes('&'))) continue;
    const count = numberIn(fold(said ?? null) ?? foldedText(link), isLabelled ? /^([\d,]+) total/ : /^([\d,]+)$/);
    if (count === null) page.unread.note('summary');
    if (count === null) isWhole = false;
    else if (!rows.has(label)) rows.set(label, count);
  }
  const summary = [...rows].sort(([a], [b]) => Number(b) - Number(a)).map(([label, count]) => ({ label, count }));
  return { summary, isWhole: isWhole && summary.length > 0 };
}

/** One that has lost its id is a review by its stars. */
const isReview = (page: Page, block: Element): boolean =>
  block.attribs['data-review-content-id'] !== undefined || page.first('stars', block) !== null;

const saysNone = (page: Page, section: Element | null): boolean =>
  section !== null &&
  (['p', 'h2', 'h3', 'h4', 'div', 'span'] as const)
    .flatMap((selector) => page.all(selector, section))
    .some((element) => saysNoReviews(element) && !page.isIn('review', element));

/** One page of reviews. A page after the last one is found and empty; a page that should have reviews but has none is not. */
export function reviewsOf(page: Page, url: string, input: { handle: string; page: number }): Outcome<AppReviewPage> {
  const section = page.first('reviewsPage');
  // the store took archived reviews off the list: they count in no number, and stand below every page of it
  const blocks = page.all('review').filter((block) => isReview(page, block) && !page.isIn('archived', block));
  const { summary, isWhole } = summaryOf(page);
  const facts = statedFacts(page);
  const appName = facts?.name ?? foldedText(section && page.first('h1', section));
  const notice = noticeOf(page);
  if (notice) return notice;
  if (page.first('hero') || appName === null || (!section && blocks.length === 0))
    return unknownPage(page, 'reviews', 'no list of reviews, or no name of the app');
  const headlines = section ? page.all('h2', section).map(reviewsIn) : [];
  const counts = [facts?.reviewCount ?? null, ...headlines].filter((count) => count !== null);
  const stated = counts.length > 0 ? Math.max(...counts) : null;
  const sum = isWhole ? summary.reduce((all, row) => all + (row.count ?? 0), 0) : null;
  // a level of stars without a row has no reviews, or is not read
  const isCut = sum !== null && summary.length < 5 && (stated ?? 0) > sum;
  if (isCut) page.unread.note('summary');
  // by stars, else in the structured data or the headline; null where the page says nothing of it
  const counted = isCut ? stated : (sum ?? stated);
  const total = counted === null && blocks.length === 0 && saysNone(page, section) ? 0 : counted;
  const before = REVIEWS_A_PAGE * (input.page - 1);
  if (blocks.length === 0) {
    const isLazy = page.all('frame', section).some((frame) => frame.attribs.src !== undefined);
    if (isLazy || total === null || total > before)
      return unknownPage(page, 'reviews', isLazy ? 'the list is in a lazy frame' : 'the list is missing');
  }
  const app = { appUrl: appUrl(appHandleIn(url) ?? input.handle), appName };
  const reviews = blocks.map((block) => readReview(page, block, app));
  const resource = { reviews, summary, pagination: paginationOf(page, input.page, { before, shown: blocks.length, stated: total }) };
  return blocks.length === 0 ? foundNothing(total === 0 ? NO_REVIEWS : PAST_LAST_REVIEW, resource) : found(resource);
}
