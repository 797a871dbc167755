import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READERS } from '../../src/sources/index.ts';
import { shapesOf } from './growth.ts';
import { samples } from './reader-samples.ts';

/** Size limit for answers of most sources . */
const SIZE = 8_000_000;
/** Shapes on which regular expressions overflowed the stack: a number of megabytes, an open tag within an SVG. */
const SHAPES = [/^\w[^:]*: digits$/, /<svg .*runs of "<\/"$/s];

for (const sample of await samples()) {
  const shapes = [...shapesOf(sample)];
  const chosen = SHAPES.flatMap((pattern) => shapes.find(({ name }) => pattern.test(name)) ?? shapes.at(-1) ?? []);
  test(`${sample.reader} returns an outcome for a single value of ${SIZE / 1e6} MB (${sample.url})`, async () => {
    const read = await READERS[sample.reader]?.load();
    assert.ok(read);
    for (const { name, grown } of chosen) {
      const answer = { status: 200, headers: {}, body: Buffer.from(grown(SIZE)), url: sample.url, atMs: 1.79e12 };
      assert.ok((await read(answer, sample.input as never)).tag, name);
    }
  });
}
