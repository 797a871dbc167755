import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READERS } from '../../src/sources/readers.ts';
import type { Reader } from '../../src/sources/source.ts';
import { type Shape, shapesOf } from './growth.ts';
import { type Sample, samples } from './reader-samples.ts';

/** An answer of this many more characters takes some milliseconds; an algorithm of quadratic time takes a second. */
const SIZE = 16_000;
const FACTOR = 4;
/** CPU time below which nothing is judged: collections of garbage and compilation lie below it. */
const FLOOR_MS = 60;
/** n log n grows by 4.6 from one size to the other, quadratic time by 16. */
const MOST_GROWTH = 9;
/** Ways of growing a reader's answer in one run; SIGHTLINE_TEST_ALL_SHAPES=1 takes them all. */
const MOST_SHAPES = process.env.SIGHTLINE_TEST_ALL_SHAPES === '1' ? Number.POSITIVE_INFINITY : 200;

function cpuMs(read: Reader, sample: Sample, text: string): number {
  const answer = { status: 200, headers: {}, body: Buffer.from(text), url: sample.url, at: 1.79e12 };
  const before = process.cpuUsage();
  read(answer, sample.input as never);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
/** The least of three: what else the process does only adds. */
const leastMs = (read: Reader, sample: Sample, text: string): number => Math.min(...[1, 2, 3].map(() => cpuMs(read, sample, text)));

function* some(shapes: readonly Shape[]): Generator<Shape> {
  const step = Math.max(1, shapes.length / MOST_SHAPES);
  for (let i = 0; i < shapes.length; i += step) yield shapes[Math.floor(i)] as Shape;
}

/** What grows faster than its input; null where the time is in proportion. */
function faultOf(read: Reader, sample: Sample, { name, grown }: Shape): string | null {
  if (cpuMs(read, sample, grown(SIZE)) < FLOOR_MS) return null;
  const small = leastMs(read, sample, grown(SIZE));
  if (small < FLOOR_MS / 4) return null;
  const large = leastMs(read, sample, grown(SIZE * FACTOR));
  return large / small > MOST_GROWTH ? `${name}: ${small.toFixed(0)} ms, then ${large.toFixed(0)} ms for ${FACTOR} times as much` : null;
}

const all = await samples();

test('there is an answer to grow for every reader', () => {
  assert.deepEqual([...new Set(all.map(({ reader }) => reader))].sort(), Object.keys(READERS).sort());
});

test('an algorithm of quadratic time is found out', () => {
  const quadratic = ((answer: { body: Uint8Array }) => {
    const text = Buffer.from(answer.body).toString();
    return { tag: 'changed', what: text.slice(text.length * 0.6).replace(/\s+$/, '') };
  }) as unknown as Reader;
  const sample = { reader: 'none', input: {}, url: '', text: '' };
  assert.match(faultOf(quadratic, sample, { name: 'blanks', grown: (size) => `${' '.repeat(size)}x` }) ?? '', /blanks/);
});

for (const sample of all) {
  test(`${sample.reader} takes time in proportion to what it is given (${sample.url})`, async () => {
    const read = await READERS[sample.reader]?.load();
    assert.ok(read);
    assert.equal(
      read({ status: 200, headers: {}, body: Buffer.from(sample.text), url: sample.url, at: 1.79e12 }, sample.input as never).tag,
      'found',
    );
    const faults = [...some([...shapesOf(sample)])].flatMap((shape) => faultOf(read, sample, shape) ?? []);
    assert.deepEqual(faults, []);
  });
}
