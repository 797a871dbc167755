import { CATEGORY_LEVELS, type CategoryDetail } from '../../../contract/operations/appmarket.ts';
import { found, type Outcome } from '../../outcome.ts';
import { type Card, readCard, shownOf } from './cards.ts';
import { unknownPage } from './failures.ts';
import type { Element, Page } from './html-page.ts';
import { categoryHandleIn, categoryUrl, hasParameter, pathOf } from './links.ts';
import { paginationOf } from './pagination.ts';
import { CARDS_A_PAGE, rank } from './ranking.ts';
import { attributeOf, fold, textOf, wholeNumber } from './text.ts';

type Breadcrumbs = CategoryDetail['breadcrumbs'];

/** The path to the category. The last item has no link: its handle is that of the page itself. */
function breadcrumbsOf(page: Page, own: string | null): Breadcrumbs {
  const crumbs: Breadcrumbs = [];
  for (const item of page.all('crumb')) {
    const link = page.first('link', item);
    const handle = link ? categoryHandleIn(page.attribute(link, 'href')) : own;
    if (handle === null) continue; // the front page, or another page above the categories
    const name = page.unread.of('breadcrumbs.name', textOf(page, page.first('crumbName', item) ?? item), item);
    crumbs.push({ name, url: categoryUrl(handle), handle, parentHandle: crumbs.at(-1)?.handle ?? null });
  }
  return crumbs;
}

/** The sentence below the headline, not the `meta` description, which is written for search engines. */
function descriptionOf(page: Page, main: Element | undefined): string | null {
  const headline = page.first('h1', main);
  const sentence = page.all('h4', main).find((h4) => !page.all('card', main).some((card) => page.contains(card, h4)));
  if (sentence) return page.unread.of('description', textOf(page, sentence), sentence);
  const next = headline && page.next(headline);
  return next && ['h2', 'h3', 'p'].some((selector) => page.all(selector as 'p').includes(next)) ? textOf(page, next) : null;
}

/** Handles of the subcategories: their links carry `surface_detail`, and their handles begin with the handle of this category. */
function subCategoriesOf(page: Page, main: Element | undefined, handle: string, level: CategoryDetail['level']): string[] {
  if (level === 'tertiary') return []; // siblings of a leaf category may begin with its handle, too
  const handles = page.all('link', main).flatMap((link) => {
    const href = page.attribute(link, 'href');
    if (!href?.includes('surface_detail') || hasParameter(href, 'feature_handles') || hasParameter(href, 'programs')) return [];
    const below = categoryHandleIn(href);
    return below?.startsWith(`${handle}-`) && !page.all('nav', main).some((nav) => page.contains(nav, link)) ? below : [];
  });
  return [...new Set(handles)];
}

/** The cards of the ranking, which is inside a frame; the featured groups of a landing page are not part of it. */
function listOf(page: Page, main: Element | undefined, isList: boolean): { cards: Card[]; lazy: boolean } {
  const frames = page.all('frame', main);
  const groups = isList ? [] : page.all('grouping');
  const all = page.all('card').filter((card) => !groups.some((group) => page.contains(group, card)));
  const frame = frames.find((one) => all.some((card) => page.contains(one, card)));
  const cards = all.filter((card) => (frame ? page.contains(frame, card) : isList)).map((card) => readCard(page, card));
  return { cards, lazy: !frame && frames.some((one) => page.attribute(one, 'src') !== null) };
}

/** A category from its list of apps, or from the landing page of a topic or intermediate category. `asked`: the requested page number. */
export function categoryOf(page: Page, html: string, url: string, asked: number): Outcome<CategoryDetail> {
  const canonical = attributeOf(page, page.first('canonical'), 'href') ?? url;
  const own = categoryHandleIn(canonical);
  const main = page.first('main') ?? undefined;
  const breadcrumbs = breadcrumbsOf(page, own);
  const headline = textOf(page, page.first('h1', main))?.replace(/ apps$/, '') ?? null;
  const appCount = wholeNumber(/^([\d,]+) apps?$/i.exec(textOf(page, page.first('appCount')) ?? '')?.[1]);
  const isList = [canonical, url].some((place) => pathOf(place)?.at(-1) === 'all');
  const { cards, lazy } = listOf(page, main, isList);
  if (own === null || page.first('hero') || (breadcrumbs.length === 0 && (headline === null || (cards.length === 0 && appCount === null))))
    return unknownPage(html, 'category', 'not a category page');
  const level = CATEGORY_LEVELS[breadcrumbs.length - 1] ?? null;
  const subCategories = subCategoriesOf(page, main, own, level);
  if (cards.length === 0) {
    const pastTheEnd = appCount !== null && CARDS_A_PAGE * (asked - 1) >= appCount;
    // frames of a landing page hold featured groups, not the list
    const counted = appCount !== null && subCategories.length === 0;
    const awaited = isList || counted ? !pastTheEnd : lazy && level !== 'topic' && level !== 'secondary';
    if (awaited) return unknownPage(html, 'category', lazy ? 'the list is in a lazy frame' : 'the list is missing');
    if (!isList && headline === null && subCategories.length === 0) return unknownPage(html, 'category', 'an empty landing page');
  }
  return found({
    name: page.unread.of('name', fold(breadcrumbs.at(-1)?.name ?? null) ?? headline, main),
    description: descriptionOf(page, main),
    appCount: page.unread.of('appCount', appCount, () => page.first('appCount')),
    apps: rank(cards, asked).map(({ card, position }) => ({
      ...shownOf(page, card),
      isSponsored: card.isSponsored,
      isBuiltForPlatform: card.isBuiltForPlatform,
      position,
    })),
    pagination: paginationOf(page, asked),
    breadcrumbs,
    subCategories,
    level,
  });
}
