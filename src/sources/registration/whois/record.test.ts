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
