import type { JsonObject } from '../../contract/json-object.ts';
import type { AiOverview, Feature, OrganicEntry } from '../../contract/operations/serp/operation.ts';
import type { Answer } from '../../upstream/answer.ts';
import { failureOfStatus, type NotFound } from '../outcome.ts';
import { fieldsAt, type JsonPlaces, placesOf, reasonsIn } from '../tables.ts';
import { isShown, UnreadFields } from '../unread-fields.ts';
import { listOf, objectOf, objectsOf, strictCountIn, trimmedIn } from '../untyped-json.ts';
import { hostOf } from '../web-address.ts';
import { adAddressOf, addressOf, isBreadcrumb } from './address.ts';
import { type Engine, HOMES } from './links.ts';
import { isRatingLine, noteVotes } from './numbers.ts';
import { ENGINE_NAMES, type ListedAd, type ListedEntry, references } from './result.ts';
import { isNoticeLine, isPendingLine, withoutSources } from './words.ts';

/** The keys under which a source states the facts that all of them state. */
interface EntryForm {
  /** Keys of links, best first. */
  readonly links: readonly string[];
  /** Keys beside the address line that show the site. */
  readonly shown?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly breadcrumb?: string;
  readonly websiteName?: string;
  readonly ratingOf?: (item: JsonObject) => OrganicEntry['rating'];
  readonly ratingPlaces?: JsonPlaces;
  /** Where an answer box states the lines of its list or table, or a short answer alone. */
  readonly boxLines?: (item: JsonObject) => readonly unknown[];
  /** Lines beside the entry that may show a rating. */
  readonly ratingLines?: (item: JsonObject) => readonly string[];
}
/** Reads an entry. What is stated and not understood is unread. */
export function entryReader({ links, shown = [], title, ratingOf, ratingPlaces, ratingLines, boxLines, ...texts }: EntryForm) {
  const unreadIn = fieldsAt({ ...texts, ...ratingPlaces }).unread;
  const textIn = (item: JsonObject, key: string | undefined): string | null => trimmedIn(item[key ?? '']);
  return (item: JsonObject, engine: Engine, isFeaturedSnippet: boolean, unread: UnreadFields): ListedEntry => {
    const stated = links.flatMap((key) => trimmedIn(item[key]) ?? []);
    const line = textIn(item, texts.breadcrumb);
    // what an answer box says, as on a page: the first words, then its list or table
    const more = (isFeaturedSnippet && boxLines?.(item)) || [];
    const entry: ListedEntry = {
      address: addressOf({ engine, links: stated, shown: [texts.breadcrumb, ...shown].map((key) => textIn(item, key)) }),
      link: stated[0] ?? null,
      title: textIn(item, title),
      description: trimmedIn([item[texts.description], ...more].flatMap((text) => trimmedIn(text) ?? []).join(' ')),
      breadcrumb: line !== null && isBreadcrumb(line) ? line : null,
      websiteName: textIn(item, texts.websiteName),
      isFeaturedSnippet,
      rating: ratingOf?.(item) ?? null,
    };
    // "50+ comments · 3 years ago" is what forums and films have in place of an address
    unread.add(unreadIn({ ...entry, breadcrumb: line }, item, 'organic.'));
    if (more.some((text) => objectOf(text) !== null)) unread.note('organic.description');
    const lines = ratingLines?.(item) ?? [];
    if (entry.rating === null && lines.some(isRatingLine)) unread.note('organic.rating');
    noteVotes(entry.rating, lines, unread);
    return entry;
  };
}

/** The cells of a table: in rows, or as a header with its rows. */
export function cellsOf(table: unknown): readonly unknown[] {
  const { table_header, table_content } = objectOf(table) ?? {};
  return [table_header ?? [], listOf(Array.isArray(table) ? table : table_content)].flat(2);
}

/** The entries of a list as objects: one in another form keeps its place, and nothing of it can be read. */
export const placedIn = (list: unknown): readonly JsonObject[] => listOf(list).map((entry) => objectOf(entry) ?? {});

/** Words of lists whose entries `read` understands; one that it does not leaves `path` unread, and so does something else than a list. */
export function wordsListed(
  lists: readonly unknown[],
  path: string,
  read: (entry: unknown) => readonly string[],
  unread: UnreadFields,
): string[] {
  return lists.flatMap((list) => {
    if (!Array.isArray(list)) unread.of(path, null, list);
    return listOf(list).flatMap((entry) => {
      const words = read(entry);
      if (words.length === 0) unread.of(path, null, entry);
      return words;
    });
  });
}

