import type { OrganicEntry, PaidEntry, SearchResult } from '../../../contract/operations/searchengine.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { unreadByPlaces } from '../../json-places.ts';
import { changed, found, limited, type NotFound, type Outcome, queued, refused, retryAfterMs, unreachable } from '../../outcome.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { countIn, type JsonObject, listOf, objectOf, objectsOf, strictCountIn, strictNumberIn, trimmedIn } from '../../untyped-json.ts';
import { addressOf } from '../address.ts';
import { readRating, scaleOf } from '../numbers.ts';
import { nothingFound, type PageRead, type SerpInput, searchResult } from '../result.ts';
import { epochMsIn } from '../timestamp.ts';
import { featuresOf, overviewOf, overviewToken } from './sections.ts';

export const SERPAPI_ENGINE = { engine_a: 'google', engine_b: 'bing' } as const;
/** The provider's names for an engine: its light variants read the same result page. Other names (`google_maps`) are other verticals. */
const isEngine = (name: string, input: SerpInput): boolean => name.replace(/_light(_fast)?$/, '') === SERPAPI_ENGINE[input.engine];

/** The body of an answer, or the reason why there is none; `search_metadata` contains the provider's own status. */
export function openAnswer(answer: Answer): { tag: 'body'; body: JsonObject } | NotFound {
  const { status, headers, at } = answer;
  const body = objectOf(jsonOf(answer));
  const said = `HTTP ${status} ${trimmedIn(body?.error) ?? ''}`.trim();
  if (status === 401 || status === 402 || status === 403) return refused('The data provider refused our account.', said);
  if (status === 429)
    return /run out/i.test(said)
      ? refused('Our account at the data provider is used up.', said)
      : limited('The data provider asks to slow down.', retryAfterMs(headers, at), said);
  if (status >= 500) return unreachable('The data provider failed.', said);
  if (status === 404 || status === 410 || status === 451) return changed('The answer does not come from the data provider.', said);
  if (status >= 300) return refused('The data provider did not accept the request.', said);
  const state = trimmedIn(objectOf(body?.search_metadata)?.status);
  if (!body || state === null) return changed('The answer of the data provider has a shape that we do not know.', said);
  if (state === 'Error') return refused('The data provider could not read the result page.', said);
  if (state === 'Queued' || state === 'Processing') return queued(retryAfterMs(headers, at), state);
  if (state !== 'Success') return changed('The answer of the data provider has a state that is not known.', state);
  return { tag: 'body', body };
}

/** Parses an answer of SerpApi for either engine. Ranks count within this page. */
export const readSerpapi = (answer: Answer, input: SerpInput): Outcome<SearchResult> => {
  const opened = openAnswer(answer);
  return opened.tag === 'body' ? readBody(opened.body, input, answer.at) : opened;
};

export interface SerpapiPage extends PageRead {
  /** The token of the separate call for the AI overview, if one is required. */
  readonly overviewToken: string | null;
}
/** The same with the data needed to join pages. `overview`: the answer to the separate call for the AI overview. */
export function openSerpapiPage(
  answer: Answer,
  { input, overview }: { readonly input: SerpInput; readonly overview: Answer | null },
): Outcome<SerpapiPage> {
  const opened = openAnswer(answer);
  if (opened.tag !== 'body') return opened;
  const apart = overview && openAnswer(overview);
  if (apart && apart.tag !== 'body') return apart;
  const body = apart ? { ...opened.body, ai_overview: apart.body.ai_overview } : opened.body;
  const read = readBody(body, input, answer.at);
  if (read.tag !== 'found') return read;
  const next = trimmedIn(objectOf(body.serpapi_pagination)?.next) ?? trimmedIn(objectOf(body.pagination)?.next);
  return found(
    { result: read.resource, elements: read.resource.organic.length, next, overviewToken: apart ? null : overviewToken(body) },
    undefined,
    read.unread,
  );
}

