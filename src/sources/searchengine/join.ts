import type { OrganicEntry, SearchResult } from '../../contract/operations/searchengine.ts';
import { blocked, found, type Outcome, timeout } from '../outcome.ts';
import type { PageRead, SerpInput } from './result.ts';

export interface Joining {
  /** Fetches and parses page `index` (0-based); `next` is the engine's own link on the previous page. */
  readonly page: (index: number, next: string | null) => Promise<Outcome<PageRead>>;
  /** Whether a page equal to the previous one is a block (engine B) rather than the end of the list. */
  readonly repeatIsBlockPage: boolean;
  /** Whether there is enough time for another page. */
  readonly timeLeft: () => boolean;
}
/** The engines end their lists before this page. */
const MOST_PAGES = 30;

/**
 * Joins result pages into one list until it has `depth` entries or the engine names no next page: ranks continue across pages, and a
 * repeated URL counts once. A failed page fails the whole lookup: a truncated ranking is never returned.
 */
export async function joinPages(input: SerpInput, joining: Joining): Promise<Outcome<SearchResult>> {
  const organic: OrganicEntry[] = [];
  const seen = new Set<string>();
  const reads: SearchResult[] = [];
  const unread: string[] = [];
  let elements = 0;
  let next: string | null = null;
  for (let index = 0; index < MOST_PAGES; index++) {
    if (index > 0 && !joining.timeLeft())
      return timeout('There was no time left for all result pages that were asked for.', `${index} pages, ${organic.length} entries`);
    const outcome = await joining.page(index, next);
    if (outcome.tag !== 'found') return outcome;
    const { result } = outcome.resource;
    const fresh = result.organic.filter((entry) => entry.isFeaturedSnippet || !seen.has(entry.url));
    if (index > 0 && result.organic.length > 0 && fresh.length === 0) {
      if (joining.repeatIsBlockPage) return blocked('The search engine repeats its first page instead of going on.', `page ${index + 1}`);
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
