import type { AppProfile } from '../../../contract/operations/appmarket.ts';
import type { Element, Page } from './html-page.ts';
import { attributeOf, fold, isBlank, textOf } from './text.ts';

type Plan = AppProfile['pricings'][number];

/** "$19/month" as amount and period, both as shown; "Free to install" has no period. Formats since 2019. */
export function splitPrice(label: string | null): { price: string | null; period: string | null } {
  const text = fold(label);
  if (text === null) return { price: null, period: null };
  const per = /^(.*?\S)\s*\/\s*(\S.*)$/.exec(text);
  if (per) return { price: per[1] ?? null, period: per[2] ?? null };
  const once = /^(\S*\d\S*)\s+(one[ -]time charge)$/i.exec(text);
  return once ? { price: once[1] ?? null, period: once[2] ?? null } : { price: text, period: null };
}

/** Further lines of the plan's head, such as the price per year. */
function headLines(page: Page, card: Element, features: Element | null): string[] {
  const head = page.first('planHead', card);
  return page.all('p', head ?? card).flatMap((p) => {
    if (page.attribute(p, 'data-test-id') !== null) return [];
    if (!head && features && (page.contains(features, p) || page.next(p) === features)) return [];
    const line = textOf(page, p);
    return line !== null && /\d|\bfree\b|\btrial\b/i.test(line) ? line : []; // not a ribbon such as "Most popular"
  });
}

/** The trial period below the card, inside the box that holds this card alone. */
function trialBelow(page: Page, card: Element): string | null {
  for (let box: Element | null = card; box; box = page.parent(box)) {
    if (page.attribute(box, 'data-test-id') === 'pricing-cards-track' || page.all('plan', box).length > 1) return null;
    for (let next = page.next(box); next; next = page.next(next)) {
      const text = next.name === 'p' ? textOf(page, next) : null;
      if (text !== null && /\btrial\b/i.test(text)) return text;
    }
    if (page.attribute(box, 'id') === 'adp-pricing') return null;
  }
  return null;
}

function readPlan(page: Page, card: Element): Plan {
  const price = page.first('planPrice', card);
  const features = page.first('planFeatures', card);
  const charges = textOf(page, page.first('planCharges', card));
  const text = page.first('planText', card);
  // if it contains paragraphs, headLines reads them one by one
  const description = text && !page.first('p', text) ? textOf(page, text) : null;
  const words = [description, charges, ...headLines(page, card, features), trialBelow(page, card)].filter((line) => line !== null);
  const { unread } = page;
  const label = splitPrice(attributeOf(page, price, 'aria-label') ?? textOf(page, price));
  const emptied = () => text ?? page.first('planCharges', card) ?? page.all('p', card).find((p) => isBlank(page, p));
  return {
    name: unread.of('pricings.name', textOf(page, page.first('planName', card)), card),
    price: unread.of('pricings.price', label.price, card),
    period: label.period,
    description: unread.of('pricings.description', words.length > 0 ? [...new Set(words)].join('\n') : null, emptied),
    // the markup closes an item with another opening tag, so that every second item is empty
    features: unread.of(
      'pricings.features',
      features ? page.all('li', features).flatMap((item) => textOf(page, item) ?? []) : [],
      () => textOf(page, features) ?? page.first('li', card),
    ),
  };
}

/** The plans in the order shown; a free app may have none. */
export function readPlans(page: Page): Plan[] {
  const section = page.first('plans');
  return section ? page.all('plan', section).map((card) => readPlan(page, card)) : [];
}
