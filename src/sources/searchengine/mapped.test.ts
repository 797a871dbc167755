import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../contract/json-object.ts';
import type { SearchResult } from '../../contract/operations/serp/operation.ts';
import { UnreadFields } from '../unread-fields.ts';
import { mappedRanking } from './mapped.ts';

const row = (rank: unknown, name: string, more: object = {}) => ({
  ...{ rank, absoluteRank: rank, domain: `${name}.example`, url: `https://${name}.example/a`, title: name, isFeaturedSnippet: false },
  ...more,
});
function ranked(mapped: JsonObject, roots: readonly string[] = []) {
  const unread = new UnreadFields();
  const read = mappedRanking(mapped, 'engine_a', new Set(roots), unread) as unknown as SearchResult;
  return { ...read, listed: read.organic.map(({ rank, title }) => `${rank} ${title}`), unread: unread.paths };
}

test('a mapped entry without a title or with a hidden address is left out, and keeps its place', () => {
  for (const title of [undefined, null, '', ' ']) {
    const { listed, unread } = ranked({ organic: [row(1, 'hill', { title }), row(2, 'lake')] });
    assert.deepEqual([listed, unread], [['2 lake'], ['organic.title']]);
  }
  const sealed = ranked({ organic: [row(1, 'hill', { url: 'https://www.google.com/goto?url=CAES' }), row(2, 'lake')] });
  assert.deepEqual([sealed.listed, sealed.unread], [['2 lake'], ['organic.url']]);
  assert.deepEqual(ranked({ organic: [row(2, 'lake'), row(4, 'moor')] }).listed, ['2 lake', '4 moor'], 'places that the mapping skipped');
  assert.deepEqual(ranked({ organic: [row('1', 'hill'), row(undefined, 'lake')] }).listed, ['1 hill', '2 lake']);
});

test('a mapped entry that is listed twice has one place, two sealed ones of a site have two, and a box is one with its page', () => {
  const twice = [row(1, 'hill'), row(2, 'hill', { url: 'https://hill.example/a/' }), row(3, 'lake')];
  assert.deepEqual(ranked({ organic: twice }).listed, ['1 hill', '2 lake']);
  const root = { url: 'https://hill.example' };
  const sealed = [row(1, 'hill', root), row(2, 'hill', { ...root, title: 'map' })];
  assert.deepEqual(ranked({ organic: sealed }, [root.url]).listed, ['1 hill', '2 map']);
  for (const title of ['hill', undefined]) {
    const box = row(1, 'hill', { url: 'https://hill.example/a#:~:text=x', title, isFeaturedSnippet: true });
    const { listed, organic, unread } = ranked({ organic: [box, row(2, 'hill'), row(3, 'lake')] });
    assert.deepEqual([listed, organic[0]?.isFeaturedSnippet, unread], [['1 hill', '2 lake'], true, []]);
  }
});

test('a mapped ad without its address or title is unread and keeps its place; one that is listed as an entry, too, is none', () => {
  const ad = { rank: 2, domain: 'shop.example', url: 'https://shop.example/a', title: 'shop', description: 'Of shop.' };
  const { paid, unread } = ranked({ organic: [row(1, 'hill')], paid: [{ rank: 1, url: 'https://a.example/' }, ad] });
  assert.deepEqual([paid.map(({ rank, title }) => [rank, title]), unread], [[[2, 'shop']], ['paid.title']]);
  assert.deepEqual(ranked({ organic: [row(1, 'shop', { description: 'Of shop.' }), row(2, 'hill')], paid: [ad] }).listed, ['1 hill']);
});

test('a total of 0 beside entries is no total; a mapped answer has no lines of the engine, and none in its place is one', () => {
  assert.equal(ranked({ organic: [row(1, 'hill')], totalResults: 0 }).totalResults, null);
  assert.equal(ranked({ organic: [], totalResults: 0 }).totalResults, 0);
  const answer = (text: string, references: readonly object[] = []) =>
    ranked({ organic: [row(1, 'hill')], features: ['ai_overview', 'organic'], aiOverview: { text, references } });
  assert.equal(answer('AI Overview\nTea is green.\nLearn more').aiOverview?.text, 'Tea is green.');
  const house = [{ url: 'https://www.teahouse.example/', title: 'Tea House' }];
  assert.equal(answer('Tea is green. Tea House +2\nIt is old. teahouse.example +1', house).aiOverview?.text, 'Tea is green.\nIt is old.');
  assert.deepEqual(answer('Tea is green. Other House +2', house).unread, ['aiOverview.text']);
  const none = answer("Can't generate an AI overview right now. Try again later.");
  assert.deepEqual([none.aiOverview, none.features, none.unread], [null, ['organic'], ['aiOverview']]);
  const cited = answer('Tea.', [
    { url: 'https://www.google.com/goto?url=CA', title: 'A' },
    { url: 'https://b.example/', title: 'B' },
  ]);
  assert.deepEqual([cited.aiOverview?.references.map(({ domain }) => domain), cited.unread], [['b.example'], ['aiOverview.references']]);
});
