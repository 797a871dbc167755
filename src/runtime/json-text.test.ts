import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonText } from './json-text.ts';

test('a JSON file of a person is read with a byte order mark, and one in UTF-16 is named so', () => {
  assert.deepEqual(readJsonText('\uFEFF{"relays":[]}'), { relays: [] });
  assert.deepEqual(readJsonText('[1]'), [1]);
  for (const bytes of [Buffer.from('\uFEFF{}', 'utf16le'), Buffer.from('{}', 'utf16le')])
    assert.throws(() => readJsonText(bytes.toString('utf8')), /^Error: it is not UTF-8: save it as UTF-8$/);
  assert.throws(() => readJsonText('{"a":'), /^Error: Unexpected end of JSON input$/);
});
