/** Markup around a link, a title or a text of an entry takes nothing away and puts nothing in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { column, TEA } from '../../../../test/searchengine/google-page.ts';
import { readGooglePage } from './parse.ts';

const outcomeOf = (body: string) => {
  const answer = {
    status: 200,
    headers: {},
    body: Buffer.from(`<html><body>${body}</body></html>`),
    url: 'https://www.google.com/search?q=x',
    atMs: 0,
  };
  const outcome = readGooglePage(answer, {
    keyword: 'tea',
    location: 'US',
    language: 'en',
    device: 'desktop',
    depth: 10,
    engine: 'engine_a',
  });
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return { ...outcome.resource, unread: outcome.unread ?? [] };
};
const LINK = '<a href="https://old.example/leaf">Leaf</a>';
const OLD = `<li class="g"><h3 class="r">${LINK}</h3><div class="s"><cite>old.example/leaf</cite><span class="st">What the page says about it.</span></div></li>`;
const LINE = 'https://leaf.example<span> › tea</span>';
const NEW = `<div class="g"><a href="https://leaf.example/tea"><h3>Leaf</h3><div><span>Leaf shop</span><cite>${LINE}</cite></div></a><div data-sncf="1"><span>All about leaves.</span></div></div>`;
const AROUND: readonly (readonly [string, string])[] = [
  ['<span>', '</span>'],
  ['<span class="w"><span>', '</span></span>'],
  ['<font style="vertical-align: inherit"><font>', '</font></font>'],
];

test('an element around a link, its title, its address or a text changes nothing', () => {
  const plain = outcomeOf(column(TEA, OLD, NEW));
  assert.deepEqual(
    plain.organic.map(({ description }) => description),
    ['What the page says about Tea.', 'What the page says about it.', 'All about leaves.'],
  );
  for (const [open, close] of AROUND)
    for (const text of [
      LINK,
      'Leaf</a>',
      'old.example/leaf</cite>',
      'What the page says about it.',
      LINE,
      'https://leaf.example<',
      'Leaf shop',
      'All about leaves.',
      '> › tea<',
      '>Leaf</h3>',
    ]) {
      const inner = text.replace(/^>|<\/?(?:a|cite|h3)?>?$/g, '');
      const whole = text === LINK ? LINK : inner;
      const page = column(TEA, OLD, NEW);
      const changed = page.replace(text, text.replace(whole, `${open}${whole}${close}`));
      assert.notEqual(changed, page, text);
      assert.deepEqual(outcomeOf(changed), plain, `${open} ${text}`);
    }
});
test('hidden text stays hidden in the markup of translators', () => {
  const page = (hidden: string) => column(TEA, NEW.replace('All about leaves.', `All about leaves.${hidden}`));
  assert.deepEqual(
    outcomeOf(page('<font style="display:none">Not shown.</font>')),
    outcomeOf(page('<span style="display:none">Not shown.</span>')),
  );
});
test('a heading alone is no block, also in a wrapper', () => {
  const features = (block: string) => outcomeOf(column(TEA, block, NEW)).features;
  for (const heading of [
    '<h2>Web results</h2>',
    '<div><h2>Web results</h2></div>',
    '<div>\n<div><h2><span>Web results</span></h2></div></div>',
  ])
    assert.deepEqual(features(heading), ['organic'], heading);
  assert.deepEqual(features('<div><h2>Web results</h2><p>More</p></div>'), ['organic', 'other']);
  assert.deepEqual(features('<div><h2>Pictures</h2><img src="a.png"></div>'), ['organic', 'other']);
});
