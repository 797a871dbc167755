import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { type Comparison, compare, sameJson } from './compare.ts';
import { countedFields } from './counted-fields.ts';
import { OPERATIONS, type Operation, operationList } from './operations/index.ts';
import { fieldsUnder, shapeOf } from './resource-fields.ts';
import { fieldOf, fieldText } from './watched-field.ts';

type Json = Record<string, unknown>;

test('every list of objects has a key, and every path of the rules is a field', () => {
  const listsIn = (schema: TSchema, path: string): string[] => {
    const { items, properties } = shapeOf(schema);
    if (items) return shapeOf(items).properties ? [path] : [];
    return Object.entries(properties ?? {}).flatMap(([name, one]) => listsIn(one, path === '' ? name : `${path}.${name}`));
  };
  for (const { id, resource, watch } of operationList) {
    assert.deepEqual(Object.keys(watch.lists).sort(), listsIn(resource, '').sort(), id);
    const inLists = Object.entries(watch.lists).flatMap(([list, { key, rank, feed }]) =>
      [...key, rank ?? [], feed ?? []].flat().map((name) => `${list}.${name}`),
    );
    for (const field of watch.fields)
      assert.ok(countedFields(operationList.find((one) => one.id === id) ?? assert.fail(), field), `${id}: ${field}`);
    for (const path of [...watch.never, ...watch.series, ...inLists, ...(watch.shown ?? []), watch.more ?? []].flat())
      assert.ok(fieldsUnder(resource, path).length > 0, `${id}: ${path}`);
    for (const field of watch.fields) assert.ok(!watch.never.includes(field), `${id}: ${field}`);
  }
});

const entry = (url: string, rank: number, more: Json = {}) => ({ url, rank, title: `title of ${url}`, domain: url, ...more });
const page = (...urls: string[]) => ({ organic: urls.map((url, i) => entry(url, i + 1)), features: ['organic'] });
const told = (operation: Operation, before: unknown, after: unknown, how?: Comparison) =>
  compare(operation, before, after, how).map(({ kind, field, key, before: was, after: is }) => [
    kind,
    field,
    key,
    ...(kind === 'moved' || kind === 'changed' ? [was, is] : []),
  ]);

test('a ranking: rows that another row shifts did not move; of a swap one moved; a named entry tells its rank', () => {
  assert.deepEqual(told(OPERATIONS.serp, page('a', 'b', 'c'), page('x', 'a', 'b', 'c')), [['added', 'organic', 'x']]);
  assert.deepEqual(told(OPERATIONS.serp, page('a', 'b', 'c', 'd'), page('d', 'a', 'b', 'c')), [['moved', 'organic.rank', 'd', 4, 1]]);
  const fields = ['organic[b].rank'];
  assert.deepEqual(told(OPERATIONS.serp, page('a', 'b'), page('x', 'a', 'b'), { fields }), [['moved', 'organic.rank', 'b', 2, 3]]);
  assert.deepEqual(told(OPERATIONS.serp, page('a', 'b'), page('x', 'a'), { fields: ['organic[b]'] }), [['removed', 'organic', 'b']]);
});

test('differences below `least` do not count', () => {
  const fields = [{ path: 'organic.rank', least: 2 }];
  assert.deepEqual(told(OPERATIONS.serp, page('a', 'b', 'c', 'd'), page('b', 'a', 'd', 'c'), { fields }), []);
  assert.deepEqual(told(OPERATIONS.serp, page('a', 'b', 'c'), page('b', 'c', 'a'), { fields }), [['moved', 'organic.rank', 'a', 1, 3]]);
  const views = (n: number) => ({ metrics: { views: n } });
  const how = { fields: [{ path: 'metrics.views', least: 100 }] };
  assert.deepEqual(told(OPERATIONS['short-video'], views(1_000), views(1_099), how), []);
  assert.deepEqual(told(OPERATIONS['short-video'], views(1_000), views(900), how), [['changed', 'metrics.views', null, 1_000, 900]]);
});

