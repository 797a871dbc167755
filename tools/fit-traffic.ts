/**
 * Fits the curve from global rank to monthly visits, and its 80 % interval, on ../shared/recordings/traffic/rank_visits.csv, and writes
 * src/sources/traffic/model/coefficients.json, docs/traffic-fit.svg and the figures. `npm run fit:traffic [-- --check]`.
 *
 * Model: log10 visits is piecewise linear in log10 rank; medians by least absolute deviations, the 10 % and 90 % lines by quantile
 * regression with fewer knots. Fitted on part of the domains (by hash), evaluated on the held-out rest.
 * The table belongs to a third party: only the coefficients are published.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { middleOfBucket } from '../src/sources/traffic/model/estimate.ts';
import { drawFit } from './fit-svg.ts';
import { fitQuantile } from './quantile.ts';

const TABLE = '../shared/recordings/traffic/rank_visits.csv';
const COUNTED = '../shared/recordings/2026-11/traffic/analytics.tsv';
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

/** Real visits of government sites, counted by the sites themselves, beside their rank in a list; of a bucket the middle. */
export interface CountedSite {
  readonly domain: string;
  readonly x: number;
  readonly y: number;
}
export function readCountedSites(file: string, column: 'tranco_rank' | 'crux_rank' = 'tranco_rank'): CountedSite[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const names = head.split('\t');
  const at = (name: string) => names.indexOf(name);
  return lines.flatMap((text) => {
    const cells = text.split('\t');
    const [stated, visits] = [Number(cells[at(column)]), Number(cells[at('visits_30_days')])];
    const rank = column === 'crux_rank' && stated > 0 ? middleOfBucket(stated).rank : stated;
    return rank > 0 && visits > 0 ? [{ domain: cells[at('domain')] ?? '', x: Math.log10(rank), y: Math.log10(visits) }] : [];
  });
}

/**
 * Correction of one class of names: the median difference between counted visits and the curve, and the 80 % interval around it (order
 * statistics of the residuals, as in split conformal prediction). A slope over the rank gains nothing in cross-validation.
 */
export function fitClass(sites: readonly CountedSite[], curve: readonly number[]) {
  const errors = sites.map(({ x, y }) => y - line(KNOTS, curve, x));
  const shift = median(errors);
  const sorted = errors.map((e) => e - shift).sort((a, b) => a - b);
  const n = sorted.length;
  const low = sorted[Math.max(0, Math.floor(0.1 * (n + 1)) - 1)] as number;
  const high = sorted[Math.min(n - 1, Math.ceil(0.9 * (n + 1)) - 1)] as number;
  return { shift: round(shift), low: round(low), high: round(high), rows: n };
}

/** Mean of the figures over both directions of ten fixed splits into halves: fitted on one half, judged on the other. */
export function crossValidate(sites: readonly CountedSite[], curve: readonly number[]): { medianError: number; coverage: number } {
  const figures = Array.from({ length: 10 }, (_, split) => {
    const half = (site: CountedSite) => (createHash('sha256').update(`${split} ${site.domain}`).digest()[0] ?? 0) % 2;
    return [0, 1].map((side) => {
      const { shift, low, high } = fitClass(
        sites.filter((s) => half(s) === side),
        curve,
      );
      const errors = sites.filter((s) => half(s) !== side).map(({ x, y }) => y - line(KNOTS, curve, x) - shift);
      return { error: median(errors.map(Math.abs)), coverage: errors.filter((e) => e >= low && e <= high).length / errors.length };
    });
  }).flat();
  const mean = (of: (figure: (typeof figures)[number]) => number) => figures.reduce((sum, f) => sum + of(f), 0) / figures.length;
  return { medianError: round(mean((f) => f.error)), coverage: round(mean((f) => f.coverage)) };
}

if (import.meta.main) {
  for (const file of [TABLE, COUNTED])
    if (!existsSync(file)) {
      console.error(`${file} is not here: the coefficients can't be fitted again.`);
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
  const classOf = (column: 'tranco_rank' | 'crux_rank') => {
    const sites = readCountedSites(COUNTED, column);
    const fittedClass = { ...fitClass(sites, fitted.curve), heldOut: crossValidate(sites, fitted.curve) };
    const { rows: n, shift, heldOut } = fittedClass;
    console.log(
      `government sites by ${column}, ${n} rows: visits are 10^${shift} of the curve's; held out: median |log10 error| ${heldOut.medianError}, coverage ${heldOut.coverage}`,
    );
    return fittedClass;
  };
  const [government, governmentBuckets] = [classOf('tranco_rank'), classOf('crux_rank')];
  const coefficients = {
    knots: KNOTS,
    visits: fitted.curve,
    bandKnots: BAND_KNOTS,
    low: fitted.low,
    high: fitted.high,
    lists: lists.halfWidth,
    heldOut: held,
    government,
    governmentBuckets,
  };
  const lines = Object.entries(coefficients).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const text = `{\n${lines.join(',\n')}\n}\n`;
  const target = 'src/sources/traffic/model/coefficients.json';
  if (process.argv.includes('--check')) {
    const same = readFileSync(target, 'utf8') === text;
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
