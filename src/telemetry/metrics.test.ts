import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('durations have the buckets of their metric, cumulative, by their labels; counts of two scrapes are added up', async () => {
  const metrics = createMetrics({ version: '0' });
  for (const ms of [20, 70, 200_000]) metrics.onAttempt('registration/rdap', { tag: 'found', ms });
  metrics.held(0.7, 'held');
  metrics.charged('serp', 2);
  await metrics.text();
  metrics.charged('serp', 3);
  metrics.cache('serp', 'hit');
  const lines = (await metrics.text()).split('\n');
  const attempts = 'sightline_source_attempt_duration_seconds';
  const of = 'source="registration/rdap",outcome="found"';
  for (const line of [
    `${attempts}_bucket{le="0.01",${of}} 0`,
    `${attempts}_bucket{le="0.05",${of}} 1`,
    `${attempts}_bucket{le="0.1",${of}} 2`,
    `${attempts}_bucket{le="120",${of}} 2`,
    `${attempts}_bucket{le="+Inf",${of}} 3`,
    `${attempts}_sum{${of}} 200.09`,
    'sightline_ledger_hold_duration_seconds_bucket{le="0.0005",result="held"} 0',
    'sightline_ledger_hold_duration_seconds_bucket{le="0.001",result="held"} 1',
    'sightline_credits_charged_total{operation="serp"} 5',
    'sightline_cache_answers_total{operation="serp",result="hit"} 1',
  ])
    assert.ok(lines.includes(line), line);
});
