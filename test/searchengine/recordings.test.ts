import assert from 'node:assert/strict';
import { test } from 'node:test';
import Schema from 'typebox/schema';
import { OPERATIONS } from '../../src/contract/operations/index.ts';
import type { SearchResult } from '../../src/contract/operations/serp/operation.ts';
import { pages, type Recording, recordings, required, withoutClasses } from './recordings.ts';

const fits = Schema.Compile(OPERATIONS.serp.resource);
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u200b-\u200f]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
/** URLs are compared without fragment, trailing slash and the parameters that the parser removes. */
const same = (address: string): string => {
  const url = new URL(address);
  const query = [...url.searchParams]
    .filter(([name]) => !/^(utm_.*|gclid|gad_source|srsltid|msclkid|fbclid)$/.test(name))
    .map((pair) => pair.join('='));
  return `${url.protocol}//${url.host}${decodeURI(url.pathname).replace(/\/$/, '')}?${query.join('&')}`;
};

function found(recording: Recording, body: Buffer): SearchResult {
  const outcome = recording.read(body);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome).slice(0, 300));
  assert.ok(fits.Check(outcome.resource), 'it fits the contract');
  return outcome.resource;
}
function sameOrganic(got: SearchResult, recording: Recording): void {
  const { organic } = recording.expected;
  const rewritten = organic.every((o) => o.url.startsWith('http://test.test'));
  assert.deepEqual(
    got.organic.map((o) => plain(o.title)),
    organic.map((o) => plain(o.title)),
  );
  if (!rewritten)
    assert.deepEqual(
      got.organic.map((o) => same(o.url)),
      organic.map((o) => same(o.url)),
    );
  assert.deepEqual(
    got.organic.map((o) => o.rank),
    organic.map((_, i) => i + 1),
  );
  assert.ok(
    got.organic.every((o, i) => o.absoluteRank >= o.rank && o.absoluteRank > (got.organic[i - 1]?.absoluteRank ?? 0)),
    'places among all elements rise',
  );
  assert.deepEqual(
    got.organic.map((o) => o.isFeaturedSnippet),
    organic.map((o) => o.isFeaturedSnippet),
  );
}

if ('skip' in recordings)
  test('recorded pages', { skip: required ? false : recordings.skip }, () => assert.fail('the recordings are required'));
else {
  for (const recording of pages(recordings.dir)) {
    const { name, expected, year, input, body } = recording;
    if (expected.pageType === 'results') {
      test(`${name}: rankings, sections, ads, related searches and totals as on the page`, () => {
        const got = found(recording, body);
        sameOrganic(got, recording);
        assert.equal(got.totalResults, expected.totalResults);
        assert.deepEqual(
          expected.features.filter((f) => !got.features.includes(f as never)),
          [],
          'no section is missed',
        );
        assert.deepEqual(
          got.features.filter((f) => ![...expected.features, ...expected.featuresOptional, 'other'].includes(f)),
          [],
          'no section is invented',
        );
        if (expected.paid && !expected.featuresOptional.includes('paid')) {
          assert.deepEqual(
            got.paid.map((a) => plain(a.title)),
            expected.paid.map((a) => plain(a.title)),
          );
          for (const [i, ad] of expected.paid.entries())
            if (ad.url && got.paid[i]) assert.equal(new URL(got.paid[i].url).host, new URL(ad.url).host);
        }
        if (expected.relatedSearches)
          assert.deepEqual(
            got.relatedSearches.map((w) => w.toLowerCase()),
            expected.relatedSearches.map((w) => w.toLowerCase()),
          );
        for (const [i, o] of expected.organic.entries()) if (o.websiteName) assert.equal(got.organic[i]?.websiteName, o.websiteName);
      });
      if (year >= 2025)
        test(`${name}: the ranking is the same with every class name replaced`, () =>
          sameOrganic(found(recording, withoutClasses(body)), recording));
    } else if (expected.pageType === 'no_results' && input.engine === 'engine_a') {
      test(`${name}: a page without results is an empty answer`, () => {
        const got = found(recording, body);
        assert.deepEqual([got.organic, got.paid, got.features, got.totalResults], [[], [], [], 0]);
      });
    } else {
      test(`${name}: a block page, and a notice that is no evidence, are blocked`, () => assert.equal(recording.read(body).tag, 'blocked'));
    }
  }
}
