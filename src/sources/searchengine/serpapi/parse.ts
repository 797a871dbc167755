import type { JsonObject } from '../../../contract/json-object.ts';
import type { Feature, OrganicEntry, SearchResult } from '../../../contract/operations/serp/operation.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { changed, incomplete, type NotFound, notServed, type Outcome, queued, refused, refusedAccount } from '../../outcome.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { countIn, listOf, objectOf, objectsOf, strictNumberIn, trimmedIn } from '../../untyped-json.ts';
import { aboutAnotherSearch } from '../keyword.ts';
import { type Engine, linkTarget } from '../links.ts';
import { readRating, readVotes, scaleOf, showsCount } from '../numbers.ts';
import {
  adsOf,
  cellsOf,
  entryReader,
  epochMsIn,
  failureOfProvider,
  featureTable,
  overviewIn,
  placedIn,
  totalIn,
  wordsListed,
} from '../provider-json.ts';
import { ENGINE_NAMES, evidence, nothingFound, type PageRead, pageRead, resultOf, type SerpInput } from '../result.ts';

const NOTHING_FOUND = evidence('serpapi nothing found');

function openAnswer(answer: Answer): { tag: 'body'; body: JsonObject } | NotFound {
  const { status } = answer;
  const body = objectOf(jsonOf(answer));
  const said = `HTTP ${status} ${trimmedIn(body?.error) ?? ''}`.trim();
  if (status === 429 && /run out/i.test(said)) return refusedAccount('Our account at the data provider is used up.', said);
  const lacking = REFUSED.test(said) && (LANGUAGE.test(said) ? 'language' : LOCATION.test(said) && 'location');
  if (lacking) return notServed(`The data provider does not have this ${lacking}.`, said);
  if (status >= 300) return failureOfProvider(answer, said);
  const state = trimmedIn(objectOf(body?.search_metadata)?.status);
  if (!body || state === null) return changed('The answer of the data provider has a shape that we do not know.', said);
  if (state === 'Error') return refused('The data provider could not read the result page.', said);
  if (state === 'Queued' || state === 'Processing') return queued(answer, state);
  if (state !== 'Success') return changed('The answer of the data provider has a state that is not known.', state);
  return { tag: 'body', body };
}

/** A region or language that it does not have: "Unsupported `xx` interface language - hl parameter." */
const REFUSED = /unsupported|not supported|invalid/i;
const LANGUAGE = /\b(?:hl|setlang|language)\b/i;
const LOCATION = /\b(?:gl|cc|mkt|location|country|google_domain)\b/i;

/** Parses an answer of SerpApi for either engine. Ranks count within this page. */
export const readSerpapi = (answer: Answer, input: SerpInput): Outcome<SearchResult> =>
  resultOf(openSerpapiPage(answer, { input, overview: null }));

/** The same with the data needed to join pages. The AI overview may take a separate call: its token, and its answer (`overview`). */
export function openSerpapiPage(
  answer: Answer,
  { input, overview }: { readonly input: SerpInput; readonly overview: Answer | null },
): Outcome<PageRead & { readonly overviewToken: string | null }> {
  const opened = openAnswer(answer);
  if (opened.tag !== 'body') return opened;
  const apart = overview && openAnswer(overview);
  if (apart && apart.tag !== 'body') return apart;
  const body = apart ? { ...opened.body, ai_overview: apart.body.ai_overview ?? {} } : opened.body;
  const read = readBody(body, input, answer.atMs);
  if (read.tag !== 'found') return read;
  const own = objectOf(body.ai_overview);
  const overviewToken = apart || !own || listOf(own.text_blocks).length > 0 ? null : trimmedIn(own.page_token);
  const whole = { ...read, resource: { ...read.resource, overviewToken } };
  // where the provider failed to bring what it announced, the next lookup asks again soon
  return read.unread?.includes('aiOverview') ? incomplete(whole, []) : whole;
}

