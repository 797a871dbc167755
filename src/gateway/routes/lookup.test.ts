import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, type Operation } from '../../contract/operations/index.ts';
import { createInputReader } from './lookup.ts';

const serp: Operation = OPERATIONS.serp;

test('a repeated target gives the same frozen input, and is parsed once', () => {
  let reads = 0;
  const counted: Operation = {
    ...serp,
    readInput(given) {
      reads++;
      return serp.readInput(given);
    },
  };
  const read = createInputReader();
  const first = read(counted, {}, '/v1/searchengine/serp?keyword=a');
  assert.deepEqual(read(counted, {}, '/v1/searchengine/serp?keyword=a'), first);
  assert.equal(reads, 1);
  assert.ok(Object.isFrozen(first));
  const other = read(counted, {}, '/v1/searchengine/serp?keyword=b');
  assert.equal('keyword' in other && other.keyword, 'b');
});

test('an invalid target is an error every time', () => {
  const read = createInputReader();
  for (let i = 0; i < 2; i++) assert.throws(() => read(serp, {}, '/v1/searchengine/serp?keyword='), /keyword/);
});
