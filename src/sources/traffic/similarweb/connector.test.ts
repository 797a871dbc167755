import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trafficOf } from '../../../../sandbox/traffic/facts.ts';
import { panel, TRAFFIC_BLOCK_PAGES, tranco } from '../../../../sandbox/traffic/hosts.ts';
import { createManualClock } from '../../../../test/support/manual-clock.ts';
import { readSettings } from '../../../settings.ts';
import type { Http } from '../../../upstream/ports.ts';
import type { Ports } from '../../source.ts';
import { visitsOfRank } from '../model/estimate.ts';
import { trafficModel } from '../model/source.ts';
import { monthsUntil } from './connector.ts';
import { similarweb } from './source.ts';

const asked: string[] = [];
const http: Http = {
  async ask({ url, headers = {} }) {
    asked.push(url);
    const address = new URL(url);
    const host = [panel, tranco].find((h) => h.origins.includes(address.origin));
    const answer = await host?.answer({ method: 'GET', url: address, headers, body: '', at: 0 });
    if (!answer) return { tag: 'unreachable', what: 'Nobody there.' };
    return {
      tag: 'answer',
      answer: { status: answer.status, headers: { ...answer.headers }, body: Buffer.from(answer.body), url, atMs: Date.UTC(2026, 10, 20) },
    };
  },
};
const ports = (key = 'demo-similarweb') =>
  ({
    settings: readSettings({ SIMILARWEB_API_KEY: key, SIGHTLINE_DATA_DIR: '/nonexistent' }),
    http,
    clock: createManualClock(Date.UTC(2026, 10, 20)),
    log: () => {},
  }) as unknown as Ports;
const attempt = { signal: AbortSignal.timeout(10_000), deadlineMs: 0 };
const fromPanel = (domain: string, key?: string) => similarweb.open(ports(key)).traffic?.({ domain }, attempt);
const fromModel = (domain: string) => trafficModel.open(ports()).traffic?.({ domain }, attempt);

test('a panel answer has the values of all endpoints, from three requests of version 5', async () => {
  asked.length = 0;
  const outcome = await fromPanel('acme-widgets.com');
  assert.deepEqual(
    asked.map((url) => new URL(url).pathname),
    ['traffic-and-engagement', 'traffic-channels/share', 'geography/aggregated'].map((e) => `/v5/website-analysis/websites/${e}`),
  );
  const facts = trafficOf('acme-widgets.com')?.panel;
  assert.ok(outcome?.tag === 'found' && facts);
  const r = outcome.resource;
  const newest = facts.months.at(-1)?.visits ?? 0;
  assert.deepEqual(r.history, facts.months);
  assert.deepEqual([r.period, r.visits, r.uniqueVisitors], ['2026-10', newest, Math.round(newest * 0.6)]);
  assert.deepEqual([r.pagesPerVisit, r.avgVisitDurationSeconds, r.bounceRate], [facts.pagesPerVisit, facts.seconds, facts.bounceRate]);
  assert.deepEqual(
    r.topCountries.map((c) => c.country),
    ['US', 'GB', 'DE'],
  );
  assert.deepEqual([r.countryRank, r.globalRank, r.rankSource], [{ country: 'US', rank: facts.globalRank }, null, null]);
  const shares = Object.values(r.trafficSources ?? {}).reduce((a: number, b) => a + (b ?? 0), 0);
  assert.ok(Math.abs(shares - 1) < 1e-5);
  const searched = facts.sources.Search[0] + facts.sources.Search[1];
  assert.ok(Math.abs((r.trafficSources?.search ?? 0) / (r.trafficSources?.direct ?? 1) - searched / facts.sources.Direct) < 1e-4);
  assert.equal(outcome.unread, undefined);
});

test('the key is never part of a URL', async () => {
  asked.length = 0;
  await fromPanel('acme-widgets.com');
  assert.ok(asked.length === 3 && asked.every((url) => !url.includes('demo-similarweb')));
});

test('an endpoint that the plan does not include is null; one that does not answer, or in an unknown shape, is null and unread', async () => {
  const withGeography = async (status: number, body: unknown) => {
    const changedHttp: Http = {
      ask: async (request) => {
        const reply = await http.ask(request);
        if (reply.tag !== 'answer' || !request.url.includes('geography')) return reply;
        return { ...reply, answer: { ...reply.answer, status, body: Buffer.from(JSON.stringify(body)) } };
      },
    };
    const outcome = await similarweb.open({ ...ports(), http: changedHttp }).traffic?.({ domain: 'acme-widgets.com' }, attempt);
    return outcome?.tag === 'found' ? [outcome.resource.topCountries, outcome.resource.visits !== null, outcome.unread] : outcome?.tag;
  };
  const meta = { status: 'Success' };
  assert.deepEqual(await withGeography(400, { meta: { status: 'Error', error_message: 'Country not available' } }), [[], true, undefined]);
  assert.deepEqual(await withGeography(200, { meta, data: [{ place: 'US', part: 0.4 }] }), [[], true, ['topCountries', 'countryRank']]);
  assert.deepEqual(await withGeography(200, { meta, data: [{ country: 'US', share: 41 }] }), [[], true, ['topCountries']]);
  for (const status of [403, 429, 500]) assert.deepEqual(await withGeography(status, {}), [[], true, ['topCountries', 'countryRank']]);
});

