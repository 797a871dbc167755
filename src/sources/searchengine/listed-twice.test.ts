import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDataforseo } from './dataforseo/parse.ts';
import type { SerpInput } from './result.ts';
import { readSerpapi } from './serpapi/parse.ts';

const input: SerpInput = { keyword: 'tea', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' };
function found(read: typeof readSerpapi, body: unknown) {
  const outcome = read({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)), url: '', atMs: 0 }, input);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  const { organic, paid, features } = outcome.resource;
  return { listed: organic.map(({ rank, title }) => `${rank} ${title}`), organic, paid, features, unread: outcome.unread ?? [] };
}
const entry = (name: string, more: object = {}) => ({ title: name, link: `https://${name}.example/a`, snippet: `Of ${name}.`, ...more });
const serpapi = (organic_results: readonly object[], more: object = {}) =>
  found(readSerpapi, { search_metadata: { status: 'Success' }, organic_results, ...more });

test('one page under one title is one entry, whatever its address is written with', () => {
  for (const link of [
    'https://hill.example/a/',
    'http://hill.example/a',
    'https://hill.example/a?srsltid=1',
    'https://hill.example/a#:~:text=x',
  ])
    assert.deepEqual(serpapi([entry('hill'), entry('hill', { link }), entry('lake')]).listed, ['1 hill', '2 lake'], link);
  const other = [entry('hill'), entry('hill', { title: 'map' }), entry('lake')];
  assert.deepEqual(serpapi(other).listed, ['1 hill', '2 map', '3 lake']);
});

test('an ad that the provider lists among the entries, too, is no entry', () => {
  // github.com/serpapi/public-roadmap/issues/2182
  const ad = { title: 'shop', link: 'https://shop.example/a', description: 'Of shop.' };
  const again = serpapi([entry('shop'), entry('hill')], { ads: [ad] });
  assert.deepEqual([again.listed, again.paid.length], [['1 hill'], 1]);
  // the page of a site that advertises, too, has words of its own
  assert.deepEqual(serpapi([entry('shop', { snippet: 'A shop.' }), entry('hill')], { ads: [ad] }).listed, ['1 shop', '2 hill']);
});

test('the page of an answer box is one entry: in a list of boxes, flagged once more, or listed three times', () => {
  const box = { type: 'organic_result', ...entry('hill') };
  for (const [answer_box, organic] of [
    [[box], [entry('hill'), entry('lake')]],
    [box, [entry('hill'), entry('hill'), entry('lake')]],
  ] as const) {
    const read = serpapi(organic, { answer_box });
    assert.deepEqual([read.listed, read.organic[0]?.isFeaturedSnippet], [['1 hill', '2 lake'], true]);
    assert.ok(read.features.includes('featured_snippet'));
  }
  const item = (type: string, rank_absolute: number, title: string, more: object = {}) => ({
    ...{ type, rank_group: type === 'organic' ? rank_absolute - 1 : 1, rank_absolute, title, url: `https://${title}.example/` },
    ...more,
  });
  const items = [
    item('featured_snippet', 1, 'hill'),
    item('organic', 2, 'hill', { is_featured_snippet: true }),
    item('organic', 3, 'lake'),
  ];
  const flagged = found(readDataforseo, { status_code: 20_000, tasks: [{ status_code: 20_000, result: [{ type: 'organic', items }] }] });
  assert.deepEqual(flagged.listed, ['1 hill', '2 lake']);
});

test('an ad of which nothing is brought is unread, and keeps its place', () => {
  // github.com/serpapi/public-roadmap/issues/2238
  const { paid, unread } = serpapi([entry('hill')], { ads: [{ position: 1 }, { title: 'shop', link: 'https://shop.example/a' }] });
  assert.deepEqual([paid.map(({ rank, title }) => [rank, title]), unread], [[[2, 'shop']], ['paid.title', 'paid.url']]);
});

test('an answer box alone is no list: the provider must say that there is none', () => {
  const answer_box = { type: 'organic_result', ...entry('hill') };
  const body = { search_metadata: { status: 'Success' }, answer_box };
  const read = (more: object) =>
    readSerpapi({ status: 200, headers: {}, body: Buffer.from(JSON.stringify({ ...body, ...more })), url: '', atMs: 0 }, input).tag;
  assert.deepEqual([read({}), read({ organic_results: [] })], ['changed', 'changed']);
  assert.deepEqual(serpapi([], { answer_box, search_information: { organic_results_state: 'Fully empty' } }).listed, ['1 hill']);
});
