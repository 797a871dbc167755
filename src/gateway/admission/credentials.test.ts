import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import {
  challenge,
  credentialOf,
  demandAddress,
  forwardedAddress,
  insufficientScope,
  isSameSecret,
  isWithin,
  withoutPort,
} from './credentials.ts';

test('either header gives the credential; the scheme is case-insensitive', () => {
  assert.deepEqual(credentialOf({ 'x-api-key': 'k' }), { kind: 'given', value: 'k' });
  assert.deepEqual(credentialOf({ authorization: 'Bearer k' }), { kind: 'given', value: 'k' });
  assert.deepEqual(credentialOf({ authorization: 'bEARER  a.b-c_d~e+f/g==' }), { kind: 'given', value: 'a.b-c_d~e+f/g==' });
});

test('both headers are accepted only if they are equal', () => {
  assert.deepEqual(credentialOf({ 'x-api-key': 'k', authorization: 'Bearer k' }), { kind: 'given', value: 'k' });
  assert.equal(credentialOf({ 'x-api-key': 'k', authorization: 'Bearer other' }).kind, 'unusable');
  assert.equal(credentialOf({ 'x-api-key': 'k', authorization: 'Basic aw==' }).kind, 'unusable');
});

test('unusable credentials differ from missing ones', () => {
  assert.equal(credentialOf({}).kind, 'none');
  for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer a, Bearer b', 'Basic eA==', `Bearer ${'a'.repeat(9000)}`])
    assert.equal(credentialOf({ authorization }).kind, 'unusable', authorization.slice(0, 20));
  assert.equal(credentialOf({ 'x-api-key': '' }).kind, 'unusable');
  assert.equal(credentialOf({ 'x-api-key': ['a', 'b'] as unknown as string }).kind, 'unusable');
});

test('an access token is accepted as Bearer only', () => {
  assert.equal(credentialOf({ 'x-api-key': 'eyJhbGciOi' }).kind, 'unusable');
  assert.equal(credentialOf({ 'x-api-key': 'eyJhbGciOi', authorization: 'Bearer eyJhbGciOi' }).kind, 'unusable');
  assert.deepEqual(credentialOf({ authorization: 'Bearer eyJhbGciOi' }), { kind: 'given', value: 'eyJhbGciOi' });
  assert.deepEqual(credentialOf({ 'x-api-key': 'keyJ' }), { kind: 'given', value: 'keyJ' });
});

test('a credential has 8,192 characters at most', () => {
  for (const [length, kind] of [
    [8192, 'given'],
    [8193, 'unusable'],
  ] as const) {
    const value = 'a'.repeat(length);
    assert.equal(credentialOf({ 'x-api-key': value }).kind, kind);
    assert.equal(credentialOf({ authorization: `Bearer ${value}` }).kind, kind);
  }
});

test('two secrets are the same, or not', () => {
  assert.equal(isSameSecret('secret', 'secret'), true);
  for (const other of ['', 'secre', 'secret ', 'Secret']) assert.equal(isSameSecret('secret', other), false);
});

test('a token without the scope is told which one it needs', () => {
  assert.equal(insufficientScope('account', null), 'Bearer realm="sightline", error="insufficient_scope", scope="account"');
  assert.equal(
    insufficientScope('account', 'https://a.example/m'),
    'Bearer realm="sightline", error="insufficient_scope", scope="account", resource_metadata="https://a.example/m"',
  );
});

test('a challenge has an error only if credentials were given, and resource_metadata if there is such a document', () => {
  assert.equal(challenge(false, null), 'Bearer realm="sightline"');
  assert.match(challenge(true, null), /^Bearer realm="sightline", error="invalid_token", error_description="[^"]+"$/);
  assert.match(
    challenge(false, 'https://a.example/.well-known/oauth-protected-resource'),
    /resource_metadata="https:\/\/a\.example\/[^"]+"$/,
  );
});

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
