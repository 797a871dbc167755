import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedTargets, titleKey } from './embedded.ts';

test('sealed links are resolved by the script data of the page', () => {
  const targets = embeddedTargets(
    'x=[["https://a.example/p?q=1","A \\u0026 B","text",1]];y=\\x22[\\x22https:\\/\\/b.example\\/\\x22,\\x22Title\\x22,',
  );
  assert.equal(targets.get(titleKey('a & b')), 'https://a.example/p?q=1');
  assert.equal(targets.get('title'), 'https://b.example/');
});
