import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSimilarweb, readSimilarwebV5 } from './parse.ts';

const DOMAIN = 'acme-widgets.com';
const read = (status: number, body: unknown, type = 'application/json') =>
  readSimilarwebV5(
    {
      status,
      headers: { 'content-type': type },
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      url: '',
      atMs: 0,
    },
    { domain: DOMAIN },
  );
const meta = { request: { domain: DOMAIN, granularity: 'Monthly', country: 'WW' }, status: 'Success', last_updated: '2025-01-15' };
const valuesOf = (data: readonly unknown[]) => {
  const outcome = read(200, { meta, data });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return { ...outcome.resource, unread: outcome.unread };
};

test('the published example: a row a month, in any order; the newest is the answer', () => {
  const r = valuesOf([
    { date: '2024-12-01', visits: 102345678, bounce_rate: 0.2645, pages_per_visit: 4.89 },
    { date: '2024-11-01', visits: 0, bounce_rate: 0, pages_per_visit: 0 },
    { date: '2024-10-01', visits: 89234567, bounce_rate: 0.2891, pages_per_visit: 4.32 },
  ]);
  assert.deepEqual([r.period, r.visits, r.bounceRate, r.pagesPerVisit, r.uniqueVisitors], ['2024-12', 102345678, 0.2645, 4.89, null]);
  assert.deepEqual(
    r.history.map((m) => [m.month, m.visits]),
    [
      ['2024-10', 89234567],
      ['2024-11', null],
      ['2024-12', 102345678],
    ],
  );
  assert.equal(r.unread, undefined);
});

test('zeros mean unknown; a value in another form is unread; both alone are no figures', () => {
  const zero = { date: '2024-12-01', visits: 0, bounce_rate: 0 };
  assert.equal(read(200, { meta, data: [zero] }).tag, 'absent');
  assert.equal(read(200, { meta, data: [] }).tag, 'absent');
  assert.deepEqual(valuesOf([{ ...zero, visits: 12, bounce_rate: { mean: 0.3 } }]).unread, ['bounceRate']);
  assert.equal(read(200, { meta, data: [{ date: '2024-12-01', visits: { count: 12 } }] }).tag, 'changed');
});

test('one unknown month never decides over the known ones, wherever it stands', () => {
  const months = ['2024-08', '2024-09', '2024-10', '2024-11', '2024-12'];
  for (const unknown of [null, 0, undefined])
    for (const gap of months) {
      const data = months.map((date, i) => (date === gap ? { date, visits: unknown } : { date, visits: 5100 + i, bounce_rate: 0.3 }));
      const r = valuesOf(data.toReversed());
      const newest = gap === '2024-12' ? '2024-11' : '2024-12';
      assert.deepEqual([r.period, r.visits, r.bounceRate], [newest, 5100 + months.indexOf(newest), 0.3], `${unknown} in ${gap}`);
      assert.equal(r.history.filter(({ visits }) => visits !== null).length, 4);
      assert.equal(r.unread, undefined);
    }
  const odd = valuesOf([
    { date: '2024-12', visits: 'about 5,000' },
    { date: '2024-11', visits: 5100 },
  ]);
  assert.deepEqual([odd.period, odd.visits, odd.unread], ['2024-11', 5100, ['history.visits']]);
  assert.equal(
    read(200, {
      meta,
      data: [
        { date: '2024-12', visits: 0 },
        { date: '2024-11', visits: 'many' },
      ],
    }).tag,
    'changed',
  );
});

test('of channels and of a series of ranks the newest known month counts', () => {
  const r = valuesOf([
    { date: '2024-12-01', channel: 'Direct', share: 0 },
    { date: '2024-11-01', channel: 'Direct', share: 0.6 },
    { date: '2024-11-01', channel: 'Mail', share: 0.4 },
  ]);
  assert.deepEqual([r.trafficSources?.direct, r.trafficSources?.mail], [0.6, 0.4]);
  const ranks = {
    global_rank: [
      { date: '2024-12', global_rank: null },
      { date: '2024-11', global_rank: 7 },
    ],
  };
  const earlier = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(ranks)), url: '', atMs: 0 };
  const outcome = readSimilarweb(earlier, { domain: DOMAIN });
  assert.ok(outcome.tag === 'found' && outcome.resource.globalRank === 7);
});