export function readBody(body: JsonObject, input: SerpInput, atMs: number): Outcome<PageRead> {
  const { engine } = input;
  const name = trimmedIn(objectOf(body.search_parameters)?.engine);
  // the light variants of an engine read the same result page; other names (`google_maps`) are other verticals
  if (name !== null && name.replace(/_light(_fast)?$/, '') !== ENGINE_NAMES[engine])
    return changed('The answer of the data provider is about another search engine.', name);
  const other = aboutAnotherSearch([objectOf(body.search_parameters)?.q], input.keyword);
  if (other) return other;
  if ((body.organic_results ?? null) !== null && !Array.isArray(body.organic_results))
    return changed('The answer of the data provider has a shape that we do not know.', 'organic_results is no list');
  const metadata = objectOf(body.search_metadata);
  const information = objectOf(body.search_information);
  const checkedAt = epochMsIn(metadata?.processed_at) ?? epochMsIn(metadata?.created_at) ?? atMs;
  const unread = new UnreadFields();
  const boxes = boxesIn(body.answer_box, engine).map((box) => readEntry(box, engine, true, unread));
  const entries = placedIn(body.organic_results).map((entry) => readEntry(entry, engine, false, unread));
  const listed = [...boxes, ...entries];
  const announced = Object.entries(body).flatMap(([key, value]) => (isOverview(key, value) ? [value] : []));
  const aiOverview = overviewIn([...announced, information?.ai_overview_state], engine, OVERVIEW, unread);
  const adsListed = [body.ads, body.top_ads, body.bottom_ads];
  if (adsListed.some((list) => listOf(list).some((ad) => objectOf(ad) === null))) unread.note('paid');
  for (const list of adsListed) if (!Array.isArray(list)) unread.of('paid', null, list);
  const page = {
    totalResults: totalIn(information?.total_results, unread),
    features: featuresOf(body, engine, aiOverview !== null),
    ads: adsOf(adsListed.flatMap(objectsOf), engine, ['link', 'tracking_link'], unread),
    aiOverview,
    relatedSearches: wordsListed([body.related_searches], 'relatedSearches', relatedIn, unread),
    next: nextIn(body, listed.length),
  };
  const isNothing =
    /hasn.t returned any results/i.test(trimmedIn(body.error) ?? '') || information?.organic_results_state === 'Fully empty';
  // an answer box stands above a list: alone, it is that of a page whose list was not read (github.com/serpapi/public-roadmap/issues/3822)
  if (entries.length > 0 || (boxes.length > 0 && isNothing)) return pageRead(input, checkedAt, { ...page, listed }, unread);
  if (isNothing) return nothingFound(NOTHING_FOUND, input, checkedAt, page, unread);
  return changed('The answer of the data provider holds no organic results and does not say why.', trimmedIn(body.error) ?? undefined);
}

/** Answer boxes that quote a page, alone or in a list: a direct answer leads to a search of the engine, and shows no site. */
const boxesIn = (stated: unknown, engine: Engine): JsonObject[] =>
  objectsOf([stated].flat()).filter(
    ({ type, link, displayed_link: shown }) =>
      type === 'organic_result' &&
      (trimmedIn(link) === null || trimmedIn(shown) !== null || linkTarget(trimmedIn(link), engine).kind !== 'control'),
  );

/** A related search, or a row of them. */
function relatedIn(related: unknown): string[] {
  const { query, items } = objectOf(related) ?? {};
  const words = trimmedIn(query);
  return words !== null ? [words] : objectsOf(items).flatMap((item) => trimmedIn(item.name) ?? []);
}

/** Results of a full page: a shorter one without pagination is the last. */
const FULL_PAGE = 10;
/** The next page where the provider names it, or pages beyond this one; a full page about whose successors it says nothing may have one. */
function nextIn(body: JsonObject, entries: number): string | null {
  const stated = [body.serpapi_pagination, body.pagination].map(objectOf);
  for (const pagination of stated) {
    const next = trimmedIn(pagination?.next);
    if (next !== null) return next;
  }
  for (const pagination of stated) {
    const current = countIn(pagination?.current) ?? 1;
    const others = Object.keys(objectOf(pagination?.other_pages) ?? {}).map(Number);
    if (others.some((page) => page > current)) return '';
  }
  return stated.every((pagination) => pagination === null) && entries >= FULL_PAGE ? '' : null;
}

