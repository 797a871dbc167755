import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appmarket } from '../../sandbox/appmarket/host.ts';
import { PLAN, SELECTORS } from '../../src/sources/appmarket/page/elements.ts';
import { sourceOf } from '../../src/sources/html/markup.ts';
import { indexPage } from '../../src/sources/html/page.ts';
import { FILES, type Kind, readRecording as read, skipRecordings } from './recorded-pages.ts';

const opened = (html: string) => indexPage(sourceOf(Buffer.from(html)), PLAN, false) ?? assert.fail('the page is beyond the limits');

const skip = skipRecordings();

/** Simulated pages, and the recordings with whose selectors they are compared. */
const COMPARED: [string, readonly Kind[]][] = [
  ['/acme-reviews', ['app']],
  ['/acme-reviews/reviews', ['reviews', 'pastEnd']],
  ['/search?q=product+reviews', ['search', 'searchFrame']],
  ['/search?q=page+builder', ['lazy']],
  ['/partners/paper-works2', ['developer']],
  ['/categories/marketing-and-conversion', ['topic']],
  ['/categories/marketing-and-conversion-social-trust-product-reviews/all', ['category']],
  ['/no-such-app', ['notFound']],
];
const selectorsIn = (html: string): Set<string> => {
  const page = opened(html);
  return new Set(PLAN.names.filter((selector) => page.all(selector).length > 0));
};

test('simulated pages contain the same selectors as the recorded ones', { skip }, async () => {
  for (const [path, kinds] of COMPARED) {
    const url = new URL(path, 'https://apps.shopify.com');
    const made = String((await appmarket.answer({ method: 'GET', url, headers: {}, body: '', at: 0 })).body);
    const ours = selectorsIn(made);
    const recorded = new Set(kinds.flatMap((kind) => [...selectorsIn(read(FILES[kind]))]));
    const both = [...ours].filter((selector) => recorded.has(selector));
    const only = (some: Set<string>) => [...some].filter((selector) => !both.includes(selector)).map((selector) => SELECTORS[selector]);
    assert.ok(both.length >= 0.9 * ours.size, `${path}: not in the recording: ${only(ours)}`);
    assert.ok(both.length >= 0.9 * recorded.size, `${path}: not in the sandbox: ${only(recorded)}`);
  }
  for (const word of ['_cf_chl_opt', 'challenge-error-text', 'Verifying your connection...']) {
    assert.ok(read(FILES.challenge).includes(word));
    const url = new URL('/walled-app', 'https://apps.shopify.com');
    const blockPage = await appmarket.answer({ method: 'GET', url, headers: {}, body: '', at: 0 });
    assert.ok(String(blockPage.body).includes(word));
  }
});
