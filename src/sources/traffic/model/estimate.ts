import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import { emptyEstimate } from '../provider-answer.ts';
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
export function estimateOf(domain: string, { list, rank, date }: Ranked, at: number): TrafficEstimate {
  const isBucket = list === 'crux';
  const { visits, low, high } = visitsOfListed(domain, rank, isBucket);
  return {
    ...emptyEstimate(domain, at),
    period: date.slice(0, 7),
    visits,
    visitsLow: low,
    visitsHigh: high,
    globalRank: isBucket ? null : rank,
    method: 'model',
    rankSource: list,
    confidence: !isBucket && rank <= MEDIUM_CONFIDENCE_RANK ? 'medium' : 'low',
  };
}
