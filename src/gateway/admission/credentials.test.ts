import assert from 'node:assert/strict';
import { test } from 'node:test';
import { challenge, credentialOf } from './credentials.ts';

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
});

test('a challenge has an error only if credentials were given, and resource_metadata if there is such a document', () => {
  assert.equal(challenge(false, null), 'Bearer realm="sightline"');
  assert.match(challenge(true, null), /^Bearer realm="sightline", error="invalid_token", error_description="[^"]+"$/);
  assert.match(
    challenge(false, 'https://a.example/.well-known/oauth-protected-resource'),
    /resource_metadata="https:\/\/a\.example\/[^"]+"$/,
  );
});
