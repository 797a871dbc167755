import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, linkTarget } from './links.ts';

const seen = (href: string, engine: Engine = 'engine_a'): string => {
  const target = linkTarget(href, engine);
  return target.kind === 'page' ? target.url : target.kind;
};
const wrapped = (target: string, mark = 'a1') =>
  `https://www.bing.com/ck/a?!&&p=1&u=${mark}${Buffer.from(target).toString('base64url')}&ntb=1`;

test('redirects, viewers and translations hold their destination, on a page of either engine', () => {
  for (const engine of ['engine_a', 'engine_b'] as const)
    for (const [href, url] of [
      ['https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.com%2F&ved=x', 'https://example.com/'],
      ['https://www.google.de/url?q=https://example.com/watch%3Fv%3D1&sa=U', 'https://example.com/watch?v=1'],
      ['https://www.google.com/amp/s/example.com/story?a=1', 'https://example.com/story?a=1'],
      ['https://example-com.cdn.ampproject.org/c/s/example.com/story', 'https://example.com/story'],
      ['https://translate.google.com/translate?u=https://example.com/', 'https://example.com/'],
      [wrapped('https://example.com/ä?b=1'), 'https://example.com/ä?b=1'],
      [wrapped('https://www.google.com/url?q=https%3A%2F%2Fexample.com%2Fa'), 'https://example.com/a'],
      ['https://www.bing.com/alink/link?url=https%3A%2F%2Fexample.com%2Fa&source=serp', 'https://example.com/a'],
      // developers.google.com/search/docs/appearance/ad-network-and-translation
      ['https://hill-example.translate.goog/guide?a=1&_x_tr_sl=en&_x_tr_tl=hi', 'https://hill.example/guide?a=1'],
      ['https://my--site-example.translate.goog/?_x_tr_sl=en', 'https://my-site.example/'],
      ['https://0-80akhbyknj4f-com.translate.goog/?_x_tr_enc=0', 'https://xn--80akhbyknj4f.com/'],
      ['https://1-en--us-example-com.translate.goog/?_x_tr_enc=1', 'https://en-us.example.com/'],
      ['https://example-com.translate.goog/?_x_tr_hp=a-very-long-', 'https://a.very.long.example.com/'],
      ['https://hill-example.translate.goog/a?_x_tr_sch=http', 'http://hill.example/a'],
      ['https://www.google.com/url?u=https%3A%2F%2Fexample.com%2Fa', 'https://example.com/a'],
      ['https://www.google.co.in/url?q=//example.com/a', 'https://example.com/a'],
      ['https://www.google.com/url?q=https%253A%252F%252Fexample.com%252Fa', 'https://example.com/a'],
      ['https://news.google.com/url?q=https://example.com/a', 'https://example.com/a'],
      ['https://www.google.com./url?q=https://example.com/a', 'https://example.com/a'],
      ['https://scholar.google.com/scholar_url?url=https://example.com/a.pdf&hl=en', 'https://example.com/a.pdf'],
      ['https://example-com.cdn.ampproject.org/wp/s/example.com/a?usqp=mq331&amp_js_v=0.1&b=2', 'https://example.com/a?b=2'],
      ['https://cdn.ampproject.org/c/s/example.com/a', 'https://example.com/a'],
      ['https://www-example-com.bing-amp.com/c/s/www.example.com/a', 'https://www.example.com/a'],
      ['https://www.bing.com/amp/s/example.com/a', 'https://example.com/a'],
      ['https://www.translatetheweb.com/?from=&to=en&a=https%3A%2F%2Fexample.com%2F', 'https://example.com/'],
      [wrapped('//example.com/a'), 'https://example.com/a'],
      [`https://www.bing.com/ck/a?u=a1${Buffer.from('https://example.com/~>~?>').toString('base64')}`, 'https://example.com/~>~?>'],
      [wrapped(wrapped('https://example.com/a').replace('https://www.bing.com', '')), 'https://example.com/a'],
      [wrapped('https://example.com/a', 'A1').replace(/&/g, '&amp;'), 'https://example.com/a'],
      ['https://www.bing.com/news/APIClick.aspx?aid=&url=https%3A%2F%2Fexample.com%2Fa', 'https://example.com/a'],
      ['https://www.bing.com/cr?IG=1&r=https%3A%2F%2Fexample.com%2Fa&p=DevEx', 'https://example.com/a'],
    ] as const)
      assert.equal(seen(href, engine), url, href);
});
test('a redirect that says nothing of its destination is sealed', () => {
  for (const href of [
    '/goto?url=CAESY',
    '//www.google.com/goto?url=CAESY',
    'https://www.google.com/goto/CAESY',
    '/url?sa=t&opi=1',
    '/aclk?sa=l',
    'https://share.google/Ab1',
    'https://goo.gl/Ab1',
    'https://search.app/Ab1',
    'https://maps.app.goo.gl/Ab1',
    'https://news.google.com/rss/articles/CBMiAb1?oc=5',
    'https://cc.bingj.com/cache.aspx?q=x&d=1',
  ])
    assert.equal(seen(href), 'sealed', href);
  for (const href of [wrapped('%00', 'z9'), 'https://www.bing.com/ck/a?!&&p=1', '/aclick?ld=1'])
    assert.equal(seen(href, 'engine_b'), 'sealed', href);
});
test("searches and other verticals are controls, the engine's navigation is its own, its other pages are pages", () => {
  for (const href of [
    '/search?q=x',
    'https://www.google.de/search?q=x',
    '/maps/place/x',
    '/imgres?x',
    'https://www.google.com/imgres?imgurl=x',
    '#',
    'javascript:;',
    'https://webcache.googleusercontent.com/search?q=cache:x',
  ])
    assert.equal(seen(href), 'control', href);
  for (const href of [
    'https://cloud.google.com/',
    'https://artsandculture.google.com/theme/x',
    'https://www.google.com/chrome/',
    'https://www.google.com/search/howsearchworks/',
  ])
    assert.equal(seen(href), href);
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
    assert.deepEqual(linkTarget(href, 'engine_a'), { kind: 'own', url: href });
  for (const href of ['/search?q=x', wrapped('/images/search?q=x'), 'https://www.bing.com/images/search?q=x'])
    assert.equal(seen(href, 'engine_b'), 'control', href);
  const image = 'https://www.google.com/imgres?imgurl=https://example.com/a.png&imgrefurl=https://example.com/a';
  assert.deepEqual(linkTarget(image, 'engine_a'), { kind: 'control', page: 'https://example.com/a' });
  assert.equal(seen('https://www.bing.com/maps', 'engine_b'), 'own');
  assert.equal(seen('https://www.google.com/search?q=x', 'engine_b'), 'https://www.google.com/search?q=x', 'a page of another engine');
});
