import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWhoisText } from './parse.ts';

test("a contact's status is not the domain's, even without a blank line between them", () => {
  const record = ['domain: shop.fr', 'registrar: Harbor Registrar LLC', 'created: 2009-12-10T19:24:18Z'];
  const contact = ['contact: Shop Ltd', 'e-mail: owner@shop.fr', 'eppstatus: associated', 'status: linked'];
  for (const lines of [
    [...record, '', 'nic-hdl: H1-FRNIC', ...contact],
    [...record, ...contact],
  ]) {
    const outcome = readWhoisText(lines.join('\n'), 'shop.fr', 'whois.nic.fr', 0);
    assert.ok(outcome.tag === 'found', outcome.tag);
    assert.deepEqual(outcome.resource.status, []);
  }
});

test('the day of a renewal is not the end of a registration', () => {
  const lines = [
    'Domain Name: shop.example',
    'Registrar: Harbor',
    'Registered Date: 2009-12-10',
    'Renew date: 2025-12-10',
    'Exp date: 2026-12-10',
  ];
  const expiresOf = (text: readonly string[]) => {
    const outcome = readWhoisText(text.join('\n'), 'shop.example', 'whois.nic.example', 0);
    return outcome.tag === 'found' ? outcome.resource.expiresOn : outcome.tag;
  };
  assert.equal(expiresOf(lines), '2026-12-10');
  assert.equal(expiresOf(lines.slice(0, 4)), null);
});
