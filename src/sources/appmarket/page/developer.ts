import type { DeveloperProfile, Pagination } from '../../../contract/operations/appmarket.ts';
import { found, type Outcome } from '../../outcome.ts';
import { type Card, detailsOf, readCard, shownOf } from './cards.ts';
import { unknownPage } from './failures.ts';
import type { Page } from './html-page.ts';
import { pathOf } from './links.ts';
import { paginationOf } from './pagination.ts';
import { attributeOf, textOf, wholeNumber } from './text.ts';

/** One page of a developer, with the values that joining several pages needs. */
export interface DeveloperPage {
  readonly profile: DeveloperProfile;
  readonly pagination: Pagination;
  /** Number of apps that the page states; null if it states none. */
  readonly announced: number | null;
}

/** "39 apps" in an element outside of the cards. */
function announcedCount(page: Page): number | null {
  const cards = page.all('card');
  for (const selector of ['p', 'h2', 'span'] as const) {
    for (const element of page.all(selector, page.first('main') ?? undefined)) {
      if (cards.some((card) => page.contains(card, element))) continue;
      const count = wholeNumber(/^([\d,]+) apps?(?: published)?$/i.exec(textOf(page, element) ?? '')?.[1]);
      if (count !== null) return count;
    }
  }
  return null;
}

/** Cards of the developer's own apps, without those of other lists (similar, popular). */
function ownCards(page: Page): Card[] {
  const cards = page.all('card').map((element) => readCard(page, element));
  const own = cards.filter((card) => card.surface === 'partners');
  const seen = new Set<string | null>();
  return (own.length > 0 ? own : cards).filter((card) => {
    if (card.isSponsored || card.isBuiltIn || seen.has(card.handle)) return false;
    seen.add(card.handle);
    return true;
  });
}

export function developerPageOf(page: Page, html: string, url: string, asked: number): Outcome<DeveloperPage> {
  const canonical = attributeOf(page, page.first('canonical'), 'href') ?? url;
  const name = textOf(page, page.first('h1', page.first('main') ?? undefined));
  const other = ['hero', 'reviewsPage', 'searchFrame', 'crumb'] as const;
  if (pathOf(canonical)?.[0] !== 'partners' || name === null || other.some((selector) => page.first(selector)))
    return unknownPage(html, 'developer', 'not a developer page');
  const announced = announcedCount(page);
  const cards = ownCards(page);
  const pagination = paginationOf(page, asked);
  // an empty list needs a page that states 0 apps
  if (cards.length === 0 && announced !== 0 && asked <= (pagination.totalPages ?? 1))
    return unknownPage(html, 'developer', 'the list is missing');
  const apps = cards.map((card) => ({
    ...shownOf(page, card),
    iconUrl: page.unread.of('apps.iconUrl', card.iconUrl, () => page.first('img', card.element)),
    ...detailsOf(page, card),
  }));
  return found({ profile: { name, apps }, pagination, announced });
}
