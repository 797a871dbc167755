import type { JsonObject } from '../../../contract/json-object.ts';
import type { Feature, OrganicEntry, SearchResult } from '../../../contract/operations/serp/operation.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { unlessCutJson } from '../../cut-answers.ts';
import { changed, incomplete, type NotFound, notServed, type Outcome, queued, refused } from '../../outcome.ts';
import { isShown, UnreadFields } from '../../unread-fields.ts';
import { countIn, listOf, objectOf, objectsOf, strictCountIn, strictNumberIn, trimmedIn } from '../../untyped-json.ts';
import { aboutAnotherSearch } from '../keyword.ts';
import type { Engine } from '../links.ts';
import { scaleOf } from '../numbers.ts';
import {
  adsOf,
  cellsOf,
  entryReader,
  epochMsIn,
  failureOfProvider,
  featureTable,
  outcomeOfWords,
  overviewIn,
  totalIn,
  wordsListed,
} from '../provider-json.ts';
import { ENGINE_NAMES, evidence, type ListedEntry, nothingFound, type PageRead, pageRead, type SerpInput } from '../result.ts';

const NO_RESULTS = evidence('dataforseo nothing found');

/** What an answer states, and its cost in USD; null where it states none. */
export interface Billed<R> {
  readonly outcome: Outcome<R>;
  readonly cost: number | null;
}

/** Parses an answer of DataForSEO's organic endpoints (live and fetched tasks, advanced and regular; docs.dataforseo.com/v3/serp). */
export function readBilled(answer: Answer, input: SerpInput): Billed<SearchResult> {
  const opened = openEnvelope(answer);
  if (opened.tag !== 'result') return { outcome: unlessCutJson(opened, answer), cost: null };
  return { outcome: wholeList(readResult(opened, input, answer.atMs), input), cost: opened.cost };
}
export const readDataforseo = (answer: Answer, input: SerpInput): Outcome<SearchResult> => readBilled(answer, input).outcome;

/** The provider's list may be longer than what was asked for. */
function wholeList(read: Outcome<PageRead>, { depth }: SerpInput): Outcome<SearchResult> {
  if (read.tag !== 'found') return read;
  const { result, places } = read.resource;
  const whole = {
    ...read,
    resource: { ...result, organic: result.organic.filter(({ rank }) => rank <= depth) },
    delivered: Math.min(places, depth),
  };
  // where the provider failed to bring what the page announces, the next lookup asks again soon
  return read.unread?.includes('aiOverview') ? incomplete(whole, []) : whole;
}

function readResult({ result, task, isNothing }: Result, input: SerpInput, atMs: number): Outcome<PageRead> {
  const path = listOf(task.path).map(String);
  if ((!isNothing && trimmedIn(result.type) !== 'organic') || (path[1] !== undefined && path[1] !== 'serp'))
    return changed('The answer of the data provider is not about organic results.', `type ${result.type}, path ${path.join('/')}`);
  if (path[2] !== undefined && path[2] !== ENGINE_NAMES[input.engine])
    return changed('The answer of the data provider is about another search engine.', path.join('/'));
  const other = aboutAnotherSearch([result.keyword ?? objectOf(task.data)?.keyword], input.keyword);
  if (other) return other;
  const items = objectsOf(result.items);
  const itemsOf = (type: string): JsonObject[] => items.filter((item) => item.type === type);
  const unread = new UnreadFields();
  // an item in another form may be anything that a page has
  if (isShown(listOf(result.items).filter((item) => objectOf(item) === null)))
    for (const path of ['organic', 'paid', 'features', 'relatedSearches', 'aiOverview']) unread.note(path);
  const listed = listedIn(items, input.engine, unread);
  const aiOverview = overviewIn(
    [...itemsOf('ai_overview'), ...itemsOf('knowledge_graph').flatMap(generatedIn)],
    input.engine,
    OVERVIEW,
    unread,
  );
  const isAnswer = ({ type }: JsonObject): boolean => ANSWERS.has(trimmedIn(type) ?? '') && (type !== 'ai_overview' || aiOverview !== null);
  if (listed.length === 0 && !isNothing && !items.some(isAnswer))
    return changed('The answer of the data provider holds no organic results and does not say why.', `${items.length} items`);
  const page = {
    totalResults: totalIn(result.se_results_count, unread),
    features: featuresOf(items, aiOverview !== null),
    listed,
    ads: adsOf(itemsOf('paid'), input.engine, ['url'], unread),
    aiOverview,
    relatedSearches: wordsListed(
      itemsOf('related_searches').map((item) => item.items),
      'relatedSearches',
      (words) => [trimmedIn(words) ?? []].flat(),
      unread,
    ),
  };
  if (isNothing && listed.length === 0) return nothingFound(NO_RESULTS, input, epochMsIn(result.datetime) ?? atMs, page, unread);
  // the list states more than it holds
  if ((countIn(result.items_count) ?? 0) > listOf(result.items).length) unread.note('organic');
  return pageRead(input, epochMsIn(result.datetime) ?? atMs, page, unread);
}

/** `snippet`: of a cited page or a film within the answer of engine B (dataforseo.com/help-center, new elements of Bing Copilot answers). */
const OVERVIEW = { elements: 'items', parts: ['components'], lines: ['title', 'text', 'snippet'] };
/** A generated answer in a panel of facts. */
const generatedIn = (panel: JsonObject): JsonObject[] =>
  objectsOf(panel.items).filter((item) => item.type === 'knowledge_graph_ai_overview_item');