/** Ads under the keys that both providers of them use; `links`: the keys of the address, best first. */
export function adsOf(items: readonly JsonObject[], engine: Engine, links: readonly string[], unread: UnreadFields): ListedAd[] {
  return items.flatMap((item, i): ListedAd[] => {
    const stated = links.map((key) => trimmedIn(item[key]));
    const address = adAddressOf({ engine, links: stated, shown: SHOWN_IN_ADS.map((key) => trimmedIn(item[key])) });
    const title = trimmedIn(item.title);
    if (!title) unread.note('paid.title');
    if (!address) unread.note('paid.url');
    if (!address || !title) return [];
    const description = unread.of('paid.description', trimmedIn(item.description), item.description);
    return [{ rank: strictCountIn(item.rank_group) ?? i + 1, address, title, description, advertiserId: null }];
  });
}
const SHOWN_IN_ADS = ['displayed_link', 'breadcrumb', 'domain'];

/** The stated number of results; 0 is no statement, because the entries beside it contradict it. */
export const totalIn = (value: unknown, unread: UnreadFields): number | null =>
  unread.of('totalResults', strictCountIn(value) || null, value || null);

const FEATURES = placesOf(new URL('./features.tsv', import.meta.url));
/** The features of a page by the names of a provider. */
export const featureTable = (provider: string): ReadonlyMap<string, Feature> =>
  new Map(Object.entries(FEATURES[provider] ?? {}).flatMap(([feature, names]) => [names].flat().map((name) => [name, feature as Feature])));

/** Keys of the elements, of the elements inside an element, and of its lines. */
type OverviewForm = Readonly<{ elements: string; parts: readonly string[]; lines: readonly string[] }>;
/** The generated answer among those that a source states; none that has a text is unread. */
export function overviewIn(stated: readonly unknown[], engine: Engine, form: OverviewForm, unread: UnreadFields): AiOverview | null {
  for (const one of stated) {
    const overview = objectOf(one);
    const parts = new UnreadFields();
    const read = overview && overviewOf(overview, engine, form, parts);
    if (!read) continue;
    unread.add(parts.paths);
    return read;
  }
  // announced in a form that is not known, or in words alone
  return unread.of('aiOverview', null, () => stated.some(Boolean));
}
/** The generated answer as text, one line per element; null if the provider returns only its frame, or what the engine shows in its place. */
function overviewOf(overview: JsonObject, engine: Engine, form: OverviewForm, unread: UnreadFields): AiOverview | null {
  const within = (element: JsonObject): JsonObject[] => [element, ...form.parts.flatMap((key) => objectsOf(element[key])).flatMap(within)];
  const elements = objectsOf(overview[form.elements]).flatMap(within);
  const linesOf = (element: JsonObject): string[] => {
    const stated = [...form.lines.map((key) => trimmedIn(element[key])), ...rowsOf(element)].filter(
      (line) => line !== null && /[^ |]/.test(line),
    );
    return (stated.length > 0 ? stated : [withoutMarkup(trimmedIn(element.markdown))]).filter((line) => line !== null);
  };
  const own = elements.filter((element) => !isCard(element));
  const written = [own, elements].map((parts) => parts.flatMap(linesOf)).find((lines) => lines.length > 0) ?? [];
  const shown = written.length > 0 ? written : [withoutMarkup(trimmedIn(overview.markdown))].filter((line) => line !== null);
  const citing = [overview, ...elements];
  const brought = citing.flatMap((element) => element.references);
  const pages = objectsOf(brought);
  const names = pages.flatMap(namesOf);
  const lines = shown
    .filter((line) => !isNoticeLine(line))
    .map((line) => {
      const text = withoutSources(line, names);
      if (text === null) unread.note('aiOverview.text');
      return text ?? line;
    })
    .filter((line) => line !== '');
  if (lines.every(isPendingLine)) return null;
  // a block with content of which no line was read, or one that has lost it
  const isLost = (element: JsonObject): boolean => holdsLists(element) || holdsSentence(element) || isBlankText(element);
  const isCut = (line: string): boolean => ORPHAN.test(line);
  if (elements.some((element) => within(element).flatMap(linesOf).length === 0 && isLost(element)) || lines.some(isCut))
    unread.note('aiOverview.text');
  const cited = pages.map((page) => ({
    address: addressOf({
      engine,
      links: [trimmedIn(page.url), trimmedIn(page.link)],
      shown: [trimmedIn(page.domain), shownSource(page.source, engine)],
    }),
    title: trimmedIn(page.title) ?? trimmedIn(page.source),
  }));
  if (isShown(brought.filter((page) => objectOf(page) === null))) unread.note('aiOverview.references');
  // a block may cite pages by their numbers in a list that did not come
  const listed = unread.of('aiOverview.references', references(cited, unread), () => citing.map((one) => one.reference_indexes ?? null));
  return { text: lines.map((line) => line.replace(ORPHAN, '')).join('\n'), references: listed };
}
/** The names under which a button beside the text may cite a page. */
const namesOf = ({ source, domain, url, link }: JsonObject): string[] =>
  [source, domain, hostOf(trimmedIn(url) ?? trimmedIn(link))]
    .flatMap((name) => trimmedIn(name) ?? [])
    .flatMap((name) => [name, name.replace(/^www\./, '')]);
