import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorOf, MAX_RESULT_BYTES, MAX_USUAL_BYTES, shape } from './shape.ts';

const entries = (count: number, characters: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, text: `${i} ${'word '.repeat(characters / 5)}` }));
const USUAL = { fields: null, maxItems: null, cursor: null };
const bytesOf = (data: unknown, twice: boolean): number => {
  const json = JSON.stringify(data);
  return Buffer.byteLength(json) + (twice ? Buffer.byteLength(JSON.stringify(json)) : 0);
};

test('a default answer has 20 entries and 24,000 bytes at most, as an object or as object and text; long texts are cut and named', () => {
  for (const twice of [true, false])
    for (const characters of [10, 200, 1_000, 5_000, 60_000]) {
      const list = entries(200, characters);
      const { data, leftOut, nextCursor } = shape({ list }, 'list', USUAL, twice);
      const page = data.list as typeof list;
      assert.ok(bytesOf(data, twice) <= MAX_USUAL_BYTES, `${characters}: ${bytesOf(data, twice)}`);
      assert.ok(page.length >= 10 && page.length <= 20, `${characters}: ${page.length} entries`);
      assert.equal(cursorOf(nextCursor ?? '').offset, page.length);
      assert.equal(
        leftOut.some((note) => note.includes('Texts that end with … are cut: list.text.')),
        page.some(({ text }) => text.endsWith('…')),
      );
    }
});

test('the cursor of a part reads the texts that it cut, whole; maxItems and fields ask for up to 100,000 bytes', () => {
  const list = entries(60, 3_000);
  const second = shape({ list }, 'list', { ...USUAL, cursor: cursorOf(shape({ list }, 'list', USUAL, false).nextCursor ?? '') }, false);
  const [, text = ''] = /cursor "([\w-]+)"/.exec(second.leftOut.join(' ')) ?? [];
  const whole = shape({ list }, 'list', { fields: ['list.text'], maxItems: 3, cursor: cursorOf(text) }, false);
  const [{ id } = { id: -1 }] = second.data.list as typeof list;
  assert.deepEqual(
    whole.data.list,
    list.slice(id, id + 3).map((entry) => ({ text: entry.text })),
  );
  const many = shape({ list }, 'list', { ...USUAL, maxItems: 40 }, false);
  assert.ok(bytesOf(many.data, false) > MAX_USUAL_BYTES && bytesOf(many.data, false) <= MAX_RESULT_BYTES);
});

test('a resource without a list has a cursor for its long texts, too', () => {
  const resource = { name: 'x', description: 'y'.repeat(50_000) };
  const { data, leftOut } = shape(resource, null, USUAL, false);
  assert.ok((data.description as string).endsWith('…'));
  const [, text = ''] = /cursor "([\w-]+)"/.exec(leftOut.join(' ')) ?? [];
  assert.deepEqual(shape(resource, null, { fields: ['description'], maxItems: null, cursor: cursorOf(text) }, false), {
    data: { description: resource.description },
    leftOut: [],
    nextCursor: null,
  });
});
