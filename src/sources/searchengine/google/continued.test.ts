import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGooglePage } from './parse.ts';

function open(body: string, url = 'https://www.google.com/search?q=tea') {
  const outcome = openGooglePage(
    {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: Buffer.from(`<!doctype html><html><body>${body}</body></html>`),
      url,
      atMs: 1_700_000_000_000,
    },
    { keyword: 'tea', location: 'US', language: 'en', device: 'desktop', depth: 30, engine: 'engine_a' },
  );
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome.resource;
}
const entry = (name: string): string =>
  `<div class="g"><a href="https://${name}.example/"><h3>${name}</h3><cite>https://${name}.example</cite></a><div>What the page of ${name} says about it.</div></div>`;
const list = (...names: string[]): string => `<div id="center_col"><div id="rso"><div>${names.map(entry).join('')}</div></div></div>`;
const alsoAsked =
  '<div data-initq="tea"><div data-q="What is tea?" class="related-question-pair"><div role="heading">What is tea?</div></div></div>';
const further = (id: number, inner: string): string => `<div data-async-type="arc" id="arc-srp_${id}"><div>${inner}</div></div>`;
const more = (start: number): string => `<a href="/search?q=tea&amp;start=${start}">More results</a>`;
const related = '<div id="bres"><a href="/search?q=green+tea">green tea</a></div>';

test('results that the page loaded below its list are entries: counted, ranked on, and the next page is the one behind them', () => {
  const loaded = further(110, alsoAsked + entry('c') + entry('d') + more(10)) + further(120, entry('e') + more(30));
  const { result, places, next } = open(`${list('a', 'b')}<div id="botstuff">${related}${loaded}</div>`);
  assert.deepEqual(
    result.organic.map(({ rank, absoluteRank, url }) => `${rank} ${absoluteRank} ${url}`),
    ['1 1 https://a.example/', '2 2 https://b.example/', '3 5 https://c.example/', '4 6 https://d.example/', '5 7 https://e.example/'],
  );
  assert.equal(result.organic[2]?.description, 'What the page of c says about it.');
  assert.deepEqual(result.features, ['organic', 'other', 'people_also_ask']);
  assert.deepEqual(result.relatedSearches, ['green tea']);
  assert.equal(places, 5);
  assert.equal(next, 'https://www.google.com/search?q=tea&start=30');
});

test('a place for further results that is still empty changes nothing; what else is below the list are no entries', () => {
  const empty = '<div data-graft-type="insert" data-async-type="arc" id="arc-srp_1"></div>';
  const { result, next } = open(`${list('a', 'b')}<div id="botstuff">${empty}${entry('x')}${more(10)}</div>`);
  assert.deepEqual(
    result.organic.map(({ domain }) => domain),
    ['a.example', 'b.example'],
  );
  assert.equal(next, 'https://www.google.com/search?q=tea&start=10');
});

test('the offset of a later page counts with the results that it loaded', () => {
  const body = `${list('a')}<div id="botstuff">${further(120, entry('b') + more(20) + more(30))}</div>`;
  assert.equal(open(body, 'https://www.google.com/search?q=tea&start=10').next, 'https://www.google.com/search?q=tea&start=30');
});