test('block pages, rate limits, faults and unknown domains have different outcomes', async () => {
  assert.equal((await fromPanel('acme-widgets.com', 'wrong'))?.tag, 'refused');
  assert.equal((await fromPanel('nobody-knows.com'))?.tag, 'absent');
  for (const ask of [fromPanel, fromModel]) {
    assert.equal((await ask(TRAFFIC_BLOCK_PAGES.challenge))?.tag, 'blocked');
    const limited = await ask(TRAFFIC_BLOCK_PAGES.tooMany);
    assert.ok(limited?.tag === 'limited' && limited.retryAfterMs === 7000);
    assert.equal((await ask(TRAFFIC_BLOCK_PAGES.failing))?.tag, 'unreachable');
    assert.equal((await ask(TRAFFIC_BLOCK_PAGES.shell))?.tag, 'changed');
  }
});

test('a modelled answer has its rank and interval, and null for everything that a rank cannot give', async () => {
  const outcome = await fromModel('acme-widgets.com');
  const facts = trafficOf('acme-widgets.com');
  assert.ok(outcome?.tag === 'found' && facts?.ranks[0]);
  const r = outcome.resource;
  const { visits, low, high } = visitsOfRank(facts.ranks[0].rank);
  assert.deepEqual(
    [r.globalRank, r.visits, r.visitsLow, r.visitsHigh, r.period, r.method],
    [facts.ranks[0].rank, visits, low, high, '2026-11', 'model'],
  );
  assert.deepEqual([r.bounceRate, r.trafficSources, r.uniqueVisitors, r.topCountries], [null, null, null, []]);
  const nobody = await fromModel('pinewoodaudio.com');
  assert.ok(nobody?.tag === 'absent' && /Tranco/.test(nobody.what), 'a domain in no list: the lists asked are named');
});

test('one unknown month says nothing of the others: the parts are asked for the newest month that is known', async () => {
  const requests: URL[] = [];
  const openMonth: Http = {
    ask: async (request) => {
      requests.push(new URL(request.url));
      const reply = await http.ask(request);
      if (reply.tag !== 'answer' || !request.url.includes('traffic-and-engagement')) return reply;
      const body = JSON.parse(Buffer.from(reply.answer.body).toString()) as { data: { date: string; visits: number | null }[] };
      for (const row of body.data) if (row.date.startsWith('2026-10')) row.visits = null;
      return { ...reply, answer: { ...reply.answer, body: Buffer.from(JSON.stringify(body)) } };
    },
  };
  const outcome = await similarweb.open({ ...ports(), http: openMonth }).traffic?.({ domain: 'acme-widgets.com' }, attempt);
  assert.ok(outcome?.tag === 'found');
  assert.deepEqual(
    [outcome.resource.period, outcome.resource.visits],
    ['2026-09', trafficOf('acme-widgets.com')?.panel?.months.at(-2)?.visits],
  );
  assert.deepEqual(
    requests.slice(1).map(({ searchParams }) => searchParams.get('end_date')),
    ['2026-09', '2026-09'],
  );
});

test('only months that the panel has closed are requested', () => {
  assert.deepEqual(monthsUntil(Date.UTC(2026, 10, 20)), { start_date: '2026-05', end_date: '2026-10' });
  assert.deepEqual(monthsUntil(Date.UTC(2026, 10, 5)), { start_date: '2026-04', end_date: '2026-09' });
});

test('requests count against the daily caps and their cost is logged; beyond a cap no request is made', async () => {
  const told: object[] = [];
  const capped = {
    ...ports(),
    settings: readSettings({
      SIMILARWEB_API_KEY: 'demo-similarweb',
      SIGHTLINE_DAILY_CAPS: JSON.stringify({ similarweb: { requests: 5 } }),
    }),
    log: (_: string, message: string, facts: object) => void (message === 'upstream cost' && told.push(facts)),
  } as unknown as Ports;
  const ask = similarweb.open(capped).traffic;
  assert.equal((await ask?.({ domain: 'acme-widgets.com' }, attempt))?.tag, 'found');
  assert.equal(told.length, 3);
  assert.deepEqual(told.at(-1), { source: 'traffic/similarweb', usd: 0.01, usdToday: 0.03, requestsToday: 3 });
  asked.length = 0;
  const second = await ask?.({ domain: 'acme-widgets.com' }, attempt);
  assert.ok(second?.tag === 'found' && second.resource.visits !== null);
  assert.deepEqual(second.unread, ['topCountries', 'countryRank'], 'two are left of the three that an answer takes');
  assert.equal(asked.length, 2);
});
