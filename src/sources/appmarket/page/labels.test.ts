import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApp } from './parse.ts';

const PAGE = `<html><head></head><body><main><section id="adp-hero"><h1>Acme</h1><dl><div><dt>Pricing</dt><dd>Free</dd></div>
<div><dt>Rating</dt><dd><span>4.8</span><a id="reviews-link">(53)</a></dd></div></dl></section>
<section id="adp-details-section"><div id="app-details"><h2>Paper</h2><p>Sends paperwork.</p><ul><li>Fast</li></ul></div>
<div><p>Languages</p><div><p>Spanish</p><p>This app is not translated into English</p></div></div>
<div><p>Works with</p><ul><li>Checkout</li></ul></div>
<div><p>Categories</p><div><a href="/categories/forms?surface_type=app_details">Forms</a><div><p>Form types</p><ul><li>Surveys</li></ul></div></div></div></section>
<section id="adp-developer"><div><h3>Developer</h3><div><p><a href="/partners/acme">Acme Ltd</a></p><p>1 Mill Lane</p><a href="https://acme.example">Website</a></div></div>
<div><p>Launched</p><p>July 19, 2021</p></div></section></main></body></html>`;
const read = (before: string, after: string) => {
  assert.ok(PAGE.includes(before), before);
  const html = PAGE.replace(before, after);
  const outcome = readApp(
    { status: 200, headers: {}, body: Buffer.from(html), url: 'https://apps.shopify.com/acme', atMs: 0 },
    { handle: 'acme' },
  );
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return { ...outcome.resource, unread: outcome.unread ?? [] };
};

test('a label under another name leaves its field unread, and what stands under it is no other field', () => {
  for (const [before, after, unread] of [
    ['Languages', 'Languages', []],
    ['Languages', 'Supported languages', ['languages']],
    ['Works with', 'Integrates with', ['worksWith']],
    ['Launched', 'Released', ['launchedDate']],
    ['<h3>Developer', '<h3>Made by', ['developer.address']],
    ['>Website<', '>Visit site<', ['developer.website']],
    ['/partners/acme', '/makers/acme', ['developer.name', 'developer.url']],
    ['<div id="app-details"><h2>Paper</h2><p>', `<div><h2>Paper</h2><p>${'Sends paperwork. '.repeat(5)}`, ['description']],
    ['Pricing', 'Price', ['pricing']],
    ['Rating', 'Score', ['rating']],
  ] as const)
    assert.deepEqual(read(before, after).unread, unread, `${before} → ${after}`);
  assert.deepEqual(read('Languages', 'Supported languages').languages, []);
});

test('a hero whose rows are in other markup leaves unread what they state', () => {
  const [dl = ''] = /<dl>[\s\S]*<\/dl>/.exec(PAGE) ?? [];
  for (const rows of [dl.replaceAll(/d[ltd]>/g, 'p>'), '<div><span>Free</span></div><div><span>4.8 (53)</span></div>'])
    assert.deepEqual(read(dl, rows).unread, ['rating', 'pricing'], rows);
  assert.deepEqual(read(dl, '').unread, []);
});

test('a label in capital letters or with a colon is the label', () => {
  for (const label of ['LANGUAGES', 'Languages:', 'languages']) assert.deepEqual(read('Languages', label).languages, ['Spanish'], label);
});

test('a row that is missing is absent where every label is known, and so is one beside a row of another kind', () => {
  for (const row of [
    '<div><p>Works with</p><ul><li>Checkout</li></ul></div>',
    '<div><p>Launched</p><p>July 19, 2021</p></div>',
    '<p>1 Mill Lane</p>',
  ])
    assert.deepEqual(read(row, '').unread, [], row);
  assert.deepEqual(read('<div><p>Languages', '<div><p>Uses AI</p><p>Yes</p></div><div><p>Languages').unread, []);
});

test('lists of languages and of apps are read in other markup; a number of further apps leaves them unread', () => {
  const spanish = '<div><p>Spanish</p><p>This app is not translated into English</p></div>';
  assert.deepEqual(read(spanish, '<ul><li>English</li><li>French</li></ul>').languages, ['English', 'French']);
  assert.deepEqual(read(spanish, '<div><p>This app isn’t translated into English</p><p>Spanish</p></div>').languages, ['Spanish']);
  const more = read('<li>Checkout</li>', '<li>Checkout</li><li>+12 integrations</li>');
  assert.deepEqual([more.worksWith, more.unread], [['Checkout'], ['worksWith']]);
});

test('an app that nobody rated has no rating, in whatever words and numbers', () => {
  const row = '<span>4.8</span><a id="reviews-link">(53)</a>';
  const of = (rating: string) => {
    const { rating: value, reviewCount, unread } = read(row, rating);
    return [value, reviewCount, unread];
  };
  assert.deepEqual(of('<span>0.0</span><a id="reviews-link">(0)</a>'), [null, 0, []]);
  assert.deepEqual(of('No reviews yet'), [null, 0, []]);
  assert.deepEqual(of('<span>4.8<span> out of 5 stars</span></span><a id="reviews-link">(53)</a>'), ['4.8', 53, []]);
  assert.deepEqual(of('<span>New</span>'), [null, null, ['reviewCount', 'rating']]);
  const facts = (rating: object) =>
    read(
      '</head>',
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'SoftwareApplication', name: 'Acme', aggregateRating: rating })}</script></head>`,
    );
  assert.equal(facts({ ratingValue: '4.8', ratingCount: '3,352' }).reviewCount, 3352);
});
