import type { Feature, OrganicEntry, SearchResult } from '../../../contract/operations/searchengine.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { changed, found, type NotFound, type Outcome, queued, refused } from '../../outcome.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { countIn, type JsonObject, listOf, objectOf, objectsOf, strictNumberIn, trimmedIn } from '../../untyped-json.ts';
import { readRating, scaleOf } from '../numbers.ts';
import { adsOf, entryReader, epochMsIn, failureOfProvider, featureTable, overviewOf, totalIn } from '../provider-json.ts';
import { ENGINE_NAMES, nothingFound, type PageRead, ranked, type SerpInput, searchResult } from '../result.ts';

function openAnswer(answer: Answer): { tag: 'body'; body: JsonObject } | NotFound {
  const { status } = answer;
  const body = objectOf(jsonOf(answer));
  const said = `HTTP ${status} ${trimmedIn(body?.error) ?? ''}`.trim();
  if (status === 429 && /run out/i.test(said)) return refused('Our account at the data provider is used up.', said);
  if (status >= 300) return failureOfProvider(answer, said);
  const state = trimmedIn(objectOf(body?.search_metadata)?.status);
  if (!body || state === null) return changed('The answer of the data provider has a shape that we do not know.', said);
  if (state === 'Error') return refused('The data provider could not read the result page.', said);
  if (state === 'Queued' || state === 'Processing') return queued(answer, state);
  if (state !== 'Success') return changed('The answer of the data provider has a state that is not known.', state);
  return { tag: 'body', body };
}

/** Parses an answer of SerpApi for either engine. Ranks count within this page. */
export const readSerpapi = (answer: Answer, input: SerpInput): Outcome<SearchResult> => {
  const opened = openAnswer(answer);
  return opened.tag === 'body' ? readBody(opened.body, input, answer.at) : opened;
};

/** The same with the data needed to join pages. The AI overview may take a separate call: its token, and its answer (`overview`). */
export function openSerpapiPage(
  answer: Answer,
  { input, overview }: { readonly input: SerpInput; readonly overview: Answer | null },
): Outcome<PageRead & { readonly overviewToken: string | null }> {
  const opened = openAnswer(answer);
  if (opened.tag !== 'body') return opened;
  const apart = overview && openAnswer(overview);
  if (apart && apart.tag !== 'body') return apart;
  const body = apart ? { ...opened.body, ai_overview: apart.body.ai_overview } : opened.body;
  const read = readBody(body, input, answer.at);
  if (read.tag !== 'found') return read;
  const next = trimmedIn(objectOf(body.serpapi_pagination)?.next) ?? trimmedIn(objectOf(body.pagination)?.next);
  const own = objectOf(body.ai_overview);
  const overviewToken = apart || !own || Array.isArray(own.text_blocks) ? null : trimmedIn(own.page_token);
  return found({ result: read.resource, elements: read.resource.organic.length, next, overviewToken }, undefined, read.unread);
}

export function readBody(body: JsonObject, input: SerpInput, at: number): Outcome<SearchResult> {
  const engine = trimmedIn(objectOf(body.search_parameters)?.engine);
  // the light variants of an engine read the same result page; other names (`google_maps`) are other verticals
  if (engine !== null && engine.replace(/_light(_fast)?$/, '') !== ENGINE_NAMES[input.engine])
    return changed('The answer of the data provider is about another search engine.', engine);
  const metadata = objectOf(body.search_metadata);
  const information = objectOf(body.search_information);
  const checkedAt = epochMsIn(metadata?.processed_at) ?? epochMsIn(metadata?.created_at) ?? at;
  const box = objectOf(body.answer_box);
  const unread = new UnreadFields();
  const featured = box?.type === 'organic_result' ? readEntry(box, true, unread) : null;
  const listed = objectsOf(body.organic_results).flatMap((entry) => readEntry(entry, false, unread) ?? []);
  const organic = featured ? [featured, ...listed] : listed;
  if (organic.length === 0) {
    const empty = /hasn.t returned any results/i.test(trimmedIn(body.error) ?? '') || information?.organic_results_state === 'Fully empty';
    return empty
      ? found(nothingFound(input, checkedAt), 0)
      : changed('The answer of the data provider holds no organic results and does not say why.', trimmedIn(body.error) ?? undefined);
  }
  const ads = [body.ads, body.top_ads, body.bottom_ads].flatMap(objectsOf);
  const read = searchResult(input, checkedAt, {
    totalResults: totalIn(information?.total_results, unread),
    features: featuresOf(body),
    // the provider states no absolute rank: the rank among the entries is a lower bound
    organic: ranked(organic),
    paid: adsOf(ads, ['link', 'tracking_link'], unread),
    aiOverview: overviewOf(objectOf(body.ai_overview), OVERVIEW),
    relatedSearches: objectsOf(body.related_searches).flatMap((related) => {
      const query = trimmedIn(related.query);
      return query !== null ? [query] : objectsOf(related.items).flatMap((item) => trimmedIn(item.name) ?? []);
    }),
  });
  return found(read, undefined, unread.paths);
}

const readEntry = entryReader({
  url: 'link',
  title: 'title',
  description: 'snippet',
  breadcrumb: 'displayed_link',
  websiteName: 'source',
  ratingOf,
  ratingPlaces: { rating: ['rating', 'note'].map((key) => `rich_snippet.top.detected_extensions.${key}:number`) },
});

/**
 * The rating at the top; one at the bottom belongs to a shop. The names are in the language of the page: in French `note`, beside which
 * `rating` counts the drawn stars, and a key that begins with `avis` (github.com/serpapi/public-roadmap/issues/2142).
 */
function ratingOf({ rich_snippet }: JsonObject): OrganicEntry['rating'] {
  const top = objectOf(objectOf(rich_snippet)?.top);
  const facts = objectOf(top?.detected_extensions) ?? {};
  const value = strictNumberIn('note' in facts ? facts.note : facts.rating);
  if (value === null) return null;
  const shown = listOf(top?.extensions)
    .map((text) => (typeof text === 'string' ? readRating(text) : null))
    .find((rating) => rating?.value === value);
  const max = shown?.max ?? scaleOf(value);
  const avis = Object.keys(facts).find((key) => /^avis(_|$)/.test(key)) ?? '';
  const votesCount = countIn(facts.reviews) ?? countIn(facts.votes) ?? countIn(facts[avis]) ?? shown?.votesCount ?? null;
  return max === null ? null : { value, votesCount, max };
}

const OVERVIEW = { elements: 'text_blocks', parts: ['list', 'text_blocks'], lines: ['title', 'snippet', 'code'] };
const SECTIONS = featureTable('serpapi');
/** Keys that describe the answer, not the page. */
const ABOUT =
  /^(search_metadata|search_parameters|search_information|pagination|serpapi_pagination|error|refine_\w+|filters|available_\w+|dmca_messages|menu_items)$/;

function featuresOf(body: JsonObject): Feature[] {
  return Object.entries(body).flatMap(([key, value]): Feature[] => {
    if (ABOUT.test(key) || typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [];
    if (key === 'ai_overview') return overviewOf(objectOf(value), OVERVIEW) ? ['ai_overview'] : [];
    if (key === 'answer_box') return objectOf(value)?.type === 'organic_result' ? ['featured_snippet', 'organic'] : ['other'];
    return [SECTIONS.get(key) ?? 'other'];
  });
}
