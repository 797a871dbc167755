import assert from 'node:assert/strict';
import { test } from 'node:test';
import { challenge, credentialOf, insufficientScope, isSameSecret } from './credentials.ts';

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
