import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import Schema from 'typebox/schema';
import { serpOf } from '../../sandbox/searchengine/facts.ts';
import { googlePage } from '../../sandbox/searchengine/google.ts';
import { SEARCH_HOSTS } from '../../sandbox/searchengine/host.ts';
import { OPERATIONS, type Resource } from '../../src/contract/operations/index.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { readDataforseo } from '../../src/sources/searchengine/dataforseo/parse.ts';
import { readGooglePage } from '../../src/sources/searchengine/google/parse.ts';
import { readSearxng } from '../../src/sources/searchengine/searxng/parse.ts';
import { readSerpapi } from '../../src/sources/searchengine/serpapi/parse.ts';
import { asked } from './fixture.ts';
import { pages, recordings, required, withoutClasses } from './recordings.ts';

const fits = Schema.Compile(OPERATIONS.serp.resource);
const TAGS = ['found', 'blocked', 'limited', 'unreachable', 'timeout', 'changed', 'refused'];
/** Any outcome is valid if nothing was thrown, its tag is known, and a resource fits the contract. */
function sane(outcome: Outcome<Resource<'serp'>>): void {
  assert.ok(TAGS.includes(outcome.tag), outcome.tag);
  if (outcome.tag !== 'found') {
    assert.ok(!/google|bing|serpapi|dataforseo/i.test(outcome.what), outcome.what);
    return;
  }
  const { resource } = outcome;
  assert.ok(fits.Check(resource), 'it fits the contract');
  assert.ok(resource.organic.every((o, i) => o.rank >= 1 && (i === 0 || o.absoluteRank > (resource.organic[i - 1]?.absoluteRank ?? 0))));
  assert.equal(new Set(resource.features).size, resource.features.length);
  if (resource.organic.length === 0)
    assert.ok(
      resource.totalResults === 0 || resource.features.length > 0,
      'an empty list only where the engine says so, or shows something else',
    );
}

/** Size limit of the pages that are mutated many times. */
const SMALL = 130_000;
if ('skip' in recordings)
  test('mutated recordings', { skip: required ? false : recordings.skip }, () => assert.fail('the recordings are required'));
else {
  const { dir } = recordings;
  const small = pages(dir).filter((p) => p.body.length < SMALL);
  const results = small.filter((p) => p.expected.pageType === 'results');
  test('a page truncated at any byte is never returned as a complete one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...results), fc.double({ min: 0, max: 0.97, noNaN: true }), (page, share) => {
        const outcome = page.read(page.body.subarray(0, Math.floor(page.body.length * share)));
        sane(outcome);
        if (outcome.tag === 'found')
          assert.equal(outcome.resource.organic.length, page.expected.organic.length, 'only what stands below the list may be missing');
      }),
      { numRuns: 60 },
    );
  });
  test('bytes removed, duplicated or changed within a page never break the contract', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...small),
        fc.nat(),
        fc.nat({ max: 4_000 }),
        fc.constantFrom('drop', 'double', 'noise'),
        (page, place, length, how) => {
          const at = place % page.body.length;
          const [head, middle, tail] = [page.body.subarray(0, at), page.body.subarray(at, at + length), page.body.subarray(at + length)];
          const noise = Buffer.from(middle).map((byte, i) => (i % 7 === 0 ? (byte * 31 + i) & 255 : byte));
          sane(
            page.read(Buffer.concat(how === 'drop' ? [head, tail] : how === 'double' ? [head, middle, middle, tail] : [head, noise, tail])),
          );
        },
      ),
      { numRuns: 80 },
    );
  });
  test('attributes renamed or emptied at random never turn a page of results into "no results"', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...results),
        fc.constantFrom('id', 'href', 'role', 'class', 'data-snc', 'data-hveid', 'aria-level'),
        fc.boolean(),
        (page, name, rename) => {
          const pattern = new RegExp(`\\s${name}=("[^"]*"|'[^']*'|[^\\s>]+)`, 'g');
          const text = page.body.toString('utf8').replace(pattern, rename ? ` x-${name}=$1` : ` ${name}=""`);
          const outcome = page.read(Buffer.from(text));
          sane(outcome);
          if (outcome.tag === 'found') assert.ok(outcome.resource.organic.length > 0);
        },
      ),
      { numRuns: 60 },
    );
  });
  test('the order of rankings does not depend on class names', () => {
    for (const page of results.filter((p) => p.year >= 2025)) {
      const [whole, bare] = [page.read(page.body), page.read(withoutClasses(page.body))];
      assert.ok(whole.tag === 'found' && bare.tag === 'found');
      assert.deepEqual(
        bare.resource.organic.map((o) => o.url + o.title),
        whole.resource.organic.map((o) => o.url + o.title),
      );
    }
  });
  test('JSON of the providers with values of another type never breaks the contract', () => {
    const files = ['dataforseo-google-organic-live-regular-docexample', 'serpapi-google-coffee-2022', 'searxng-python-2024-partial'];
    const readers = [readDataforseo, readSerpapi, readSearxng] as const;
    const bodies = files.map((f) => readFileSync(join(dir, `${f}.json`), 'utf8'));
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 2),
        fc.nat({ max: 3_000 }),
        fc.constantFrom(null, 0, -1, '', 'x', [], {}, true, 1e300),
        (which, nth, value) => {
          let count = 0;
          const spoilt = JSON.parse(bodies[which] ?? '', (_, v) => (count++ === nth ? value : v));
          const answer = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(spoilt) ?? ''), url: '', atMs: 0 };
          sane((readers[which] ?? readSerpapi)(answer, asked('x', { depth: 100 })));
        },
      ),
      { numRuns: 300 },
    );
  });
}

test('every keyword is returned unchanged by the simulated engine', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (keyword) => {
      const body = Buffer.from(googlePage(serpOf(keyword, 'a'), 0, 'desktop'));
      const outcome = readGooglePage({ status: 200, headers: {}, body, url: '', atMs: 0 }, asked(keyword));
      sane(outcome);
      assert.ok(outcome.tag === 'found' && outcome.resource.organic.length === 10);
      assert.equal(outcome.resource.keyword, keyword);
    }),
    { numRuns: 60 },
  );
});
test('the simulated hosts never throw for any request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SEARCH_HOSTS), fc.webPath(), fc.webQueryParameters(), async (host, path, query) => {
      const url = new URL(`${host.origins[0]}${path}?${query}`);
      const response = await host.answer({ method: 'GET', url, headers: {}, body: '', at: 0 });
      assert.ok(response.status >= 200 && response.status < 600);
    }),
    { numRuns: 100 },
  );
});
