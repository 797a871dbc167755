import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsForNow } from './failure-words.ts';

test('the words of a failure that passes count where little other text stands around them, the plain ones everywhere', () => {
  const kinds = ['page', 'main', 'list', 'message'] as const;
  for (const [words, ...taken] of [
    ['The service is temporarily unavailable.', 'page', 'main', 'message'],
    ['Down for maintenance', 'page', 'main', 'message'],
    ['Sorry, something went wrong', 'main', 'list', 'message'],
    ['Please come back later', 'main', 'message'],
    ['Check the spelling and try again', 'list', 'message'],
    ['We are having trouble loading the list', 'list', 'message'],
    ['Not offered at this moment', 'message'],
    ['Internal Server Error', 'message'],
    ['Plan your maintenance', 'message'],
    ['Not Found'],
    ['This app was removed'],
  ])
    assert.deepEqual(
      kinds.filter((kind) => failsForNow(String(words), kind)),
      taken,
      words,
    );
});
