import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSimilarweb } from './parse.ts';

const read = (body: unknown) =>
  readSimilarweb(
    {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
      url: 'https://api.similarweb.com/v1/website/acme-widgets.com/',
      atMs: 0,
    },
    { domain: 'acme-widgets.com' },
  );

test('a value of the panel in another form is unread; 0, which means unknown, is not', () => {
  const both = { visits: [{ date: '2026-05-01', visits: 120 }], pages_per_visit: [{ date: '2026-05-01', pages_per_visit: { mean: 3 } }] };
  const outcome = read(both);
  assert.deepEqual([outcome.tag, outcome.tag === 'found' && outcome.unread], ['found', ['pagesPerVisit']]);
  const unknown = read({ ...both, pages_per_visit: [{ date: '2026-05-01', pages_per_visit: 0 }] });
  assert.equal(unknown.tag === 'found' && unknown.unread, undefined);
});

test('a panel with nothing but unread values is no proof that the domain has no visits', () => {
  assert.equal(read({ visits: [{ date: '2026-05-01', visits: 0 }] }).tag, 'absent');
  assert.equal(read({ visits: [{ date: '2026-05-01', visits: { count: 12 } }] }).tag, 'changed');
  assert.equal(read({ bounce_rate: [{ date: '2026-05-01', bounce_rate: 45.2 }] }).tag, 'changed', 'a percentage');
});

test('visits of a week, a day or one country are not those of the month', () => {
  const tagOf = (request: object) => read({ meta: { request, status: 'Success' }, visits: [{ date: '2026-05-04', visits: 120 }] }).tag;
  assert.equal(tagOf({ granularity: 'Monthly', country: 'world' }), 'found');
  for (const request of [{ granularity: 'Weekly' }, { granularity: 'daily' }, { country: 'us' }, { country: '840' }])
    assert.equal(tagOf(request), 'changed', JSON.stringify(request));
  const rank = read({ meta: { request: { country: 'us' } }, country_rank: { country: 840, rank: 7 } });
  assert.deepEqual(rank.tag === 'found' && rank.resource.countryRank, { country: 'US', rank: 7 });
});

const DOMAIN = 'acme-widgets.com';
const channel = (source_type: string, ...visits: readonly unknown[]) => ({ source_type, visits });

test('an endpoint of the earlier paths whose content is not understood is no proof that the panel has no data', () => {
  const known = { date: '2026-05-01', organic: 7, paid: 0 };
  for (const body of [
    { global_rank: [{}] },
    { global_rank: [null] },
    { global_rank: [{ date: '2026-05', global_rank: 'x' }] },
    { country_rank: { rank: 'x', country: 840 } },
    { country_rank: { rank: 5 } },
    { category_rank: { rank: 'x' }, category: 'Retail' },
    { category_rank: { rank: 5 } },
    { records: [null] },
    { records: [{ pays: 'US', part: 0.4 }] },
    { records: [{ country: 840, share: 41 }] },
    { visits: { [DOMAIN]: [null] } },
    { visits: { [DOMAIN]: [{}] } },
    { visits: { [DOMAIN]: [{ source_type: 'Direct' }] } },
    { visits: { [DOMAIN]: [channel('Direct', { date: '2026-05-01', organic: '12k', paid: 0 })] } },
    { visits: { [DOMAIN]: [channel('Direct', known), channel('Search', { ...known, organic: '12k' })] } },
    { visits: { 'other.com': [channel('Direct', known)] } },
  ])
    assert.equal(read(body).tag, 'changed', JSON.stringify(body));
  for (const body of [
    { global_rank: [] },
    { global_rank: { rank: 0 } },
    { country_rank: { rank: null, country: 840 } },
    { records: [] },
    { records: [{ country: 840, share: 0 }] },
    { visits: { [DOMAIN]: [] } },
    { visits: { [DOMAIN]: [channel('Direct', { ...known, organic: 0 })] } },
  ])
    assert.equal(read(body).tag, 'absent', JSON.stringify(body));
});

test('one odd element never decides over the others of an endpoint of the earlier paths', () => {
  const may = { date: '2026-05-01', organic: 7, paid: 0 };
  const outcome = read({
    visits: { [DOMAIN]: [null, {}, channel('Direct', null, may, { ...may, date: '2026-06-01', organic: 0 }), channel('Mail', may)] },
    global_rank: [null, { date: '2026-05', global_rank: 7 }, {}, { date: '2026-06', global_rank: 0 }],
    country_rank: { rank: 'x', country: 840 },
    records: [{}, { country: 840, share: 0.4 }, null, { country: 'GB', share: null }],
  });
  assert.ok(outcome.tag === 'found');
  const { trafficSources, globalRank, countryRank, topCountries } = outcome.resource;
  assert.deepEqual([trafficSources?.direct, trafficSources?.mail, globalRank, countryRank], [0.5, 0.5, 7, null]);
  assert.deepEqual([topCountries, outcome.unread], [[{ country: 'US', share: 0.4 }], ['countryRank', 'topCountries']]);
});
