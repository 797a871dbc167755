import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchResult } from '../../src/contract/operations/serp/operation.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { readBingPage } from '../../src/sources/searchengine/bing/parse.ts';
import { readGooglePage } from '../../src/sources/searchengine/google/parse.ts';
import { asked, type Input } from './fixture.ts';

const DIR = join(import.meta.dirname, '../../../shared/recordings/serp');
/** The directory of the recordings, or the reason why the tests are skipped (a failure if recordings are required). */
export const recordings: { dir: string } | { skip: string } = existsSync(DIR)
  ? { dir: DIR }
  : { skip: 'there are no recordings beside this checkout' };
export const required = /(^|,)recordings(,|$)/.test(process.env.SIGHTLINE_TEST_REQUIRE ?? '');

interface Entry {
  readonly title: string;
  readonly url: string;
  readonly isFeaturedSnippet: boolean;
  readonly websiteName?: string | null;
  readonly breadcrumb?: string | null;
}
export interface Expected {
  readonly pageType: 'results' | 'no_results' | 'captcha' | 'js_required';
  readonly totalResults: number | null;
  readonly features: readonly string[];
  readonly featuresOptional: readonly string[];
  readonly organic: readonly Entry[];
  readonly paid: readonly { title: string; url?: string }[] | null;
  readonly relatedSearches: readonly string[] | null;
}
export interface Recording {
  readonly name: string;
  readonly body: Buffer;
  readonly input: Input;
  readonly year: number;
  readonly expected: Expected;
  readonly read: (body: Uint8Array) => Outcome<SearchResult>;
}

export function pages(dir: string): Recording[] {
  return readdirSync(dir)
    .filter((f) => f.endsWith('.html'))
    .map((f) => {
      const name = f.slice(0, -5);
      const meta = JSON.parse(readFileSync(join(dir, `${name}.meta.json`), 'utf8'));
      const input = asked(meta.params.q, { engine: meta.engine, device: meta.device });
      const read = meta.engine === 'engine_b' ? readBingPage : readGooglePage;
      const url = meta.finalUrl ?? `${meta.url}?${new URLSearchParams(meta.params)}`;
      return {
        name,
        body: readFileSync(join(dir, f)),
        input,
        year: Number(meta.recorded.slice(0, 4)),
        expected: JSON.parse(readFileSync(join(dir, `${name}.expected.json`), 'utf8')),
        read: (body: Uint8Array) =>
          read({ status: meta.status, headers: { 'content-type': meta.contentType }, body, url, atMs: 1_700_000_000_000 }, input),
      };
    });
}

/** The page with every class name replaced: structure, ids, roles, data attributes and text remain. */
export const withoutClasses = (body: Buffer): Buffer =>
  Buffer.from(
    body
      .toString('latin1')
      .replace(
        /(<[a-zA-Z][^<>]*?\sclass=)("[^"]*"|'[^']*')/g,
        (_, before: string, value: string) =>
          `${before}${value[0]}${value.slice(1, -1).replace(/\S+/g, (c) => `x${Buffer.from(c, 'latin1').toString('hex')}`)}${value[0]}`,
      ),
    'latin1',
  );