test('channels keep their stated shares; a channel without a field of its own is not spread over the others', () => {
  const date = '2024-12-01';
  const r = valuesOf([
    { date, channel: 'Direct', share: 0.5 },
    { date, channel: 'organic_search', share: 0.2 },
    { date, channel: 'Paid Search', share: 0.1 },
    { date, channel: 'Gen AI', share: 0.2 },
    { date: '2024-11-01', channel: 'Mail', share: 1 },
  ]);
  assert.deepEqual(r.trafficSources, { direct: 0.5, search: 0.3, social: null, referral: null, mail: null, paid: null });
  const percent = read(200, { meta, data: [{ date, channel: 'Direct', share: 50 }] });
  assert.equal(percent.tag, 'changed', 'a percentage is not taken for a share');
});

test('countries are the largest only where the rows are in that order', () => {
  const us = { country: 840, share: 0.41, rank: 12 };
  const gb = { country: 'GB', share: 0.12, rank: 9 };
  assert.deepEqual(valuesOf([us, gb]).topCountries, [
    { country: 'US', share: 0.41 },
    { country: 'GB', share: 0.12 },
  ]);
  assert.deepEqual(valuesOf([us, gb]).countryRank, { country: 'US', rank: 12 });
  assert.equal(read(200, { meta, data: [gb, us] }).tag, 'changed');
});

test('each failure of the API has its outcome', () => {
  const error = (code: number, message: string) => ({ meta: { status: 'Error', error_code: code, error_message: message } });
  const cases = [
    ['refused', 403, 'invalid API key', 'text/plain'],
    ['refused', 401, 'invalid API key', 'text/plain'],
    ['refused', 403, 'No data credits left', 'text/plain'],
    ['refused', 403, { code: 403, message: 'You have used all data credits' }],
    ['blocked', 403, '<html><h1>403 ERROR</h1>Request blocked. Credits: cloudfront</html>', 'text/html'],
    ['limited', 429, 'Too many requests', 'text/plain'],
    ['limited', 400, error(429, 'Rate limit exceeded')],
    ['refused', 400, error(101, 'Dates not in range')],
    ['refused', 400, { code: 103, message: 'Country not available' }],
    ['refused', 400, 'Bad request', 'text/plain'],
    ['absent', 401, error(401, 'Data not found')],
    ['absent', 404, error(401, 'Data not found')],
    ['absent', 401, 'Data not found', 'text/plain'],
    ['refused', 200, { Error: { Code: 400, Message: 'user_key_invalid' } }], // the form of the API before version 5
    ['changed', 404, '<html>Not Found</html>', 'text/html'],
    ['unreachable', 500, error(500, 'Data not found')],
    ['changed', 200, {}],
    ['changed', 200, { data: [] }],
    ['changed', 200, { meta: { ...meta, request: { domain: 'other.com' } }, data: [] }],
    ['changed', 200, { meta: { ...meta, request: { domain: DOMAIN, granularity: 'daily' } }, data: [{ date: '2024-12-01', visits: 5 }] }],
    ['changed', 200, { meta: { ...meta, request: { domain: DOMAIN, country: 'US' } }, data: [{ date: '2024-12-01', visits: 5 }] }],
  ] as const;
  for (const [tag, status, body, type] of cases) assert.equal(read(status, body, type).tag, tag, `${status} ${JSON.stringify(body)}`);
  const refused = read(400, error(101, 'Dates not in range'));
  assert.match(String(refused.tag === 'refused' && refused.detail), /Dates not in range/, 'the log has the reason');
});

test('an answer that leaves the domain of its request blank names no other domain', () => {
  const blank = { meta: { ...meta, request: { domain: '' } } };
  assert.equal(read(200, { ...blank, data: [{ date: '2024-12-01', visits: 5 }] }).tag, 'found');
  const earlier = { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ ...blank, global_rank: { rank: 7 } })), url: '', atMs: 0 };
  assert.equal(readSimilarweb(earlier, { domain: DOMAIN }).tag, 'found');
});

