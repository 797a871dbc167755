import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { readHostName } from './domain-name.ts';

test('a name with a control character is refused wherever it stands, in ASCII and beyond', () => {
  const controls = [...Array(0x20).keys(), 0x7f, ...Array.from({ length: 0x20 }, (_, n) => 0x80 + n)].map((code) =>
    String.fromCharCode(code),
  );
  for (const name of ['acme.com', 'müller.de', '日本。jp', 'xn--mller-kva.de'])
    for (const control of controls)
      for (const at of [0, 2, name.length]) {
        const given = name.slice(0, at) + control + name.slice(at);
        // white space around a name is taken away
        if (given.trim() !== name) assert.equal(readHostName(given).ok, false, JSON.stringify(given));
      }
});

test('a name is what IDNA of the platform makes of it', () => {
  const label = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  );
  fc.assert(
    fc.property(label, label, (one, other) => {
      const given = `${one}ä.${other}.com`;
      const read = readHostName(given);
      if (read.ok) assert.equal(read.value, domainToASCII(given.trim().normalize('NFC')).replace(/\.$/, ''));
      else if (!/[\s/:@?#[\]\\%<>"]/.test(given)) assert.match(read.why, /^must /);
    }),
    { numRuns: 2_000 },
  );
});