const TYPES = featureTable('dataforseo');
/** Sections that answer the search without a list of pages; searches that the page suggests are none. */
const ANSWERS = new Set([...TYPES.keys()].filter((type) => !/^(organic|related_searches|people_also_search|people_also_ask)$/.test(type)));
/** Features of the page, except an overview that is announced and not brought. */
const featuresOf = (items: readonly JsonObject[], hasOverview: boolean): Feature[] =>
  items.flatMap((item): Feature[] => {
    const type = trimmedIn(item.type);
    if (type === null || (type === 'ai_overview' && !hasOverview)) return [];
    const inPanel: Feature[] = type === 'knowledge_graph' && hasOverview && generatedIn(item).length > 0 ? ['ai_overview'] : [];
    return isFeatured(item) ? ['featured_snippet', 'organic'] : [TYPES.get(type) ?? 'other', ...inPanel];
  });
const isFeatured = (item: JsonObject): boolean => item.type === 'featured_snippet' || item.is_featured_snippet === true;

const readEntry = entryReader({
  links: ['url'],
  shown: ['domain'],
  title: 'title',
  description: 'description',
  breadcrumb: 'breadcrumb',
  websiteName: 'website_name',
  boxLines: ({ table }) => cellsOf(table),
  ratingOf: providerRating,
  ratingPlaces: { rating: 'rating.value', 'rating.votesCount': 'rating.votes_count' },
});
function providerRating(item: JsonObject): OrganicEntry['rating'] {
  const rating = objectOf(item.rating);
  const value = strictNumberIn(rating?.value);
  if (!rating || value === null) return null;
  const known = rating.rating_type === 'Percents' ? 100 : rating.rating_type === 'Max5' ? 5 : scaleOf(value);
  const max = strictNumberIn(rating.rating_max) ?? known;
  return max === null || value > max ? null : { value, votesCount: strictCountIn(rating.votes_count), max };
}

/** Organic entries, the answer box included. Ranks are the provider's; a missing one follows its predecessor. */
function listedIn(items: readonly JsonObject[], engine: Engine, unread: UnreadFields): ListedEntry[] {
  let boxes = 0;
  const listed = items.filter((item) => item.type === 'organic' || item.type === 'featured_snippet');
  const placeOf = (item: JsonObject): number | null => countIn(item.rank_absolute);
  const inOrder = listed.every((item) => placeOf(item) !== null)
    ? listed.toSorted((a, b) => Number(placeOf(a)) - Number(placeOf(b)))
    : listed;
  return inOrder.map((item) => {
    const group = countIn(item.rank_group);
    const statedRank = group === null ? null : group + boxes;
    if (item.type === 'featured_snippet') boxes++;
    return { ...readEntry(item, engine, isFeatured(item), unread), statedRank, absoluteRank: placeOf(item) };
  });
}

/** `isNothing`: the engine found nothing, by the task's own code; sections may stand beside it. */
type Result = {
  readonly tag: 'result';
  readonly result: JsonObject;
  readonly task: JsonObject;
  readonly cost: number | null;
  readonly isNothing: boolean;
};

/** HTTP is 200 for nearly everything: the codes of the answer and of its task decide (docs.dataforseo.com/v3/appendix/errors). */
function openEnvelope(answer: Answer): Result | NotFound {
  const { status } = answer;
  const body = objectOf(jsonOf(answer));
  const code = strictNumberIn(body?.status_code);
  const said = `HTTP ${status}, ${code ?? 'no status'} ${trimmedIn(body?.status_message) ?? ''}`.trim();
  // a 404 with a code of the provider concerns the account; without one it comes from another server
  if (status === 404 && code !== null) return refused('The data provider refused our account.', said);
  const lacking = code === null ? null : lackingIn(code, said);
  if (lacking) return lacking;
  if (status >= 400) return failureOfProvider(answer, said);
  if (!body || code === null) return changed('The answer of the data provider has an unknown shape.', said);
  const failure = failureOfCode(code, said, answer);
  if (failure) return failure;
  const [task] = objectsOf(body.tasks);
  const taskCode = strictNumberIn(task?.status_code);
  if (!task || taskCode === null) return changed('The answer of the data provider holds no task.', said);
  const cost = strictNumberIn(body.cost) ?? strictNumberIn(task.cost);
  const isNothing = taskCode === NOTHING_FOUND;
  const taskFailure = isNothing ? null : failureOfCode(taskCode, `task ${taskCode} ${trimmedIn(task.status_message) ?? ''}`, answer);
  if (taskFailure) return taskFailure;
  const result = objectsOf(task.result)[0] ?? (isNothing ? {} : null);
  return result
    ? { tag: 'result', result, task, cost, isNothing }
    : changed('The answer of the data provider holds no result.', `task ${taskCode} without result`);
}

/** 40501: an invalid field of the task. */
function lackingIn(code: number, said: string): NotFound | null {
  const field = code === 40_501 ? /(location|language)_(?:code|name|coordinate)/i.exec(said)?.[1]?.toLowerCase() : undefined;
  return field === undefined ? null : notServed(`The data provider does not have this ${field}.`, said);
}

const NOTHING_FOUND = 40_102;
function failureOfCode(code: number, said: string, answer: Answer): NotFound | null {
  if (code === 20_000) return null;
  // task created, handed over, in the queue
  if (code === 20_100 || code === 40_601 || code === 40_602) return queued(answer, said);
  const lacking = lackingIn(code, said);
  if (lacking) return lacking;
  return outcomeOfWords('dataforseo', [String(code)], said) ?? refused('The data provider did not accept the request.', said);
}
