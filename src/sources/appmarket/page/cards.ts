import type { Element, Page } from './html-page.ts';
import { appHandleIn, appUrl, cleanUrl, parameterOf } from './links.ts';
import { attributeOf, fold, textOf, wholeNumber } from './text.ts';

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
    url: cleanUrl(link) ?? (handle && !isBuiltIn ? appUrl(handle) : null),
    iconUrl: cleanUrl(value('icon-url') ?? attributeOf(page, page.first('img', element), 'src')),
    surface,
    // the link states the list; without it, an ad is recognised by its offer
    isSponsored: surface === null ? value('offer-token') !== null || parameterOf(link, 'ot') !== null : surface.endsWith('_ad'),
    isBuiltIn,
    place: place !== null && /^\d{1,6}$/.test(place) ? Number(place) : null,
    isBuiltForPlatform: page.isLeaf(element) ? null : page.first('badge', element) !== null || page.first('badgeBox', element) !== null,
  };
}

interface Spans extends CardNumbers {
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
  return { rating: rating === 0 || reviewCount === 0 ? null : rating, reviewCount, others };
}
export const numbersOf = (page: Page, { element }: Card): CardNumbers => {
  const { rating, reviewCount } = readSpans(page, element);
  return { rating, reviewCount };
};

/** The row below the name ends with the price; the tagline follows it. Neither has an attribute, so they are found by their position. */
export function detailsOf(page: Page, { element }: Card): CardDetails {
  const { rating, reviewCount, others } = readSpans(page, element);
  const name = page.first('link', element);
  const under = name && page.parent(name) && page.next(page.parent(name) ?? name);
  const row = under && page.contains(element, under) && page.first('span', under) ? under : null;
  const price = row && others.filter((span) => page.parent(span.element) === row).at(-1);
  const tagline = row ? page.next(row) : under && page.contains(element, under) ? under : null;
  const isTagline = tagline !== null && page.isLeaf(tagline);
  return { rating, reviewCount, pricing: price?.text ?? null, description: isTagline ? textOf(page, tagline) : null };
}
