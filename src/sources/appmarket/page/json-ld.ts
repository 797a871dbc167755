import { boundedJson } from '../../../upstream/json-limits.ts';
import { rawText } from '../../html/text.ts';
import { isObject, type JsonObject, numberIn, objectOf, textIn } from '../../untyped-json.ts';
import type { AppPage } from './selectors.ts';
import { fold } from './text.ts';

function candidates(data: unknown): JsonObject[] {
  if (Array.isArray(data)) return data.flatMap(candidates);
  if (!isObject(data)) return [];
  return Array.isArray(data['@graph']) ? data['@graph'].filter(isObject) : [data];
}
/** The values of the first app in the page's JSON-LD (schema.org SoftwareApplication); null if there is none. */
export function statedFacts(page: AppPage) {
  const documents = page.all('facts').flatMap((script) => candidates(boundedJson(rawText(script))));
  const app = documents.find((data) => data['@type'] === 'SoftwareApplication');
  if (!app) return null;
  const ratings = objectOf(app.aggregateRating);
  const count = numberIn(ratings?.ratingCount ?? ratings?.reviewCount);
  const value = numberIn(ratings?.ratingValue);
  return {
    name: fold(textIn(app.name)),
    description: textIn(app.description),
    image: textIn(Array.isArray(app.image) ? app.image[0] : app.image),
    brand: fold(textIn(isObject(app.brand) ? app.brand.name : app.brand)),
    /** With one decimal, as the page shows it; null without reviews. */
    rating: value === null || value === 0 || count === 0 ? null : value.toFixed(1),
    /** What the page states in place of the rating. */
    ratingPlace: ratings?.ratingValue,
    reviewCount: count !== null && Number.isInteger(count) && count >= 0 ? count : null,
  };
}
export type StatedFacts = NonNullable<ReturnType<typeof statedFacts>>;
