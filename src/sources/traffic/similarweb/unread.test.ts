import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSimilarweb, readSimilarwebV5 } from './parse.ts';

const read = (body: unknown, reader = readSimilarweb) =>
  reader(
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

test('a zero or NaN as text is as unknown as 0', () => {
  for (const nothing of ['0', '0.0', ' 0 ', '0E0', 'NaN', 'nan', '']) {
    const visits = [{ date: '2026-05-01', visits: nothing }];
    assert.equal(read({ visits }).tag, 'absent', nothing);
    assert.equal(read({ visits, global_rank: { rank: nothing } }).tag, 'absent', nothing);
    assert.equal(read({ records: [{ country: 840, share: nothing }] }).tag, 'absent', nothing);
    assert.equal(
      read({ visits: { [DOMAIN]: [channel('Direct', { date: '2026-05', organic: nothing, paid: 0 })] } }).tag,
      'absent',
      nothing,
    );
    const meta = { status: 'success' };
    const rows = [{ date: '2026-05', visits: nothing, bounce_rate: nothing }];
    assert.equal(read({ meta, data: rows }, readSimilarwebV5).tag, 'absent', nothing);
    assert.equal(read({ meta, data: [{ channel: 'direct', share: nothing }] }, readSimilarwebV5).tag, 'absent', nothing);
    const beside = read({ meta, data: [{ date: '2026-05', visits: 7, bounce_rate: nothing }] }, readSimilarwebV5);
    assert.deepEqual(beside.tag === 'found' && [beside.resource.visits, beside.resource.bounceRate, beside.unread], [7, null, undefined]);
  }
});

test('shares and rates are read as text, too', () => {
  const meta = { status: 'success' };
  const month = read({ meta, data: [{ date: '2026-05', visits: '1.2E3', bounce_rate: '0.45' }] }, readSimilarwebV5);
  assert.deepEqual(month.tag === 'found' && [month.resource.visits, month.resource.bounceRate, month.unread], [1200, 0.45, undefined]);
  const channels = read(
    {
      meta,
      data: [
        ['direct', '0.75'],
        ['mail', 0.25],
      ].map(([name, share]) => ({ channel: name, share })),
    },
    readSimilarwebV5,
  );
  assert.deepEqual(channels.tag === 'found' && [channels.resource.trafficSources?.direct, channels.unread], [0.75, undefined]);
  const countries = read({ records: [{ country: '840', share: '0.5' }] });
  assert.deepEqual(countries.tag === 'found' && countries.resource.topCountries, [{ country: 'US', share: 0.5 }]);
  assert.equal(read({ records: [{ country: '840', share: '41.5' }] }).tag, 'changed', 'a percentage');
});

test('a number that no figure of the panel can be is unread, not unknown', () => {
  const visits = [{ date: '2026-05-01', visits: 120 }];
  const unreadOf = (more: object) => {
    const outcome = read({ visits, ...more });
    return outcome.tag === 'found' && outcome.unread;
  };
  assert.deepEqual(unreadOf({ global_rank: { rank: -1 } }), ['globalRank']);
  assert.deepEqual(unreadOf({ pages_per_visit: [{ date: '2026-05-01', pages_per_visit: '0x10' }] }), ['pagesPerVisit']);
  const countries = (...shares: readonly number[]) => ({ records: shares.map((share, i) => ({ country: [840, 826, 276][i], share })) });
  assert.deepEqual(unreadOf(countries(0.6, 0.3, 0.1)), undefined);
  assert.deepEqual(unreadOf(countries(0.8, 0.7)), ['topCountries'], 'more than the whole');
  assert.deepEqual(unreadOf({ records: [{ country: 'ZZ', share: 0.4 }] }), ['topCountries'], 'no country');
  const amounts = {
    [DOMAIN]: [channel('Direct', { date: '2026-05-01', organic: 7 }), channel('Mail', { date: '2026-05-01', organic: -5 })],
  };
  assert.equal(read({ visits: amounts }).tag, 'changed');
});

test('what is not read of one channel never makes the shares of the others larger', () => {
  const may = (organic: number, date: unknown = '2026-05-01') => ({ date, organic, paid: 0 });
  const sourcesOf = (...channels: readonly object[]) => {
    const outcome = read({ visits: { [DOMAIN]: channels }, global_rank: { rank: 7 } });
    return outcome.tag === 'found' && [outcome.resource.trafficSources?.direct ?? null, outcome.unread ?? []];
  };
  const direct = channel('Direct', may(60));
  assert.deepEqual(sourcesOf(direct, channel('Gen AI', may(40))), [0.6, []], 'a channel without a field of its own');
  assert.deepEqual(sourcesOf(direct, { source_type: 'Mail', visits: '40' }), [null, ['trafficSources']]);
  assert.deepEqual(sourcesOf(direct, { source_type: 'Mail', visits: null }), [1, []]);
  assert.deepEqual(sourcesOf(direct, channel('Mail', may(40, 'May'))), [null, ['trafficSources']]);
  assert.deepEqual(sourcesOf(direct, channel('Mail', may(0, null))), [1, []], 'an unknown amount');
  const meta = { status: 'success' };
  const data = [
    { date: '2026-05', channel: 'direct', share: 0.6 },
    { date: 'May', channel: 'mail', share: 0.4 },
  ];
  const channels = read({ meta, data }, readSimilarwebV5);
  assert.ok(channels.tag === 'found');
  assert.deepEqual([channels.resource.trafficSources?.direct, channels.unread], [0.6, ['trafficSources.mail']]);
  const twice = read({ meta, data: [...data, { date: '2026-05', channel: 'mail', share: 0.3 }] }, readSimilarwebV5);
  assert.deepEqual(twice.tag === 'found' && [twice.resource.trafficSources?.mail, twice.unread], [0.3, undefined]);
});

test('the rank of a country is that of the largest one, or unread', () => {
  const rankOf = (...rows: readonly object[]) => {
    const outcome = read({ meta: { status: 'success' }, data: rows }, readSimilarwebV5);
    return outcome.tag === 'found' && [outcome.resource.countryRank, outcome.unread ?? []];
  };
  const us = { country: 'US', share: 0.6, rank: 3 };
  const gb = { country: 'GB', share: 0.4, rank: 9 };
  assert.deepEqual(rankOf(us, gb), [{ country: 'US', rank: 3 }, []]);
  assert.deepEqual(rankOf({ ...us, country: 'ww' }, gb), [null, ['topCountries', 'countryRank']]);
  assert.deepEqual(rankOf({ ...us, share: 'most' }, gb), [null, ['topCountries', 'countryRank']]);
  assert.deepEqual(rankOf({ ...us, share: 0 }, gb), [{ country: 'GB', rank: 9 }, []], 'a row without a share is none');
  assert.deepEqual(rankOf({ ...us, rank: '1,234' }, gb), [null, ['countryRank']]);
  assert.deepEqual(rankOf({ ...us, rank: 0 }, gb), [null, []]);
});

test('a rank under no month that is known is the oldest, and a number beyond 2^53 is none', () => {
  const outcome = read({
    visits: [{ date: '2026-05-01', visits: 1e21 }],
    global_rank: [
      { date: '2026-05', global_rank: 11 },
      { date: 'lately', global_rank: 12 },
    ],
  });
  assert.ok(outcome.tag === 'found');
  assert.deepEqual([outcome.resource.globalRank, outcome.resource.visits, outcome.unread], [11, null, ['visits']]);
});
