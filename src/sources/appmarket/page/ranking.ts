import type { Card } from './cards.ts';

export const CARDS_A_PAGE = 24;
export interface Ranked {
  readonly card: Card;
  readonly position: number;
}

/**
 * Places as they are sold: an organic app's counts organic apps over all pages, an ad's counts the ads of its page. Built-in features are
 * left out and not counted; an organic app is listed once, an ad as often as it is shown. The page's own numbers are followed
 * where it gives them, so that a page of which a part is missing keeps its places; whether they start afresh on each page was never seen, so both are read.
 */
export function rank(cards: readonly Card[], pageNumber: number): Ranked[] {
  const before = CARDS_A_PAGE * (pageNumber - 1);
  const organic = cards.filter((card) => !card.isSponsored && !card.isBuiltIn);
  const numbers = organic.flatMap(({ place }) => place ?? []);
  const numbered = numbers.length === organic.length && numbers.every((n, i) => n > 0 && (i === 0 || n >= (numbers[i - 1] ?? 0)));
  const goesOn = numbered && (numbers[0] ?? 0) > before;
  const taken = new Set(numbers);
  // a feature that took a number of the sequence pushed the apps below it down
  const pushed = cards.filter(
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
    const place = card.place - pushed.filter((feature) => (feature.place ?? 0) < (card.place ?? 0)).length;
    return [{ card, position: goesOn ? place : before + place }];
  });
}
