import assert from 'node:assert/strict';
import test from 'node:test';
import { readSettings } from '../../settings.ts';
import { proxiesOf } from './dispatchers.ts';

test('an invalid proxy URL is refused at once with the name of its setting and without its value', () => {
  for (const value of ['ftp://user:secret@proxy', 'http://'])
    assert.throws(
      () => proxiesOf(readSettings({ HTTPS_PROXY: value })),
      (error: Error) => /HTTPS_PROXY must be/.test(error.message) && !/secret/.test(error.message),
    );
});
