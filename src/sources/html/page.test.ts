import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'cheerio';
import { appmarket } from '../../../sandbox/appmarket/host.ts';
import { SELECTORS as APP } from '../appmarket/page/elements.ts';
import { ANCHORS as BING } from '../searchengine/bing/entries.ts';
import { ANCHORS as GOOGLE } from '../searchengine/google/organic.ts';
import { find, hasClass } from './element.ts';
import { attributeIn, pageSource, pageText, sourceOf, withoutScripts } from './markup.ts';
import { indexPage, planOf, type Selectors } from './page.ts';
import { rawText } from './text.ts';

const opened = (html: string, selectors: Selectors, displayed: boolean) =>
  indexPage(sourceOf(Buffer.from(html)), planOf(selectors), displayed) ?? assert.fail('the page is beyond the limits');

const treeOf = (html: string) => load(html, { xml: { xmlMode: false, decodeEntities: true } });

const PAGE = `<html><body><div id="rso" class="a pla-unit"><a href="/search?q=x&udm=2"><h3>T</h3></a><p role="heading" aria-level="3">H</p>
  <a href="https://www.youtube.com/watch?v=1" data-cid="12345678901">v</a><g-accordion-expander></g-accordion-expander><div data-tag="RelatedQnA.Item" class="b_algo df_alsoAsk">q</div></div>
  <div style="display: none"><h3>hidden</h3></div><div hidden><h3>hidden</h3></div><script>"<h3>no</h3>"</script><svg><title>drawing</title></svg>
  <form action="https://consent.google.com/save"></form><ol id="b_results"><li class="b_ad"><a href="https://www.bing.com/aclick?u=1">x</a></li></ol></body></html>`;