const readEntry = entryReader({
  links: ['link', 'redirect_link'],
  title: 'title',
  description: 'snippet',
  breadcrumb: 'displayed_link',
  websiteName: 'source',
  boxLines: ({ snippet, list, table, contents, answer }) => {
    const lines = [...listOf(list), ...cellsOf(table ?? objectOf(contents)?.table)];
    return lines.length > 0 || snippet ? lines : [answer];
  },
  ratingOf,
  ratingLines: ({ rich_snippet: rich, rich_snippet_list: list, extensions }) =>
    [...Object.values(objectOf(rich) ?? {}), rich, { extensions: [list, extensions].flat() }].flatMap((place) => linesAt(objectOf(place))),
  ratingPlaces: {
    rating: [
      'rating',
      'rich_snippet.detected_extensions.rating',
      ...['top', 'bottom', 'middle'].flatMap((place) =>
        // a number below the snippet may be that of a shop
        ['rating', 'note'].map((key) => `rich_snippet.${place}.detected_extensions.${key}${place === 'bottom' ? ':number' : ''}`),
      ),
    ],
  },
});

/**
 * The rating at the top, or below the snippet, as of a recipe or of a product; one of a store or beside a delivery belongs to a shop. The page's
 * own text decides on value and scale. The names are in the language of the page: in French `note`, beside which `rating` counts the drawn stars, and a key that
 * begins with `avis` (github.com/serpapi/public-roadmap/issues/2142).
 */
function ratingOf({ rich_snippet }: JsonObject): OrganicEntry['rating'] {
  const { top, bottom } = objectOf(rich_snippet) ?? {};
  return ratingIn(objectOf(top)) ?? (isOfShop(objectOf(bottom)) ? null : ratingIn(objectOf(bottom)));
}
/** Lines that may be those of a rating: not of a store, nor beside a delivery. */
const linesAt = (place: JsonObject | null): string[] =>
  isOfShop(place) ? [] : listOf(place?.extensions).flatMap((line) => trimmedIn(line) ?? []);
const isOfShop = (place: JsonObject | null): boolean =>
  /store|shop|deliver|shipping|return|stock/i.test(
    JSON.stringify([Object.keys(objectOf(place?.detected_extensions) ?? {}), place?.extensions]),
  );

function ratingIn(place: JsonObject | null): OrganicEntry['rating'] {
  const facts = objectOf(place?.detected_extensions) ?? {};
  const value = strictNumberIn('note' in facts ? facts.note : facts.rating);
  if (value === null) return null;
  const lines = listOf(place?.extensions).flatMap((text) => (typeof text === 'string' ? text : []));
  const texts = lines.flatMap((line) => readRating(line) ?? []);
  const shown = texts.find((rating) => rating.value === value) ?? texts.find((rating) => rating.max !== 5);
  const max = shown?.max ?? scaleOf(value);
  const avis = Object.keys(facts).find((key) => /^avis(_|$)/.test(key)) ?? '';
  const counted = [facts.reviews, facts.votes, facts[avis]].map(countIn).find((count) => count !== null) ?? null;
  // the provider repeats the rating as its reviews, and cuts words for thousands (github.com/serpapi/public-roadmap/issues/2149)
  const isShown = counted !== null && (lines.length === 0 || lines.some((line) => showsCount(line, counted)));
  const votesCount = lines.map(readVotes).find((count) => count !== null) ?? (isShown ? counted : null);
  return max === null ? null : { value: shown?.value ?? value, votesCount, max };
}

/** Of engine A, of engine B, or under another name: what is written in blocks of text is a generated answer. */
const isOverview = (key: string, value: unknown): boolean =>
  key === 'ai_overview' || key === 'copilot_answer' || Array.isArray(objectOf(value)?.[OVERVIEW.elements]);
const OVERVIEW = { elements: 'text_blocks', parts: ['list', 'text_blocks'], lines: ['title', 'snippet', 'code'] };
const SECTIONS = featureTable('serpapi');
/** Keys that describe the answer, not the page. */
const ABOUT =
  /^(search_metadata|search_parameters|search_information|pagination|serpapi_pagination|error|refine_\w+|filters|available_\w+|dmca_messages|menu_items|\w+_suggested_searches)$/;

function featuresOf(body: JsonObject, engine: Engine, hasOverview: boolean): Feature[] {
  return Object.entries(body).flatMap(([key, value]): Feature[] => {
    if (ABOUT.test(key) || typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [];
    if (isOverview(key, value)) return hasOverview ? ['ai_overview'] : [];
    if (key === 'answer_box') return boxesIn(value, engine).length > 0 ? ['featured_snippet', 'organic'] : ['other'];
    return [SECTIONS.get(key) ?? 'other'];
  });
}
