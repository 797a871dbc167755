import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin } from './ip-allow-list.ts';

test('an address matches a list by CIDR block or exactly, in every notation', () => {
  const list = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'];
  for (const address of ['10.255.0.1', '::ffff:10.0.0.1', '192.0.2.7', '2001:DB8::1', '2001:db8:0:0:0:0:0:1', '::1'])
    assert.equal(isWithin(list, address), true, address);
  for (const address of ['11.0.0.1', '192.0.2.70', '::ffff:11.0.0.1', '2001:db9::1', 'fe80::1%eth0', '', 'localhost', undefined])
    assert.equal(isWithin(list, address), false, String(address));
});