test('thresholds: numbers written as text, a tenth, a share; a crossing in both directions, also of an entry that is not listed', () => {
  const { app, traffic, serp } = OPERATIONS;
  const rating = (value: string) => ({ rating: value });
  assert.deepEqual(told(app, rating('4.6'), rating('4.5'), { fields: [{ path: 'rating', least: 0.2 }] }), []);
  assert.deepEqual(told(app, rating('4.6'), rating('4.5'), { fields: [{ path: 'rating', least: 0.1 }] }), [
    ['changed', 'rating', null, '4.6', '4.5'],
  ]);
  const share = { fields: [{ path: 'visits', leastShare: 0.1 }] };
  assert.deepEqual(told(traffic, { visits: 1_000 }, { visits: 901 }, share), []);
  assert.deepEqual(told(traffic, { visits: 1_000 }, { visits: 900 }, share), [['changed', 'visits', null, 1_000, 900]]);
  assert.deepEqual(told(traffic, { visits: 0 }, { visits: 1 }, share), [['changed', 'visits', null, 0, 1]]);
  const first2 = { fields: [{ path: 'organic[b].rank', crosses: 2 }] };
  assert.deepEqual(told(serp, page('b', 'a', 'c'), page('a', 'b', 'c'), first2), []);
  assert.deepEqual(told(serp, page('a', 'b', 'c'), page('a', 'c', 'b'), first2), [['moved', 'organic.rank', 'b', 2, 3]]);
  assert.deepEqual(told(serp, page('a', 'c', 'b'), page('a', 'b', 'c'), first2), [['moved', 'organic.rank', 'b', 3, 2]]);
  assert.deepEqual(told(serp, page('a', 'b', 'c'), page('a', 'c'), first2), [['moved', 'organic.rank', 'b', 2, null]]);
  assert.deepEqual(told(serp, page('a', 'c', 'b'), page('a', 'c'), first2), []);
  assert.deepEqual(told(serp, page('a', 'c'), page('a', 'b', 'c'), first2), [['moved', 'organic.rank', 'b', null, 2]]);
  const unread = { before: [], after: ['organic.url'] };
  assert.deepEqual(told(serp, page('a', 'b', 'c'), page('a', 'c'), { ...first2, unread }), []);
  const all = { fields: [{ path: 'metrics.views', crosses: 100 }] };
  assert.deepEqual(told(OPERATIONS['short-video'], { metrics: { views: 99 } }, { metrics: { views: null } }, all), []);
});

test('a field in one line and back', () => {
  const lines = ['organic', 'organic[b].rank', 'organic.rank:2', 'bounceRate:0.1', 'visits:10%', 'visits:0.5%', 'organic[b].rank>10'];
  for (const line of lines) assert.equal(fieldText(fieldOf(line)), line);
  assert.deepEqual(fieldOf('visits:10%'), { path: 'visits', leastShare: 0.1 });
  assert.deepEqual(fieldOf('organic[b].rank>10'), { path: 'organic[b].rank', crosses: 10 });
});

test('a feed: what scrolled away is not removed, and what was below its end is not added', () => {
  const review = (reviewId: string, reviewCreatedDate: string | null) => ({ reviewId, reviewCreatedDate });
  const reviews = (...all: object[]) => ({ reviews: all, summary: [], pagination: { hasNextPage: true } });
  const before = reviews(review('2', '2026-01-12'), review('1', '2026-01-10'));
  const after = reviews(review('3', '2026-01-14'), review('2', '2026-01-12'), review('0', '2026-01-09'));
  assert.deepEqual(told(OPERATIONS['app-reviews'], before, after), [['added', 'reviews', '3']]);
});

test('a cut page: entries beyond its end are not missing where another page follows', () => {
  const apps = (handles: string[], hasNextPage: boolean) => ({
    apps: handles.map((handle, i) => ({ handle, isSponsored: false, position: i + 1 })),
    pagination: { hasNextPage },
    hasResults: true,
  });
  assert.deepEqual(told(OPERATIONS['app-keywords'], apps(['a', 'b', 'c'], true), apps(['a'], true)), []);
  assert.deepEqual(told(OPERATIONS['app-keywords'], apps(['a', 'b', 'c'], false), apps(['a', 'b'], false)), [['removed', 'apps', 'c']]);
  assert.deepEqual(told(OPERATIONS['app-keywords'], apps(['a', 'b', 'c'], true), apps(['a', 'c', 'd'], true)), [
    ['removed', 'apps', 'b'],
    ['added', 'apps', 'd'],
  ]);
});

