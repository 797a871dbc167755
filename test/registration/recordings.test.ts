import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { codeOf } from '../../src/contract/errors.ts';
import { readerOf } from '../../src/sources/index.ts';
import { errorOf } from '../../src/sources/outcome.ts';

const RECORDINGS = resolve('../shared/recordings/registration');
const SCRIPT = resolve('../shared/conformance/registration.mjs');
const present = existsSync(RECORDINGS) && existsSync(SCRIPT);
const required = process.env.SIGHTLINE_TEST_REQUIRE?.includes('recordings');
const skip = present || required ? false : 'the recordings are not installed';

interface Item {
  readonly id: string;
  readonly line: { reader: string; body: string; status: number; headers: Record<string, string>; url: string; input: { domain: string } };
}
interface Rate {
  readonly n: number;
  readonly right: number;
}
interface Grade {
  readonly pass: boolean;
  readonly misses: readonly string[];
  readonly faults: readonly string[];
  readonly figures: {
    six: { whois: Rate; rdap: Rate };
    free: Rate;
    wronglyAvailable: number;
    main: { absent: number; invented: number; wrong: number };
  };
}
interface Script {
  readonly load: (folder: string) => Item[];
  readonly grade: (items: Item[], results: object[]) => Grade;
}

/** Faults whose cause is the recording itself (docs/registration.md). */
const EXPLAINED: readonly RegExp[] = [
  /^whois\/www\.gov\.uk\S*: (?:outcome: changed|nameServers missing)/, // the text is about gov.uk
  /^whois\/\S+: contact \w+\.email: want "Please (?:ask|contact)/, // a sentence in the place of an address
  /^whois\/google\.co\.th\S*: contact technical\.organization: want "Personal Information"/, // the registry's placeholder
];

test('every recorded answer gives the expected outcome and fields, except the faults listed above', { skip }, async () => {
  const { load, grade } = (await import(pathToFileURL(SCRIPT).href)) as Script;
  const items = load(RECORDINGS);
  const results = await Promise.all(
    items.map(async ({ id, line }) => {
      const read = await readerOf(line.reader)?.load();
      assert.ok(read, line.reader);
      const outcome = read({ ...line, body: readFileSync(line.body), atMs: Date.UTC(2026, 10, 1) }, line.input);
      const error = errorOf[outcome.tag];
      return { id, outcome: outcome.tag, code: error && codeOf(error), resource: outcome.tag === 'found' ? outcome.resource : null };
    }),
  );
  const { pass, misses, faults, figures } = grade(items, results);
  // includes that no block page is read as an answer
  assert.ok(pass, misses.join(', '));
  assert.deepEqual(
    faults.filter((fault) => !EXPLAINED.some((pattern) => pattern.test(fault))),
    [],
  );
  assert.equal(figures.wronglyAvailable, 0);
  assert.equal(figures.main.invented, 0);
  assert.equal(figures.free.right, figures.free.n);
  assert.equal(figures.six.rdap.right, figures.six.rdap.n);
  assert.ok(figures.six.whois.right / figures.six.whois.n >= 0.97);
});
