import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COEFFICIENTS } from './coefficients.ts';
import { estimateOf } from './estimate.ts';

const visitsOf = (domain: string, list: 'tranco' | 'crux' = 'tranco'): number =>
  estimateOf(domain, { list, rank: 26_409, date: '2026-11-01' }, 0).visits ?? Number.NaN;

test('a name of the United States government gets the correction of its class, where the rank comes from links and DNS', () => {
  const ratio = Math.log10(visitsOf('airnow.gov') / visitsOf('airnow.com'));
  assert.ok(Math.abs(ratio - COEFFICIENTS.government.shift) < 0.01, `10^${ratio}`);
  assert.equal(visitsOf('af.mil'), visitsOf('airnow.gov'));
  assert.equal(visitsOf('airnow.gov', 'crux'), visitsOf('airnow.com', 'crux'));
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
