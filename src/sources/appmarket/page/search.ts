import type { AppKeywordRanking } from '../../../contract/operations/appmarket.ts';
import { found, type Outcome } from '../../outcome.ts';
import { numbersOf, readCard, shownOf } from './cards.ts';
import { unknownPage } from './failures.ts';
import type { Element, Page } from './html-page.ts';
import { paginationOf } from './pagination.ts';
import { CARDS_A_PAGE, rank } from './ranking.ts';
import { isBlank, textOf, wholeNumber } from './text.ts';

const COUNT = /(?:^|\s)([\d,]+)\+? (?:results?|apps?)\b/i;
/** The quoted keyword, which may contain numbers. */
const QUOTED = /[“"«].*?[”"»]/g;
const NONE =
  /^(?:no (?:results|apps|matches)\b|(?:we )?(?:couldn.t|could not|didn.t|did not) find any\b|try (?:a )?different keywords?\b)/i;

/** The number in "1,234 results for …" or "56 apps"; 0 if the page states that no result was found; else null. */
function statedCount(page: Page, within: Element | undefined): number | null {
  const counted = wholeNumber(COUNT.exec(textOf(page, page.first('appCount', within)) ?? '')?.[1]);
  if (counted !== null) return counted;
  for (const selector of ['h1', 'h2', 'p'] as const) {
    for (const element of page.all(selector, within)) {
      const text = (textOf(page, element) ?? '').replace(QUOTED, '');
      const count = wholeNumber(COUNT.exec(text)?.[1]);
      if (count !== null) return count;
      if (NONE.test(text)) return 0;
    }
  }
  return null;
}

/** The ranking of a search page, or of its frame alone. A frame that is not loaded yet is `changed`. */
export function searchOf(page: Page, html: string, input: { keyword: string; page: number }): Outcome<AppKeywordRanking> {
  const frame = page.first('searchFrame');
  const cards = page
    .all('card')
    .map((element) => readCard(page, element))
    .filter((card) => (frame ? page.contains(frame, card.element) : /^search/.test(card.surface ?? '')));
  if (page.first('hero') || page.first('reviewsPage') || page.first('crumb') || (!frame && cards.length === 0))
    return unknownPage(html, 'search', 'no frame of results');
  if (cards.length === 0 && (frame ? page.attribute(frame, 'src') !== null : true))
    return unknownPage(html, 'search', 'the list is in a lazy frame');
  const within = frame ?? page.first('main') ?? undefined;
  const totalCount = statedCount(page, within);
  const ranked = rank(cards, input.page);
  const missing = totalCount === null || totalCount > CARDS_A_PAGE * (input.page - 1);
  if (cards.length === 0 && totalCount !== 0 && missing) return unknownPage(html, 'search', 'the list is missing');
  const headline = () => page.first('appCount', within) ?? page.all('h1', within).find((h1) => isBlank(page, h1));
  return found({
    keyword: input.keyword,
    totalCount: page.unread.of('totalCount', totalCount, headline),
    apps: ranked.map(({ card, position }) => ({
      ...shownOf(page, card),
      developer: null, // not on the cards
      isSponsored: card.isSponsored,
      isBuiltForPlatform: card.isBuiltForPlatform,
      position,
      rating: numbersOf(page, card, { reviewCount: false }).rating,
    })),
    pagination: paginationOf(page, input.page),
    hasResults: totalCount === null ? ranked.length > 0 : totalCount > 0,
  });
}
