import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { readableDomain } from './readable-domain.ts';

const wire = (name: string): string => domainToASCII(name);

test('a label of one script is shown as people write it, whatever the labels beside it are', () => {
  for (const name of [
    'müller.de',
    'www.bücher.example',
    '日本語.jp',
    'ドメイン.example.com',
    'مثال.com',
    '한국.kr',
    'smørrebrød.dk',
    'straße.de',
  ])
    assert.equal(readableDomain(wire(name)), name.normalize('NFC'));
});

test('what could be taken for another name stays as it is on the wire', () => {
  // Cyrillic а, Greek ο, a mixture, a dotless ı, a script g, an Armenian o, an alpha of Latin
  for (const name of ['аррӏе.com', 'gοοgle.com', 'pаypal.com', 'gıthub.com', 'ɡoogle.com', 'gօօgle.com', 'ɑpple.com'])
    assert.equal(readableDomain(wire(name)), wire(name), name);
  // encoded by nobody but an attacker: a slash, a dot, a space, a direction
  for (const label of ['xn--google-login-9l2f', 'xn--a-0hn', 'xn--', 'xn--a-ecp.ru', 'xn--99999999999'])
    assert.match(readableDomain(`${label}.com`), /^[a-z\d.-]+$/);
});

test('any text is answered with a text that has the same labels', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `xn--${text}`),
        fc.domain(),
      ),
      (text) => {
        assert.equal(readableDomain(text).split('.').length, text.split('.').length);
      },
    ),
  );
});
