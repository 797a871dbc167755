import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hostOf } from '../web-address.ts';
import { adAddressOf, addressOf, cleanUrl, isBreadcrumb, looksLikeAddress, shownRoot } from './address.ts';

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
      const address = addressOf({ engine: 'engine_a', links: [url] });
      assert.ok(address.kind === 'destination');
      assert.equal(address.domain, new URL(url).hostname);
      assert.equal(hostOf(url), address.domain);
      assert.equal(address.url, cleanUrl(url));
      assert.equal(cleanUrl(address.url), address.url, 'cleaning twice changes nothing');
    }),
  );
});

const GOTO = 'https://www.google.com/goto?url=CAESegHr';
const CK = (target: string, mark = 'a1') => `https://www.bing.com/ck/a?!&&p=1&u=${mark}${Buffer.from(target).toString('base64url')}&ntb=1`;

test('an address is the destination that a link holds, else the root of the site as shown, else hidden', () => {
  const cases: readonly (readonly [links: readonly (string | null)[], shown: readonly (string | null)[], kind: string, url?: string])[] = [
    [['https://hill.example/a?utm_source=x'], ['https://lake.example › a'], 'destination', 'https://hill.example/a'],
    [[GOTO, 'https://www.google.com/url?sa=t&url=https%3A%2F%2Fhill.example%2Fa'], [], 'destination', 'https://hill.example/a'],
    [[GOTO], ['https://www.hill.example › a › b'], 'root', 'https://www.hill.example'],
    [['/goto?url=CAES'], ['hill.example/a/…'], 'root', 'https://hill.example'],
    [['https://www.google.com/url?sa=t&opi=89978449'], ['hill.example'], 'root', 'https://hill.example'],
    [[CK('%00', 'z9')], ['https://hill.example › a'], 'root', 'https://hill.example'],
    [[null], ['570+ comments · 5 years ago', 'hill.example'], 'root', 'https://hill.example'],
    [['https://www.google.com/imgres?imgrefurl=https%3A%2F%2Fhill.example%2Fa'], [], 'destination', 'https://hill.example/a'],
    [['https://share.google/Ab1'], ['hill.example › a'], 'root', 'https://hill.example'],
    [['https://news.google.com/read/CBMi'], ['hill.example'], 'root', 'https://hill.example'],
    [['https://goo.gl/Ab1'], [], 'hidden'],
    [[GOTO], ['570+ comments · 5 years ago'], 'hidden'],
    [[GOTO], ['4.8 (12)', 'v1.2 is out', 'www.google.com'], 'hidden'],
    [['https://www.google.com/search?q=x'], [], 'hidden'],
    [['not an address'], [], 'hidden'],
    [['http://search/?lr=lang_en&q=x'], [], 'hidden'],
    [['http://search/?lr=lang_en&q=x'], ['https://hill.example › a'], 'root', 'https://hill.example'],
    [[], [], 'hidden'],
  ];
  for (const engine of ['engine_a', 'engine_b'] as const)
    for (const [links, shown, kind, url] of cases) {
      if (engine === 'engine_b' && (links[0]?.startsWith('/') || links[0]?.includes('/search?') || links[0]?.includes('/imgres?')))
        continue;
      const address = addressOf({ engine, links, shown });
      assert.equal(address.kind, kind, `${links} ${shown}`);
      if (address.kind !== 'hidden') assert.equal(address.url, url);
    }
});
test("the engine's own host is the address of its own pages alone, however the link is written", () => {
  const hosts = { engine_a: 'www.google.com', engine_b: 'www.bing.com' } as const;
  for (const [engine, host] of Object.entries(hosts) as ['engine_a' | 'engine_b', string][]) {
    const shownAs = (shown: string | null, path: string) => addressOf({ engine, links: [`https://${host}${path}`], shown: [shown] });
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const address = shownAs('https://hill.example › a', `${path || '/'}?${query}`);
        assert.ok(address.kind === 'hidden' || address.domain !== host, JSON.stringify(address));
      }),
    );
    assert.equal(shownAs(`https://${host} › maps`, '/maps').kind, 'destination');
    assert.equal(shownAs(null, '/maps').kind, 'destination', 'a plain page, where nothing is shown');
    assert.equal(shownAs(null, '/redirect?x=CAES').kind, 'hidden');
    assert.equal(shownAs(host, '/redirect?x=CAES').kind, 'hidden', 'a bare host may have been taken from the link');
    assert.equal(shownAs(null, '/link/CAESegHr1').kind, 'hidden', 'a token in the path');
    assert.equal(shownAs(null, '/search?q=x').kind, 'hidden');
  }
});
test('the destination of an ad is its link, the address in it, the site that it names, else the click address', () => {
  const click = 'https://www.google.com/aclk?sa=l&adurl=';
  const ad = (links: readonly string[], shown: readonly string[] = []) => adAddressOf({ engine: 'engine_a', links, shown });
  assert.equal(ad(['https://shop.example/a?gclid=1', 'https://shop.example/'])?.url, 'https://shop.example/a');
  assert.equal(ad(['/aclk?sa=l&adurl=https://shop.example/b'])?.url, 'https://shop.example/b');
  assert.equal(
    ad(['https://www.googleadservices.com/pagead/aclk?sa=L&adurl=https%3A%2F%2Fshop.example%2Fc'])?.url,
    'https://shop.example/c',
  );
  assert.equal(ad(['/aclk?sa=l&adurl=', 'https://shop.example/', 'https://ad.doubleclick.net/'])?.url, 'https://shop.example/');
  assert.deepEqual(ad([click], ['shop.example'])?.kind, 'root');
  assert.deepEqual([ad([click])?.kind, ad([click])?.url], ['click', click]);
  const encoded = Buffer.from(encodeURIComponent('https://shop.example/a?x=ü&msclkid=9')).toString('base64url');
  assert.equal(
    adAddressOf({ engine: 'engine_b', links: [`https://www.bing.com/aclick?ld=1&u=${encoded}`] })?.url,
    'https://shop.example/a?x=%C3%BC',
  );
});

