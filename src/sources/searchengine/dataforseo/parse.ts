import type { Feature, OrganicEntry, SearchResult } from '../../../contract/operations/searchengine.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { changed, found, type NotFound, type Outcome, queued, refused } from '../../outcome.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { type JsonObject, listOf, objectOf, objectsOf, strictCountIn, strictNumberIn, trimmedIn } from '../../untyped-json.ts';
import { scaleOf } from '../numbers.ts';
import { adsOf, entryReader, epochMsIn, failureOfProvider, featureTable, outcomeOfWords, overviewOf, totalIn } from '../provider-json.ts';
import { ENGINE_NAMES, nothingFound, type SerpInput, searchResult } from '../result.ts';

/** What an answer states, and its cost in USD; null where it states none. */
export interface Billed<R> {
  readonly outcome: Outcome<R>;
  readonly cost: number | null;
}

/** Parses an answer of DataForSEO's organic endpoints (live and fetched tasks, advanced and regular; docs.dataforseo.com/v3/serp). */
export function readBilled(answer: Answer, input: SerpInput): Billed<SearchResult> {
  const opened = openEnvelope(answer);
  if (opened.tag === 'nothing-found') return { outcome: found(nothingFound(input, answer.at), 0), cost: opened.cost };
  if (opened.tag !== 'result') return { outcome: opened, cost: null };
  return { outcome: readResult(opened, input, answer.at), cost: opened.cost };
}
export const readDataforseo = (answer: Answer, input: SerpInput): Outcome<SearchResult> => readBilled(answer, input).outcome;

function readResult({ result, task }: Result, input: SerpInput, at: number): Outcome<SearchResult> {
  const path = listOf(task.path).map(String);
  if (trimmedIn(result.type) !== 'organic' || (path[1] !== undefined && path[1] !== 'serp'))
    return changed('The answer of the data provider is not about organic results.', `type ${result.type}, path ${path.join('/')}`);
  if (path[2] !== undefined && path[2] !== ENGINE_NAMES[input.engine])
    return changed('The answer of the data provider is about another search engine.', path.join('/'));
  const items = objectsOf(result.items);
  const itemsOf = (type: string): JsonObject[] => items.filter((item) => item.type === type);
  const unread = new UnreadFields();
  const organic = organicOf(items, unread).slice(0, input.depth);
  if (organic.length === 0)
    return changed('The answer of the data provider holds no organic results and does not say why.', `${items.length} items`);
  const read = searchResult(input, epochMsIn(result.datetime) ?? at, {
    totalResults: totalIn(result.se_results_count, unread),
    features: featuresOf(items),
    organic,
    paid: adsOf(itemsOf('paid'), ['url'], unread),
    aiOverview: overviewOf(itemsOf('ai_overview')[0], OVERVIEW),
    relatedSearches: itemsOf('related_searches').flatMap((item) => listOf(item.items).flatMap((words) => trimmedIn(words) ?? [])),
  });
  return found(read, organic.length, unread.paths);
}

/** The HTML pages of the provider's raw endpoint with the time of their retrieval, for the page parsers. */
export function readBilledPages(answer: Answer): Billed<{ pages: readonly string[]; at: number }> {
  const opened = openEnvelope(answer);
  if (opened.tag === 'nothing-found')
    return { outcome: changed('The data provider has no page to hand over.', '40102'), cost: opened.cost };
  if (opened.tag !== 'result') return { outcome: opened, cost: null };
  const { result, cost } = opened;
  const pages = objectsOf(result.items).flatMap((item) => (typeof item.html === 'string' && item.html !== '' ? [item.html] : []));
  if (pages.length === 0) return { outcome: changed('The answer of the data provider holds no page.'), cost };
  return { outcome: found({ pages, at: epochMsIn(result.datetime) ?? answer.at }), cost };
}

const OVERVIEW = { elements: 'items', parts: ['components'], lines: ['title', 'text'] };
const TYPES = featureTable('dataforseo');
/** Features of the page, except an overview that is announced but loaded later. */
const featuresOf = (items: readonly JsonObject[]): Feature[] =>
  items.flatMap((item): Feature[] => {
    const type = trimmedIn(item.type);
    return type === null || (type === 'ai_overview' && overviewOf(item, OVERVIEW) === null) ? [] : [TYPES.get(type) ?? 'other'];
  });

