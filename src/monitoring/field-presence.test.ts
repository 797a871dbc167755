import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presenceIn } from './field-presence.ts';

test('each field has a value or has none; a field of list entries has one if any entry has', () => {
  const resource = {
    name: null,
    rating: { value: 0, votes: null },
    apps: [
      { icon: null, price: '' },
      { icon: 'x', price: null },
    ],
    tags: [],
  };
  assert.deepEqual(presenceIn(resource), {
    present: ['rating', 'rating.value', 'apps', 'apps.icon', 'apps.price'],
    missing: ['name', 'rating.votes', 'tags'],
  });
});

test('fields below a null are neither present nor missing', () => {
  assert.deepEqual(presenceIn({ registrar: null }), { present: [], missing: ['registrar'] });
});

test('a free name, which has no registration data, lacks no field', () => {
  assert.deepEqual(presenceIn({ available: true, registeredOn: null }), { present: ['available'], missing: [] });
  assert.deepEqual(presenceIn({ available: false, registeredOn: null }), { present: ['available'], missing: ['registeredOn'] });
});
