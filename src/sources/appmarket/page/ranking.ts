import type { Card } from './cards.ts';

export const CARDS_A_PAGE = 24;
export interface Ranked {
  readonly card: Card;
  readonly position: number;
}

/**
 * Positions of the cards. An organic app is numbered among the organic apps of all pages, an ad among the ads of its page. Built-in
 * features are omitted and not counted. An organic app is listed once, an ad each time it is shown. The numbers of the page are used if it
 * has them, so that positions stay right if part of the page is missing. Numbering per page and numbering over all pages are both accepted.
 */
export function rank(cards: readonly Card[], pageNumber: number): Ranked[] {
  const before = CARDS_A_PAGE * (pageNumber - 1);
  const organic = cards.filter((card) => !card.isSponsored && !card.isBuiltIn);
  const numbers = organic.flatMap(({ place }) => place ?? []);
  const numbered = numbers.length === organic.length && numbers.every((n, i) => n > 0 && (i === 0 || n >= (numbers[i - 1] ?? 0)));
  const overAllPages = numbered && (numbers[0] ?? 0) > before;
  const taken = new Set(numbers);
  // a built-in feature that has a number of the sequence moved the apps below it down by one
  const numberedFeatures = cards.filter(
    (card) => card.isBuiltIn && !card.isSponsored && card.place !== null && card.place > 0 && !taken.has(card.place),
  );
  const seen = new Set<string>();
  let ads = 0;
  let apps = 0;
  return cards.flatMap((card): Ranked[] => {
    if (card.isBuiltIn) return [];
    if (card.isSponsored) return [{ card, position: ++ads }];
    if (card.handle !== null && seen.has(card.handle)) return [];
    if (card.handle !== null) seen.add(card.handle);
    apps++;
    if (!numbered || card.place === null) return [{ card, position: before + apps }];
    const place = card.place - numberedFeatures.filter((feature) => (feature.place ?? 0) < (card.place ?? 0)).length;
    return [{ card, position: overAllPages ? place : before + place }];
  });
}
