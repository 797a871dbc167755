import type { SearchResult } from '../../../contract/operations/searchengine.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { changed, found, type NotFound, type Outcome, refused, unreachable } from '../../outcome.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { type JsonObject, listOf, objectOf, objectsOf, trimmedIn } from '../../untyped-json.ts';
import { entryReader, failureOfProvider, outcomeOfWords, totalIn } from '../provider-json.ts';
import { ENGINE_NAMES, ranked, type SerpInput, searchResult } from '../result.ts';

const readEntry = entryReader({ url: 'url', title: 'title', description: 'content' });
const enginesOf = (entry: JsonObject): string[] => (Array.isArray(entry.engines) ? entry.engines : [entry.engine]).map(String);

/** Parses the JSON of an instance. Only results of the requested engine count; the JSON contains neither ads nor sections nor ratings. */
export const readSearxng = (answer: Answer, input: SerpInput): Outcome<SearchResult> => {
  const said = `HTTP ${answer.status}`;
  if (answer.status === 401 || answer.status === 403)
    return refused('The search instance refused the request.', `${said}: is the JSON format switched on (search.formats)?`);
  if (answer.status >= 300) return failureOfProvider(answer, said, 'search instance');
  const body = objectOf(jsonOf(answer));
  if (!body || !Array.isArray(body.results) || typeof body.query !== 'string')
    return changed('The answer of the search instance has a shape that we do not know.');
  const own = ENGINE_NAMES[input.engine];
  const results = objectsOf(body.results);
  const unread = new UnreadFields();
  const organic = results.filter((entry) => enginesOf(entry).includes(own)).flatMap((entry) => readEntry(entry, false, unread) ?? []);
  if (organic.length === 0) return whyEmpty(own, body.unresponsive_engines, results.length);
  // with several engines the number is their mean, which no engine stated
  const isAlone = results.every((entry) => enginesOf(entry).length === 1 && enginesOf(entry)[0] === own);
  const read = searchResult(input, answer.at, {
    totalResults: isAlone ? totalIn(body.number_of_results, unread) : null,
    features: ['organic'],
    organic: ranked(organic),
    relatedSearches: listOf(body.suggestions).flatMap((s) => trimmedIn(s) ?? trimmedIn(objectOf(s)?.suggestion) ?? []),
  });
  return found(read, undefined, unread.paths);
};

/** An empty list is not a statement of the engine: the instance reports at most the cause of a failure. */
function whyEmpty(own: string, unresponsive: unknown, others: number): NotFound {
  const reason = listOf(unresponsive).find((pair) => Array.isArray(pair) && String(pair[0]).startsWith(own));
  const said = Array.isArray(reason) ? String(reason[1]) : null;
  if (said === null)
    return changed('The search instance lists no result of the engine and does not say why.', `${others} results of other engines`);
  return outcomeOfWords('searxng', [said], said) ?? unreachable('The search instance could not read the search engine.', said);
}
