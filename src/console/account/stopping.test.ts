import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endingWith, stoppingWith } from './stopping.ts';

const key = (keyId: string, madeBy: string | null = null, replacedBy: string | null = null) => ({ keyId, madeBy, replacedBy });

test('with a key end those that it made, at any depth; the watches of a key that it replaced are its own', () => {
  const keys = [key('a'), key('b', 'a'), key('c', 'b'), key('other'), key('old', null, 'a'), key('d', 'other')];
  assert.deepEqual([...endingWith('a', keys)].sort(), ['a', 'b', 'c', 'old']);
  assert.deepEqual([...endingWith('c', keys)], ['c']);
  const watches = [
    ...['a', 'c', 'old', 'other'].map((keyId) => ({ keyId, stopped: null })),
    { keyId: 'b', stopped: 'key' as const },
    { keyId: 'b', stopped: 'budget' as const },
  ];
  assert.deepEqual(
    stoppingWith(endingWith('a', keys), watches).map(({ keyId }) => keyId),
    ['a', 'c', 'old', 'b'],
  );
});
