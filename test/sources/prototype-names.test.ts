import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READERS, readerOf } from '../../src/sources/index.ts';
import type { Reader } from '../../src/sources/source.ts';
import { type Sample, samples } from '../attack/reader-samples.ts';

/** Members of Object.prototype: a table lookup finds them unless it uses Object.hasOwn. */
const MEMBERS = ['constructor', 'toString', 'valueOf', '__proto__'] as const;
/** A word of the same form that is in no table. */
const unknownFor = (name: string): string => name.replaceAll('o', 'q').replaceAll('O', 'Q');

type Path = readonly (string | number)[];

function* pathsOf(value: unknown, path: Path = []): Generator<{ path: Path; value: unknown }> {
  yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  // the objects of a list have the same structure, so only the first is changed
  const inner = Array.isArray(value) ? value.slice(0, 1).entries() : Object.entries(value);
  for (const [key, one] of inner) yield* pathsOf(one, [...path, key]);
}

function replaced(root: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(root);
  if (Array.isArray(root)) return root.map((inner, i) => (i === key ? replaced(inner, rest, change) : inner));
  return Object.fromEntries(Object.entries(root as object).map(([k, inner]) => [k, k === key ? replaced(inner, rest, change) : inner]));
}

function outcomeOf(read: Reader, sample: Sample, document: unknown, word: string): string {
  const text = JSON.stringify(document);
  const answer = { status: 200, headers: {}, body: Buffer.from(text), url: sample.url, atMs: 1.79e12 };
  return JSON.stringify(read(answer, sample.input as Parameters<Reader>[1])).replaceAll(new RegExp(word, 'gi'), '-');
}

/** An object with one more member. `JSON.parse` makes even `__proto__` an own property. */
const withMember = (value: object, name: string): unknown =>
  JSON.parse(`{${JSON.stringify(name)}:[{"title":"x"}],${JSON.stringify(value).slice(1)}`.replace(/,\}$/, '}'));

for (const sample of (await samples()).filter(({ reader, text }) => reader !== 'registration/whois' && /^\s*[[{]/.test(text)))
  test(`${sample.reader}: names of Object.prototype in an answer are parsed like any unknown name (${sample.url})`, async () => {
    const read = (await readerOf(sample.reader)?.load()) ?? assert.fail();
    const root: unknown = JSON.parse(sample.text);
    for (const { path, value } of pathsOf(root)) {
      const change =
        typeof value === 'string'
          ? (name: string) => () => name
          : typeof value === 'object' && value !== null && !Array.isArray(value)
            ? (name: string) => () => withMember(value, name)
            : null;
      if (!change) continue;
      for (const name of MEMBERS) {
        const outcome = (word: string): string => outcomeOf(read, sample, replaced(root, path, change(word)), word);
        assert.equal(outcome(name), outcome(unknownFor(name)), `${path.join('.')} with ${name}`);
      }
    }
  });

test('no parser has the name of a member of Object.prototype', () => {
  for (const name of MEMBERS) assert.equal(readerOf(name), undefined, name);
  for (const name of Object.keys(READERS)) assert.equal(readerOf(name), READERS[name]);
});