/** What names the source of a cited page: where it is the engine's own name, its home page. */
const shownSource = (source: unknown, engine: Engine): string | null => {
  const name = trimmedIn(source);
  return name?.toLowerCase() === ENGINE_NAMES[engine] ? HOMES[engine] : name;
};
/** The card of a page or a film beside the answer. */
const isCard = ({ type }: JsonObject): boolean => /_(?:organic|video)_element$/.test(String(type));
/** What is left of a line whose first words were lost ("Label: text"). */
const ORPHAN = /^[:：]\s*/;
/** A part that has words by its name, and has none. */
const isBlankText = ({ type }: JsonObject): boolean => /^(?:paragraph|heading|list|table)$/.test(String(type));
/** Lists beside what is cited and shown as a picture. */
const holdsLists = (element: JsonObject): boolean =>
  !/shopping|image|video|reference/.test(String(element.type)) &&
  Object.entries(element).some(
    ([key, value]) => !/reference|image|video|link|thumbnail|source|highlight/.test(key) && Array.isArray(value) && value.length > 0,
  );
/** Words in an element that are neither its type, an address nor what stands beside a picture or a film. */
const holdsSentence = (element: JsonObject): boolean =>
  !/shopping|image|video|reference/.test(String(element.type)) &&
  Object.entries(element).some(
    ([key, value]) =>
      !/type|reference|image|video|link|url|thumbnail|source|domain|alt|path|position|date|token/.test(key) &&
      typeof value === 'string' &&
      /\p{L}\s+\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u.test(value),
  );
/** The rows of a table, or of a comparison of products. */
function rowsOf({ table, detailed, comparison, product_labels }: JsonObject): string[] {
  const { table_header, table_content } = objectOf(table) ?? {};
  const compared = objectsOf(comparison).map(({ feature, values }) => [feature, ...listOf(values)]);
  const rows = [
    ...(Array.isArray(table) ? table : table ? [table_header, ...listOf(table_content)] : listOf(detailed)),
    ...(compared.length > 0 ? [['', ...listOf(product_labels)], ...compared] : []),
  ];
  return rows.filter(Array.isArray).map((row) => row.map((cell) => trimmedIn(cell) ?? trimmedIn(objectOf(cell)?.text) ?? '').join(' | '));
}
const withoutMarkup = (markdown: string | null): string | null => {
  const unlinked = markdown?.replace(/!\[[^\]]*\]\([^)]*\)|\[\[\d+\]\]\([^)]*\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return trimmedIn(unlinked?.replace(/[*_`#>]+/g, ''));
};

/** Epoch ms of a provider's timestamp ("2019-11-15 12:57:46 +00:00", "2025-09-30 17:40:43 UTC"); null for any other value. */
export function epochMsIn(value: unknown): number | null {
  const match = typeof value === 'string' && /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?\s*(UTC|Z|[+-]\d\d:\d\d)$/.exec(value.trim());
  if (!match) return null;
  const ms = Date.parse(`${match[1]}T${match[2]}${match[3] === 'UTC' ? 'Z' : match[3]}`);
  return Number.isNaN(ms) ? null : ms;
}

export const outcomeOfWords = reasonsIn(new URL('./reasons.tsv', import.meta.url));

export const failureOfProvider = (answer: Answer, detail: string, who = 'data provider'): NotFound =>
  failureOfStatus(answer, { who: `The ${who}`, gone: `The answer does not come from the ${who}.`, credentials: [401, 402, 403], detail });
