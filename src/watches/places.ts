import { listAt } from '../contract/compare.ts';
import { isObject } from '../contract/json-object.ts';
import { readDomain } from '../contract/parameters/domain-name.ts';

/** What of a ranking is compared: the best place of each host or app, the host of the snippet, and the hosts that the overview cites. */
export interface Places {
  readonly hosts: readonly (readonly [host: string, rank: number])[];
  readonly snippet: string | null;
  /** Null: there is no overview. */
  readonly cited: readonly string[] | null;
}

const bestOf = (ranked: readonly (readonly [name: string, rank: number])[]): Places['hosts'] => {
  const best = new Map<string, number>();
  for (const [name, rank] of ranked) best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, rank));
  return [...best];
};

function placesOfSearch(body: Readonly<Record<string, unknown>>): Places {
  const organic = listAt(body, 'organic');
  const snippet = organic.find(({ isFeaturedSnippet }) => isFeaturedSnippet === true);
  return {
    hosts: bestOf(organic.map(({ domain, rank }) => [String(domain), Number(rank)])),
    snippet: snippet ? String(snippet.domain) : null,
    cited: isObject(body.aiOverview) ? [...new Set(listAt(body, 'aiOverview.references').map(({ domain }) => String(domain)))] : null,
  };
}

/** Ads have a place among the ads alone. */
function placesOfApps(body: Readonly<Record<string, unknown>>): Places {
  const organic = listAt(body, 'apps').filter(
    ({ handle, position, isSponsored }) => typeof handle === 'string' && typeof position === 'number' && isSponsored !== true,
  );
  return { hosts: bestOf(organic.map(({ handle, position }) => [String(handle), Number(position)])), snippet: null, cited: null };
}

/** Whether a host belongs to a site: it is the site, or below it. */
export const isOf = (host: string, site: string): boolean => host === site || host.endsWith(`.${site}`);
/** Whether the overview of a ranking cites a site. */
export const isCitedBy = (places: Places | undefined, site: string): boolean => places?.cited?.some((host) => isOf(host, site)) ?? false;

const readSite = readDomain({ privateRegistries: true });
/** How the answers of an operation are compared: whose an entry is. */
export interface Ranked {
  readonly placesOf: (body: Readonly<Record<string, unknown>>) => Places;
  readonly isOf: (host: string, name: string) => boolean;
  /** The site or app that a host belongs to; null: none. */
  readonly nameOf: (host: string) => string | null;
}
export type RankedOperation = 'serp' | 'app-keywords';
export const RANKED: { readonly [Id in RankedOperation]: Ranked } = {
  serp: {
    placesOf: placesOfSearch,
    isOf,
    nameOf(host) {
      const read = readSite(host);
      return read.ok ? read.value : null;
    },
  },
  'app-keywords': { placesOf: placesOfApps, isOf: (handle, app) => handle === app, nameOf: (handle) => handle },
};
export const isRanked = (operation: string): operation is RankedOperation => Object.hasOwn(RANKED, operation);

/** Reads the best place of each of these sites or apps in an answer. Whose a host is, is found once. */
export function bestPlacesOf(names: readonly string[], { isOf: belongs }: Ranked): (places: Places) => (number | null)[] {
  const owners = new Map<string, readonly number[]>();
  return ({ hosts }) => {
    const best: (number | null)[] = names.map(() => null);
    for (const [host, rank] of hosts) {
      let of = owners.get(host);
      if (!of) {
        of = names.flatMap((name, i) => (belongs(host, name) ? [i] : []));
        owners.set(host, of);
      }
      for (const i of of) if (rank < (best[i] ?? Number.POSITIVE_INFINITY)) best[i] = rank;
    }
    return best;
  };
}
