import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceOf, titleOf } from '../../src/console/workbench/errors.ts';
import { ERRORS } from '../../src/contract/errors.ts';

test('the words of an error follow from its code alone: names of Object.prototype are unknown codes', () => {
  for (const code of [...Object.getOwnPropertyNames(Object.prototype), 'FROM_LATER'])
    assert.deepEqual([titleOf(code), typeof adviceOf(code)], ['The lookup failed', 'string'], code);
  assert.ok(Object.keys(ERRORS).length > 15);
  assert.equal(titleOf('RATE_LIMITED'), 'Too many requests');
});