test('every selector finds the elements that it matches, in document order', () => {
  for (const selectors of [GOOGLE, BING] as const) {
    const page = opened(PAGE, selectors, true);
    const tree = treeOf(PAGE);
    for (const [name, selector] of Object.entries(selectors)) {
      const expected = tree(selector as 'p')
        .toArray()
        .filter((e) => !/hidden|drawing/.test(JSON.stringify(e.children.map((c) => ('data' in c ? c.data : '')))));
      const seen = page.all(name);
      assert.deepEqual(
        seen.map((e) => [e.name, e.attribs]),
        expected.map((e) => [e.name, e.attribs]),
        `${name}: ${selector}`,
      );
      assert.ok(seen.every((e, i) => i === 0 || e.from > (seen[i - 1]?.from ?? 0)));
    }
  }
});
test('a page with its hidden elements: the selectors of the marketplace, in the page and within an element', async () => {
  for (const path of [
    '/acme-reviews',
    '/acme-reviews/reviews',
    '/search?q=x',
    '/partners/acme-widgets',
    '/categories/marketing-and-conversion',
  ]) {
    const made = await appmarket.answer({ method: 'GET', url: new URL(path, 'https://apps.shopify.com'), headers: {}, body: '', at: 0 });
    const html = String(made.body);
    const page = opened(html, APP, false);
    const tree = treeOf(html);
    for (const [name, selector] of Object.entries(APP)) {
      const found = page.all(name);
      const selected = tree(selector as 'p').toArray();
      assert.deepEqual(
        found.map((element) => [element.name, element.attribs]),
        selected.map((element) => [element.name, element.attribs]),
        `${path} ${name}`,
      );
      for (const [i, element] of found.slice(0, 5).entries())
        for (const inner of ['div', 'span', 'link', 'p'] as const) {
          const count = tree(selected[i]).find(APP[inner]).length;
          assert.equal(page.all(inner, element).length, count, `${path} ${name} ${inner}`);
          assert.equal(page.first(inner, element), page.all(inner, element)[0] ?? null);
        }
    }
  }
});
test('tags in comments and scripts are not elements, and a truncated page is parsed up to its end', () => {
  const page = opened('<!-- <div id="a"></div> --><script>"<div id=a>"</script><div id="a"><p>a<br>\nb', { a: '#a', p: 'p' }, false);
  assert.equal(page.all('a').length, 1);
  assert.equal(rawText(page.first('a') ?? assert.fail()), 'a\nb');
  assert.equal(page.first('p', page.first('a')), page.first('p'));
});
test('an element knows the one after it, also at the top of a fragment', () => {
  const page = opened('<b id="a">1</b> text <i><u></u></i><s></s>', { a: '#a', i: 'i' }, false);
  assert.equal(page.first('a')?.next, page.first('i'));
  assert.equal(page.first('i')?.next?.name, 's');
  assert.equal(find(page.first('i') ?? assert.fail(), () => true)?.next, null);
});
test('a selector that the index does not support is refused', () => {
  assert.throws(() => planOf({ nested: 'div p' }), /div p/);
  assert.throws(() => planOf({ pseudo: 'a[href]:hover' }), /hover/);
});
test('the content of scripts is not parsed, but can be read from the page', () => {
  const body = Buffer.from(
    '<p>ä</p><script a="b">var x = "<p>no</p>";</script><scripted>yes</scripted><style>p{}</style><b>z</b><script>open',
  );
  assert.equal(
    withoutScripts(body).toString(),
    '<p>ä</p><script a="b"></script><scripted>yes</scripted><style></style><b>z</b><script>open',
  );
  const source = pageSource({ status: 200, headers: {}, body, url: '', atMs: 0 });
  assert.ok(source.bytes.includes('var x') && !source.markup.includes('var x'));
});
test('class names are separated by any white space', () => {
  const page = indexPage(sourceOf(Buffer.from('<p class="a\n\tb c">x</p>')), planOf({ p: 'p' }), false);
  const p = page?.first('p') ?? assert.fail();
  assert.deepEqual(
    ['a', 'b', 'c', 'a b'].map((name) => hasClass(p, name)),
    [true, true, true, false],
  );
});
test('a tag ends behind its attributes, which may hold ">" in quotes', () => {
  const cleared = (page: string): string => withoutScripts(Buffer.from(page)).toString();
  for (const tag of ['<script data-x="a>b">', "<script data-x = 'a>\"b' async>", '<style title="p > a">', '<script data-x=a" b="c">']) {
    const name = tag.slice(1, tag.indexOf(' '));
    assert.equal(cleared(`${tag}var x = 1;</${name}><p>shown</p>`), `${tag}</${name}><p>shown</p>`);
  }
  for (const open of ['<p>z</p><script data-x="a>b', '<p>z</p><script data-x="<style>p { top: 0 }</style>'])
    assert.equal(cleared(open), open, 'a tag that does not end holds the rest');
  assert.equal(attributeIn('<script data-id="q" data-x="id=no" ID = \'yes\'>', 'id'), 'yes');
  assert.equal(attributeIn('<script async id=yes>', 'id'), 'yes');
  assert.equal(attributeIn('<script data-id=q>', 'id'), null);
});
test('a byte order mark outranks the charset of the header; a head that can be read is not in UTF-16', () => {
  const text = '<html><meta charset="utf-16"><p>Käse – ü</p>';
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const answer = (body: Buffer, type = '') => ({ status: 200, headers: { 'content-type': type }, body, url: '', atMs: 0 });
  for (const page of [
    answer(utf16),
    answer(utf16, 'text/html; charset=utf-8'),
    answer(Buffer.from(utf16).swap16(), 'text/html; charset=utf-16'),
    answer(Buffer.from(text, 'utf16le'), 'text/html; charset=UTF-16LE'),
    answer(Buffer.from(text)),
    answer(Buffer.from(`\ufeff${text}`), 'text/html; charset=windows-1252'),
  ]) {
    assert.equal(pageText(page), text);
    assert.equal(pageSource(page).markup, text);
  }
});
test('the charset of the header takes precedence over that of the page', () => {
  const body = Buffer.from('<meta charset="iso-8859-1"><p>\xe4</p>', 'latin1');
  const read = (headers: Record<string, string>) => pageSource({ status: 200, headers, body, url: '', atMs: 0 }).markup;
  assert.match(read({}), /ä/);
  assert.match(read({ 'content-type': 'text/html; charset=windows-1251' }), /д/);
  assert.match(read({ 'content-type': 'text/html; charset=nonsense' }), /\ufffd/);
});
