import type { SearchResult } from '../../../contract/operations/searchengine.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { changed, found, type Outcome } from '../../outcome.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { objectsOf, strictCountIn, trimmedIn } from '../../untyped-json.ts';
import { nothingFound, type SerpInput, searchResult } from '../result.ts';
import { epochMsIn } from '../timestamp.ts';
import { openEnvelope } from './envelope.ts';
import { featuresOf, organicOf, overviewOf, paidOf } from './items.ts';

export const PROVIDER_ENGINE = { engine_a: 'google', engine_b: 'bing' } as const;

/** Parses an answer of DataForSEO's organic endpoints (live and fetched tasks, advanced and regular; docs.dataforseo.com/v3/serp). */
export const readDataforseo = (answer: Answer, input: SerpInput): Outcome<SearchResult> => {
  const opened = openEnvelope(answer);
  if (opened.tag === 'nothing-found') return found(nothingFound(input, answer.at), 0);
  if (opened.tag !== 'result') return opened;
  const { result, task } = opened;
  const path = Array.isArray(task.path) ? task.path.map(String) : [];
  if (trimmedIn(result.type) !== 'organic' || (path[1] !== undefined && path[1] !== 'serp'))
    return changed('The answer of the data provider is none about organic results.', `type ${result.type}, path ${path.join('/')}`);
  if (path[2] !== undefined && path[2] !== PROVIDER_ENGINE[input.engine])
    return changed('The answer of the data provider is about another search engine.', path.join('/'));
  const items = objectsOf(result.items);
  const unread = new UnreadFields();
  const organic = organicOf(items, unread).slice(0, input.depth);
  if (organic.length === 0)
    return changed('The answer of the data provider holds no organic results and does not say why.', `${items.length} items`);
  const overview = items.find((item) => item.type === 'ai_overview');
  const read = searchResult(input, {
    totalResults: unread.of('totalResults', strictCountIn(result.se_results_count) || null, result.se_results_count || null),
    checkedAt: epochMsIn(result.datetime) ?? answer.at,
    features: featuresOf(items),
    organic,
    paid: paidOf(items, unread),
    aiOverview: overview ? overviewOf(overview) : null,
    relatedSearches: items.flatMap((item) =>
      item.type === 'related_searches' && Array.isArray(item.items) ? item.items.map(trimmedIn).filter((w) => w !== null) : [],
    ),
  });
  return found(read, organic.length, unread.paths);
};

/** The HTML pages of the provider's raw endpoint with the time of their retrieval, for the page parsers. */
export function rawPages(answer: Answer): Outcome<{ pages: readonly string[]; at: number }> {
  const opened = openEnvelope(answer);
  if (opened.tag === 'nothing-found') return changed('The data provider has no page to hand over.', '40102');
  if (opened.tag !== 'result') return opened;
  const pages = objectsOf(opened.result.items).flatMap((item) => (typeof item.html === 'string' && item.html !== '' ? [item.html] : []));
  if (pages.length === 0) return changed('The answer of the data provider holds no page.');
  return found({ pages, at: epochMsIn(opened.result.datetime) ?? answer.at });
}
