/** A source whose platform announced the end of its interface, with the clock far before, near, on and after the date. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notesOn, sourceTable } from '../../src/cli/sources.ts';
import { createDrift } from '../../src/monitoring/drift.ts';
import { createSourceHealth } from '../../src/monitoring/source-health.ts';
import { createBreakers } from '../../src/orchestrator/breaker.ts';
import { createLocalCache } from '../../src/orchestrator/cache.ts';
import { createLocalEngine } from '../../src/orchestrator/local-engine.ts';
import { createOrchestrator } from '../../src/orchestrator/lookup.ts';
import { sourceStates } from '../../src/orchestrator/source-states.ts';
import { ORDINARY } from '../../src/orchestrator/types.ts';
import { readSettings } from '../../src/settings.ts';
import { closedText } from '../../src/sources/availability.ts';
import { SOURCES } from '../../src/sources/index.ts';
import { blocked } from '../../src/sources/outcome.ts';
import type { Source } from '../../src/sources/source.ts';
import { createSpending } from '../../src/spending/spending.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createPace } from '../../src/upstream/pace.ts';
import { createManualClock } from '../support/manual-clock.ts';

const SETTINGS = readSettings({ REDDIT_CLIENT_ID: 'id', REDDIT_CLIENT_SECRET: 'secret' });
const STAGES = {
  'far before': { at: Date.UTC(2026, 7, 1), shown: false, daysLeft: 212, closed: false },
  'the first announced day': { at: Date.UTC(2026, 8, 2), shown: true, daysLeft: 180, closed: false },
  near: { at: Date.UTC(2027, 1, 20, 15), shown: true, daysLeft: 9, closed: false },
  'the last day': { at: Date.UTC(2027, 2, 1, 23), shown: true, daysLeft: 0, closed: false },
  after: { at: Date.UTC(2027, 2, 2), shown: true, daysLeft: -1, closed: true },
} as const;

/** The real source of the discussion platform; its requests end at a block page. */
const closing: Source = {
  ...(SOURCES.find((s) => s.id === 'forum/api') as Source),
  open: () => ({ 'forum-community': async () => blocked('The platform answered with a block page.') }),
};

for (const [stage, { at, shown, daysLeft, closed }] of Object.entries(STAGES)) {
  const setup = (settings = SETTINGS) => {
    const clock = createManualClock(at);
    const parts = { sources: [closing], settings, clock, breakers: createBreakers(clock.now) };
    const engine = createLocalEngine([closing], { settings, clock, pace: createPace(clock) } as never);
    const cache = createLocalCache(0, clock.now);
    const orchestrator = createOrchestrator({ ...parts, engine, cache, random: () => 0 });
    return { clock, parts, orchestrator };
  };
  const ask = async ({ orchestrator }: ReturnType<typeof setup>): Promise<string> => {
    const result = await orchestrator.lookup({
      operation: 'forum-community',
      input: { community: 'acmewidgets', sort: 'hot' },
      freshness: ORDINARY,
      charge: { hold: async () => {}, release: () => {} },
      deadlineMs: at + 30_000,
      requestId: 'r',
    });
    assert.ok(!result.ok);
    return `${result.refusal.error.body.error.code} ${result.refusal.error.message}`;
  };

  test(`${stage}: readiness, metric and the notes on sources show the end from 180 days before`, async () => {
    const { orchestrator } = setup();
    assert.deepEqual(
      orchestrator.sunsets().map((s) => [s.source, s.date, s.daysLeft]),
      shown ? [['forum/api', '2027-03-01', daysLeft]] : [],
    );
    const metrics = createMetrics({ version: '0' });
    metrics.metrics('days', 'Days.', () => Object.fromEntries(orchestrator.sunsets().map((s) => [s.source, s.daysLeft ?? 0])), 'source');
    assert.equal((await metrics.text()).includes(`days{source="forum/api"} ${daysLeft}`), shown);
    assert.equal(/forum\/api end(s|ed) on 2027-03-01/.test(notesOn([closing], at)), shown);
  });

  test(`${stage}: the operator's list of sources states date, reason, what remains and where it was announced`, async () => {
    const { parts, clock } = setup();
    const health = createSourceHealth(clock, () => 0.5);
    const drift = createDrift({ clock, log: () => {} });
    const [state] = await sourceStates({ ...parts, health, drift, pace: createPace(clock), spending: createSpending(clock) });
    assert.deepEqual(state?.sunset ?? null, shown ? (closing.sunset ?? 'none') : null);
  });

  test(`${stage}: the source is asked; its failures and the 501 without it say what remains once the platform has closed it`, async () => {
    const words = /The platform closed this interface on 2027-03-01\. What remains: a relay/;
    const failed = await ask(setup());
    assert.match(failed, /^UPSTREAM_BLOCKED .*block page/);
    assert.equal(words.test(failed), closed);
    const none = await ask(setup(readSettings({})));
    assert.match(none, /^NOT_IMPLEMENTED /);
    assert.equal(words.test(none), closed);
  });
}

