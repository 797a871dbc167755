import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hostOf } from '../web-address.ts';
import { addressOf, cleanUrl, looksLikeAddress } from './address.ts';

test('tracking parameters are removed, the rest of the URL is unchanged', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['https://Example.com/A%7eb?utm_source=x&b=%C3%A4+c&gclid=1#part', 'https://Example.com/A%7eb?b=%C3%A4+c#part'],
    ['https://example.com/?srsltid=A&fbclid=B', 'https://example.com/'],
    ['https://example.com/a#:~:text=Good,day', 'https://example.com/a'],
    ['https://example.com/a#x:~:text=Good', 'https://example.com/a#x'],
    ['https://example.com/?ved=1', 'https://example.com/?ved=1'],
    ['https://books.google.com/books?id=a&source=bl&ved=1&sa=X', 'https://books.google.com/books?id=a&source=bl'],
    ['https://example.com/größe?q="x"|y', 'https://example.com/gr%C3%B6%C3%9Fe?q=%22x%22%7Cy'],
    ['https://münchen.example/50%', 'https://xn--mnchen-3ya.example/50%25'],
    ['javascript:alert(1)', null],
    ['/relative', null],
    ['', null],
  ];
  for (const [given, clean] of cases) assert.equal(cleanUrl(given), clean, given);
});
test('a URL is normalised, with its host as parsed by the URL standard', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const address = addressOf(url);
      assert.ok(address);
      assert.equal(address.domain, new URL(url).hostname);
      assert.equal(hostOf(url), address.domain);
      assert.equal(address.url, cleanUrl(url));
      assert.equal(cleanUrl(address.url), address.url, 'cleaning twice changes nothing');
    }),
  );
});
test('lines that show a URL are distinguished from other text', () => {
  for (const line of ['https://host.example › a › b', 'en.wikipedia.org › wiki', 'www.歯周病治療.tokyo › 歯周病', 'example.com'])
    assert.ok(looksLikeAddress(line), line);
  for (const line of ['50+ comments · 3 years ago', 'いいね 1 件 · 1 年前', '10.5M+ followers', 'GitHub Docs', 'v1.2 is out'])
    assert.ok(!looksLikeAddress(line), line);
});
