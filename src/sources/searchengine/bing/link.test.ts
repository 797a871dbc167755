import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adTarget, resultTarget } from './link.ts';

const wrapped = (target: string, mark = 'a1') =>
  `https://www.bing.com/ck/a?!&&p=1&u=${mark}${Buffer.from(target).toString('base64url')}&ntb=1`;

test('click URLs of results are decoded; links to images, videos and other searches are not results', () => {
  assert.equal(resultTarget(wrapped('https://example.com/ä?b=1&utm_source=x')), 'https://example.com/%C3%A4?b=1');
  assert.equal(resultTarget(wrapped('/images/search?q=x')), null);
  assert.equal(resultTarget('https://example.com/'), 'https://example.com/');
  assert.equal(resultTarget('/search?q=x'), null);
  assert.equal(resultTarget(wrapped('%00', 'z9')), wrapped('%00', 'z9'), 'a mark that nobody knows keeps the click address');
});
test('ads contain a percent-encoded destination in base64', () => {
  const href = `https://www.bing.com/aclick?ld=1&u=${Buffer.from(encodeURIComponent('https://shop.example/a?x=ü&msclkid=9')).toString('base64url')}`;
  assert.equal(adTarget(href), 'https://shop.example/a?x=%C3%BC');
  assert.equal(adTarget('https://www.bing.com/aclick?ld=1'), 'https://www.bing.com/aclick?ld=1');
});
