import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../contract/operations/index.ts';
import { found } from './compare.ts';
import { firstNumber, seriesOf } from './series.ts';

const START = { fails: 0, stopped: null, pending: null, absent: null } as const;

test('an entry whose key could not be read is no new one; it is compared again when its key is read again', () => {
  const operation = OPERATIONS['microblog-post'];
  const post = (...urls: (string | null)[]) => ({
    text: 'a',
    links: [],
    hashtags: [],
    media: urls.map((url) => ({ url, thumbnailUrl: null })),
  });
  const first = found(operation, START, null, { resource: post('a', 'b'), unread: [] }, null, false);
  const less = found(operation, START, first.baseline, { resource: post(null, 'b'), unread: ['media.url'] }, null, true);
  assert.deepEqual(less.changes, []);
  const kindsOf = (...urls: string[]) =>
    found(operation, START, less.baseline, { resource: post(...urls), unread: [] }, null, true).changes.map(({ kind, key }) => [kind, key]);
  assert.deepEqual(kindsOf('a', 'b'), []);
  assert.deepEqual(kindsOf('b', 'c'), [
    ['removed', 'a'],
    ['added', 'c'],
  ]);
});

test('the number of the list: that of the entry which `fields` names, else the first one outside of lists, else none', () => {
  const serp = { totalResults: '12', organic: [{ url: 'https://b.example/', domain: 'b.example', rank: 3 }] };
  const numberIn = (fields: Parameters<typeof firstNumber>[1]) => {
    const number = firstNumber(OPERATIONS.serp, fields);
    return [number?.field, number?.of(serp)];
  };
  assert.deepEqual(numberIn(null), ['totalResults', 12]);
  assert.deepEqual(numberIn(['organic.title', 'organic[b.example].rank']), ['organic[b.example].rank', 3]);
  assert.deepEqual(numberIn([{ path: 'organic[b.example]', least: 2 }]), ['organic[b.example].rank', 3]);
  assert.deepEqual(numberIn(['organic[c.example].rank']), ['organic[c.example].rank', null]);
  assert.deepEqual(firstNumber(OPERATIONS['short-video'], ['metrics.likes'])?.field, 'metrics.likes');
  assert.equal(firstNumber(OPERATIONS['forum-community'], null), null);
  assert.equal(firstNumber(OPERATIONS.registration, null), null);
});

test('each entry that `fields` names has a series of its own, by the name it has there, also where no such entry is', () => {
  const page = {
    totalResults: 12,
    organic: [
      { url: 'https://a.example/1', domain: 'a.example', rank: 1 },
      { url: 'https://b.example/', domain: 'b.example', rank: 2 },
      { url: 'https://a.example/2', domain: 'a.example', rank: 3 },
    ],
  };
  const fields = [
    'organic[b.example].rank',
    { path: 'organic[a.example].rank', least: 2 },
    'organic[c.example]',
    'organic[a.example]',
    'paid?',
  ];
  assert.deepEqual(
    seriesOf(OPERATIONS.serp, fields, page).map(({ field, key, value }) => [field, key, value]),
    [
      ['organic[b.example].rank', null, 2],
      ['organic[a.example].rank', null, 1],
      ['organic[c.example].rank', null, null],
      ['totalResults', null, 12],
      ['organic.rank', 'https://a.example/1', 1],
      ['organic.rank', 'https://b.example/', 2],
      ['organic.rank', 'https://a.example/2', 3],
    ],
  );
  assert.equal(seriesOf(OPERATIONS.serp, null, page).length, 4);
});
