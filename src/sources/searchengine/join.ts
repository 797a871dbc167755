import type { OrganicEntry, SearchResult } from '../../contract/operations/searchengine.ts';
import type { Clock } from '../../runtime/clock.ts';
import { blocked, found, type Outcome, timeout } from '../outcome.ts';
import { parsersIn } from '../source.ts';
import type { PageRead, SerpInput } from './result.ts';

const MOST_PAGES = 30;

/**
 * Joins result pages until there are `depth` entries or no next page: ranks continue, a repeated URL counts once. A failed page fails the
 * lookup: a ranking is never cut. `next`: the engine's own link on the previous page. No page is begun from `startBeforeMs` on.
 */
export async function joinPages(
  input: SerpInput,
  clock: Pick<Clock, 'now'>,
  startBeforeMs: number,
  readPage: (index: number, next: string | null) => Promise<Outcome<PageRead>>,
): Promise<Outcome<SearchResult>> {
  const organic: OrganicEntry[] = [];
  const seen = new Set<string>();
  const reads: SearchResult[] = [];
  const unread: string[] = [];
  let elements = 0;
  let next: string | null = null;
  for (let index = 0; index < MOST_PAGES; index++) {
    if (index > 0 && clock.now() >= startBeforeMs)
      return timeout('There was no time left for all result pages that were asked for.', `${index} pages, ${organic.length} entries`);
    const outcome = await readPage(index, next);
    if (outcome.tag !== 'found') return outcome;
    const { result } = outcome.resource;
    const fresh = result.organic.filter((entry) => entry.isFeaturedSnippet || !seen.has(entry.url));
    if (index > 0 && result.organic.length > 0 && fresh.length === 0) {
      // engine B repeats its first page to clients that it turns away
      if (input.engine === 'engine_b') return blocked('The search engine repeats its first page instead of going on.', `page ${index + 1}`);
      break;
    }
    for (const entry of fresh) {
      if (!entry.isFeaturedSnippet) seen.add(entry.url);
      organic.push({ ...entry, rank: organic.length + 1, absoluteRank: elements + entry.absoluteRank });
    }
    reads.push(result);
    unread.push(...(outcome.unread ?? []));
    elements += outcome.resource.elements;
    next = outcome.resource.next;
    if (result.organic.length === 0 || organic.length >= input.depth || next === null) break;
  }
  const selected = organic.slice(0, input.depth);
  return found(together(reads, selected), selected.length, unread);
}

/** Page-level facts come from the first page; sections, ads and related searches from all pages. */
function together(reads: readonly SearchResult[], organic: OrganicEntry[]): SearchResult {
  const [first, ...rest] = reads;
  if (!first) throw new Error('no page was read'); // the loop above adds a page or returns
  const paid = reads.flatMap((r) => r.paid).map((ad, i) => ({ ...ad, rank: i + 1 }));
  const related = new Map(reads.flatMap((r) => r.relatedSearches).map((words) => [words.toLowerCase(), words]));
  return {
    ...first,
    features: [...new Set(reads.flatMap((r) => r.features))],
    organic,
    paid,
    aiOverview: first.aiOverview ?? rest.find((r) => r.aiOverview)?.aiOverview ?? null,
    relatedSearches: [...related.values()],
  };
}

const google = parsersIn<typeof import('./google/parse.ts')>(new URL('./google/parse.ts', import.meta.url));
const bing = parsersIn<typeof import('./bing/parse.ts')>(new URL('./bing/parse.ts', import.meta.url));

export const PAGE_PARSERS = { engine_a: google('openGooglePage'), engine_b: bing('openBingPage') } as const;
