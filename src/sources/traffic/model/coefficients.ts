/**
 * Written by tools/fit-traffic.ts; change it there. log10 of monthly visits at knots of log10 global rank, the offsets of the curve's own
 * 80 % interval, and the half-width (80 %, in powers of ten) that a rank of another list adds. `government`: names under gov and mil, from
 * real visits: difference to the curve, 80 % interval around it, and its figures on rows that the fit did not use; `governmentBuckets`:
 * the same from the middle of a bucket.
 */
export const COEFFICIENTS = {
  knots: [0, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7.6],
  visits: [10.6259, 9.5072, 8.9858, 8.5063, 8.0784, 7.6599, 7.2237, 6.7688, 6.2649, 5.7045, 5.0973, 4.4767, 3.8041, 2.2796],
  bandKnots: [0, 2, 3, 4, 5, 6, 7.6],
  low: [-0.2015, -0.1768, -0.1709, -0.1536, -0.1994, -0.2102, -0.4196],
  high: [0.2933, 0.1492, 0.1744, 0.1728, 0.1702, 0.1719, 0.3645],
  lists: 0.877,
  heldOut: { rows: 3007, medianError: 0.0932, withinTwo: 0.9455, coverage: 0.7975 },
  government: { shift: -0.4274, low: -0.4781, high: 0.6187, rows: 103, heldOut: { medianError: 0.3266, coverage: 0.819 } },
  governmentBuckets: { shift: 0.5556, low: -0.5449, high: 0.4765, rows: 112, heldOut: { medianError: 0.2695, coverage: 0.8098 } },
} as const;