test('an end that is announced without a day is shown everywhere as announced, at any time, and closes nothing', async () => {
  const oembed = SOURCES.find((s) => s.id === 'shortvideo/oembed') as Source;
  assert.equal(oembed.sunset?.date, null);
  for (const at of [Date.UTC(2026, 0, 1), Date.UTC(2026, 10, 26), Date.UTC(2036, 0, 1)]) {
    const clock = createManualClock(at);
    const settings = readSettings({});
    const source: Source = { ...oembed, open: () => ({ 'short-video': async () => blocked('A block page.') }) };
    const parts = { sources: [source], settings, clock, breakers: createBreakers(clock.now) };
    const engine = createLocalEngine([source], { settings, clock, pace: createPace(clock) } as never);
    const orchestrator = createOrchestrator({ ...parts, engine, cache: createLocalCache(0, clock.now), random: () => 0 });
    assert.deepEqual(
      orchestrator.sunsets().map(({ date, daysLeft }) => [date, daysLeft]),
      [[null, null]],
    );
    const more = {
      health: createSourceHealth(clock, () => 0.5),
      drift: createDrift({ clock, log: () => {} }),
      spending: createSpending(clock),
    };
    const [state] = await sourceStates({ ...parts, ...more, pace: createPace(clock) });
    assert.deepEqual(state?.sunset, oembed.sunset);
    assert.match(notesOn([source], at), /shortvideo\/oembed is announced to end, on no day yet: TikTok says since 2026-10-23/);
    assert.equal(closedText(source, at), '');
  }
  const metrics = createMetrics({ version: '0' });
  metrics.metrics('days', 'Days.', () => ({ 'shortvideo/oembed': Number.POSITIVE_INFINITY }), 'source');
  assert.match(await metrics.text(), /days\{source="shortvideo\/oembed"\} \+Inf/);
});

test('texts for clients name no platform', () => {
  for (const { sunset } of SOURCES) if (sunset) assert.doesNotMatch(sunset.instead, /reddit|tiktok|twitter|\bx\b|shopify|google|bing/i);
});

test('a source that is switched off is not asked, and an unknown name is refused with the names to choose from', async () => {
  const table = await sourceTable(readSettings({ SIGHTLINE_SOURCES_OFF: 'appmarket/page' }), 0);
  assert.match(table, /^appmarket\/page +app .*Off: SIGHTLINE_SOURCES_OFF$/m);
  assert.match(notesOn(SOURCES, 0), /Shopify's terms of 2026-08-01 .* SIGHTLINE_SOURCES_OFF=appmarket\/page/);
  assert.match(await sourceTable(readSettings({}), 0), /Terms and announced ends of these sources: sightline sources$/);
  await assert.rejects(
    sourceTable(readSettings({ SIGHTLINE_SOURCES_OFF: 'appmarket' }), 0),
    /"appmarket", which is no source \(did you mean appmarket\/page\?\): choose from .*appmarket\/page/,
  );
});
