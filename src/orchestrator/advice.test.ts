import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceAfter, adviceOn } from './advice.ts';

test('a failed source is named by its neutral id, with whether and when a retry may help', () => {
  const what = 'The registry did not answer.';
  const source = 'registration/rdap';
  assert.equal(
    adviceOn({ tag: 'timeout', what, source }),
    'The registry did not answer. (Source: registration/rdap.) Asking again may help.',
  );
  assert.match(adviceAfter({ what, source }, 30_000), /Ask again in 30 s\.$/);
  assert.match(adviceOn({ tag: 'changed', what, source }), /will not help before the service is updated\.$/);
  assert.match(adviceOn({ tag: 'blocked', what, source, final: true }), /Asking again will not help\.$/);
  for (const tag of ['blocked', 'unreachable', 'refused'] as const) assert.match(adviceOn({ tag, what, source }), /Asking again/);
});
