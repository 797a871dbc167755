import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adTarget, embeddedTargets, shownRoot, targetOf, titleKey } from './link.ts';

test("links are unwrapped, navigation links are not results, and the engine's own pages may be results", () => {
  const outside = (href: string) => {
    const target = targetOf(href);
    return target.kind === 'outside' ? target.url : target.kind;
  };
  assert.equal(outside('/url?q=https://example.com/watch%3Fv%3D1&sa=U&ved=x&usg=y'), 'https://example.com/watch?v=1');
  assert.equal(outside('https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.com%2F&ved=x'), 'https://example.com/');
  assert.equal(outside('https://www.google.com/amp/s/example.com/story'), 'https://example.com/story');
  assert.equal(outside('https://translate.google.com/translate?u=https://example.com/'), 'https://example.com/');
  assert.equal(outside('/goto?url=CAESY'), 'sealed');
  for (const href of [
    '/search?q=x',
    'https://www.google.de/search?q=x',
    '/maps/place/x',
    '/imgres?x',
    'https://www.google.com/imgres?imgurl=x',
    'https://webcache.googleusercontent.com/search?q=cache:x',
    '#',
    'javascript:;',
  ])
    assert.equal(outside(href), 'inside', href);
  for (const href of [
    'https://cloud.google.com/',
    'https://artsandculture.google.com/theme/x',
    'https://www.google.com/chrome/',
    'https://www.google.com/search/howsearchworks/',
  ])
    assert.equal(outside(href), href);
  for (const href of [
    'https://www.google.com/',
    'https://www.google.de/maps',
    'https://maps.google.com/',
    'https://www.google.com/travel/flights',
    'https://www.google.com/preferences',
    'https://accounts.google.com/',
    'https://policies.google.com/privacy?hl=en',
    'https://translate.google.com/',
  ])
    assert.deepEqual(targetOf(href), { kind: 'own', url: href });
});
test('the destination of an ad is its link, its URL parameter, the site that it names, else the click URL', () => {
  assert.equal(adTarget('https://shop.example/a?gclid=1', 'https://shop.example/'), 'https://shop.example/a');
  assert.equal(adTarget('/aclk?sa=l&adurl=https://shop.example/b', null), 'https://shop.example/b');
  assert.equal(adTarget('/aclk?sa=l&adurl=', 'https://shop.example/,https://ad.doubleclick.net/'), 'https://shop.example/');
  assert.equal(adTarget('/aclk?sa=l&adurl=', null), 'https://www.google.com/aclk?sa=l&adurl=');
});
test('sealed links are resolved by the script data of the page, and never by guessing a path', () => {
  const targets = embeddedTargets(
    'x=[["https://a.example/p?q=1","A \\u0026 B","text",1]];y=\\x22[\\x22https:\\/\\/b.example\\/\\x22,\\x22Title\\x22,',
  );
  assert.equal(targets.get(titleKey('a & b')), 'https://a.example/p?q=1');
  assert.equal(targets.get('title'), 'https://b.example/');
  assert.equal(shownRoot('https://www.shop.example › a › b'), 'https://www.shop.example');
  assert.equal(shownRoot('3 years ago'), null);
});
