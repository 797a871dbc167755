import type { TrafficEstimate } from '../../../contract/operations/traffic/operation.ts';
import { emptyEstimate } from '../provider-answer.ts';
import COEFFICIENTS from './coefficients.json' with { type: 'json' };

/*
 * coefficients.json is written by tools/fit-traffic.ts. log10 of monthly visits at knots of log10 global rank, the offsets of the curve's own
 * 80 % interval, and the half-width (80 %, in powers of ten) that a rank of another list adds. `government`: names under gov and mil, from
 * real visits: difference to the curve, 80 % interval around it, and its figures on rows that the fit did not use; `governmentBuckets`:
 * the same from the middle of a bucket.
 */

/** z of an 80 % interval of the normal distribution. */
const Z80 = 1.2816;

/** Piecewise linear function through values at knots; the outer segments are extrapolated. */
function along(knots: readonly number[], values: readonly number[], x: number): number {
  let i = 0;
  while (i < knots.length - 2 && x > (knots[i + 1] ?? 0)) i++;
  const [x0 = 0, x1 = 1, y0 = 0, y1 = 0] = [knots[i], knots[i + 1], values[i], values[i + 1]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/**
 * Monthly visits from a global rank (1 is the most visited), with an 80 % interval, which the disagreement of rank lists widens; so does
 * `spread`, the standard deviation of the rank in powers of ten, such as that of a bucket. Derivation: docs/traffic.md.
 */
export function visitsOfRank(rank: number, spread = 0) {
  const x = Math.log10(Math.max(1, rank));
  const middle = along(COEFFICIENTS.knots, COEFFICIENTS.visits, x);
  const lists = Math.hypot(COEFFICIENTS.lists, Z80 * spread);
  const low = Math.hypot(along(COEFFICIENTS.bandKnots, COEFFICIENTS.low, x), lists);
  const high = Math.hypot(along(COEFFICIENTS.bandKnots, COEFFICIENTS.high, x), lists);
  return { visits: roundedFrom(middle), low: roundedFrom(middle - low), high: roundedFrom(middle + high) };
}

/** The upper ends of the buckets of CrUX, in half steps of the rank's magnitude. */
const BUCKET_ENDS: readonly number[] = [1e3, 5e3, 1e4, 5e4, 1e5, 5e5, 1e6, 5e6, 1e7, 5e7];

/** The rank at the mean of the logarithms of a bucket's ranks, each equally likely, and their standard deviation in powers of ten. */
export function middleOfBucket(end: number): { rank: number; spread: number } {
  // of another list's bucket only the order of magnitude is known
  const from = BUCKET_ENDS.includes(end) ? (BUCKET_ENDS[BUCKET_ENDS.indexOf(end) - 1] ?? 1) : Math.max(1, end / 10);
  if (end <= from) return { rank: end, spread: 0 };
  const sumOfLogs = (r: number) => r * (Math.log(r) - 1);
  const sumOfSquares = (r: number) => r * (Math.log(r) ** 2 - 2 * Math.log(r) + 2);
  const mean = (sumOfLogs(end) - sumOfLogs(from)) / (end - from);
  const variance = (sumOfSquares(end) - sumOfSquares(from)) / (end - from) - mean ** 2;
  return { rank: Math.exp(mean), spread: Math.sqrt(variance) / Math.LN10 };
}

/** Names of the United States government: links and DNS, from which Tranco is made, rank them far above what people visit. */
const GOVERNMENT = /\.(gov|mil)$/;

/** Monthly visits from a rank of Tranco or the end of a CrUX bucket, with an 80 % interval; a known class of names has its own correction. */
export function visitsOfListed(domain: string, rank: number, isBucket = false) {
  const { rank: middleRank, spread } = isBucket ? middleOfBucket(rank) : { rank, spread: 0 };
  if (!GOVERNMENT.test(domain)) return visitsOfRank(middleRank, spread);
  const { shift, low, high } = isBucket ? COEFFICIENTS.governmentBuckets : COEFFICIENTS.government;
  const middle = along(COEFFICIENTS.knots, COEFFICIENTS.visits, Math.log10(Math.max(1, middleRank))) + shift;
  return { visits: roundedFrom(middle), low: roundedFrom(middle + low), high: roundedFrom(middle + high) };
}

const roundedFrom = (log10: number): number => Math.max(1, Math.round(Number((10 ** log10).toPrecision(3))));

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
export function estimateOf(domain: string, { list, rank, date }: Ranked, atMs: number): TrafficEstimate {
  const isBucket = list === 'crux';
  const { visits, low, high } = visitsOfListed(domain, rank, isBucket);
  return {
    ...emptyEstimate(domain, atMs),
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
