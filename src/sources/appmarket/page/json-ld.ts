import { boundedJson } from '../../../upstream/json-limits.ts';
import { isObject, numberIn } from '../../untyped-json.ts';
import type { Page } from './html-page.ts';
import { fold } from './text.ts';

/** The values of an app in the page's JSON-LD (schema.org SoftwareApplication). */
export interface StatedFacts {
  readonly name: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly brand: string | null;
  /** With one decimal, as the page shows it; null without reviews. */
  readonly rating: string | null;
  readonly reviewCount: number | null;
  /** What the page states in place of the rating. */
  readonly ratingPlace: unknown;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function candidates(data: unknown): unknown[] {
  if (Array.isArray(data)) return data.flatMap(candidates);
  return isObject(data) && Array.isArray(data['@graph']) ? data['@graph'] : [data];
}
/** The first SoftwareApplication of the page; null if there is none. */
export function statedFacts(page: Page): StatedFacts | null {
  for (const script of page.all('facts')) {
    for (const data of candidates(boundedJson(page.raw(script)))) {
      if (!isObject(data) || data['@type'] !== 'SoftwareApplication') continue;
      const ratings = isObject(data.aggregateRating) ? data.aggregateRating : {};
      const count = numberIn(ratings.ratingCount ?? ratings.reviewCount);
      const value = numberIn(ratings.ratingValue);
      const brand = isObject(data.brand) ? data.brand.name : data.brand;
      return {
        name: fold(text(data.name)),
        description: text(data.description),
        image: text(Array.isArray(data.image) ? data.image[0] : data.image),
        brand: fold(text(brand)),
        rating: value === null || value === 0 || count === 0 ? null : value.toFixed(1),
        ratingPlace: ratings.ratingValue,
        reviewCount: count !== null && Number.isInteger(count) && count >= 0 ? count : null,
      };
    }
  }
  return null;
}
