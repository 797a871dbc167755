import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { isKey, makeKey } from './key-text.ts';

test('a key is sl_, 27 characters of 160 random bits, 6 of checksum', () => {
  assert.match(makeKey(randomBytes), /^sl_[0-9A-Za-z]{33}$/);
  assert.equal(makeKey(() => new Uint8Array(20)).slice(0, 30), `sl_${'0'.repeat(27)}`);
  assert.equal(makeKey(() => new Uint8Array(20).fill(255)).slice(3, 30), 'aWgEPTl1tmebfsQzFP4bxwgy80V');
});

test('every generated key is recognised as a key', () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => isKey(makeKey(() => bytes))));
});

test('a key with one wrong character is detected by its checksum, without a store', () => {
  const key = makeKey(randomBytes);
  for (let i = 3; i < key.length; i++) {
    const wrong = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1);
    assert.equal(isKey(wrong), false, wrong);
  }
  for (const text of ['', 'sl_', key.slice(1), `${key}0`, ` ${key}`, `${key}\n`, key.replace('sl_', 'SL_')])
    assert.equal(isKey(text), false);
});
