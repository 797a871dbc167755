import { MOST_SEEN, type Rankings } from '../contract/account/ranking-schemas.ts';
import { isCitedBy, type Places } from './places.ts';

/** An answer, with the best place of each site in it. */
export interface Compared {
  readonly places: Places;
  readonly best: (number | null)[];
}
/** Of a keyword: the answer of its first day and that of its last one. */
export interface Ends {
  readonly first: Compared;
  readonly last: Compared;
  readonly isOneDay: boolean;
}
type Standing = Rankings['standing'];
interface Stored {
  readonly sites: readonly string[];
  readonly ends: readonly Ends[];
  readonly visibility: Rankings['visibility'];
}

const [FIRST_THREE, FIRST_PAGE] = [3, 10];
const isWithin = (place: number | null, most: number): boolean => place !== null && place <= most;

/** Where the sites stand now, and where they stood at the beginning. */
export function standingOf({ sites, ends, visibility }: Stored): Standing {
  const isCompared = ends.some(({ isOneDay }) => !isOneDay);
  const figure = (has: (answer: Compared) => boolean) => ({
    now: ends.filter(({ last }) => has(last)).length,
    before: isCompared ? ends.filter(({ first }) => has(first)).length : null,
  });
  const answered = visibility.filter(({ keywords }) => keywords > 0);
  return {
    keywords: ends.length,
    overviews: figure(({ places }) => places.cited !== null),
    sites: sites.map((site, i) => {
      const moves = ends.map(({ first, last }) => ({ start: first.best[i] ?? null, now: last.best[i] ?? null }));
      const better = (one: number | null, other: number | null): boolean => one !== null && (other === null || one < other);
      return {
        site,
        visibility: answered.at(-1)?.sites[i] ?? null,
        visibilityBefore: answered.length > 1 ? (answered[0]?.sites[i] ?? null) : null,
        firstThree: figure(({ best }) => isWithin(best[i] ?? null, FIRST_THREE)),
        firstPage: figure(({ best }) => isWithin(best[i] ?? null, FIRST_PAGE)),
        cited: figure(({ places }) => isCitedBy(places, site)),
        up: moves.filter(({ start, now }) => better(now, start)).length,
        down: moves.filter(({ start, now }) => better(start, now)).length,
        left: moves.filter(({ start, now }) => isWithin(start, FIRST_PAGE) && !isWithin(now, FIRST_PAGE)).length,
      };
    }),
  };
}

const LAST_SEEN = 20;
/** The sites with a place for most keywords, other than these; `nameOf`: the site of a host. */
export function seenIn(ends: readonly Ends[], sites: readonly string[], nameOf: (host: string) => string | null): Rankings['seen'] {
  const siteOf = new Map<string, string | null>();
  const counts = new Map<string, number>();
  for (const { last } of ends) {
    const found = new Set<string>();
    for (const [host, rank] of last.places.hosts) {
      if (rank > LAST_SEEN) continue;
      let site = siteOf.get(host);
      if (site === undefined) {
        const name = nameOf(host);
        site = name !== null && sites.includes(name) ? null : name;
        siteOf.set(host, site);
      }
      if (site !== null) found.add(site);
    }
    for (const site of found) counts.set(site, (counts.get(site) ?? 0) + 1);
  }
  return [...counts]
    .map(([site, keywords]) => ({ site, keywords }))
    .sort((a, b) => b.keywords - a.keywords || (a.site < b.site ? -1 : 1))
    .slice(0, MOST_SEEN);
}
