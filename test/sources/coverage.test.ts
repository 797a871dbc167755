import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { offerOf } from '../../src/sources/recipes/offer.ts';
import { COVERAGE } from '../../src/sources/recipes/recipes.ts';
import { BUILT_IN, type BuiltIn, builtInCoverage, builtInExample } from '../../tools/recipe-coverage.ts';
import { recordings, required } from '../searchengine/recordings.ts';

const IDS = Object.keys(BUILT_IN) as BuiltIn[];
const statedBy = ({ serp }: { readonly serp: Readonly<Record<string, boolean>> }): string[] =>
  Object.keys(serp).filter((field) => serp[field]);

for (const id of IDS)
  test(`${id}: what is said of its fields is what its reader makes of its example, whose form is documented`, async () => {
    const { form, serp } = builtInExample(id);
    assert.ok(form.length > 0 && form.every(({ address, date }) => /^https:\/\//.test(address) && /^20\d\d-\d\d-\d\d$/.test(date)));
    assert.deepEqual(COVERAGE[id], await builtInCoverage(id, serp.answer), 'run npm run generate');
    const offer = offerOf(id, 'serp');
    assert.deepEqual(offer?.states, statedBy(await builtInCoverage(id, serp.answer)));
    assert.ok(offer.states.includes('organic') && offer.lacks.length > 0);
  });

test('an instance that names results alone states no sections', async () => {
  assert.deepEqual(COVERAGE.SearXNG?.serp?.features, false);
  assert.equal(COVERAGE.DataForSEO?.serp?.features, true);
});

/** Recorded answers, the search that they are about, and the largest place in them. */
const RECORDED: readonly (readonly [BuiltIn, file: string, keyword: string, depth: number])[] = [
  ['DataForSEO', 'dataforseo-google-organic-advanced-docexample', 'flight ticket new york san francisco', 100],
  ['SerpApi', 'serpapi-google-coffee-2022', 'coffee', 10],
  ['SerpApi', 'serpapi-google-desktop-2025-local-shopping', 'matcha', 10],
  ['SearXNG', 'searxng-python-2024-partial', 'python', 10],
];
const { skip, dir } = { skip: undefined, dir: '', ...recordings };
for (const [id, file, keyword, depth] of RECORDED)
  test(`${id}: its example states what ${file} states`, { skip: required ? false : skip }, async () => {
    const recorded: unknown = JSON.parse(readFileSync(join(dir, `${file}.json`), 'utf8'));
    const { input, answer } = builtInExample(id).serp;
    const stated = new Set(statedBy(await builtInCoverage(id, answer)));
    const inRecording = statedBy(await builtInCoverage(id, recorded, { ...input, keyword, depth }));
    assert.deepEqual(
      inRecording.filter((field) => !stated.has(field)),
      [],
    );
    // the provider's own example has all that it documents
    if (id === 'DataForSEO') assert.deepEqual(inRecording, [...stated]);
  });
