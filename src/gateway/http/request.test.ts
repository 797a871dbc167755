import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { queryOf } from './request.ts';

const pairs = (url: string) => queryOf({ url });

test('names and values are decoded once, + is a space, repeated names are preserved', () => {
  assert.deepEqual(pairs('/a'), []);
  assert.deepEqual(pairs('/a?'), []);
  assert.deepEqual(pairs('/a?&x=1&&'), [['x', '1']]);
  assert.deepEqual(pairs('/a?k=c%2B%2B+or+100%25&k=b'), [
    ['k', 'c++ or 100%'],
    ['k', 'b'],
  ]);
  assert.deepEqual(pairs('/a?flag&=v&u=a=b'), [
    ['flag', ''],
    ['', 'v'],
    ['u', 'a=b'],
  ]);
});

test('an invalid percent-encoding, or one that is not UTF-8, is an error', () => {
  for (const url of ['/a?k=%', '/a?k=%zz', '/a?k=%ff', '/a?%c3=1']) assert.throws(() => pairs(url), /percent-encoding/, url);
});

test('any encoded pairs are read back', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((t) => t.isWellFormed());
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 6 }), (given) => {
      const cached = given.filter(([name, value]) => name !== '' || value !== '');
      assert.deepEqual(pairs(`/a?${new URLSearchParams(cached)}`), cached);
    }),
  );
});
