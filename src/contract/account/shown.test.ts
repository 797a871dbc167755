import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownAddress, shownValue, withoutSecrets } from './shown.ts';

test('of an address scheme, host and the last characters of what is long are shown, however it is written', () => {
  for (const [address, is] of [
    ['https://hooks.example.com/path-of-a-secret?token=abcdefgh', 'https://hooks.example.com/…efgh'],
    ['https://hooks.example.com:8443/short', 'https://hooks.example.com:8443/…'],
    ['https://hooks.example.com?token=abcdefgh', 'https://hooks.example.com/…efgh'],
    ['https://hooks.example.com#abcdefghij', 'https://hooks.example.com/…ghij'],
    ['https://user:pass-word@hooks.example.com/path-of-a-secret', 'https://hooks.example.com/…cret'],
    ['https://hooks.example.com\\path-of-a-secret', 'https://hooks.example.com/…cret'],
    ['https:/hooks.example.com/path-of-a-secret', 'https://hooks.example.com/…cret'],
    [' https:\\\\hooks.example.com/path-of-a-secret', 'https://hooks.example.com/…cret'],
    ['hooks.example.com/path-of-a-secret', 'hooks.example.com/…cret'],
    ['ftp://a.example', 'ftp://a.example'],
    ['https://ntfy.sh/', 'https://ntfy.sh/'],
    ['mailto:me@example.com', 'mailto:me@example.com'],
    ['no address', 'no address'],
  ] as const)
    assert.equal(shownAddress(address), is, address);
});

test('addresses in a value of a body are shortened at any depth, and nothing else is', () => {
  const url = 'https://hooks.example.com/path-of-a-secret';
  assert.equal(shownValue({ url, a: [url], b: 'organic/position' }).includes('path-of'), false);
  assert.equal(shownValue(['organic/position', 5, null]), '["organic/position",5,null]');
  assert.equal(shownValue(undefined), 'missing');
  assert.equal(shownValue('x'.repeat(100)).length, 80);
});

test('what an address was answered with has no long part of its path or query, as it is written or as it is read', () => {
  const address = 'https://hooks.example.com/services/T012345678/a%20long%20secret?token=abcdef%2Bghij&to=me';
  for (const [text, is] of [
    ['no hook /services/T012345678/a%20long%20secret', 'no hook /services/…5678/…cret'],
    ['{"token":"abcdef+ghij","path":"a long secret"}', '{"token":"…ghij","path":"…cret"}'],
    ['token=abcdef%2Bghij', 'token=…ghij'],
    ['thanks, me', 'thanks, me'],
  ] as const)
    assert.equal(withoutSecrets(text, address), is);
  assert.equal(withoutSecrets('a $& b', 'https://hooks.example.com/$&$&$&$&$&'), 'a $& b');
});
