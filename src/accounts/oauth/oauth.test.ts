import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayAppsSignIn } from './oauth.ts';

test('apps sign in only where the operator states a public URL, and over https or loopback', () => {
  const may = (SIGHTLINE_PUBLIC_URL: string | null) => mayAppsSignIn({ SIGHTLINE_PUBLIC_URL });
  for (const url of ['https://sightline.example', 'http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])
    assert.equal(may(url), true, url);
  for (const url of [null, 'http://sightline.example', 'http://10.0.0.1:8080']) assert.equal(may(url), false, String(url));
});
