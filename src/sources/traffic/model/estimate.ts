import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import { visitsOfListed } from './curve.ts';

/** A rank in a list. CrUX states only the upper bound of a bucket. */
export interface Ranked {
  readonly list: 'tranco' | 'crux';
  readonly rank: number;
  /** `YYYY-MM-DD` of the list. */
  readonly date: string;
}

/** Up to this rank, lists agree well enough for an estimate (docs/traffic.md). */
const MEDIUM_CONFIDENCE_RANK = 100_000;
/** Visits modelled from a rank; fields that cannot be derived from a rank are null. */
export function estimateOf(domain: string, ranked: Ranked, at: number): TrafficEstimate {
  const bucket = ranked.list === 'crux';
  const estimate = visitsOfListed(domain, ranked.rank, bucket);
  return {
    domain,
    period: ranked.date.slice(0, 7),
    visits: estimate.visits,
    visitsLow: estimate.low,
    visitsHigh: estimate.high,
    uniqueVisitors: null,
    pagesPerVisit: null,
    avgVisitDurationSeconds: null,
    bounceRate: null,
    history: [],
    trafficSources: null,
    topCountries: [],
    globalRank: bucket ? null : ranked.rank,
    countryRank: null,
    categoryRank: null,
    method: 'model',
    rankSource: ranked.list,
    confidence: !bucket && ranked.rank <= MEDIUM_CONFIDENCE_RANK ? 'medium' : 'low',
    scrapedAt: new Date(at).toISOString(),
  };
}
