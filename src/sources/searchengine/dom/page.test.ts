import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Element, parseHtml, selectAll } from '../../html.ts';
import { ANCHORS as BING } from '../bing/anchors.ts';
import { ANCHORS as GOOGLE } from '../google/anchors.ts';
import { indexPage } from './page.ts';
import { plan } from './plan.ts';
import { pageSource, textSource, withoutScripts } from './source.ts';

const PAGE = `<html><body><div id="rso" class="a pla-unit"><a href="/search?q=x&udm=2"><h3>T</h3></a><p role="heading" aria-level="3">H</p>
  <a href="https://www.youtube.com/watch?v=1" data-cid="12345678901">v</a><g-accordion-expander></g-accordion-expander><div data-tag="RelatedQnA.Item" class="b_algo df_alsoAsk">q</div></div>
  <div style="display: none"><h3>hidden</h3></div><div hidden><h3>hidden</h3></div><script>"<h3>no</h3>"</script><svg><title>drawing</title></svg>
  <form action="https://consent.google.com/save"></form><ol id="b_results"><li class="b_ad"><a href="https://www.bing.com/aclick?u=1">x</a></li></ol></body></html>`;

test('every anchor finds the elements that match its selector, in document order', () => {
  for (const anchors of [GOOGLE, BING] as const) {
    const page = indexPage<string>(textSource(PAGE), plan(anchors)) ?? assert.fail('the page is beyond the limits');
    const tree = parseHtml(PAGE);
    for (const [name, selector] of Object.entries(anchors)) {
      const expected = (selectAll(selector, tree) as unknown as Element[]).filter(
        (e) => !/hidden|drawing/.test(JSON.stringify(e.children.map((c) => ('data' in c ? c.data : '')))),
      );
      const seen = page.all(name);
      assert.deepEqual(
        seen.map((e) => [e.name, e.attribs]),
        expected.map((e) => [e.name, e.attribs]),
        `${name}: ${selector}`,
      );
      assert.ok(seen.every((e, i) => i === 0 || page.order(e) > page.order(seen[i - 1] as Element)));
    }
  }
});
test('the content of scripts is not parsed, but can be read from the page', () => {
  const body = Buffer.from(
    '<p>ä</p><script a="b">var x = "<p>no</p>";</script><scripted>yes</scripted><style>p{}</style><b>z</b><script>open',
  );
  assert.equal(
    withoutScripts(body).toString(),
    '<p>ä</p><script a="b"></script><scripted>yes</scripted><style></style><b>z</b><script>open',
  );
  const source = pageSource({ status: 200, headers: {}, body, url: '', at: 0 });
  assert.ok(source.has('var x') && !source.markup.includes('var x') && source.whole().includes('var x'));
  assert.equal(source.from('<style', 6), '<style');
});
test('the charset of the header takes precedence over that of the page', () => {
  const body = Buffer.from('<meta charset="iso-8859-1"><p>\xe4</p>', 'latin1');
  const read = (headers: Record<string, string>) => pageSource({ status: 200, headers, body, url: '', at: 0 }).markup;
  assert.match(read({}), /ä/);
  assert.match(read({ 'content-type': 'text/html; charset=windows-1251' }), /д/);
  assert.match(read({ 'content-type': 'text/html; charset=nonsense' }), /\ufffd/);
});
