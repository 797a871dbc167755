import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlIn } from './untyped-json.ts';
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

test('a URL of two million marks is read in one pass', () => {
  const marks = 2_000_000;
  assert.equal(urlIn([`https://a.example/${'#'.repeat(marks)}`])?.length, 'https://a.example/#'.length + 3 * (marks - 1));
});
