import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryOf, membersOf, NO_MEMBERS } from './member-list.ts';

const GATEWAY = entryOf('g', { gateway: true, sources: [] }, false, 'none', 'c1');
const WORKER = entryOf('w', { gateway: false, sources: ['a', 'b'] }, false, 'a+b');

test('a member is heard of until it has been silent for its time and the slack', () => {
  const at = (nowMs: number, slackMs = 0) => membersOf([GATEWAY, '1000', WORKER, '1000'], nowMs, slackMs);
  assert.deepEqual(at(1_799), {
    gateways: new Map([['g', 'c1']]),
    workers: [{ id: 'w', queue: 'a+b', accepts: ['a', 'b'], credentials: null }],
    listed: { gateways: 1, workers: 1 },
  });
  assert.deepEqual(at(1_800).workers, []);
  assert.equal(at(1_899, 100).workers.length, 1);
  assert.equal(at(3_999).gateways.size, 1);
  assert.deepEqual(at(4_000), { gateways: new Map(), workers: [], listed: { gateways: 1, workers: 1 } }, 'still a divisor of shares');
  assert.deepEqual(membersOf([], 0, 0), NO_MEMBERS);
});

test('a worker that retires still serves its queue, and takes nothing new; an observer is not listed', () => {
  const retired = entryOf('w', { gateway: false, sources: ['a'] }, true, 'a');
  assert.deepEqual(membersOf([retired, '0'], 1, 0).workers, [{ id: 'w', queue: 'a', accepts: [], credentials: null }]);
  assert.equal(entryOf('o', { gateway: false, sources: [] }, false, 'none'), '');
});
