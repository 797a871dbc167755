import type { OrganicEntry, SearchResult } from '../../../contract/operations/searchengine.ts';
import { type Answer, jsonOf } from '../../../upstream/answer.ts';
import {
  blocked,
  changed,
  found,
  limited,
  type NotFound,
  type Outcome,
  refused,
  retryAfterMs,
  timeout,
  unreachable,
} from '../../outcome.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { objectOf, objectsOf, strictCountIn, trimmedIn } from '../../untyped-json.ts';
import { addressOf } from '../address.ts';
import { type SerpInput, searchResult } from '../result.ts';

export const SEARXNG_ENGINE = { engine_a: 'google', engine_b: 'bing' } as const;

/** Parses the JSON of an instance. Only results of the requested engine count; the JSON contains neither ads nor sections nor ratings. */
export const readSearxng = (answer: Answer, input: SerpInput): Outcome<SearchResult> => {
  const { status, headers, at } = answer;
  if (status === 429) return limited('The search instance asks to slow down.', retryAfterMs(headers, at));
  if (status === 401 || status === 403)
    return refused('The search instance refused the request.', `HTTP ${status}: is the JSON format switched on (search.formats)?`);
  if (status >= 500) return unreachable('The search instance failed.', `HTTP ${status}`);
  if (status === 404 || status === 410 || status === 451)
    return changed('The answer does not come from a search instance.', `HTTP ${status}`);
  if (status >= 300) return refused('The search instance did not accept the request.', `HTTP ${status}`);
  const body = objectOf(jsonOf(answer));
  if (!body || !Array.isArray(body.results) || typeof body.query !== 'string')
    return changed('The answer of the search instance has a shape that we do not know.');
  const own = SEARXNG_ENGINE[input.engine];
  const results = objectsOf(body.results);
  const enginesOf = (r: (typeof results)[number]): string[] => (Array.isArray(r.engines) ? r.engines.map(String) : [String(r.engine)]);
  const entries = results.filter((r) => enginesOf(r).includes(own)).flatMap(entryOf);
  if (entries.length === 0) return whyEmpty(own, body.unresponsive_engines, results.length);
  const unread = new UnreadFields();
  for (const r of results) unread.of('organic.description', trimmedIn(r.content), r.content);
  const alone = results.every((r) => enginesOf(r).length === 1 && enginesOf(r)[0] === own);
  const organic = entries.map((entry, i) => ({ rank: i + 1, absoluteRank: i + 1, ...entry }));
  const suggestions = Array.isArray(body.suggestions) ? body.suggestions : [];
  const read = searchResult(input, {
    // with several engines the number is their mean, which no engine stated
    totalResults: alone ? unread.of('totalResults', strictCountIn(body.number_of_results) || null, body.number_of_results || null) : null,
    checkedAt: at,
    features: ['organic'],
    organic,
    paid: [],
    aiOverview: null,
    relatedSearches: suggestions.flatMap((s) => trimmedIn(s) ?? trimmedIn(objectOf(s)?.suggestion) ?? []),
  });
  return found(read, undefined, unread.paths);
};

function entryOf(r: ReturnType<typeof objectsOf>[number]): Omit<OrganicEntry, 'rank' | 'absoluteRank'>[] {
  const address = addressOf(trimmedIn(r.url));
  const title = trimmedIn(r.title);
  if (!address || !title) return [];
  return [
    { ...address, title, description: trimmedIn(r.content), breadcrumb: null, websiteName: null, isFeaturedSnippet: false, rating: null },
  ];
}

/** An empty list is not a statement of the engine: the instance reports at most the cause of a failure. */
function whyEmpty(own: string, unresponsive: unknown, others: number): NotFound {
  const reason = Array.isArray(unresponsive)
    ? unresponsive.find((pair) => Array.isArray(pair) && String(pair[0]).startsWith(own))
    : undefined;
  const said = Array.isArray(reason) ? String(reason[1]) : null;
  if (said === null)
    return changed('The search instance lists no result of the engine and does not say why.', `${others} results of other engines`);
  if (/captcha|denied|suspended|forbidden|blocked|cloudflare/i.test(said) && !/too many/i.test(said))
    return blocked('The search engine blocked the search instance.', said);
  if (/too many/i.test(said)) return limited('The search engine asks the search instance to slow down.', null, said);
  if (/timeout/i.test(said)) return timeout('The search engine did not answer the search instance in time.', said);
  return unreachable('The search instance could not read the search engine.', said);
}
