import { isObject, type JsonObject } from '../../../contract/json-object.ts';
import { boundedJson } from '../../../upstream/answer.ts';
import type { Element } from '../../html/element.ts';
import { type Page, planOf, selectorsIn } from '../../html/page.ts';
import { rawText } from '../../html/text.ts';
import { numberIn as jsonNumberIn, objectOf, textIn } from '../../untyped-json.ts';

export const SELECTORS = selectorsIn(new URL('./layout.tsv', import.meta.url));
export const PLAN = planOf(SELECTORS);

/** One line: white space collapsed, trimmed, NFC; null if nothing is left. */
export const fold = (text: string | null | undefined): string | null => text?.replace(/\s+/g, ' ').trim().normalize('NFC') || null;
/** Text with its line breaks: white space collapsed within a line, at most one blank line in a row; may be `""`. */
export const lines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .normalize('NFC');
export const foldedText = (element: Element | null | undefined): string | null => (element ? fold(rawText(element)) : null);

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
/** "June 10, 2024" (also inside a longer text) as `2024-06-10`; null if there is no such day. */
export function dayIn(text: string | null): string | null {
  const [, name = '', day = '', year = ''] = /\b([A-Z][a-z]+) (\d{1,2}), (\d{4})\b/.exec(text ?? '') ?? [];
  const month = MONTHS.indexOf(name.toLowerCase());
  const date = new Date(Date.UTC(Number(year), month, Number(day)));
  return month >= 0 && date.getUTCDate() === Number(day) ? date.toISOString().slice(0, 10) : null;
}

/** The number that the first group of `form` matches: "3,352" is 3352; null for other texts, also for rounded numbers such as "2.9K". */
export function numberIn(text: string | null | undefined, form: RegExp): number | null {
  const digits = form.exec(text ?? '')?.[1] ?? '';
  return /^\d{1,3}(?:,\d{3})+$|^\d{1,12}$/.test(digits) ? Number(digits.replaceAll(',', '')) : null;
}

/** The number in the headline "Reviews (3,352)"; null for any other. */
export const reviewsIn = (headline: Element | null): number | null => numberIn(foldedText(headline), /^Reviews ?\(([\d,]+)\)$/);

const NO_REVIEWS =
  /^(?:there are |sorry, )?(?:this app (?:has (?:no|not (?:received|got) any)|hasn['’]t (?:received|got) any|does(?:n['’]t| not) have any)|no) (?:published )?(?:reviews|ratings)(?: yet| so far| for this app){0,2}[.!]?$/i;
/** The store says in words that there are no reviews. */
export const saysNoReviews = (element: Element): boolean => NO_REVIEWS.test(foldedText(element) ?? '');

/** They mark words of a text, and may stand around the whole of it. */
const IN_TEXT = /^(?:svg|span|b|strong|i|em|u|small|bdi|bdo)$/;
/** One text, without boxes in it. */
export const isLeaf = ({ children }: Element): boolean =>
  children.every((child) => typeof child === 'string' || (IN_TEXT.test(child.name) && isLeaf(child)));
/** The innermost element that holds all that an element holds: no wrapper. */
export function unwrapped(element: Element): Element {
  const [child, other] = element.children.filter((one) => typeof one !== 'string' || one.trim() !== '');
  return typeof child === 'object' && other === undefined ? unwrapped(child) : element;
}
/** The texts of the items of a list. An item that is not closed holds those below it. */
export const itemsOf = (page: Page, list: Element): (string | null)[] =>
  page.all('li', list).map((item) => fold(rawText(item, ({ name }) => name === 'li')));
export const isBlank = (element: Element): boolean => isLeaf(element) && foldedText(element) === null;
export const hasBadge = (page: Page, around: Element): boolean =>
  page.first('badge', around) !== null || page.all('span', around).some((span) => foldedText(span) === 'Built for Shopify');

function candidates(data: unknown): JsonObject[] {
  if (Array.isArray(data)) return data.flatMap(candidates);
  if (!isObject(data)) return [];
  return Array.isArray(data['@graph']) ? data['@graph'].filter(isObject) : [data];
}
/** The values of the first app in the page's JSON-LD (schema.org SoftwareApplication); null if there is none. */
export function statedFacts(page: Page) {
  const documents = page.all('facts').flatMap((script) => candidates(boundedJson(rawText(script))));
  const apps = documents.filter((data) => [data['@type']].flat().includes('SoftwareApplication'));
  // one without a name states nothing of the others
  const app = apps.find(({ name }) => fold(textIn(name)) !== null) ?? apps[0];
  if (!app) return null;
  const ratings = objectOf(app.aggregateRating);
  const counted = ratings?.ratingCount ?? ratings?.reviewCount;
  const count = jsonNumberIn(counted) ?? numberIn(textIn(counted), /^([\d,]+)$/);
  const value = jsonNumberIn(ratings?.ratingValue);
  return {
    name: fold(textIn(app.name)),
    description: textIn(app.description),
    image: textIn([app.image].flat().find((image) => typeof image === 'string' && image !== '')),
    brand: fold(textIn(isObject(app.brand) ? app.brand.name : app.brand)),
    /** With one decimal, as the page shows it; null without reviews. */
    rating: value === null || value <= 0 || value > 5 || count === 0 ? null : value.toFixed(1),
    // 0 means that there is none
    ratingPlace: value === 0 ? null : ratings?.ratingValue,
    reviewCount: count !== null && Number.isInteger(count) && count >= 0 ? count : null,
    reviewCountPlace: counted,
  };
}
export type Facts = NonNullable<ReturnType<typeof statedFacts>>;