test('figures of days, of some devices or of another domain are not those of the month, the domain and all devices', () => {
  const requestOf = (more: object) => ({ ...meta, request: { ...meta.request, ...more } });
  const tagOf = (data: readonly unknown[], more: object = {}) => read(200, { meta: requestOf(more), data }).tag;
  const row = { date: '2024-12-01', visits: 5100 };
  assert.equal(tagOf([row, { date: '2024-11-01', visits: 5000 }]), 'found');
  assert.equal(tagOf([row, { date: '2024-12-02', visits: 170 }]), 'changed');
  assert.equal(tagOf([row, { date: '2024-12-08', visits: 1200 }], { granularity: undefined }), 'changed');
  for (const web_source of ['desktop', 'mobile_web', 'Desktop']) assert.equal(tagOf([row], { web_source }), 'changed', web_source);
  assert.equal(tagOf([row], { web_source: 'Total' }), 'found');
  for (const mtd of [true, 'true']) assert.equal(tagOf([row], { mtd }), 'changed', 'month to date');
  for (const mtd of [false, 'false', null]) assert.equal(tagOf([row], { mtd }), 'found');
  assert.equal(tagOf([{ channel: 'direct', share: 0.5 }], { web_source: 'desktop' }), 'found');
  assert.equal(tagOf([{ country: 'US', share: 0.5, visits: 12 }], { web_source: 'desktop' }), 'found');
  assert.equal(tagOf([{ ...row, domain: 'other.com' }]), 'changed');
  for (const domain of [DOMAIN, `www.${DOMAIN}`, DOMAIN.toUpperCase()])
    assert.equal(tagOf([{ ...row, domain }], { domain }), 'found', domain);
  assert.equal(valuesOf([{ ...row, country: 'WW' }]).visits, 5100);
});

test('one unknown or odd row never decides over the other channels, countries and months', () => {
  const date = '2024-12-01';
  const shares = [
    { date, channel: 'Direct', share: 0.5 },
    { date, channel: 'Search', share: 0.3 },
    { date, channel: 'Mail', share: 0.1 },
  ] as const;
  const countries = [
    { country: 'US', share: 0.5 },
    { country: 'GB', share: 0.2 },
    { country: 'DE', share: 0.1 },
  ] as const;
  const months = ['2024-10', '2024-11', '2024-12'].map((month) => ({ date: month, visits: 5100 }));
  const fields = ['direct', 'search', 'mail'] as const;
  for (const [i, field] of fields.entries()) {
    const unknown = (share: unknown) => valuesOf(shares.map((row, j) => (i === j ? { ...row, share } : row)));
    for (const share of [0, null]) {
      const r = unknown(share);
      assert.deepEqual([r.trafficSources?.[field], r.unread], [null, undefined], `${field} ${share}: unknown is not 0`);
    }
    for (const share of ['30 %', undefined, {}]) assert.deepEqual(unknown(share).unread, [`trafficSources.${field}`]);
    assert.equal(Object.values(unknown('30 %').trafficSources ?? {}).filter((share) => share !== null).length, 2);
    for (const [share, unread] of [
      [null, undefined],
      [0, undefined],
      ['20 %', ['topCountries']],
      [undefined, ['topCountries']],
    ] as const) {
      const r = valuesOf(countries.map((row, j) => (i === j ? { ...row, share } : row)));
      assert.deepEqual([r.topCountries.length, r.unread], [2, unread], `${share} in place ${i}`);
    }
    for (const odd of [null, {}, 'x', []]) {
      assert.equal(valuesOf((shares as readonly unknown[]).toSpliced(i, 0, odd)).trafficSources?.direct, 0.5);
      assert.equal(valuesOf((countries as readonly unknown[]).toSpliced(i, 0, odd)).topCountries.length, 3);
      const r = valuesOf((months as unknown[]).toSpliced(i, 0, odd));
      assert.deepEqual([r.period, r.visits, r.history.length], ['2024-12', 5100, 3]);
    }
    const twice = valuesOf(months.toSpliced(i, 0, { date: '2024-12', visits: null as unknown as number }));
    assert.deepEqual([twice.visits, twice.history.length], [5100, 3], 'a month that is stated twice');
  }
  const ofUnnamed = valuesOf([...months, { visits: 9 }]);
  assert.deepEqual([ofUnnamed.visits, ofUnnamed.unread], [5100, ['history']]);
});

test('the rank of a country is that of the country that is named first', () => {
  const r = valuesOf([
    { country: 'US', share: null, rank: 3 },
    { country: 'GB', share: 0.2, rank: 5 },
  ]);
  assert.deepEqual(r.countryRank, { country: 'GB', rank: 5 });
});

test('rows without a metric that is known are no proof that there is no data', () => {
  for (const data of [[{ date: '2024-12' }], [{ date: '2024-12', sessions: 500 }], [{ visits: 0 }], [null], [{}], ['2024-12']])
    assert.equal(read(200, { meta, data }).tag, 'changed', JSON.stringify(data));
});
