import type { Pagination } from '../../../contract/operations/appmarket.ts';
import { type Element, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { fold, foldedText, hasBadge, isLeaf, numberIn, unwrapped } from './elements.ts';
import { appHandleIn, appUrl, cleanUrl, parameterOf } from './links.ts';

export type Card = ReturnType<typeof readCard>;
export const CARDS_A_PAGE = 24;

export const cardsOf = (page: Page, around?: Element | null): Card[] => page.all('card', around).map((element) => readCard(page, element));

function readCard(page: Page, element: Element) {
  const value = (name: string): string | null => fold(element.attribs[`data-app-card-${name}-value`]);
  const anchor = page.first('link', element);
  const link = value('app-link') ?? fold(anchor?.attribs.href);
  const surface = parameterOf(link, 'surface_type');
  const handle = value('handle') ?? appHandleIn(link);
  const isBuiltIn = handle?.startsWith('bif:') === true || /\/built-in-features\//.test(link ?? '');
  const place = value('intra-position');
  return {
    element,
    name: value('name') ?? foldedText(anchor),
    handle,
    url: link === null && handle && !isBuiltIn ? appUrl(handle) : cleanUrl(link),
    iconUrl: cleanUrl(value('icon-url') ?? fold(page.first('img', element)?.attribs.src)),
    /** The list, as stated in the link of the card: `search`, `search_ad`, `category`, `partners`… */
    surface,
    // the link states the list; without it, an ad is recognised by its offer
    isSponsored: surface === null ? value('offer-token') !== null || parameterOf(link, 'ot') !== null : surface.endsWith('_ad'),
    isBuiltIn,
    /** Position as numbered by the page: ads and apps are numbered separately, from 1. */
    place: place !== null && /^\d{1,6}$/.test(place) ? Number(place) : null,
    isBuiltForPlatform: isLeaf(element) ? null : hasBadge(page, element),
  };
}

export const shownOf = ({ unread }: Page, { element, name, url, handle }: Card): Pick<Card, 'name' | 'url' | 'handle'> => ({
  name: unread.of('apps.name', name, element),
  url: unread.of('apps.url', url, element),
  handle: unread.of('apps.handle', handle, element),
});

/** "(3,352)", or "4,9 von 5 Sternen": a count or a rating, in whatever language. */
const SHOWN_NUMBER = /^[(（][\p{Nd}.,٬'’\sKkMm+]+[)）]$|^\p{Nd}[.,٫]\p{Nd}(?!\p{Nd})/u;
/** Rating and number of reviews, which a card shows together, and its spans that hold neither of them nor a separator. */
export function numbersOf(page: Page, { element }: Card, isCountShown: boolean) {
  let rating: number | null = null;
  let reviewCount: number | null = null;
  let isShown = false;
  let inBrackets: number | null = null;
  const others: Element[] = [];
  for (const span of page.all('span', element)) {
    const text = foldedText(span);
    const isNumber = text !== null && SHOWN_NUMBER.test(text) && !page.isIn('link', span);
    isShown ||= isNumber;
    if (isNumber) inBrackets ??= numberIn(text, /^\(([\d,]+)\)$/);
    if (text === null || /^(?:[•·|]|\([^)]*\)|out of 5 stars)$/.test(text)) continue;
    const stars = /^(\d(?:\.\d+)?) ?out of 5 stars$/.exec(text)?.[1];
    if (stars) rating ??= Number(stars);
    else if (/^\S+ total reviews?$/.test(text)) {
      isShown = true;
      reviewCount ??= numberIn(text, /^([\d,]+) /);
    } else if (!isNumber) others.push(span);
  }
  reviewCount ??= inBrackets;
  const hasNumbers = isShown || rating !== null || reviewCount !== null;
  const isUnrated = reviewCount === 0 || (rating === 0 && reviewCount === null);
  if (rating === 0 || reviewCount === 0) rating = null;
  if (!isUnrated) page.unread.of('apps.rating', rating, hasNumbers);
  if (isCountShown) page.unread.of('apps.reviewCount', reviewCount, hasNumbers);
  return { rating, reviewCount, others };
}

/** The row below the name ends with the price; the tagline follows it. Neither has an attribute, so they are found by their position. */
export function detailsOf(page: Page, card: Card) {
  const { element } = card;
  const { rating, reviewCount, others } = numbersOf(page, card, true);
  const link = page.first('link', element);
  // the name in its box, and in the wrappers around that
  let name = link?.parent ?? null;
  while (name?.parent && name.parent !== element && foldedText(name.parent) === foldedText(link)) name = name.parent;
  const under = name && within(name, element) && name !== element ? name.next : null;
  const row = under && page.first('span', under) ? under : null;
  const price = row && others.filter((span) => within(span, row)).at(-1);
  const tagline = row ? row.next : under;
  const sentence = tagline && unwrapped(tagline);
  return {
    rating,
    reviewCount,
    pricing: page.unread.of('apps.pricing', foldedText(price), row),
    description: page.unread.of('apps.description', sentence && isLeaf(sentence) ? foldedText(sentence) : null, tagline),
  };
}

/**
 * Cards with their positions: organic apps, each once, among those of all pages; ads among those of the page; built-in features are omitted.
 * The page's own numbers, per page or over all pages, are used if it has them: positions stay right if part of the page is missing.
 */
export function rank(cards: readonly Card[], pageNumber: number): { readonly card: Card; readonly position: number }[] {
  const before = CARDS_A_PAGE * (pageNumber - 1);
  const organic = cards.filter((card) => !card.isSponsored && !card.isBuiltIn);
  const numbers = organic.flatMap(({ place }) => place ?? []);
  const numbered = numbers.length === organic.length && numbers.every((n, i) => n > 0 && (i === 0 || n >= (numbers[i - 1] ?? 0)));
  const overAllPages = numbered && (numbers[0] ?? 0) > before;
  const taken = new Set(numbers);
  // a built-in feature that has a number of the sequence moved the apps below it down by one
  const builtIn = cards.filter(({ isBuiltIn, isSponsored }) => isBuiltIn && !isSponsored).flatMap(({ place }) => place || []);
  const features = builtIn.filter((place) => !taken.has(place));
  const seen = new Set<string>();
  let ads = 0;
  let apps = 0;
  return cards.flatMap((card) => {
    const { handle, place } = card;
    if (card.isBuiltIn || (!card.isSponsored && handle !== null && seen.has(handle))) return [];
    if (card.isSponsored) return [{ card, position: ++ads }];
    if (handle !== null) seen.add(handle);
    apps++;
    if (!numbered || place === null) return [{ card, position: before + apps }];
    return [{ card, position: place - features.filter((feature) => feature < place).length + (overAllPages ? 0 : before) }];
  });
}

/** How much a list holds before and on a page, and how much the page says that there is; null: it says nothing. */
interface Extent {
  readonly before: number;
  readonly shown: number;
  readonly stated: number | null;
}
/**
 * By the labels of the page links; without them the first page is the only one, and a later page is past the end. Where the page states more
 * than it lists so far, its pager is not recognised: there is a next page, and the rest is unread.
 */
export function paginationOf(page: Page, asked: number, { before, shown, stated }: Extent = NOT_STATED): Pagination {
  let totalPages: number | null = null;
  let currentPage: number | null = null;
  let hasNextPage = false;
  let linked = 0;
  for (const controls of page.all('pager')) {
    for (const { name, attribs } of page.all('labelled', controls)) {
      const label = attribs['aria-label']?.trim() ?? '';
      if (/^go to next page$/i.test(label) && name === 'button' && attribs.disabled === undefined) hasNextPage = true;
      const [, current, number = ''] = /^(current page, |go to )page ([\d,]+)$/i.exec(label) ?? [];
      if (!current) continue;
      const named = Number(number.replaceAll(',', ''));
      totalPages = Math.max(totalPages ?? 1, named);
      if (/^current/i.test(current)) currentPage ??= named;
    }
    if (page.first('related', controls)) hasNextPage = true;
    for (const { attribs } of page.all('link', controls)) linked = Math.max(linked, Number(parameterOf(attribs.href, 'page')) || 0);
  }
  // without labels that are known, the addresses of the links still say whether there is a page behind this one
  if (totalPages === null && linked > asked) hasNextPage = true;
  // a pager that names a page behind this one
  if ((totalPages ?? 0) > (currentPage ?? asked)) hasNextPage = true;
  if ((totalPages ?? 1) === 1 && !hasNextPage && shown > 0 && stated !== null && stated > before + shown) {
    page.unread.note('pagination');
    return { hasNextPage: true, totalPages: null, currentPage: asked };
  }
  // a page that leads to others without labels that are known is not the only one
  const isUnknown = totalPages === null && (hasNextPage || linked > 0);
  if (isUnknown) page.unread.note('pagination.totalPages');
  return { hasNextPage, totalPages: totalPages ?? (asked === 1 && !isUnknown ? 1 : null), currentPage: currentPage ?? asked };
}
const NOT_STATED: Extent = { before: 0, shown: 0, stated: null };
