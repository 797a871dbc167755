import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appHandle, handleIn } from './app-handle.ts';

const anyHandle = handleIn('partners');

test('a handle is accepted as written in the URL of its page, and in upper case', () => {
  for (const handle of ['acme-reviews', 'dropify-5', '1-click', 'a', 'developer-b8774036cec617c5', 'with_underscore'])
    assert.deepEqual(appHandle.read(handle), { ok: true, value: handle });
  assert.deepEqual(anyHandle.read(' Acme-Reviews '), { ok: true, value: 'acme-reviews' });
  for (const none of ['', '-x', 'a b', 'a/b', 'a?b', 'https://apps.shopify.com/x', 'ä', '..', 'x'.repeat(200)])
    assert.equal(anyHandle.read(none).ok, false, none);
});
test('a page of the marketplace itself is not an app', () => {
  for (const page of ['search', 'categories', 'partners', 'built-in-features']) assert.equal(appHandle.read(page).ok, false, page);
  assert.equal(anyHandle.read('partners').ok, true);
});
