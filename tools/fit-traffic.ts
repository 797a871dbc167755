/**
 * Fits the curve from global rank to monthly visits, and its 80 % interval, on ../shared/recordings/traffic/rank_visits.csv, and writes
 * src/sources/traffic/model/coefficients.ts, docs/traffic-fit.svg and the figures. `npm run fit:traffic [-- --check]`.
 *
 * Model: log10 visits is piecewise linear in log10 rank; medians by least absolute deviations, the 10 % and 90 % lines by quantile
 * regression with fewer knots. Fitted on part of the domains (by hash), evaluated on the held-out rest.
 * The table belongs to a third party: only the coefficients are published.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { drawFit } from './fit-svg.ts';
import { fitQuantile } from './quantile.ts';

const TABLE = '../shared/recordings/traffic/rank_visits.csv';
const FOREIGN = '../shared/recordings/traffic/moz_rank_visits.csv';
export const KNOTS = [0, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7.6];
export const BAND_KNOTS = [0, 2, 3, 4, 5, 6, 7.6];

export interface Row {
  x: number;
  y: number;
  held: boolean;
}

/** Rows of 2024 with a rank and visits; one in four domains is held out of the fit. */
export function readRows(file: string): Row[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const names = head.split(',');
  const [domain, rank, visits, month] = ['domain', 'rank', 'visits', 'month'].map((n) =>
    names.findIndex((h) => h === n || h === `moz_${n}`),
  ) as [number, number, number, number];
  return lines.flatMap((line) => {
    const cells = line.split(',');
    const [r, v] = [Number(cells[rank]), Number(cells[visits])];
    if (!(r > 0 && v > 0) || (month >= 0 && !cells[month]?.startsWith('2024'))) return [];
    const held = (createHash('sha256').update(`held out ${cells[domain]}`).digest()[0] ?? 0) < 64;
    return [{ x: Math.log10(r), y: Math.log10(v), held }];
  });
}

/** Value of the piecewise-linear function with these values at these knots; the outer pieces are extrapolated. */
export function line(knots: readonly number[], values: readonly number[], x: number): number {
  let i = 0;
  while (i < knots.length - 2 && x > (knots[i + 1] as number)) i++;
  const [x0, x1, y0, y1] = [knots[i], knots[i + 1], values[i], values[i + 1]] as [number, number, number, number];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

const median = (values: number[]): number => {
  const s = [...values].sort((a, b) => a - b);
  return s.length % 2 ? (s[s.length >> 1] as number) : ((s[s.length / 2 - 1] as number) + (s[s.length / 2] as number)) / 2;
};
const round = (n: number, digits = 4): number => Number(n.toFixed(digits));

export function fit(rows: Row[]) {
  const known = rows.filter((r) => !r.held);
  const curve = fitQuantile(known, KNOTS, 0.5).map((v) => round(v));
  const residuals = known.map((r) => ({ x: r.x, y: r.y - line(KNOTS, curve, r.x) }));
  const low = fitQuantile(residuals, BAND_KNOTS, 0.1).map((v) => round(Math.min(v, 0)));
  const high = fitQuantile(residuals, BAND_KNOTS, 0.9).map((v) => round(Math.max(v, 0)));
  return { curve, low, high };
}

export function judge(rows: Row[], { curve, low, high }: ReturnType<typeof fit>) {
  const errors = rows.map((r) => r.y - line(KNOTS, curve, r.x));
  const covered = rows.filter((r, i) => {
    const e = errors[i] as number;
    return e >= line(BAND_KNOTS, low, r.x) && e <= line(BAND_KNOTS, high, r.x);
  });
  return {
    rows: rows.length,
    medianError: round(median(errors.map(Math.abs)), 4),
    withinTwo: round(errors.filter((e) => Math.abs(e) <= Math.log10(2)).length / rows.length, 4),
    coverage: round(covered.length / rows.length, 4),
  };
}

/**
 * Error added by a rank of another list: the half-width (in powers of ten) that, added in quadrature to the curve's own interval, covers 80
 * % of the rows of such a list. The only list available is based on links, which correlate least with visits.
 */
export function disagreement({ curve, low, high }: ReturnType<typeof fit>): { rows: number; medianError: number; halfWidth: number } {
  const rows = readRows(FOREIGN);
  const errors = rows.map((r) => ({
    e: r.y - line(KNOTS, curve, r.x),
    low: line(BAND_KNOTS, low, r.x),
    high: line(BAND_KNOTS, high, r.x),
  }));
  const covers = (d: number) =>
    errors.filter(({ e, low, high }) => (e < 0 ? -e <= Math.hypot(low, d) : e <= Math.hypot(high, d))).length >= 0.8 * rows.length;
  let [from, to] = [0, 4];
  for (let i = 0; i < 40; i++) {
    const middle = (from + to) / 2;
    if (covers(middle)) to = middle;
    else from = middle;
  }
  return { rows: rows.length, medianError: round(median(errors.map(({ e }) => Math.abs(e)))), halfWidth: round(to, 3) };
}

if (import.meta.main) {
  if (!existsSync(TABLE)) {
    console.error(`${TABLE} is not here: the coefficients can't be fitted again.`);
    process.exit(1);
  }
  const rows = readRows(TABLE);
  const fitted = fit(rows);
  const held = judge(
    rows.filter((r) => r.held),
    fitted,
  );
  const seen = judge(
    rows.filter((r) => !r.held),
    fitted,
  );
  const lists = disagreement(fitted);
  console.log(`fitted on ${seen.rows} rows: median |log10 error| ${seen.medianError}, coverage ${seen.coverage}`);
  console.log(
    `held out  ${held.rows} rows: median |log10 error| ${held.medianError}, within a factor of 2 ${held.withinTwo}, coverage of the curve's own 80 % interval ${held.coverage}`,
  );
  console.log(
    `ranks of another list, ${lists.rows} rows: median |log10 error| ${lists.medianError}, disagreement between lists: half-width of an 80 % interval ${lists.halfWidth} dex`,
  );
  const text = `/**
 * Written by tools/fit-traffic.ts; change it there. log10 of monthly visits at knots of log10 global rank, the offsets of the curve's own
 * 80 % interval, and the half-width (80 %, in powers of ten) that a rank of another list adds.
 */
export const COEFFICIENTS = {
  knots: ${JSON.stringify(KNOTS)},
  visits: ${JSON.stringify(fitted.curve)},
  bandKnots: ${JSON.stringify(BAND_KNOTS)},
  low: ${JSON.stringify(fitted.low)},
  high: ${JSON.stringify(fitted.high)},
  lists: ${lists.halfWidth},
  heldOut: ${JSON.stringify(held)},
} as const;
`
    .replaceAll(/([[,])(-?[\d.]+)/g, '$1 $2')
    .replaceAll('[ ', '[')
    .replaceAll('"', '')
    .replaceAll(':', ': ')
    .replaceAll(':  ', ': ');
  const target = 'src/sources/traffic/model/coefficients.ts';
  if (process.argv.includes('--check')) {
    const same = readFileSync(target, 'utf8').replace(/\s/g, '') === text.replace(/\s/g, '');
    if (!same) {
      console.error(`${target} is not what the fit gives`);
      process.exit(1);
    }
  } else {
    writeFileSync(target, text);
    writeFileSync(
      'docs/traffic-fit.svg',
      drawFit(
        rows.filter((r) => r.held),
        fitted,
        { line, knots: KNOTS, bandKnots: BAND_KNOTS, lists: lists.halfWidth },
      ),
    );
  }
}
