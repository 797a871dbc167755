import type { OrganicEntry, SearchResult } from '../../contract/operations/serp/operation.ts';
import type { Clock } from '../../runtime/clock.ts';
import { blocked, changed, type Found, found, type Outcome, timeout } from '../outcome.ts';
import { parsersIn } from '../source.ts';
import { type PageRead, pageKey, type SerpInput } from './result.ts';

const MOST_PAGES = 30;
/** Pages of which more than half repeats what came before; one more fails the lookup. */
const MOST_REPEATING = 1;

/**
 * Joins result pages until `depth` places are known or the engine names no next page: ranks continue, a repeated URL counts once. An entry of
 * which the root of its site alone is known is joined by its place, because two of them may be two pages. A failed page fails the lookup: a
 * ranking is never cut. `next`: the engine's own link on the previous page, `places`: those before this page. No page is begun from
 * `startBeforeMs` on.
 */
export async function joinPages(
  input: SerpInput,
  clock: Pick<Clock, 'now'>,
  startBeforeMs: number,
  readPage: (index: number, next: string | null, places: number) => Promise<Outcome<PageRead>>,
): Promise<Outcome<SearchResult>> {
  const organic: OrganicEntry[] = [];
  const seen = new Set<string>();
  const reads: Found<PageRead>[] = [];
  let [places, elements, repeating] = [0, 0, 0];
  let next: string | null = null;
  do {
    if (reads.length === MOST_PAGES)
      return {
        ...changed('The search engine shows too few results a page.', `${places} in ${MOST_PAGES} pages`),
        advice: `A depth of at most ${places} is answered.`,
      };
    if (reads.length > 0 && clock.now() >= startBeforeMs)
      return timeout('There was no time left for all result pages that were asked for.', `${reads.length} pages, ${places} entries`);
    const outcome = await readPage(reads.length, next, places);
    if (outcome.tag !== 'found') return outcome;
    const page = outcome.resource;
    const isSeen = (entry: OrganicEntry): boolean => seen.has(identityOf(entry, page));
    const isAgain = (entry: OrganicEntry): boolean => !entry.isFeaturedSnippet && !page.roots.includes(entry.rank) && isSeen(entry);
    let repeated = 0;
    for (const entry of page.result.organic)
      if (isAgain(entry)) repeated++;
      else organic.push({ ...entry, rank: places + entry.rank - repeated, absoluteRank: elements + entry.absoluteRank });
    // engine B repeats its first page to clients that it turns away
    const again = page.result.organic.filter(isSeen).length;
    if ((again === page.places && page.places > 0) || (again > page.places / 2 && ++repeating > MOST_REPEATING))
      return blocked('The search engine repeats its results instead of going on.', `${again} of ${page.places}, page ${reads.length + 1}`);
    for (const entry of page.result.organic) if (!entry.isFeaturedSnippet) seen.add(identityOf(entry, page));
    reads.push(outcome);
    places += page.places - repeated;
    elements += page.elements;
    next = page.places === 0 ? null : page.next;
  } while (places < input.depth && next !== null);
  const selected = organic.filter(({ rank }) => rank <= input.depth);
  const result = together(reads, selected);
  const unread = reads.flatMap((read) => read.unread ?? []).filter((path) => path !== 'aiOverview' || result.aiOverview === null);
  const atMostMs = reads.flatMap(({ freshAtMostMs }) => freshAtMostMs ?? []);
  return {
    ...found(result, Math.min(places, input.depth), unread),
    ...(atMostMs.length > 0 && { freshAtMostMs: Math.min(...atMostMs) }),
  };
}

/** A root does not identify an entry; with its title it tells whether a whole page comes again. */
const identityOf = ({ url, title, rank }: OrganicEntry, { roots }: PageRead): string =>
  roots.includes(rank) ? `${url} ${title}` : pageKey(url);

/** Page-level facts come from the first page; sections, ads and related searches from all pages. */
function together(reads: readonly Found<PageRead>[], organic: OrganicEntry[]): SearchResult {
  const [first, ...rest] = reads.map(({ resource }) => resource.result);
  if (!first) throw new Error('no page was read'); // the loop above adds a page or returns
  const results = [first, ...rest];
  const paid: SearchResult['paid'] = [];
  for (const result of results) {
    const above = paid.at(-1)?.rank ?? 0;
    paid.push(...result.paid.map((ad) => ({ ...ad, rank: above + ad.rank })));
  }
  const related = new Map(results.flatMap((r) => r.relatedSearches).map((words) => [words.toLowerCase(), words]));
  return {
    ...first,
    features: [...new Set(results.flatMap((r) => r.features))],
    organic,
    paid,
    aiOverview: first.aiOverview ?? rest.find((r) => r.aiOverview)?.aiOverview ?? null,
    relatedSearches: [...related.values()],
  };
}

const google = parsersIn<typeof import('./google/parse.ts')>(new URL('./google/parse.ts', import.meta.url));
const bing = parsersIn<typeof import('./bing/parse.ts')>(new URL('./bing/parse.ts', import.meta.url));

export const PAGE_PARSERS = { engine_a: google('openGooglePage'), engine_b: bing('openBingPage') } as const;