test('an unread value is not compared, and a list that lacks unread entries loses none', () => {
  const record = (more: Json) => ({
    available: false,
    registrar: { name: 'Acme' },
    nameServers: ['a', 'b'],
    status: [],
    contacts: [],
    ...more,
  });
  const before = record({ expiresOn: '2027-01-01', contacts: [{ role: 'technical', email: 'a@b.example' }] });
  const after = record({ expiresOn: null, nameServers: ['a'], registrar: null, contacts: [{ role: 'technical', email: null }] });
  const unread = ['expiresOn', 'nameServers', 'registrar', 'contacts.email'];
  assert.deepEqual(told(OPERATIONS.registration, before, after, { unread: { before: [], after: unread } }), []);
  assert.deepEqual(told(OPERATIONS.registration, after, before, { unread: { before: unread, after: [] } }), []);
  assert.equal(told(OPERATIONS.registration, before, after).length, 4);
  const lacking = { unread: { before: [], after: ['organic.title'] } };
  assert.deepEqual(told(OPERATIONS.serp, page('a', 'b', 'c'), page('a', 'c'), lacking), []);
  assert.deepEqual(told(OPERATIONS.serp, page('a', 'b'), page('a'), { unread: { before: [], after: ['organic.rating'] } }), [
    ['removed', 'organic', 'b'],
  ]);
});

test('a name stands for the fields below it that count, else for all; unknown names and those that never count are refused', () => {
  const paths = (field: string) => countedFields(OPERATIONS.serp, field)?.map(({ path }) => path) ?? null;
  assert.deepEqual(paths('organic'), ['organic.url', 'organic.rank', 'organic.title']);
  assert.deepEqual(paths('aiOverview.text'), ['aiOverview.text']);
  assert.deepEqual(countedFields(OPERATIONS.registration, 'registrar')?.length, 2);
  for (const wrong of [
    'organic.place',
    'checkedAt',
    'features[organic]',
    '',
    'organic[]',
    'features?',
    'paid.url?',
    'organic.rating?x',
    '?',
    'paid??',
    'organic[a]?',
  ])
    assert.equal(paths(wrong), null, wrong);
});

test('of ads and the generated answer their presence counts; what was not read may be there', () => {
  const side = (...ads: string[]) => ({ ...page('a'), paid: ads.map((url, i) => entry(url, i + 1)), aiOverview: null });
  const overview = { text: 'x', references: [] };
  const { serp } = OPERATIONS;
  assert.deepEqual(told(serp, side(), side('x', 'y')), [['changed', 'paid?', null, false, true]]);
  assert.deepEqual(told(serp, side('x'), side('y', 'z')), [], 'other ads are no change');
  assert.deepEqual(told(serp, side(), { ...side(), aiOverview: overview }), [['changed', 'aiOverview?', null, false, true]]);
  assert.deepEqual(told(serp, { ...side(), aiOverview: overview }, side()), [['changed', 'aiOverview?', null, true, false]]);
  assert.deepEqual(told(serp, { ...side(), aiOverview: overview }, { ...side(), aiOverview: { text: 'y', references: [] } }), []);
  for (const lost of ['aiOverview', 'aiOverview.text', 'aiOverview.references'])
    assert.deepEqual(told(serp, { ...side(), aiOverview: overview }, side(), { unread: { before: [], after: [lost] } }), []);
  for (const lost of ['paid', 'paid.url', 'paid.title'])
    assert.deepEqual(told(serp, side(), side('x'), { unread: { before: [lost], after: [] } }), []);
  assert.deepEqual(
    compare(serp, side('x'), side('y'), { fields: ['paid'] }).map(({ kind }) => kind),
    ['removed', 'added'],
    'ads themselves count where they are asked for',
  );
});

test('every field is compared on request, but for the times of reading', () => {
  const video = (coverUrl: string, hashtags: string[]) => ({ coverUrl, hashtags, metrics: { views: 1 } });
  assert.deepEqual(told(OPERATIONS['short-video'], video('a', ['x', 'y']), video('b', ['y', 'x'])), []);
  assert.deepEqual(
    told(OPERATIONS['short-video'], video('a', ['x', 'y']), video('b', ['y', 'x']), { fields: 'every' }).map(([, field]) => field),
    ['coverUrl', 'hashtags'],
  );
  assert.deepEqual(told(OPERATIONS.serp, { checkedAt: 'a' }, { checkedAt: 'b' }, { fields: 'every' }), []);
  assert.ok(sameJson(['a', 'b'], ['b', 'a']));
});
