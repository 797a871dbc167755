// Own process: it measures CPU time.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READERS } from '../../src/sources/index.ts';
import type { Reader } from '../../src/sources/source.ts';
import { sizeOf } from '../support/sizes.ts';
import { type Shape, shapesOf } from './growth.ts';
import { type Sample, samples } from './reader-samples.ts';

/**
 * Characters added to an answer: a linear parser takes a few milliseconds for them, a quadratic one many times as long as for other shapes.
 */
const SIZE = 24_000;
const FACTOR = 4;
/** A shape is measured again at a larger size if it takes this many times the median of the reader's shapes. */
const SUSPICIOUS = 4;
/** CPU time below which no shape is reported: garbage collection and compilation take as much. */
const FLOOR_MS = 20;
/** n log n grows by 4.6 from one size to the other, quadratic time by 16. */
const MOST_GROWTH = 8;
/** Shapes per answer in one run; SIGHTLINE_TEST_ALL_SHAPES=1 measures all. */
const MOST_SHAPES = process.env.SIGHTLINE_TEST_ALL_SHAPES === '1' ? Number.POSITIVE_INFINITY : sizeOf({ whole: 150, part: 60 });

function cpuMs(read: Reader, sample: Sample, text: string): number {
  const answer = { status: 200, headers: {}, body: Buffer.from(text), url: sample.url, atMs: 1.79e12 };
  const before = process.cpuUsage();
  read(answer, sample.input as never);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
/** Minimum of three: other work of the process only adds time. */
const leastMs = (read: Reader, sample: Sample, text: string): number => Math.min(...[1, 2, 3].map(() => cpuMs(read, sample, text)));

function* some(shapes: readonly Shape[]): Generator<Shape> {
  const step = Math.max(1, shapes.length / MOST_SHAPES);
  for (let i = 0; i < shapes.length; i += step) yield shapes[Math.floor(i)] as Shape;
}

/** Names of the shapes whose time grows faster than n log n. */
function faultsOf(read: Reader, sample: Sample, shapes: readonly Shape[]): readonly string[] {
  const times = shapes.map(({ grown }) => cpuMs(read, sample, grown(SIZE)));
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const suspicious = Math.max(FLOOR_MS, SUSPICIOUS * median);
  return shapes.flatMap(({ name, grown }, i) => {
    if ((times[i] ?? 0) < suspicious) return [];
    const small = leastMs(read, sample, grown(SIZE));
    if (small < FLOOR_MS / 2) return [];
    const large = leastMs(read, sample, grown(SIZE * FACTOR));
    return large / small > MOST_GROWTH ? [`${name}: ${small.toFixed(0)} ms, then ${large.toFixed(0)} ms for ${FACTOR} times as much`] : [];
  });
}

const all = await samples();

test('every reader has a sample to grow', () => {
  assert.deepEqual([...new Set(all.map(({ reader }) => reader))].sort(), Object.keys(READERS).sort());
});

test('a parser with quadratic time is reported', () => {
  const quadratic = ((answer: { body: Uint8Array }) => {
    const text = Buffer.from(answer.body).toString();
    return { tag: 'changed', what: text.slice(text.length * 0.6).replace(/\s+$/, '') };
  }) as unknown as Reader;
  const sample = { reader: 'none', input: {}, url: '', text: '' };
  const shapes: Shape[] = [
    { name: 'blanks', grown: (size) => `${' '.repeat(size)}x` },
    { name: 'letters', grown: (size) => 'a'.repeat(size) },
    { name: 'digits', grown: (size) => '9'.repeat(size) },
  ];
  const [fault, ...more] = faultsOf(quadratic, sample, shapes);
  assert.match(fault ?? '', /^blanks/);
  assert.deepEqual(more, []);
});

for (const sample of all) {
  test(`${sample.reader} takes time in proportion to the size of the answer (${sample.url})`, async () => {
    const read = await READERS[sample.reader]?.load();
    assert.ok(read);
    assert.equal(
      read({ status: 200, headers: {}, body: Buffer.from(sample.text), url: sample.url, atMs: 1.79e12 }, sample.input as never).tag,
      'found',
    );
    assert.deepEqual(faultsOf(read, sample, [...some([...shapesOf(sample)])]), []);
  });
}