/** The same for a body that is already parsed. */
export function readBody(body: JsonObject, input: SerpInput, at: number): Outcome<SearchResult> {
  const engine = trimmedIn(objectOf(body.search_parameters)?.engine);
  if (engine !== null && !isEngine(engine, input))
    return changed('The answer of the data provider is about another search engine.', engine);
  const metadata = objectOf(body.search_metadata);
  const information = objectOf(body.search_information);
  const checkedAt = epochMsIn(metadata?.processed_at) ?? epochMsIn(metadata?.created_at) ?? at;
  const box = objectOf(body.answer_box);
  const unread = new UnreadFields();
  const organic = [
    ...(box?.type === 'organic_result' ? entryOf(box, true, unread) : []),
    ...objectsOf(body.organic_results).flatMap((entry) => entryOf(entry, false, unread)),
  ];
  if (organic.length === 0) {
    const empty = /hasn.t returned any results/i.test(trimmedIn(body.error) ?? '') || information?.organic_results_state === 'Fully empty';
    return empty
      ? found(nothingFound(input, checkedAt), 0)
      : changed('The answer of the data provider holds no organic results and does not say why.', trimmedIn(body.error) ?? undefined);
  }
  const read = searchResult(input, {
    totalResults: unread.of('totalResults', strictCountIn(information?.total_results) || null, information?.total_results || null),
    checkedAt,
    features: featuresOf(body),
    // the provider states no absolute rank: the rank among the entries is a lower bound
    organic: organic.map((entry, i) => ({ rank: i + 1, absoluteRank: i + 1, ...entry })),
    paid: paidOf(body, unread),
    aiOverview: overviewOf(objectOf(body.ai_overview)),
    relatedSearches: objectsOf(body.related_searches).flatMap((r) => {
      const query = trimmedIn(r.query);
      return query !== null ? [query] : objectsOf(r.items).flatMap((item) => trimmedIn(item.name) ?? []);
    }),
  });
  return found(read, undefined, unread.paths);
}

const unreadInEntry = unreadByPlaces({
  description: 'snippet',
  breadcrumb: 'displayed_link',
  websiteName: 'source',
  rating: ['rich_snippet.top.detected_extensions.rating:number', 'rich_snippet.top.detected_extensions.note:number'],
});

function entryOf(entry: JsonObject, featured: boolean, unread: UnreadFields): Omit<OrganicEntry, 'rank' | 'absoluteRank'>[] {
  const address = addressOf(trimmedIn(entry.link));
  const title = trimmedIn(entry.title);
  if (!address || !title) return [];
  const read = {
    ...address,
    title,
    description: trimmedIn(entry.snippet),
    breadcrumb: trimmedIn(entry.displayed_link),
    websiteName: trimmedIn(entry.source),
    isFeaturedSnippet: featured,
    rating: ratingOf(entry),
  };
  unread.add(unreadInEntry(read, entry, 'organic.'));
  return [read];
}

/** "Note : 4,5" and "1 234 avis" are read from the text, with the comma and the blank of a French number. */
const FRENCH = { rating: /^Note\s*:/i, votes: /^[\s\u200e]*(\d[\d\s.]*)\s*avis$/i };

/**
 * The rating of the entry itself is at its top; a rating at its bottom belongs to a shop. The provider names the figures in the language of
 * the page: `rating`, `reviews` and `votes` in English, `note` and `avis` in French.
 */
function ratingOf(entry: JsonObject): OrganicEntry['rating'] {
  const top = objectOf(objectOf(entry.rich_snippet)?.top);
  const facts = objectOf(top?.detected_extensions);
  const extensions = listOf(top?.extensions).filter((text) => typeof text === 'string');
  const ratings = extensions.map((text) => ({ text, rating: readRating(text) }));
  const french = ratings.find(({ text }) => FRENCH.rating.test(text))?.rating ?? null;
  const value = strictNumberIn(facts?.rating) ?? french?.value ?? strictNumberIn(facts?.note);
  if (!facts || value === null) return null;
  const shown = ratings.find(({ rating }) => rating?.value === value)?.rating;
  const max = shown?.max ?? scaleOf(value);
  if (max === null) return null;
  const avis = extensions.map((text) => FRENCH.votes.exec(text)?.[1]).find(Boolean);
  const votes = [facts.reviews, facts.votes, avis?.replace(/\D/g, ''), french?.votesCount, facts.avis]
    .map(countIn)
    .find((count) => count !== null);
  return { value, votesCount: votes ?? shown?.votesCount ?? null, max };
}

function paidOf(body: JsonObject, unread: UnreadFields): PaidEntry[] {
  const ads: PaidEntry[] = [];
  for (const ad of [...objectsOf(body.ads), ...objectsOf(body.top_ads), ...objectsOf(body.bottom_ads)]) {
    const address = addressOf(trimmedIn(ad.link)) ?? addressOf(trimmedIn(ad.tracking_link));
    const title = trimmedIn(ad.title);
    if (address && title)
      ads.push({
        rank: ads.length + 1,
        ...address,
        title,
        description: unread.from('paid.description', ad.description, trimmedIn),
        advertiserId: null,
      });
  }
  return ads;
}
