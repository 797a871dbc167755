import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appmarket } from '../../../../sandbox/appmarket/host.ts';
import { attribute, type Element as DomElement, parseHtml, selectAll } from '../../html.ts';
import { openPage } from './html-page.ts';
import { cssOf, SELECTOR_NAMES } from './selectors.ts';

const opened = (html: string) => openPage(html) ?? assert.fail('the page is beyond the limits');

const PATHS = [
  '/acme-reviews',
  '/acme-reviews/reviews',
  '/search?q=reviews',
  '/partners/acme-widgets',
  '/categories/marketing-and-conversion',
];

test('the index finds the same elements as the CSS selectors, in the page and within an element', async () => {
  for (const path of PATHS) {
    const made = await appmarket.answer({ method: 'GET', url: new URL(path, 'https://apps.shopify.com'), headers: {}, body: '', at: 0 });
    const html = String(made.body);
    const page = opened(html);
    const document = parseHtml(html);
    for (const selector of SELECTOR_NAMES) {
      const found = page.all(selector);
      const selected = selectAll(cssOf(selector), document) as unknown as DomElement[];
      assert.deepEqual(
        found.map((element) => [element.name, page.attribute(element, 'id'), page.attribute(element, 'href')]),
        selected.map((element) => [element.name, attribute(element, 'id'), attribute(element, 'href')]),
        `${path} ${selector}`,
      );
      for (const [i, element] of found.slice(0, 5).entries()) {
        for (const inner of ['div', 'span', 'link', 'p'] as const) {
          assert.equal(
            page.all(inner, element).length,
            selectAll(cssOf(inner), (selected[i] as DomElement).children).length,
            `${path} ${selector} ${inner}`,
          );
          assert.equal(page.first(inner, element), page.all(inner, element)[0] ?? null);
        }
      }
    }
  }
});

test('tags in comments and scripts are not elements, and a truncated page is parsed up to its end', () => {
  const page = opened(
    '<!-- <div data-merchant-review></div> --><script>"<div data-merchant-review>"</script><div data-merchant-review><p>a',
  );
  assert.equal(page.all('review').length, 1);
  const [review] = page.all('review');
  assert.ok(review);
  assert.equal(page.raw(review), 'a');
});
