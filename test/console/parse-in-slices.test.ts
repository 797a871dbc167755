import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseInSlices } from '../../src/console/workbench/parse-in-slices.ts';

/** White space that makes a text long enough to be parsed in slices. */
const PADDING = ' '.repeat(200_001);

test('a text that is parsed in slices gives what JSON.parse gives', async () => {
  const object = fc.dictionary(
    fc.string(),
    fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.array(fc.record({ text: fc.string(), more: fc.jsonValue() }), { maxLength: 30 })),
  );
  await fc.assert(
    fc.asyncProperty(object, fc.constantFrom(0, 2), fc.constantFrom(40, 300_000), async (value, indent, slice) => {
      const text = JSON.stringify(value, null, indent) + PADDING;
      assert.deepEqual(await parseInSlices(text, slice), JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

test('an array of several slices is whole and in order', async () => {
  const items = Array.from({ length: 30_000 }, (_, at) => ({ at, text: `"quoted" \\ [${at}], {x}`, list: [[], {}, [at]] }));
  const text = JSON.stringify({ before: 'x', items, after: { deep: [1, 2] } });
  assert.ok(text.length > 1_500_000);
  assert.deepEqual(await parseInSlices(text), JSON.parse(text));
});

test('a text that is cut off or broken is refused', async () => {
  const text = JSON.stringify({ items: Array.from({ length: 30_000 }, (_, at) => ({ at })) });
  for (const length of [text.length - 1, text.length - 2, 250_001, 250_007])
    await assert.rejects(parseInSlices(text.slice(0, length)), SyntaxError, `${length}`);
  for (const broken of [text.replace('},', '},,'), text.replace('}]', '},]'), `${text}}`, text.replace(']}', '}}'), text.replace('[', '{')])
    await assert.rejects(parseInSlices(broken, 20_000), SyntaxError, broken.slice(-40));
});