const readEntry = entryReader({
  url: 'url',
  title: 'title',
  description: 'description',
  breadcrumb: 'breadcrumb',
  websiteName: 'website_name',
  ratingOf,
  ratingPlaces: { rating: 'rating.value', 'rating.votesCount': 'rating.votes_count' },
});
function ratingOf(item: JsonObject): OrganicEntry['rating'] {
  const rating = objectOf(item.rating);
  const value = strictNumberIn(rating?.value);
  if (!rating || value === null) return null;
  const known = rating.rating_type === 'Percents' ? 100 : rating.rating_type === 'Max5' ? 5 : scaleOf(value);
  const max = strictNumberIn(rating.rating_max) ?? known;
  return max === null ? null : { value, votesCount: strictCountIn(rating.votes_count), max };
}

/** Organic entries, the answer box included. Ranks are the provider's; a missing one follows its predecessor. */
function organicOf(items: readonly JsonObject[], unread: UnreadFields): OrganicEntry[] {
  let boxes = 0;
  let rank = 0;
  let absoluteRank = 0;
  const listed = items.filter((item) => item.type === 'organic' || item.type === 'featured_snippet');
  const inOrder = listed.every((item) => strictCountIn(item.rank_absolute) !== null)
    ? listed.toSorted((a, b) => Number(a.rank_absolute) - Number(b.rank_absolute))
    : listed;
  return inOrder.flatMap((item): OrganicEntry[] => {
    const featured = item.type === 'featured_snippet';
    const group = strictCountIn(item.rank_group);
    rank = Math.max(rank + 1, group === null ? 0 : group + boxes);
    absoluteRank = Math.max(absoluteRank + 1, strictCountIn(item.rank_absolute) ?? rank);
    if (featured) boxes++;
    const entry = readEntry(item, featured || item.is_featured_snippet === true, unread);
    return entry ? [{ rank, absoluteRank, ...entry }] : [];
  });
}

type Result = { readonly tag: 'result'; readonly result: JsonObject; readonly task: JsonObject; readonly cost: number | null };

/** HTTP is 200 for nearly everything: the codes of the answer and of its task decide (docs.dataforseo.com/v3/appendix/errors). */
function openEnvelope(answer: Answer): Result | { tag: 'nothing-found'; cost: number | null } | NotFound {
  const { status } = answer;
  const body = objectOf(jsonOf(answer));
  const code = strictNumberIn(body?.status_code);
  const said = `HTTP ${status}, ${code ?? 'no status'} ${trimmedIn(body?.status_message) ?? ''}`.trim();
  // a 404 with a code of the provider concerns the account; without one it comes from another server
  if (status === 404 && code !== null) return refused('The data provider refused our account.', said);
  if (status >= 400) return failureOfProvider(answer, said);
  if (!body || code === null) return changed('The answer of the data provider has an unknown shape.', said);
  const failure = failureOfCode(code, said, answer);
  if (failure) return failure;
  const [task] = objectsOf(body.tasks);
  const taskCode = strictNumberIn(task?.status_code);
  if (!task || taskCode === null) return changed('The answer of the data provider holds no task.', said);
  const cost = strictNumberIn(body.cost) ?? strictNumberIn(task.cost);
  if (taskCode === NOTHING_FOUND) return { tag: 'nothing-found', cost };
  const taskFailure = failureOfCode(taskCode, `task ${taskCode} ${trimmedIn(task.status_message) ?? ''}`, answer);
  if (taskFailure) return taskFailure;
  const [result] = objectsOf(task.result);
  return result
    ? { tag: 'result', result, task, cost }
    : changed('The answer of the data provider holds no result.', `task ${taskCode} without result`);
}

const NOTHING_FOUND = 40_102;
function failureOfCode(code: number, said: string, answer: Answer): NotFound | null {
  if (code === 20_000) return null;
  // task created, handed over, in the queue
  if (code === 20_100 || code === 40_601 || code === 40_602) return queued(answer, said);
  return outcomeOfWords('dataforseo', [String(code)], said) ?? refused('The data provider did not accept the request.', said);
}