test('lines that show a URL are distinguished from other text', () => {
  for (const line of [
    'https://host.example › a › b',
    'en.wikipedia.org › wiki',
    'www.歯周病治療.tokyo › 歯周病',
    'example.com',
    '203.0.113.7 › a',
  ])
    assert.ok(looksLikeAddress(line), line);
  for (const line of [
    '50+ comments · 3 years ago',
    'いいね 1 件 · 1 年前',
    '10.5M+ followers',
    'GitHub Docs',
    'v1.2 is out',
    '4.3',
    '٤.٣',
    '2.10 › 3',
    '1.2.3',
  ])
    assert.ok(!looksLikeAddress(line), line);
});
test('a path with the name of the site in place of its host is a breadcrumb, and no address', () => {
  for (const line of ['Shop › teas › green', 'Harbor Names › domains', 'https://host.example › a']) assert.ok(isBreadcrumb(line), line);
  for (const line of [
    'Shop',
    '4.3 › 12',
    'Reddit · r/tea',
    '› teas',
    'A name of a site which is a sentence so long that it is the text of a page › teas',
  ])
    assert.ok(!isBreadcrumb(line), line);
  assert.ok(!looksLikeAddress('Shop › teas › green'));
});
test('the root of a site is read from an address line alone, and a path is never guessed', () => {
  assert.equal(shownRoot('https://www.shop.example › a › b'), 'https://www.shop.example');
  assert.equal(shownRoot('http://shop.example:8080/a'), 'http://shop.example');
  assert.equal(shownRoot('www.歯周病治療.tokyo › 歯周病'), new URL('https://www.歯周病治療.tokyo').href);
  for (const line of [
    'hill.example › ...',
    'hill.example · 3 days ago',
    'hill.example — Aug 3, 2025',
    'https://hill.example…',
    'https://hill.example>guide',
    'hill.example ‹ a',
    'hill.example ❯ a',
    '\u200ehill.example › a',
    '\u202ahttps://hill.example\u202c › a',
    '[PDF] hill.example › a',
    'hill.example?x=1',
  ])
    assert.equal(shownRoot(line), 'https://hill.example', line);
  assert.equal(shownRoot('مثال.إختبار\u200f ‹ a'), new URL('https://مثال.إختبار').href);
  for (const line of ['3 years ago', '4.8', 'Forum · r/x', 'Dr. Smith says', null]) assert.equal(shownRoot(line), null, `${line}`);
});
