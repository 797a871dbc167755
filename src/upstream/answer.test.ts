import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bodyText, exceedsJsonLimits, jsonOf, MAX_JSON_DEPTH } from './answer.ts';

const answerOf = (body: Uint8Array) => ({ status: 200, headers: {}, body, url: 'https://example.com/', atMs: 0 });

/** Levels of a value, and its members and elements with itself. */
function sizeOf(value: unknown): { readonly levels: number; readonly values: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, values: 1 };
  const below = Object.values(value).map(sizeOf);
  return { levels: 1 + Math.max(0, ...below.map((b) => b.levels)), values: 1 + below.reduce((sum, b) => sum + b.values, 0) };
}

test('a text exceeds the limit of levels exactly where its value has more, whatever its strings contain', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 8 }), (text, most) => {
      assert.equal(exceedsJsonLimits(text, most), sizeOf(JSON.parse(text)).levels > most);
    }),
  );
  const brackets = '"[[[{{{\\"[[["';
  assert.equal(exceedsJsonLimits(`[[${brackets}, [], {}]]`, 3), false);
  assert.equal(exceedsJsonLimits(`[[${brackets}, [[1]], {}]]`, 3), true);
});

test('a text exceeds the limit of values exactly where its value has more members and elements', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.integer({ min: 1, max: 30 }), (text, most) => {
      assert.equal(exceedsJsonLimits(text, 100, most), sizeOf(JSON.parse(text)).values - 1 > most);
    }),
  );
});

test('a document with one level too many is no JSON, without an overflow of the stack', () => {
  const nested = (levels: number) => answerOf(Buffer.from('['.repeat(levels) + ']'.repeat(levels)));
  assert.ok(Array.isArray(jsonOf(nested(MAX_JSON_DEPTH))));
  assert.equal(jsonOf(nested(MAX_JSON_DEPTH + 1)), undefined);
  assert.equal(jsonOf(nested(500_000)), undefined);
});

test('a body is read as UTF-8: ASCII or not, a part of a buffer, with a byte order mark, damaged', () => {
  const whole = Buffer.from('plain text, größer');
  assert.equal(bodyText(answerOf(whole)), 'plain text, größer');
  assert.equal(bodyText(answerOf(whole.subarray(6, 10))), 'text');
  assert.equal(bodyText(answerOf(new Uint8Array(whole).subarray(6, 10))), 'text');
  assert.equal(bodyText(answerOf(Buffer.from('\ufeffa'))), 'a');
  assert.equal(bodyText(answerOf(Buffer.from([0x61, 0xff, 0x62]))), 'a\ufffdb');
});
