import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import COEFFICIENTS from './coefficients.json' with { type: 'json' };
import { estimateOf, middleOfBucket } from './estimate.ts';

const visitsOf = (domain: string, list: 'tranco' | 'crux' = 'tranco'): number =>
  estimateOf(domain, { list, rank: 26_409, date: '2026-11-01' }, 0).visits ?? Number.NaN;

test('a name of the United States government gets the correction of its class, where the rank comes from links and DNS', () => {
  const ratio = Math.log10(visitsOf('airnow.gov') / visitsOf('airnow.com'));
  assert.ok(Math.abs(ratio - COEFFICIENTS.government.shift) < 0.01, `10^${ratio}`);
  assert.equal(visitsOf('af.mil'), visitsOf('airnow.gov'));
});

test('names that only look like it are not corrected', () => {
  for (const domain of ['example.gov.uk', 'mygov.com', 'gov.example', 'military.org'])
    assert.equal(visitsOf(domain), visitsOf('airnow.com'));
});

test('the interval holds the estimate for both kinds of names', () => {
  for (const domain of ['airnow.gov', 'airnow.com'])
    for (const rank of [1, 10, 1_000, 1_000_000, 4_000_000]) {
      const { visits, visitsLow, visitsHigh } = estimateOf(domain, { list: 'tranco', rank, date: '2026-11-01' }, 0);
      assert.ok(Number(visitsLow) <= Number(visits) && Number(visits) <= Number(visitsHigh), `${domain} ${rank}`);
    }
});

test('a bucket is an interval of ranks: its estimate lies between those of its ends, and its interval is wider than that of a rank', () => {
  const ends = [1000, 5000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000];
  for (const [i, end] of ends.entries()) {
    const { rank, spread } = middleOfBucket(end);
    assert.ok(rank > (ends[i - 1] ?? 1) && rank < end && spread > 0, `${end}: ${rank}`);
    const of = (list: 'tranco' | 'crux', at: number) => estimateOf('airnow.com', { list, rank: Math.round(at), date: '2026-11-01' }, 0);
    const [bucket, middle] = [of('crux', end), of('tranco', rank)];
    const width = (e: typeof bucket) => Number(e.visitsHigh) / Number(e.visitsLow);
    assert.ok(width(bucket) > width(middle), `${end}`);
    assert.ok(
      Number(bucket.visits) >= Number(of('tranco', end).visits) && Number(bucket.visits) <= Number(of('tranco', ends[i - 1] ?? 1).visits),
    );
  }
});

test('counted visits of government sites: the interval from their bucket holds about 80 % of them', (t) => {
  const file = '../shared/recordings/2026-11/traffic/analytics.tsv';
  if (!existsSync(file)) {
    if (process.env.SIGHTLINE_TEST_REQUIRE?.includes('recordings')) assert.fail(`${file} is not here`);
    t.skip('the recordings are not here');
    return;
  }
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const at = (name: string) => head.split('\t').indexOf(name);
  const rows = lines.map((line) => line.split('\t')).filter((cells) => Number(cells[at('crux_rank')]) > 0);
  const held = rows.filter((cells) => {
    const [domain = '', rank, visits] = [cells[at('domain')], Number(cells[at('crux_rank')]), Number(cells[at('visits_30_days')])];
    const e = estimateOf(domain, { list: 'crux', rank, date: '2025-05-14' }, 0);
    return Number(e.visitsLow) <= visits && visits <= Number(e.visitsHigh);
  });
  const share = held.length / rows.length;
  assert.ok(rows.length > 100 && share > 0.75 && share < 0.92, `${held.length} of ${rows.length}`);
});
