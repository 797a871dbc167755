import assert from 'node:assert/strict';
import { test } from 'node:test';
import { column, entry, found, read, TEA } from '../../../../test/searchengine/google-page.ts';
import { readGooglePage } from './parse.ts';

const outcomeOf = (body: string) =>
  readGooglePage(
    { status: 200, headers: {}, body: Buffer.from(`<html><body>${body}</body></html>`), url: 'https://www.google.com/search?q=x', atMs: 0 },
    { keyword: 'tea', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' },
  );
const featuresOf = (...blocks: string[]): string[] => read(column(TEA, ...blocks)).features;

test('a block of places is one, although a frame for products opens over it', () => {
  const places = '<div><a class="rllt__link" role="link" data-cid="9643445455764505912"><div>Tea House (98)</div></a></div>';
  const viewer = '<product-viewer-group></product-viewer-group>';
  assert.deepEqual(featuresOf(`<div>${viewer}${places}</div>`), ['organic', 'local_pack']);
  assert.deepEqual(featuresOf(`<div>${viewer}<h3>Popular teas</h3></div>`), ['organic', 'shopping']);
});

test('posts of social networks are no news, and news of which one story stands alone are', () => {
  const card = (cluster: string) => `<div data-news-cluster-id="${cluster}"><div>About tea</div></div>`;
  const block = (heading: string, ...clusters: string[]) =>
    `<div><div role="heading" aria-level="2">${heading}</div>${clusters.map(card).join('')}</div>`;
  assert.deepEqual(featuresOf(block('What people are saying', '0', '0', '4408388637')), ['organic', 'other']);
  assert.deepEqual(featuresOf(block('Stories', '0', '4408388637', '2969416696')), ['organic', 'news']);
  assert.deepEqual(featuresOf(block('Top stories', '0', '0')), ['organic', 'news'], 'by its heading');
});

test('the entry in a frame of its own is the answer box, and a list in it the description', () => {
  const list = '<ul><li>Boil the water.</li><li>Rinse the pot.</li></ul><div><a href="https://box.example/">More items...</a></div>';
  const box = `<block-component><h2>Featured snippet from the web</h2><div role="heading" aria-level="3">Steps</div><div>${list}</div>
    <div><div><a href="https://box.example/"><h3>Box</h3><cite>https://box.example</cite></a></div></div></block-component>`;
  const { organic, features } = read(column(box, TEA));
  assert.deepEqual(
    organic.map(({ title, description, isFeaturedSnippet }) => [title, description, isFeaturedSnippet]),
    [
      ['Box', 'Boil the water. Rinse the pot.', true],
      ['Tea', 'What the page says about Tea.', false],
    ],
  );
  assert.deepEqual(features, ['featured_snippet', 'organic']);
  const both = `<block-component>${TEA}${entry('https://leaf.example/', 'Leaf')}</block-component>`;
  assert.equal(
    read(column(both)).organic.some((one) => one.isFeaturedSnippet),
    false,
    'a frame around several',
  );
});

test('a notice that nothing was found for the words as typed is no proof above results that are not known', () => {
  const notice = '<div id="topstuff">No results found for "green tea". Results for green tea (without quotes):</div>';
  assert.equal(outcomeOf(notice).tag, 'found');
  assert.equal(outcomeOf(`<div id="resultStats">About 3,850 results</div>${notice}`).tag, 'changed', 'a stated number');
  assert.equal(outcomeOf(`${notice}${column('<article><b>Green tea</b> A page about it.</article>')}`).tag, 'changed', 'a list');
});

test('an entry whose title has markup that is not known keeps its place, and no card takes it', () => {
  const other = (name: string) => entry(`https://${name}.example/`, name).replace(/<(\/?)h3/g, '<$1b');
  const film = '<div><a href="https://films.example/watch"><div role="heading" aria-level="3">A film about tea</div></a></div>';
  const { resource, unread } = found(column(TEA, other('leaf'), film, entry('https://pot.example/', 'Pot')));
  assert.deepEqual(
    resource.organic.map(({ rank, title }) => [rank, title]),
    [
      [1, 'Tea'],
      [3, 'Pot'],
    ],
  );
  assert.deepEqual(unread, ['organic.title']);
  assert.equal(outcomeOf(column(other('leaf'), film, film.replace('watch', 'see'))).tag, 'changed');
  // a frame without the address line of a result is none
  assert.deepEqual(found(column(TEA, '<div data-snc="2"><a href="https://a.example/">A picture</a></div>')).unread ?? [], []);
});
