import { listAt } from '../contract/compare.ts';
import { isObject } from '../contract/json-object.ts';

/** What of a ranking is compared between sites: the best place of each host, the host of the snippet, and the hosts that the overview cites. */
export interface Places {
  readonly hosts: readonly (readonly [host: string, rank: number])[];
  readonly snippet: string | null;
  /** Null: there is no overview. */
  readonly cited: readonly string[] | null;
}

/** The places of a stored answer. */
export function placesOf(body: Readonly<Record<string, unknown>>): Places {
  const best = new Map<string, number>();
  let snippet: string | null = null;
  for (const { domain, rank, isFeaturedSnippet } of listAt(body, 'organic')) {
    const host = String(domain);
    best.set(host, Math.min(best.get(host) ?? Number.POSITIVE_INFINITY, Number(rank)));
    if (isFeaturedSnippet === true) snippet ??= host;
  }
  const cited = isObject(body.aiOverview) ? [...new Set(listAt(body, 'aiOverview.references').map(({ domain }) => String(domain)))] : null;
  return { hosts: [...best], snippet, cited };
}
