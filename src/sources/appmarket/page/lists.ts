import type { DeveloperProfile } from '../../../contract/operations/app-developer/operation.ts';
import type { AppKeywordRanking } from '../../../contract/operations/app-keywords/operation.ts';
import type { Pagination } from '../../../contract/operations/appmarket.ts';
import type { CategoryDetail } from '../../../contract/operations/appstore-category/operation.ts';
import { CATEGORY_LEVELS } from '../../../contract/operations/appstore-category/operation.ts';
import { failsForNow } from '../../failure-words.ts';
import { type Element, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { found, foundNothing, type Outcome } from '../../outcome.ts';
import { CARDS_A_PAGE, type Card, cardsOf, detailsOf, numbersOf, paginationOf, rank, shownOf } from './cards.ts';
import { fold, foldedText, isBlank, isLeaf, numberIn } from './elements.ts';
import { evidence, unknownPage } from './failures.ts';
import { categoryHandleIn, categoryUrl, hasParameter, pathOf } from './links.ts';

const COUNT = /(?:^|\s)([\d,]+)\+? (?:results?|apps?)\b/i;
/** The quoted keyword, which may contain numbers. */
const QUOTED = /[“"«].*?[”"»]/g;
const NONE =
  /^(?:sorry,? )?(?:no (?:results|apps|matches)\b|(?:we )?(?:couldn.t|could not|didn.t|did not) find any\b|try (?:a )?different keywords?\b)/i;

const NO_RESULTS = evidence('no results');
const PAST_LAST_APP = evidence('past the last app');
const NO_APPS = evidence('no apps');

/** The number in "1,234 results for …" or "56 apps"; 0 if the page states that no result was found; else null. */
function statedCount(page: Page, around: Element | null): number | null {
  const texts = (['h1', 'h2', 'p'] as const).flatMap((selector) => page.all(selector, around)).map(foldedText);
  // a page that failed may advise another keyword, too
  const hasFailed = texts.some((text) => text !== null && failsForNow(text, 'list'));
  const counts = texts.flatMap((text) => {
    const unquoted = (text ?? '').replace(QUOTED, '');
    return numberIn(unquoted, COUNT) ?? (NONE.test(unquoted) && !hasFailed ? 0 : []);
  });
  const marked = numberIn(foldedText(page.first('appCount', around)), COUNT) ?? counts[0];
  return marked ?? countsAlone(page, around)[0] ?? null;
}

/** "42 results for seo" as the whole text of an element without a name. */
const countsAlone = (page: Page, around: Element | null): number[] =>
  (['div', 'span'] as const)
    .flatMap((selector) => page.all(selector, around))
    .filter((element) => isLeaf(element) && !page.isIn('card', element))
    .flatMap((element) => numberIn(foldedText(element), /^([\d,]+)\+? results?(?: (?:for|found)\b.*)?$/i) ?? []);

/** A headline that is blank, or states a number in words that are not known; the keyword is none. */
function unknownCount(page: Page, around: Element | null, keyword: string): Element | undefined {
  const isNumber = (text: string) => /\p{Nd}/u.test(text.replace(QUOTED, '').toLowerCase().replaceAll(keyword.toLowerCase(), ''));
  return page.all('h1', around).find((headline) => isBlank(headline) || isNumber(foldedText(headline) ?? ''));
}

/** Without the cards of another list, such as popular apps, which a page shows beside its own or in place of it. */
const cardsIn = (list: (typeof LISTS)[number], cards: readonly Card[]): Card[] =>
  cards.filter(({ surface }) => !LISTS.some((other) => other !== list && surface?.startsWith(other)));
const LISTS = ['home', 'search', 'category', 'partners', 'app_details', 'navbar'] as const;

const placementOf = ({ card: { isSponsored, isBuiltForPlatform }, position }: ReturnType<typeof rank>[number]) => {
  return { isSponsored, isBuiltForPlatform, position };
};

const SUGGESTED = /\b(?:popular|recommend\w*|suggest\w*|trending|featured|similar|other apps|(?:might|may)(?: also)? like|instead)\b/i;
/** Beside "0 results": apps that the page offers in place of results, by their list or by the headline above them. */
function isSuggested(page: Page, around: Element | null, { element, surface }: Card): boolean {
  if (surface !== null && !/^search(?:_ad)?$/.test(surface)) return true;
  const headlines = (['h2', 'h3', 'h4', 'p'] as const).flatMap((selector) => page.all(selector, around));
  return headlines.some(
    (headline) => headline.from < element.from && SUGGESTED.test(foldedText(headline) ?? '') && !page.isIn('card', headline),
  );
}

/** The ranking of a search page, or of its frame alone. A frame that is not loaded yet is `changed`. */
export function searchOf(page: Page, input: { keyword: string; page: number }): Outcome<AppKeywordRanking> {
  const frame = page.first('searchFrame');
  const around = frame ?? page.first('main');
  const count = statedCount(page, around);
  const listed = frame ? cardsIn('search', cardsOf(page, frame)) : cardsOf(page).filter(({ surface }) => surface?.startsWith('search'));
  const cards = count === 0 ? listed.filter((card) => !isSuggested(page, around, card)) : listed;
  if (page.first('hero') || page.first('reviewsPage') || page.first('crumb') || (!frame && listed.length === 0))
    return unknownPage(page, 'search', 'no frame of results');
  if (cards.length === 0 && frame?.attribs.src !== undefined) return unknownPage(page, 'search', 'the list is in a lazy frame');
  const ranked = rank(cards, input.page);
  // an ad is shown where nothing was found, too
  const isContradicted = count === 0 && ranked.some(({ card }) => !card.isSponsored);
  if (isContradicted) page.unread.note('totalCount');
  const totalCount = isContradicted ? null : count;
  const missing = totalCount === null || totalCount > CARDS_A_PAGE * (input.page - 1);
  if (cards.length === 0 && totalCount !== 0 && missing) return unknownPage(page, 'search', 'the list is missing');
  const extent = {
    before: CARDS_A_PAGE * (input.page - 1),
    shown: ranked.filter(({ card }) => !card.isSponsored).length,
    stated: totalCount,
  };
  const pagination = paginationOf(page, input.page, extent);
  if (totalCount === 0 && pagination.hasNextPage) return unknownPage(page, 'search', 'no results, and a next page');
  const ranking: AppKeywordRanking = {
    keyword: input.keyword,
    totalCount: page.unread.of('totalCount', totalCount, () => page.first('appCount', around) ?? unknownCount(page, around, input.keyword)),
    apps: ranked.map((entry) => ({
      ...shownOf(page, entry.card),
      developer: null, // not on the cards
      ...placementOf(entry),
      rating: numbersOf(page, entry.card, false).rating,
    })),
    pagination,
    hasResults: totalCount === null ? ranked.length > 0 : totalCount > 0,
  };
  return totalCount === 0 && ranked.length === 0 ? foundNothing(NO_RESULTS, ranking) : found(ranking);
}

/** The path to the category. The last item has no link: its handle is that of the page itself. */
function breadcrumbsOf(page: Page, own: string | null): CategoryDetail['breadcrumbs'] {
  const crumbs: CategoryDetail['breadcrumbs'] = [];
  for (const item of page.all('crumb')) {
    const link = page.first('link', item);
    const handle = link ? categoryHandleIn(link.attribs.href) : own;
    if (handle === null) continue; // the front page, or another page above the categories
    const name = page.unread.of('breadcrumbs.name', foldedText(page.first('crumbName', item) ?? item), item);
    crumbs.push({ name, url: categoryUrl(handle), handle, parentHandle: crumbs.at(-1)?.handle ?? null });
  }
  return crumbs;
}

/** The sentence below the headline, not the `meta` description, which is written for search engines. */
function descriptionOf(page: Page, main: Element | null): string | null {
  const sentence = page.all('h4', main).find((h4) => !page.isIn('card', h4));
  if (sentence) return page.unread.of('description', foldedText(sentence), sentence);
  const next = page.first('h1', main)?.next;
  return next && /^(?:h2|h3|p)$/.test(next.name) ? foldedText(next) : null;
}

/** Handles of the subcategories: their links carry `surface_detail`, and their handles begin with the handle of this category. */
function subCategoriesOf(page: Page, main: Element | null, handle: string, level: CategoryDetail['level']): string[] {
  if (level === 'tertiary') return []; // siblings of a leaf category may begin with its handle, too
  const handles = page.all('link', main).flatMap((link) => {
    const { href } = link.attribs;
    if (!href?.includes('surface_detail') || hasParameter(href, 'feature_handles') || hasParameter(href, 'programs')) return [];
    const below = categoryHandleIn(href);
    return below?.startsWith(`${handle}-`) && !page.isIn('nav', link) ? below : [];
  });
  return [...new Set(handles)];
}

/** The cards of the ranking, which is inside a frame; the featured groups of a landing page are not part of it. */
function rankedCards(page: Page, main: Element | null, isList: boolean): { cards: Card[]; lazy: boolean } {
  const frames = page.all('frame', main);
  const all = cardsIn('category', cardsOf(page)).filter(({ element }) => isList || !page.isIn('grouping', element));
  const frame = frames.find((one) => all.some(({ element }) => within(element, one)));
  const cards = all.filter(({ element }) => (frame ? within(element, frame) : isList));
  return { cards, lazy: !frame && frames.some((one) => one.attribs.src !== undefined) };
}

/** A category from its list of apps, or from the landing page of a topic or intermediate category. `asked`: the requested page number. */
export function categoryOf(page: Page, url: string, asked: number): Outcome<CategoryDetail> {
  const canonical = fold(page.first('canonical')?.attribs.href) ?? url;
  const own = categoryHandleIn(canonical);
  const main = page.first('main');
  const breadcrumbs = breadcrumbsOf(page, own);
  const headline = foldedText(page.first('h1', main))?.replace(/ apps$/, '') ?? null;
  const count = numberIn(foldedText(page.first('appCount')), /^([\d,]+) apps?$/i);
  const isList = [canonical, url].some((place) => pathOf(place)?.at(-1) === 'all');
  const { cards, lazy } = rankedCards(page, main, isList);
  const appCount = count === 0 && cards.length > 0 ? null : count;
  if (own === null || page.first('hero') || (breadcrumbs.length === 0 && (headline === null || (cards.length === 0 && appCount === null))))
    return unknownPage(page, 'category', 'not a category page');
  const level = CATEGORY_LEVELS[breadcrumbs.length - 1] ?? null;
  const subCategories = subCategoriesOf(page, main, own, level);
  if (cards.length === 0) {
    const pastTheEnd = appCount !== null && CARDS_A_PAGE * (asked - 1) >= appCount;
    // frames of a landing page hold featured groups, not the list
    const counted = appCount !== null && subCategories.length === 0;
    const awaited = isList || counted ? !pastTheEnd : lazy && level !== 'topic' && level !== 'secondary';
    if (awaited) return unknownPage(page, 'category', lazy ? 'the list is in a lazy frame' : 'the list is missing');
    if (!isList && headline === null && subCategories.length === 0) return unknownPage(page, 'category', 'an empty landing page');
  }
  const ranked = rank(cards, asked);
  const shown = ranked.filter(({ card }) => !card.isSponsored).length;
  const detail: CategoryDetail = {
    name: page.unread.of('name', fold(breadcrumbs.at(-1)?.name) ?? headline, main),
    description: descriptionOf(page, main),
    appCount: page.unread.of('appCount', appCount, () => page.first('appCount')),
    apps: ranked.map((entry) => ({ ...shownOf(page, entry.card), ...placementOf(entry) })),
    pagination: paginationOf(page, asked, { before: CARDS_A_PAGE * (asked - 1), shown, stated: appCount }),
    breadcrumbs,
    subCategories,
    level,
  };
  // a landing page has no list of apps of its own
  return ranked.length === 0 && appCount !== null && (isList || asked > 1) ? foundNothing(PAST_LAST_APP, detail) : found(detail);
}

export type DeveloperPage = { readonly profile: DeveloperProfile; readonly pagination: Pagination; readonly announced: number | null };

const NO_OWN_APPS =
  /^(?:sorry,? )?(?:this (?:developer|partner) (?:has no|does(?:n['’]t| not) have any)|no) (?:published )?apps(?: yet| published)?[.!]?$/i;
function announcedCount(page: Page): number | null {
  const all = (['p', 'h2', 'span'] as const).flatMap((selector) => page.all(selector, page.first('main')));
  const outside = all.filter((element) => !page.isIn('card', element));
  return outside
    .map((element) => foldedText(element) ?? '')
    .flatMap((text) => numberIn(text, /^([\d,]+) apps?(?: published)?$/i) ?? (NO_OWN_APPS.test(text) ? 0 : []))
    .reduce<number | null>((most, n) => Math.max(most ?? 0, n), null);
}

/** Cards of the developer's own apps, without those of other lists (similar, popular). */
function ownAmong(cards: readonly Card[]): Card[] {
  const own = cards.filter((card) => card.surface === 'partners');
  const seen = new Set<string | null>();
  return (own.length > 0 ? own : cardsIn('partners', cards)).filter((card) => {
    if (card.isSponsored || card.isBuiltIn || seen.has(card.handle)) return false;
    seen.add(card.handle);
    return true;
  });
}

export function developerPageOf(page: Page, url: string, asked: number): Outcome<DeveloperPage> {
  const canonical = fold(page.first('canonical')?.attribs.href) ?? url;
  const name = foldedText(page.first('h1', page.first('main')));
  const other = ['hero', 'reviewsPage', 'searchFrame', 'crumb'] as const;
  if (pathOf(canonical)?.[0] !== 'partners' || name === null || other.some((selector) => page.first(selector)))
    return unknownPage(page, 'developer', 'not a developer page');
  const all = cardsOf(page);
  const announced = announcedCount(page);
  const cards = ownAmong(all);
  const pagination = paginationOf(page, asked);
  // an empty list needs a page that states 0 apps
  if (cards.length === 0 && announced !== 0 && asked <= (pagination.totalPages ?? 1))
    return unknownPage(page, 'developer', 'the list is missing');
  const apps = cards.map((card) => ({
    ...shownOf(page, card),
    iconUrl: page.unread.of('apps.iconUrl', card.iconUrl, () => page.first('img', card.element)),
    ...detailsOf(page, card),
  }));
  const developer = { profile: { name, apps }, pagination, announced };
  return announced === 0 ? foundNothing(NO_APPS, developer) : found(developer);
}
