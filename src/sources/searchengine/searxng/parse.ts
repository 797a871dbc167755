import type { JsonObject } from '../../../contract/json-object.ts';
import type { SearchResult } from '../../../contract/operations/serp/operation.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import { changed, type NotFound, type Outcome, refused, unreachable } from '../../outcome.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { countIn, listOf, nonEmptyIn, objectOf, objectsOf, trimmedIn } from '../../untyped-json.ts';
import { aboutAnotherSearch } from '../keyword.ts';
import { entryReader, failureOfProvider, outcomeOfWords, placedIn, totalIn, wordsListed } from '../provider-json.ts';
import { ENGINE_NAMES, type PageRead, pageRead, resultOf, type SerpInput } from '../result.ts';

const readResult = entryReader({ links: ['url'], title: 'title', description: 'content' });
const enginesOf = (entry: JsonObject): string[] =>
  (Array.isArray(entry.engines) ? entry.engines : [entry.engine]).flatMap((name) => nonEmptyIn(name) ?? []);

/** The place of a result on the engine's page: the smallest of those at which the engine listed it. The instance sorts by a score of its own. */
const positionOf = ({ positions }: JsonObject): number =>
  Math.min(...listOf(positions).map((place) => countIn(place) ?? Number.POSITIVE_INFINITY));

export const readSearxng = (answer: Answer, input: SerpInput): Outcome<SearchResult> =>
  resultOf(openSearxngPage(answer, { input, places: 0 }));

/**
 * Parses the JSON of an instance. Only results of the requested engine count; the JSON contains neither ads nor sections nor ratings. `places`:
 * those of the pages before.
 */
export function openSearxngPage(
  answer: Answer,
  { input, places }: { readonly input: SerpInput; readonly places: number },
): Outcome<PageRead> {
  const said = `HTTP ${answer.status}`;
  if (answer.status === 401 || answer.status === 403)
    return refused('The search instance refused the request.', `${said}: is the JSON format switched on (search.formats)?`);
  if (answer.status >= 300) return failureOfProvider(answer, said, 'search instance');
  const body = objectOf(jsonOf(answer));
  if (!body || !Array.isArray(body.results) || typeof body.query !== 'string')
    return changed('The answer of the search instance has a shape that we do not know.');
  const other = aboutAnotherSearch([body.query], input.keyword);
  if (other) return other;
  const own = ENGINE_NAMES[input.engine];
  const results = placedIn(body.results);
  const unread = new UnreadFields();
  // the instance was asked for this engine alone: what names none keeps its place, and nothing of it is read
  const isNameless = (entry: JsonObject): boolean => enginesOf(entry).length === 0;
  const ownResults = results.flatMap((entry) => (isNameless(entry) ? [{}] : enginesOf(entry).includes(own) ? [entry] : []));
  if (ownResults.length === 0) return whyEmpty(own, body.unresponsive_engines, results, places);
  const inOrder = ownResults.every((entry) => Number.isFinite(positionOf(entry)))
    ? ownResults.toSorted((a, b) => positionOf(a) - positionOf(b))
    : ownResults;
  // with several engines the number is their mean, which no engine stated
  const isAlone = results.every((entry) => isNameless(entry) || (enginesOf(entry).length === 1 && enginesOf(entry)[0] === own));
  const page = {
    totalResults: isAlone ? totalIn(body.number_of_results, unread) : null,
    features: ['organic' as const],
    listed: inOrder.map((entry) => readResult(entry, input.engine, false, unread)),
    relatedSearches: wordsListed(
      [body.suggestions],
      'relatedSearches',
      (one) => [trimmedIn(one) ?? trimmedIn(objectOf(one)?.suggestion) ?? []].flat(),
      unread,
    ),
    // it names no next page
    next: '',
  };
  return pageRead(input, answer.atMs, page, unread);
}

/** An empty list is not a statement of the engine: the instance reports at most the cause of a failure. */
function whyEmpty(own: string, unresponsive: unknown, others: readonly JsonObject[], places: number): NotFound {
  const said = engineReason(own, unresponsive);
  if (said !== null)
    return outcomeOfWords('searxng', [said], said) ?? unreachable('The search instance could not read the search engine.', said);
  // it was asked for this engine alone: one that it does not have it leaves out of the request
  const names = [...new Set(others.flatMap(enginesOf))];
  if (names.length > 0 && places === 0) return switchedOff(own, `it answered with ${names.join(', ')}`);
  if (places === 0) return changed('The search instance lists no result of the engine and does not say why.');
  return {
    ...changed(`The search instance lists ${places} results and does not say whether the engine has more.`),
    advice: `A depth of at most ${places} is answered.`,
  };
}

/** What the instance says of an engine that did not answer: pairs of name and reason, in some versions objects or names alone. */
function engineReason(own: string, unresponsive: unknown): string | null {
  const stated = Array.isArray(unresponsive) ? unresponsive : Object.entries(objectOf(unresponsive) ?? {});
  for (const one of stated) {
    const fields = objectOf(one);
    const [name, reason] = fields ? [fields.engine ?? fields.name, fields.error ?? fields.reason] : [one].flat();
    if (String(name).toLowerCase() === own) return String(reason ?? 'no reason given');
  }
  return null;
}

const switchedOff = (own: string, detail: string): NotFound =>
  refused(
    'The search instance has the search engine switched off.',
    `switch on the engine "${own}" in the settings of the instance (engines): ${detail}`,
  );

/** Why the instance lists nothing, by its configuration: null where that has the engine, or cannot be read. */
export function readSearxngConfig(answer: Answer, { engine }: SerpInput): { readonly switchedOff: NotFound | null } {
  const body = answer.status < 300 ? objectOf(jsonOf(answer)) : null;
  const names = objectsOf(body?.engines).map(({ name }) => String(name));
  const own = ENGINE_NAMES[engine];
  return { switchedOff: names.length === 0 || names.includes(own) ? null : switchedOff(own, 'its configuration does not name it') };
}
