import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createUuid7 } from './uuid.ts';

test('ids are UUIDv7 of the current time, unique and ordered, also within a millisecond and after the clock is set back', () => {
  let now = 1_790_000_000_000;
  const make = createUuid7(() => now, randomBytes);
  const ids = Array.from({ length: 20_000 }, (_, i) => {
    if (i === 10_000) now -= 5_000;
    return make();
  });
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16), 1_790_000_000_000);
});
