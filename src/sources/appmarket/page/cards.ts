import type { Element, Page } from './html-page.ts';
import { appHandleIn, appUrl, cleanUrl, parameterOf } from './links.ts';
import { attributeOf, fold, hasBadge, textOf, wholeNumber } from './text.ts';

/** An app as shown in a list. */
export interface Card {
  readonly element: Element;
  readonly name: string | null;
  readonly handle: string | null;
  readonly url: string | null;
  readonly iconUrl: string | null;
  /** The list, as stated in the link of the card: `search`, `search_ad`, `category`, `partners`… */
  readonly surface: string | null;
  readonly isSponsored: boolean;
  /** A feature of the platform itself, not an app. */
  readonly isBuiltIn: boolean;
  /** Position as numbered by the page: ads and apps are numbered separately, from 1. */
  readonly place: number | null;
  readonly isBuiltForPlatform: boolean | null;
}
export interface CardNumbers {
  readonly rating: number | null;
  readonly reviewCount: number | null;
}
export interface CardDetails extends CardNumbers {
  readonly pricing: string | null;
  readonly description: string | null;
}

export function readCard(page: Page, element: Element): Card {
  const value = (name: string): string | null => fold(page.attribute(element, `data-app-card-${name}-value`));
  const link = value('app-link') ?? attributeOf(page, page.first('link', element), 'href');
  const surface = parameterOf(link, 'surface_type');
  const handle = value('handle') ?? appHandleIn(link);
  const isBuiltIn = handle?.startsWith('bif:') === true || /\/built-in-features\//.test(link ?? '');
  const place = value('intra-position');
  return {
    element,
    name: value('name') ?? textOf(page, page.first('link', element)),
    handle,
    url: link === null && handle && !isBuiltIn ? appUrl(handle) : cleanUrl(link),
    iconUrl: cleanUrl(value('icon-url') ?? attributeOf(page, page.first('img', element), 'src')),
    surface,
    // the link states the list; without it, an ad is recognised by its offer
    isSponsored: surface === null ? value('offer-token') !== null || parameterOf(link, 'ot') !== null : surface.endsWith('_ad'),
    isBuiltIn,
    place: place !== null && /^\d{1,6}$/.test(place) ? Number(place) : null,
    isBuiltForPlatform: page.isLeaf(element) ? null : hasBadge(page, element),
  };
}

/** The facts of a card that every list shows; each card has them. */
export function shownOf(page: Page, { element, name, url, handle }: Card): Pick<Card, 'name' | 'url' | 'handle'> {
  const { unread } = page;
  return {
    name: unread.of('apps.name', name, element),
    url: unread.of('apps.url', url, element),
    handle: unread.of('apps.handle', handle, element),
  };
}

interface Spans extends CardNumbers {
  /** The card shows something in place of both numbers. */
  readonly hasNumbers: boolean;
  /** Spans that hold neither the rating, nor the count, nor a separator. */
  readonly others: readonly { readonly element: Element; readonly text: string }[];
}
function readSpans(page: Page, card: Element): Spans {
  let rating: number | null = null;
  let reviewCount: number | null = null;
  const others: { element: Element; text: string }[] = [];
  for (const element of page.all('span', card)) {
    const text = textOf(page, element);
    if (text === null || /^(?:[•·|]|\([^)]*\)|out of 5 stars)$/.test(text)) continue;
    const stars = /^(\d(?:\.\d+)?) ?out of 5 stars$/.exec(text)?.[1];
    const total = /^([\d,]+) total reviews?$/.exec(text)?.[1];
    if (stars) rating ??= Number(stars);
    else if (total) reviewCount ??= wholeNumber(total);
    else others.push({ element, text });
  }
  const hasNumbers = rating !== null || reviewCount !== null;
  return { rating: rating === 0 || reviewCount === 0 ? null : rating, reviewCount, hasNumbers, others };
}
/** Rating and number of reviews, which a card shows together. */
export function numbersOf(page: Page, { element }: Card, isShown: { readonly reviewCount: boolean }): CardNumbers {
  const { rating, reviewCount, hasNumbers } = readSpans(page, element);
  if (reviewCount !== 0) page.unread.of('apps.rating', rating, hasNumbers && (reviewCount !== null || rating !== null));
  if (isShown.reviewCount) page.unread.of('apps.reviewCount', reviewCount, hasNumbers);
  return { rating, reviewCount };
}

/** The row below the name ends with the price; the tagline follows it. Neither has an attribute, so they are found by their position. */
export function detailsOf(page: Page, card: Card): CardDetails {
  const { element } = card;
  const { others } = readSpans(page, element);
  const name = page.first('link', element);
  const under = name && page.parent(name) && page.next(page.parent(name) ?? name);
  const row = under && page.contains(element, under) && page.first('span', under) ? under : null;
  const price = row && others.filter((span) => page.parent(span.element) === row).at(-1);
  const tagline = row ? page.next(row) : under && page.contains(element, under) ? under : null;
  const isTagline = tagline !== null && page.isLeaf(tagline);
  return {
    ...numbersOf(page, card, { reviewCount: true }),
    pricing: page.unread.of('apps.pricing', price?.text ?? null, row),
    description: page.unread.of('apps.description', isTagline ? textOf(page, tagline) : null, tagline),
  };
}
