import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import COEFFICIENTS from '../src/sources/traffic/model/coefficients.json' with { type: 'json' };
import { openRanks, writeRanks } from '../src/sources/traffic/model/ranks-file.ts';
import { fit, judge, readRows } from '../tools/fit-traffic.ts';
import { atLeast, atMost, median, type Row } from './measure.ts';

const TABLE = '../shared/recordings/traffic/rank_visits.csv';

/** Accuracy of the curve on held-out rows, and the look-up in a list of full size. */
export function suite(): Row[] {
  const rows: Row[] = [];
  if (existsSync(TABLE)) {
    const all = readRows(TABLE);
    const fitted = fit(all);
    if (JSON.stringify(fitted.curve) !== JSON.stringify(COEFFICIENTS.visits))
      throw new Error('the coefficients that ship are not what the fit gives');
    const held = judge(
      all.filter((r) => r.held),
      fitted,
    );
    rows.push(atMost('median |log10 error| of the curve, unseen fold', held.medianError, 0.095, `${held.rows} rows`));
    rows.push(atLeast("coverage of the curve's own 80 % interval, unseen fold", held.coverage, 0.78, `${held.rows} rows`));
    rows.push(atMost("coverage of the curve's own 80 % interval, unseen fold (upper bar)", held.coverage, 0.82, `${held.rows} rows`));
  }
  const dir = mkdtempSync(join(tmpdir(), 'ranks-'));
  const n = 4_700_000;
  const list = function* (): Generator<readonly [string, number]> {
    for (let i = 1; i <= n; i++) yield [`site-${i}.example`, i];
  };
  writeRanks(join(dir, 'list.db'), { list: 'tranco', id: 'X', date: '2026-11-01' }, list());
  const file = openRanks(join(dir, 'list.db'));
  const times: number[] = [];
  for (let i = 0; i < 5000; i++) {
    const rank = 1 + ((i * 7919) % n);
    const from = performance.now();
    if (file?.rankOf(`site-${rank}.example`) !== rank) throw new Error(`rank ${rank} is not found`);
    times.push(performance.now() - from);
  }
  file?.close();
  rmSync(dir, { recursive: true });
  rows.push(atMost('look-up among 4.7 M rows on disk, median ms', median(times), 1, '5,000 look-ups'));
  return rows;
}
