import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { permalinkOf, SITE } from './forum/api/things.ts';
import { asUri, hostOf, parseUrl, withoutTracking } from './web-address.ts';

const pieces = 'a B é 。 - _ . : 80 @ / ? # & = % %7e \\ | " ^ [ ] ~ ! \t \n \0 xn-- 0x1 1.2 example.com utm_a=1 \ud83d \uffff'.split(' ');
const tail = fc.array(fc.constantFrom(...pieces, ' '), { maxLength: 8 }).map((parts) => parts.join(''));

test('the host of a URL is the one that the URL standard parses', () => {
  const head = fc.constantFrom('https://', 'http://a', 'HTTP://a.b', 'https://a.example', 'https://a.example/', 'ftp://a.example');
  fc.assert(
    fc.property(head, tail, (start, end) => {
      assert.equal(hostOf(start + end), parseUrl(start + end)?.hostname ?? null);
    }),
    { numRuns: 2_000 },
  );
});
test('characters that RFC 3986 allows stay, the others are encoded as the URL standard does', () => {
  fc.assert(
    fc.property(tail, (end) => {
      const uri = asUri(`https://a.example/${end}`);
      assert.match(uri, /^[\w!$&'()*+,\-./:;=?@~#%]+$/);
      assert.equal(asUri(uri), uri, 'encoding twice changes nothing');
    }),
  );
});
test('a query that loses all of its parameters loses its question mark, too', () => {
  assert.equal(withoutTracking('https://a.example/?utm_a=1&GCLID=2#b?utm_a=1'), 'https://a.example/#b?utm_a=1');
  assert.equal(withoutTracking('https://a.example/?a&utm_a=1&&b=c'), 'https://a.example/?a&&b=c');
});
test('the path of a permalink is percent-encoded as the URL standard does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'é', 'e\u0301', '-', '_', '~', '/', '\u0080', '\uffff', '😀', '\ud83d'), { maxLength: 8 }),
      (parts) => {
        const path = `/r/${parts.join('')}`;
        assert.equal(permalinkOf(path), new URL(SITE + path).href);
      },
    ),
  );
});
