import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceOn } from './advice.ts';

test('a failed source is named in neutral words, with whether asking again may help and when', () => {
  const what = 'The registry did not answer.';
  const source = 'registration/rdap';
  assert.equal(
    adviceOn({ tag: 'timeout', what, source }, null),
    'The registry did not answer. (Source: registration/rdap.) Asking again may help.',
  );
  assert.match(adviceOn({ tag: 'limited', what, source }, 30), /Ask again in 30 s\.$/);
  assert.match(adviceOn({ tag: 'changed', what, source }, null), /will not help before the service is updated\.$/);
  assert.match(adviceOn({ tag: 'blocked', what, source, final: true }, null), /Asking again will not help\.$/);
  for (const tag of ['blocked', 'unreachable', 'refused']) assert.match(adviceOn({ tag, what, source }, null), /Asking again/);
});
