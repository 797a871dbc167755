import { isObject, type JsonObject } from '../../contract/json-object.ts';
import { placesOf } from '../tables.ts';
import { isShown, type UnreadFields } from '../unread-fields.ts';
import { listOf, objectsOf } from '../untyped-json.ts';

const plain = (name: string): string => name.replace(/[^a-z]/gi, '').toLowerCase();
/** Features by the names of their sections at any provider, in small letters alone. */
const SECTIONS: ReadonlyMap<string, string> = new Map(
  Object.values(placesOf(new URL('./features.tsv', import.meta.url))).flatMap((places) =>
    Object.entries(places).flatMap(([feature, names]) => [names].flat().map((name) => [plain(name), feature] as const)),
  ),
);
const RELATED = /^related(?:search(?:es)?|queries)$/;
const ENTRIES = /^organic(?:results?)?$/;
/** The name of a rating with something behind it, anywhere in an entry. */
const RATING = /"(?:ratings?|rating_?value|stars)":(?!null|0[,}]|""|\[\]|\{\})/i;
const TOTAL = /^(?:totalresults?|resultstotal|resultscnt|resultscount|numberofresults)$/;
const isNumber = (value: unknown): boolean => /[1-9]/.test(typeof value === 'object' ? '' : String(value));
/** Names below which a provider may put the whole page, its pages, or what is said of it. */
const WRAPPERS = /^(?:data|results?|response|content|pages?|serp|general|search(?:info|information))$/;
const MOST_WRAPPERS = 4;

/**
 * Notes what an answer of a provider holds and its mapping does not give: sections, ads, a generated answer, related searches, ratings, the
 * number of results.
 */
export function noteUnmapped(payload: unknown, ranking: JsonObject, unread: UnreadFields, depth = 0): void {
  for (const page of Array.isArray(payload) ? payload : [payload]) {
    // what has a title is an entry, whose parts are no sections of the page
    if (!isObject(page) || typeof page.title === 'string') continue;
    for (const [key, value] of Object.entries(page)) {
      const name = plain(key);
      if (WRAPPERS.test(name) && depth < MOST_WRAPPERS) noteUnmapped(value, ranking, unread, depth + 1);
      if (TOTAL.test(name) && isNumber(value)) unread.of('totalResults', ranking.totalResults ?? null, true);
      const feature = SECTIONS.get(name);
      // a generated answer may be announced by a flag or be a text
      if (!isShown(value) || (typeof value !== 'object' && feature !== 'ai_overview')) continue;
      if (
        ENTRIES.test(name) &&
        objectsOf(ranking.organic).every(({ rating }) => (rating ?? null) === null) &&
        RATING.test(JSON.stringify(value))
      )
        unread.note('organic.rating');
      if (RELATED.test(name)) unread.of('relatedSearches', listOf(ranking.relatedSearches), value);
      else if (feature === 'ai_overview') unread.of('aiOverview', ranking.aiOverview ?? null, value);
      else if (feature !== undefined && feature !== 'organic' && feature !== 'other') {
        if (feature === 'paid') unread.of('paid', listOf(ranking.paid), value);
        if (!listOf(ranking.features).includes(feature)) unread.note('features');
      }
    }
  }
}
