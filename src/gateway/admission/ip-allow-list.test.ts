import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { demandAddress, forwardedAddress, isWithin, withoutPort } from './ip-allow-list.ts';

test('an address matches a list by CIDR block or exactly, in every notation', () => {
  const list = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1', 'fe80::2'];
  for (const address of [
    '10.255.0.1',
    '::ffff:10.0.0.1',
    '::FFFF:a00:1',
    'fe80::2%eth0',
    '192.0.2.7',
    '2001:DB8::1',
    '2001:db8:0:0:0:0:0:1',
    '::1',
  ])
    assert.equal(isWithin(list, address), true, address);
  for (const address of ['11.0.0.1', '192.0.2.70', '::ffff:11.0.0.1', '2001:db9::1', 'fe80::1%eth0', '', 'localhost', undefined])
    assert.equal(isWithin(list, address), false, String(address));
});

test('credentials may be used from their addresses only; null: from everywhere', () => {
  demandAddress(null, { address: '192.0.2.7' });
  demandAddress(undefined, { address: undefined });
  demandAddress(['192.0.2.0/24'], { address: '192.0.2.7' });
  for (const address of ['192.0.3.7', undefined])
    assert.throws(() => demandAddress(['192.0.2.0/24'], { address }), {
      failure: 'FORBIDDEN',
      message: 'These credentials may not be used from this address.',
    });
  assert.throws(() => demandAddress([], { address: '192.0.2.7' }));
});

test('an address of X-Forwarded-For loses its port and its brackets', () => {
  for (const [given, bare] of [
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:5', '192.0.2.7'],
    ['192.0.2.123:54321', '192.0.2.123'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:54321', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['192.0.2.7:543210', '192.0.2.7:543210'],
    ['192.0.2:80', '192.0.2:80'],
    ['x192.0.2.7:80', 'x192.0.2.7:80'],
    ['192.0.2.7:80x', '192.0.2.7:80x'],
    ['192.0.2.7:', '192.0.2.7:'],
    ['x[::1]', 'x[::1]'],
    ['[::1]x', '[::1]x'],
    ['[::1]:', '[::1]:'],
    ['[::1]:123456', '[::1]:123456'],
    ['[]', '[]'],
  ] as const)
    assert.equal(withoutPort(given), bare);
});

test('behind trusted proxies the client is the last address that is none of them', () => {
  const from = (forwarded: string | undefined, remoteAddress: string | undefined, ...proxies: string[]) =>
    forwardedAddress({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage, proxies);
  assert.equal(from('198.51.100.9', '192.0.2.7'), '192.0.2.7');
  assert.equal(from(undefined, '192.0.2.7', '192.0.2.7'), '192.0.2.7');
  assert.equal(from('198.51.100.9, 203.0.113.5:80, 10.0.0.2', '10.0.0.1', '10.0.0.0/8'), '203.0.113.5');
  assert.equal(from(' , 198.51.100.9 ,', '10.0.0.1', '10.0.0.0/8'), '198.51.100.9');
  assert.equal(from('10.0.0.3, 10.0.0.2', '10.0.0.1', '10.0.0.0/8'), '10.0.0.3');
  assert.equal(from(undefined, undefined), '');
});
