import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWhoisText } from './parse.ts';

const unreadWith = (line: string): string => {
  const record = `Domain Name: shop.xy\nRegistrar: Harbor\nRegistrant Name: Jo Roe\n${line}\n`;
  const outcome = readWhoisText(record, 'shop.xy', 'whois.nic.xy', 0);
  assert.ok(outcome.tag === 'found', line);
  return (outcome.unread ?? []).join();
};
test('a date of another event, of a party or of the answer, and an address of another service are not fields that were not understood', () => {
  for (const label of [
    ...['Transfer Date', 'Last Transferred Date', 'Suspended on', 'Deletion Date', 'Quarantine Until', 'Auction End', 'Lock Expiry Date'],
    ...['Verification Date', 'Trademark Registration Date', 'Database last updated', 'Report generated', 'Timestamp', 'Zone generated'],
    ...[
      'Registrar Since',
      'Registrant Created',
      'Contact Updated',
      'Birth Date',
      'Company Registration Date',
      'DS Created',
      'DNSSEC Last Checked',
    ],
  ])
    assert.equal(unreadWith(`${label}: 2015-01-02`), '', label);
  for (const line of [
    ...['VAT Number: 20100102', 'Registrant ID: 20100102', 'Support Email: s@registry.example', 'Complaints: c@registry.example'],
    ...['Security Contact Email: s@shop.example', 'Registry Phone: +1.5550104', 'Whois Email: whois@registry.example'],
  ])
    assert.equal(unreadWith(line), '', line);
});
test('a date under a label that nobody has seen is unread where its words say, or anywhere', () => {
  assert.equal(unreadWith('Renew By: 2027-05-05'), 'expiresOn');
  assert.equal(unreadWith('Registered Since: 2010-05-05'), 'registeredOn');
  assert.equal(unreadWith('Latest Change: 2020-05-05'), 'updatedOn');
  assert.equal(unreadWith('Ablaufdatum: 2027-05-05'), 'registeredOn,expiresOn,updatedOn');
  assert.equal(unreadWith('Registrar Expiry: 2027-05-05'), 'expiresOn');
  assert.equal(unreadWith('Contact Email: jo@shop.example'), 'contacts.email');
});
test('a name that never expires has no expiry that was not understood', () => {
  for (const value of ['Never', 'Unlimited', 'Indefinite', 'Permanent', 'Does not expire', 'No expiry'])
    assert.equal(unreadWith(`Expiry Date: ${value}`), '', value);
  assert.equal(unreadWith('Expiry Date: Nevermore 2027'), 'expiresOn');
});

const TW = `Domain Name: shop.tw
   Domain Status: ok
   Registrant:
      
      Harbor Goods Ltd
      jo@shop.example

   Administrative Contact:
      (Redacted for privacy)

   Record expires on 2027-11-09 00:00:00 (UTC+8)
   Record created on 2000-08-29 10:22:50 (UTC+8)

Registration Service Provider: Harbor, Inc.
`;
test('a contact below a blank line is unread where the indentation that makes it one is gone', () => {
  const read = (text: string) => {
    const outcome = readWhoisText(text, 'shop.tw', 'whois.twnic.net.tw', 0);
    assert.ok(outcome.tag === 'found');
    return [outcome.resource.contacts.map(({ role, name }) => `${role} ${name}`), outcome.unread ?? []];
  };
  assert.deepEqual(read(TW), [['registrant Harbor Goods Ltd', 'administrative null'], []]);
  assert.deepEqual(read(TW.replace(/^ +/gm, '')), [['administrative null'], ['contacts']]);
  assert.deepEqual(read(TW.replace(/^ +/gm, '').replace('Harbor Goods Ltd\njo@shop.example\n', '')), [['administrative null'], []]);
});
