import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagIn, textIn, trimmedIn, urlIn, wordsIn } from './untyped-json.ts';
import { asUri } from './web-address.ts';

test('a URL is given with every character encoded that RFC 3986 does not allow, and else as written', () => {
  for (const [given, want] of [
    ['https://a.example/x?q=1#part', 'https://a.example/x?q=1#part'],
    ['https://a.example/#', 'https://a.example/#'],
    ['https://a.example/#one#two#', 'https://a.example/#one%23two%23'],
    ['https://a.example/a|b"c%zz%41', 'https://a.example/a%7Cb%22c%25zz%41'],
    ['https://a.example/ä', 'https://a.example/%C3%A4'],
  ] as const)
    assert.equal(asUri(given), want);
});

test('text is in NFC and well-formed', () => {
  for (const read of [textIn, wordsIn, trimmedIn])
    assert.deepEqual([read('e\u0301'), read('a\ud83d'), read('\udc00a'), read('\u{1f600}')], ['\u00e9', 'a\ufffd', '\ufffda', '\u{1f600}']);
});
test('a flag is read as a boolean, as 0 and 1 and as text; other values are none', () => {
  for (const [flag, values] of [
    [false, [false, 0, '0', 'false', 'False']],
    [true, [true, 1, '1', 'true', 'TRUE']],
    [null, [null, undefined, '', 'yes', 'none', 2, -1, Number.NaN, [], [true], {}, { value: true }]],
  ] as const)
    for (const value of values) assert.equal(flagIn(value), flag, JSON.stringify(value));
});

test('a URL of two million marks is read in one pass', () => {
  const marks = 2_000_000;
  assert.equal(urlIn([`https://a.example/${'#'.repeat(marks)}`])?.length, 'https://a.example/#'.length + 3 * (marks - 1));
});
